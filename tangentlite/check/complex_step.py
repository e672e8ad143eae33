"""The complex step: the imaginary part of ``f(x + ih)`` is ``h f'(x)``, exact up to rounding, where f is analytic.

In: a subject, a direction, what differences say.
Out: the derivative, if there is reason to believe it; else why not.
Next: checking.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.check.comparing import Moved
from tangentlite.check.nests import Vector
from tangentlite.check.subject import Subject

STEP = 2.0**-70


def tried(subject: Subject, along: Vector, moved: Moved) -> tuple[Vector | None, str]:
    """The derivative of the result along a direction, and what is to be said about it.

    That a function is analytic is not taken for granted: its values must be conjugate at conjugate points, unchanged
    where the argument is real, and agree with differences wherever these tell.
    """
    if any(leaf.complex or leaf.eps > 2.0**-52 for leaf in subject.space.leaves):
        return None, "does not apply: the arguments are not real numbers in double precision"
    if any(leaf.complex for leaf in subject.results.leaves):
        return None, "does not apply: the result is complex"
    upper = subject.complex_value(subject.at + 1j * STEP * along)
    lower = subject.complex_value(subject.at - 1j * STEP * along)
    try:
        slope, other = (_imaginary(subject, value) / STEP for value in (upper, lower))
    except (TypeError, ValueError):
        return None, "does not apply: the function does not take complex numbers"
    estimate = moved.part(slice(0, slope.size))
    with np.errstate(all="ignore"):
        room = 10.0 * estimate.error + 1e-6 * np.abs(estimate.value)
        agrees = ~estimate.kink & (np.abs(slope - estimate.value) <= room)
        mirrored = np.abs(slope + other) <= 1e-9 * np.abs(slope)
    if not np.all(mirrored & (agrees | ~estimate.decided)):
        return None, "does not apply: the function is not analytic"
    return slope, "agrees with differences"


def _imaginary(subject: Subject, value: Any) -> Vector:
    """The imaginary parts of what should be the result."""
    return subject.results.imaginary(value)
