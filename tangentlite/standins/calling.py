"""What calls a function of the user: along an axis, over axes, at indices.

In: a function, and arrays.
Out: stand-ins.
Next: histograms.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for(np.apply_along_axis)
def apply_along_axis(func1d, axis, arr, *args):
    """The results of a function of one row, where the rows were."""
    along = np.moveaxis(np.asarray(arr), axis, -1)
    rows = np.reshape(along, (-1, along.shape[-1]))
    found = np.stack([func1d(rows[k], *args) for k in range(len(rows))])
    inner = found.shape[1:]
    whole = np.reshape(found, along.shape[:-1] + inner)
    first = axis % np.ndim(arr)
    return np.moveaxis(whole, range(-len(inner), 0), range(first, first + len(inner)))


@stands_for(np.apply_over_axes)
def apply_over_axes(func, a, axes):
    """One axis after the other; what a function drops is kept with length one."""
    value = np.asarray(a)
    for axis in np.atleast_1d(axes):
        place = int(axis) % np.ndim(a)
        found = func(value, place)
        value = found if np.ndim(found) == np.ndim(a) else np.expand_dims(found, place)
    return value


def vectorized_1(function, x):
    """``np.vectorize`` of a function of one number, which is asked first for the type of what it gives."""
    values = np.ravel(x)
    first = function(values[0])
    found = [function(values[k]) for k in range(len(values))]
    return np.reshape(np.array(found, np.asarray(first).dtype), np.shape(x))


def vectorized_2(function, x, y):
    """``np.vectorize`` of a function of two numbers."""
    whole = np.broadcast_arrays(x, y)
    a, b = np.ravel(whole[0]), np.ravel(whole[1])
    first = function(a[0], b[0])
    found = [function(a[k], b[k]) for k in range(len(a))]
    return np.reshape(np.array(found, np.asarray(first).dtype), np.shape(whole[0]))


def vectorized_3(function, x, y, z):
    """``np.vectorize`` of a function of three numbers."""
    whole = np.broadcast_arrays(x, y, z)
    a, b, c = np.ravel(whole[0]), np.ravel(whole[1]), np.ravel(whole[2])
    first = function(a[0], b[0], c[0])
    found = [function(a[k], b[k], c[k]) for k in range(len(a))]
    return np.reshape(np.array(found, np.asarray(first).dtype), np.shape(whole[0]))


def vectorized_floats_1(function, x):
    """``np.vectorize`` of a function of one number, which gives floats."""
    values = np.ravel(x)
    found = [function(values[k]) for k in range(len(values))]
    return np.reshape(np.array(found, float), np.shape(x))


def vectorized_floats_2(function, x, y):
    """``np.vectorize`` of a function of two numbers, which gives floats."""
    whole = np.broadcast_arrays(x, y)
    a, b = np.ravel(whole[0]), np.ravel(whole[1])
    found = [function(a[k], b[k]) for k in range(len(a))]
    return np.reshape(np.array(found, float), np.shape(whole[0]))


def vectorized_floats_3(function, x, y, z):
    """``np.vectorize`` of a function of three numbers, which gives floats."""
    whole = np.broadcast_arrays(x, y, z)
    a, b, c = np.ravel(whole[0]), np.ravel(whole[1]), np.ravel(whole[2])
    found = [function(a[k], b[k], c[k]) for k in range(len(a))]
    return np.reshape(np.array(found, float), np.shape(whole[0]))


VECTORIZED = {1: vectorized_1, 2: vectorized_2, 3: vectorized_3}
FLOATS = {1: vectorized_floats_1, 2: vectorized_floats_2, 3: vectorized_floats_3}


def vectorized(made: np.vectorize, count: int):
    """What stands in for a plain object of ``np.vectorize``; None if it is asked for more."""
    if made.signature is not None or made.excluded:
        return None
    if made.otypes is None:
        return VECTORIZED.get(count)
    return FLOATS.get(count) if [np.dtype(t) for t in made.otypes] == [np.dtype(float)] else None
