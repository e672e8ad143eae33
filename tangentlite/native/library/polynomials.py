# mypy: ignore-errors
# ruff: noqa: D103
"""Polynomials of a line of coefficients, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload


def _is_array(kind, *ranks):
    return isinstance(kind, types.Array) and kind.ndim in (ranks or (kind.ndim,))


def _is_line(kind):
    return _is_array(kind, 1) and isinstance(kind.dtype, types.Float)


@overload(np.polyval)
def polyval(p, x):
    """By Horner's scheme, as NumPy does."""
    if not _is_line(p) or getattr(x, "dtype", p.dtype) != p.dtype:
        return None
    if isinstance(x, types.Float):

        def number(p, x):
            y = x * 0.0
            for k in range(len(p)):
                y = y * x + p[k]
            return y

        return number

    def found(p, x):
        y = np.zeros_like(x)
        for k in range(len(p)):
            y *= x
            y += p[k]
        return y

    return found if _is_array(x) else None


@overload(np.polyder)
def polyder(p):
    if not _is_line(p):
        return None

    def found(p):
        rise = np.zeros(max(len(p) - 1, 0), p.dtype)
        for k in range(len(rise)):
            rise[k] = p[k] * (len(p) - 1 - k)
        return rise

    return found


@overload(runtime.unpolyval)
def unpolyval(b, p, x):
    if not _is_line(p):
        return None
    if isinstance(x, types.Float) and isinstance(b, types.Float):

        def number(b, p, x):
            result = np.zeros_like(p)
            power = b
            for k in range(len(p) - 1, -1, -1):
                result[k] = power
                power = power * x
            return result

        return number

    def found(b, p, x):
        result = np.zeros_like(p)
        power = b.copy()
        for k in range(len(p) - 1, -1, -1):
            result[k] = np.sum(power)
            power *= x
        return result

    alike = _is_array(x) and _is_array(b, x.ndim) and b.dtype == x.dtype == p.dtype
    return found if alike else None
