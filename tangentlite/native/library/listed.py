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


@overload(runtime.zeros)
def zeros(x):
    return (lambda x: [0.0] * len(x)) if _is_row(x) or _is_few(x) else None


@overload(runtime.add_at)
def add_at(bx, i, e):
    if not _is_row(bx) or not isinstance(i, types.Integer) or _is_array(e):
        return None

    def added(bx, i, e):
        bx[i] += e
        return bx

    return added


@overload(runtime.add)
def add(a, b):
    if _is_row(a) and _is_row(b):

        def added(a, b):
            if len(a) != len(b):
                raise ValueError(MISMATCH)
            return [a[k] + b[k] for k in range(len(a))]

        return added
    numbers = all(_is_array(k) or isinstance(k, types.Float) for k in (a, b))
    return (lambda a, b: a + b) if numbers else None


@overload(runtime.through)
def through(b):
    return lambda b: b


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
