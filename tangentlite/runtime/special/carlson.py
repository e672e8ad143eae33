"""Elliptic integrals with all their derivatives: Carlson's, and Legendre's.

In: arguments, exponents or orders.
Out: numbers or arrays as the arguments are.
Next: series.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.errors import DerivativeError
from tangentlite.runtime.singular import QUIET
from tangentlite.runtime.special.incomplete import like_given
from tangentlite.runtime.special.integrals import in_parts

STEP = 0.25
BELOW = (
    "an elliptic integral of Carlson has no derivative below zero, where it is a principal value"
)
HINT = "Pass arguments that are not negative."


def carlson(x: Any, y: Any, z: Any, p: Any, i: float, j: float, k: float, m: float) -> Any:
    """The integral over ``t`` from 0 of ``(t+x)**-i * (t+y)**-j * (t+z)**-k * (t+p)**-m``.

    >>> round(carlson(1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.0), 12)
    2.0
    """
    given, powers = (x, y, z, p), (i, j, k, m)
    used = [(np.asarray(v)[..., None], power) for v, power in zip(given, powers) if power]
    with np.errstate(**QUIET):
        sizes = [np.log(np.abs(v[np.isfinite(v) & (v != 0)])) for v, _ in used]
        low = min([float(np.min(s, initial=0.0)) for s in sizes]) - 90.0
        high = max([float(np.max(s, initial=0.0)) for s in sizes]) + 90.0
        found = STEP * in_parts(lambda t: _integrand(t, used), np.exp(np.arange(low, high, STEP)))
        for v, power in used:
            found = np.where((v[..., 0] == 0) & (power >= 1.0), np.inf, found)
            if np.any((np.real(v) < 0) & (np.imag(v) == 0)):
                raise DerivativeError(BELOW, None, HINT)
    return like_given(found, *given)


def _integrand(t: Any, used: list[tuple[Any, float]]) -> Any:
    term = t
    for v, power in used:
        term = term * (t + v) ** -power
    return term


def elliptic(phi: Any, m: Any, i: int = 1, j: int = 1) -> Any:
    """The integral from 0 to ``phi`` of ``sin(t)**(2*i) * (1 - m*sin(t)**2) ** -(j + 1/2)``.

    >>> round(elliptic(1.0, 0.0, 0, 0), 12)
    1.0
    """
    turns = np.round(np.divide(phi, np.pi))
    s, c = np.sin(phi - turns * np.pi), np.cos(phi - turns * np.pi)
    powers = 0.5, 0.5 + j, 0.5 + (i - j)
    with np.errstate(**QUIET):
        part = s ** (2 * i + 1) * carlson(c * c, 1.0 - m * s * s, 1.0, 1.0, *powers, 0.0)
        whole = 2.0 * turns * carlson(0.0 * np.asarray(m), 1.0 - m, 1.0, 1.0, *powers, 0.0)
        found = 0.5 * (np.where(s == 0.0, 0.0, part) + np.where(turns == 0.0, 0.0, whole))
    return like_given(found, phi, m)
