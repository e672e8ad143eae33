# mypy: ignore-errors
# ruff: noqa: D103
"""Adjoints of lists and tuples of numbers, and of what is made of them, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.copies import met
from tangentlite.native.library.joints import DIFFER, _axis
from tangentlite.native.library.perhaps import overload
from tangentlite.native.looping.nests import MISMATCH


def _is_array(kind):
    return isinstance(kind, types.Array)


def _is_row(kind):
    """A list of floats."""
    return isinstance(kind, types.List) and isinstance(kind.dtype, types.Float)


def _is_few(kind):
    """A tuple of floats."""
    return isinstance(kind, types.UniTuple) and isinstance(kind.dtype, types.Float)


def _is_several(kind):
    """A list of arrays of floats."""
    plain = isinstance(kind, types.List) and _is_array(kind.dtype)
    return plain and isinstance(kind.dtype.dtype, types.Float)


def _is_first(axis):
    """Whether an axis is the first one, or the only one."""
    return _axis(axis) == 0 or axis == 0


@overload(runtime.zeros)
def zeros(x):
    if _is_several(x):
        return lambda x: [np.zeros(part.shape, part.dtype) for part in x]
    return (lambda x: [0.0] * len(x)) if _is_row(x) or _is_few(x) else None


@overload(runtime.add_at)
def add_at(bx, i, e):
    number = _is_row(bx) and not _is_array(e)
    array = _is_several(bx) and _is_array(e) and e.ndim == bx.dtype.ndim
    if not (number or array) or not isinstance(i, types.Integer):
        return None

    def added(bx, i, e):
        bx[i] += e
        return bx

    return added


@overload(runtime.add)
def add(a, b):
    if (_is_row(a) and _is_row(b)) or (_is_several(a) and _is_several(b)):

        def added(a, b):
            if len(a) != len(b):
                raise ValueError(MISMATCH)
            return [a[k] + b[k] for k in range(len(a))]

        return added
    numbers = all(_is_array(k) or isinstance(k, types.Float) for k in (a, b))
    return (lambda a, b: a + b) if numbers else None


@overload(np.concatenate)
def concatenate(arrays, axis=0):
    """Arrays that a list holds, along the first axis."""
    if not _is_several(arrays) or not _is_first(axis):
        return None

    def joined(arrays, axis=0):
        if not len(arrays):
            raise ValueError("need at least one array to concatenate")
        first, count = arrays[0], 0
        for part in arrays:
            if part.shape[1:] != first.shape[1:]:
                raise ValueError(DIFFER)
            count += len(part)
        result, at = np.empty((count, *first.shape[1:]), first.dtype), 0
        for part in arrays:
            result[at : at + len(part)] = part
            at += len(part)
        return result

    return joined


@overload(np.stack)
def stack(arrays, axis=0):
    """Arrays that a list holds, along a new first axis."""
    if not _is_several(arrays) or not _is_first(axis):
        return None

    def stacked(arrays, axis=0):
        if not len(arrays):
            raise ValueError("need at least one array to stack")
        result = np.empty((len(arrays), *arrays[0].shape), arrays[0].dtype)
        for k in range(len(arrays)):
            if arrays[k].shape != arrays[0].shape:
                raise ValueError("all input arrays must have the same shape")
            result[k] = arrays[k]
        return result

    return stacked


@overload(runtime.split_like, prefer_literal=True)
def split_like(b, xs, axis=0):
    if not _is_several(xs) or not _is_array(b) or b.ndim != xs.dtype.ndim or not _is_first(axis):
        return None

    def parts(b, xs, axis=0):
        ends = [0]
        for x in xs:
            ends.append(ends[-1] + len(x))
        return [b[ends[k] : ends[k + 1]].copy() for k in range(len(xs))]

    return parts


@overload(runtime.unstack, prefer_literal=True)
def unstack(b, xs, axis=0):
    fine = _is_several(xs) and _is_array(b) and b.ndim == xs.dtype.ndim + 1
    return (lambda b, xs, axis=0: [part.copy() for part in b]) if fine and _is_first(axis) else None


@overload(runtime.through)
def through(b, dtype=None):
    """What is said to be of double precision already is left alone."""
    kind = getattr(dtype, "value", dtype)
    if kind is None or isinstance(kind, types.NoneType):
        return lambda b, dtype=None: b
    double = getattr(b, "dtype", b) == types.float64
    return (lambda b, dtype=None: b) if double and _is_double(kind) else None


def _is_double(kind):
    names = isinstance(kind, types.Function) and kind.typing_key is float
    return names or (
        isinstance(kind, (types.NumberClass, types.DType)) and kind.dtype == types.float64
    )


@overload(runtime.unbroadcast)
def unbroadcast(b, like):
    """What became of a list; one of lists has its rows, of which nothing but elements is read."""
    if not isinstance(like, types.List) or not _is_array(b):
        return None
    if _is_row(like) and b.ndim == 1:

        def row(b, like):
            if len(b) != len(like):
                raise ValueError(MISMATCH)
            return [b[k] for k in range(len(b))]

        return row
    nested = isinstance(like.dtype, types.List) and _is_row(like.dtype) and b.ndim == 2
    return (lambda b, like: b) if nested else None


@overload(runtime.apart)
def apart(by, bx):
    """Nothing, where what has been added to a view is in its array."""
    if not (_is_array(by) and _is_array(bx)):
        return None

    def found(by, bx):
        return np.zeros(by.shape, by.dtype) if met(by, bx) else by.copy()

    return found
