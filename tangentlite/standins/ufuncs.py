"""The methods of universal functions: element after element along an axis.

In: a function of two numbers, and an array.
Out: stand-ins.
Next: calling.
"""

from __future__ import annotations

import numpy as np


def reduce(function, array, axis=0, keepdims=False):
    """``f(f(a[0], a[1]), a[2])`` along an axis, or along several as if they were one."""
    if axis is None:
        rows = np.ravel(array)
    elif isinstance(axis, tuple):
        moved = np.moveaxis(np.asarray(array), axis, tuple(range(len(axis))))
        rows = np.reshape(moved, (-1, *np.shape(moved)[len(axis) :]))
    else:
        rows = np.moveaxis(np.asarray(array), axis, 0)
    value = rows[0]
    for k in range(1, len(rows)):
        value = function(value, rows[k])
    if not keepdims:
        return value
    return np.expand_dims(value, axis if axis is not None else tuple(range(np.ndim(array))))


def accumulate(function, array, axis=0):
    """The values on the way of ``reduce``."""
    rows = np.moveaxis(np.asarray(array), axis, 0)
    values = [rows[0]]
    for k in range(1, len(rows)):
        values.append(function(values[-1], rows[k]))
    return np.stack(values, axis)


def outer(function, a, b):
    """Each of ``a`` with each of ``b``."""
    return function(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)
