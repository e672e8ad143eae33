"""Whether a derivative agrees with its estimate, entry by entry.

In: an estimate, what was found, how exact numbers are.
Out: ``Verdict``: where they differ, where nobody can tell, how far apart they are.
Next: checking.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.check.differences import SAFETY, Estimate
from tangentlite.check.nests import Vector
from tangentlite.values import immutable

BLURRED = 1e-2


@immutable(eq=False)
class Verdict:
    """For each entry: ``wrong``, ``undecided``, and the relative difference where it could be judged."""

    wrong: Any
    undecided: Any
    apart: Vector

    @property
    def largest(self) -> float:
        """The largest relative difference that counts."""
        judged = self.apart[~self.undecided & np.isfinite(self.apart)]
        return float(judged.max(initial=0.0))


def judged(estimate: Estimate, found: Vector, rtol: float, atol: Any = 0.0) -> Verdict:
    """Compare what was found with an estimate.

    >>> zero, two = np.zeros(1), np.full(1, 2.0)
    >>> estimate = Estimate(two, zero + 1e-9, two, two, zero > 1, zero)
    >>> [bool(judged(estimate, np.array([x]), 1e-6).wrong[0]) for x in (2.0, 2.001, np.nan)]
    [False, True, True]
    """
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(found), np.abs(estimate.value))
        size = np.where(np.isfinite(size), size, np.abs(estimate.value))
        room = SAFETY * estimate.error + rtol * size + atol
        beyond = np.fmax(estimate.low - found, found - estimate.high)
        known = np.isfinite(estimate.value) & np.isfinite(estimate.error)
        wrong = known & ~(beyond <= room) & ~_hopeless(estimate, found)
        for value, error in estimate.others:
            near = np.isfinite(error) & (error <= BLURRED * np.abs(value))
            near &= np.abs(found - value) <= SAFETY * error + rtol * size
            wrong, beyond = wrong & ~near, np.where(near, np.abs(found - value), beyond)
        blurred = ~known | (SAFETY * estimate.error > BLURRED * size + atol)
        trivial = SAFETY * estimate.error <= 1e-9 * np.max(size, initial=0.0, where=known)
        undecided = blurred & ~wrong & ~trivial & ~((found == 0.0) & (estimate.value == 0.0))
        told = size > 1e3 * estimate.error  # the rest is zero as far as differences can tell
        apart = np.where(told, np.maximum(beyond, 0.0) / np.where(told, size, 1.0), 0.0)
    return Verdict(wrong, undecided, apart)


def _hopeless(estimate: Estimate, found: Vector) -> Any:
    """Where the derivative may be infinite, or not exist: differences do not settle."""
    return ~np.isfinite(found) & ~(estimate.error <= BLURRED * np.abs(estimate.value) + 1e-9)
