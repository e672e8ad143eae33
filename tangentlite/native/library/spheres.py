# mypy: ignore-errors
"""Spherical Bessel functions of roots, for sines and cosines of lengths, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload

NEAR = 9.0  # below it the series, as in the runtime


@register_jitable
def _series(p, n):
    term = 1.0
    for k in range(2 * n + 1, 0, -2):
        term /= k
    total = term
    for m in range(1, 24):
        term *= p / (-2.0 * m * (2 * n + 2 * m + 1))
        total += term
    return total


@register_jitable
def _recurrence(p, n):
    root = np.sqrt(abs(p))
    before = np.cos(root) if p > 0.0 else np.cosh(root)
    value = (np.sin(root) if p > 0.0 else np.sinh(root)) / root
    if n < 0:
        return before
    for k in range(n):
        before, value = value, ((2 * k + 1) * value - before) / p
    return value


@register_jitable
def _at(p, n):
    return _series(p, n) if abs(p) < NEAR else _recurrence(p, n)


@overload(runtime.spherical)
def spherical(p, n):
    """Of a number, and of each element; others are refused."""
    if p == types.float64:
        return lambda p, n: _at(p, n)
    if not isinstance(p, types.Array) or p.dtype != types.float64:
        return None

    def every(p, n):
        r = np.empty(p.shape)
        for i, v in np.ndenumerate(p):
            r[i] = _at(v, n)
        return r

    return every


@overload(runtime.even_root)
def even_root(v, s, first):
    """The value itself."""
    return lambda v, s, first: v


@overload(runtime.rooted)
@overload(runtime.rooted_product)
def rooted(v, s):
    """The value itself."""
    return lambda v, s: v
