# mypy: ignore-errors
# ruff: noqa: D103
"""Functions of lines, and vectors of three components, as Numba reads them: interpolated, convolved, repeated.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.joints import _axis
from tangentlite.native.library.perhaps import overload
from tangentlite.native.looping.nests import MISMATCH


def _is_line(*kinds):
    return all(isinstance(k, types.Array) and k.ndim == 1 for k in kinds)


def _is_last(axis):
    return _axis(axis) in (0, -1)


@overload(runtime.midpoints, prefer_literal=True)
def midpoints(y, axis=-1):
    if not _is_line(y) or not _is_last(axis) or not isinstance(y.dtype, types.Float):
        return None

    def found(y, axis=-1):
        result = np.empty(max(len(y) - 1, 0), y.dtype)
        for k in range(len(result)):
            result[k] = 0.5 * (y[k + 1] + y[k])
        return result

    return found


@overload(runtime.unmidpoints, prefer_literal=True)
def unmidpoints(b, y, axis=-1):
    if not _is_line(b, y) or not _is_last(axis):
        return None

    def found(b, y, axis=-1):
        if len(b) + 1 != len(y):
            raise ValueError(MISMATCH)
        result = np.zeros(len(y), b.dtype)
        for k in range(len(b)):
            result[k] += 0.5 * b[k]
            result[k + 1] += 0.5 * b[k]
        return result

    return found


@overload(runtime.uninterp)
def uninterp(b, x, xp):
    if not _is_line(b, x, xp):
        return None

    def found(b, x, xp):
        if len(b) != len(x):
            raise ValueError(MISMATCH)
        result = np.zeros(len(xp), b.dtype)
        for k in range(len(x)):
            if len(xp) == 1:
                result[0] += b[k]
                continue
            at = min(max(np.searchsorted(xp, x[k], "right") - 1, 0), len(xp) - 2)
            share = (x[k] - xp[at]) / (xp[at + 1] - xp[at])
            share = min(max(share, 0.0), 1.0) if share == share else share
            result[at] += (1.0 - share) * b[k]
            result[at + 1] += share * b[k]
        return result

    return found


@overload(runtime.slope)
def slope(x, xp, fp):
    if not _is_line(x, xp, fp):
        return None

    def found(x, xp, fp):
        result = np.zeros(len(x), fp.dtype)
        for k in range(len(x)):
            for side in range(2):
                at = np.searchsorted(xp, x[k], "left")
                at = np.searchsorted(xp, x[k], "right") if side else at
                if 0 < at < len(xp):
                    result[k] += 0.5 * (fp[at] - fp[at - 1]) / (xp[at] - xp[at - 1])
        return result

    return found


@overload(runtime.uncrop, prefer_literal=True)
def uncrop(b, a, v, mode="full"):
    mode = getattr(mode, "literal_value", getattr(mode, "value", mode))
    if not _is_line(b, a, v) or mode not in ("full", "valid", "same"):
        return None
    full, valid = mode == "full", mode == "valid"

    def found(b, a, v, mode="full"):
        less = min(len(a), len(v))
        start = 0 if full else less - 1 if valid else (less - 1) // 2
        result = np.zeros(len(a) + len(v) - 1, b.dtype)
        for k in range(len(b)):
            result[start + k] = b[k]
        return result

    return found


@overload(runtime.uncross)
def uncross(other, b, x):
    """Of vectors of three components, or rows of them, as many on both sides."""
    arrays = all(isinstance(k, types.Array) for k in (other, b, x))
    if not arrays or len({other.ndim, b.ndim, x.ndim}) != 1 or x.ndim > 2:
        return None
    last = x.ndim - 1

    def found(other, b, x):
        if other.shape != x.shape or b.shape != x.shape or x.shape[last] != 3:
            raise ValueError(MISMATCH)
        return np.cross(other, b)

    return found


@overload(np.tile)
def tile(A, reps):
    if not _is_line(A) or not isinstance(reps, types.Integer):
        return None

    def found(A, reps):
        result = np.empty(len(A) * max(reps, 0), A.dtype)
        for k in range(len(result)):
            result[k] = A[k % len(A)]
        return result

    return found


@overload(runtime.untile)
def untile(b, x, reps):
    if not _is_line(b, x) or not isinstance(reps, types.Integer):
        return None

    def found(b, x, reps):
        result = np.zeros(len(x), b.dtype)
        for k in range(len(b)):
            result[k % len(x)] += b[k]
        return result

    return found


@overload(runtime.unrepeat)
def unrepeat(b, x, repeats):
    if not _is_line(b, x) or not isinstance(repeats, types.Integer):
        return None

    def found(b, x, repeats):
        result = np.zeros(len(x), b.dtype)
        for k in range(len(b)):
            result[k // repeats] += b[k]
        return result

    return found


@overload(runtime.put_along, prefer_literal=True)
def put_along(b, x, i, axis=-1):
    if not _is_line(b, x, i) or not _is_last(axis):
        return None

    def found(b, x, i, axis=-1):
        result = np.zeros(len(x), b.dtype)
        for k in range(len(i)):
            result[i[k]] += b[k]
        return result

    return found


@overload(np.take_along_axis, prefer_literal=True)
def take_along_axis(arr, indices, axis):
    if not _is_line(arr, indices) or not _is_last(axis):
        return None
    return lambda arr, indices, axis: arr[indices]


@overload(np.heaviside)
def heaviside(x1, x2):
    numbers = all(isinstance(k, (types.Float, types.Integer)) for k in (x1, x2))
    if not numbers:
        return None
    return lambda x1, x2: x1 * 1.0 if x1 != x1 else 0.0 if x1 < 0 else 1.0 if x1 > 0 else x2 * 1.0
