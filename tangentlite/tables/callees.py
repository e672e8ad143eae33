"""Callees: which functions give integers, and how large these are.

In: a function, what is known of its arguments (``Bits``).
Out: ``result``.
Next: integers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentlite import rules
from tangentlite.tables.bits import EXACT, GIVEN, UNKNOWN, Bits, grown, joined

SAME = (abs, max, min, list, range, enumerate, zip, reversed, np.abs, np.maximum, np.minimum)
MADE = (np.zeros, np.ones, np.empty)
LIKE = (np.zeros_like, np.ones_like, np.empty_like, np.copy)
ROUNDED = (int, math.floor, math.ceil, math.trunc)
COUNTED = tuple(getattr(math, name) for name in "factorial comb perm gcd lcm isqrt prod".split())


def result(callee: Any, given: Sequence[Bits | None]) -> Bits | None:
    """What a function gives that no user wrote.

    >>> result(len, [None]), result(np.sin, [Bits(3)]), result(max, [None, Bits(3)]), result(math.floor, [None])
    (Bits(width=24, listed=False), None, Bits(width=3, listed=False), Bits(width=53, listed=False))
    >>> result(sum, [Bits(3, True)]), result(math.comb, [Bits(3), Bits(2)]), result(np.sum, [None])
    (Bits(width=23, listed=True), Bits(width=64, listed=False), None)
    """
    found = joined(*given)
    if callee in SAME or callee in LIKE:
        return found
    if callee is len:
        return Bits(GIVEN)
    if callee is sum:
        return grown(Bits(0), found)
    if callee in ROUNDED:
        return found or Bits(EXACT)
    if callee not in COUNTED:
        real = callee is float or _is_real(callee) or (callee in MADE and len(given) == 1)
        if real or (found is None and rules.find(callee) is not None):
            return None
    return Bits(UNKNOWN, found is not None and found.listed)


def _is_real(callee: Any) -> bool:
    """Whether a function of numbers gives floats for integers."""
    if isinstance(callee, np.ufunc):
        return not any(kind[-1] in "bhilqBHILQ" for kind in callee.types)
    return getattr(callee, "__module__", None) == "math"
