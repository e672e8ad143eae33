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
    elif np.ndim(array) == 0:
        return np.asarray(array)[()]
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
    if len(rows) == 0:
        return array * 1.0
    values = [rows[0]]
    for k in range(1, len(rows)):
        values.append(function(values[-1], rows[k]))
    return np.stack(values, axis)


def reduceat(function, array, indices, axis=0):
    """``reduce`` of what lies between an index and the next one; of one element, if the next one is not beyond."""
    rows = np.moveaxis(np.asarray(array), axis, 0)
    values = []
    for k in range(len(indices)):
        end = indices[k + 1] if k + 1 < len(indices) else len(rows)
        value = rows[indices[k]]
        for j in range(indices[k] + 1, end):
            value = function(value, rows[j])
        values.append(value)
    return np.stack(values, axis)


def outer(function, a, b):
    """Each of ``a`` with each of ``b``."""
    return function(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)
