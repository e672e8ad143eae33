"""Where calls write into an array, and what: ``put_along_axis``, ``fill_diagonal``, ``put``, ``place``.

In: an array and what the call was given.
Out: an index, values.
Next: memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.zero import ZERO


def along(a: Any, i: Any, axis: int | None) -> Any:
    """The index of what ``np.put_along_axis(a, i, …, axis)`` writes.

    >>> along(np.zeros((2, 2)), np.array([[0], [1]]), 1)
    (array([[0],
           [1]]), array([[0],
           [1]]))
    """
    i = np.asarray(i)
    if axis is None:
        return np.unravel_index(i, a.shape)
    axis = axis % a.ndim
    shape = [1] * a.ndim
    index = []
    for k, n in enumerate(a.shape):
        if k == axis:
            index.append(i)
        else:
            index.append(np.arange(n).reshape(*shape[:k], n, *shape[k + 1 :]))
    return tuple(index)


def main_diagonal(a: Any) -> Any:
    """The index of what ``np.fill_diagonal(a, …)`` writes.

    >>> main_diagonal(np.zeros((3, 2)))
    (array([0, 1]), array([0, 1]))
    """
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return (np.arange(min(a.shape)),) * a.ndim


def flat_index(a: Any, i: Any) -> Any:
    """The index of what stands at ``i`` in the flattened array.

    >>> flat_index(np.zeros((2, 2)), [-1])
    (array([1]), array([1]))
    """
    return np.unravel_index(np.arange(a.size)[i], a.shape)


def mask_of(m: Any, a: Any) -> Any:
    """The mask of ``np.place(a, m, …)`` in the shape of the array.

    >>> mask_of([1, 0], np.zeros((1, 2)))
    array([[ True, False]])
    """
    m = np.asarray(m)
    if m.size != a.size:
        raise ValueError("mask and data must be the same size")
    return m.astype(bool).reshape(a.shape)


def cycled(v: Any, part: Any) -> Any:
    """The elements of ``v`` over and over, until there are as many as ``part`` has.

    >>> cycled([1.0, 2.0], np.zeros(3)), cycled(1.0, np.zeros(3))
    (array([1., 2., 1.]), 1.0)
    """
    if np.ndim(v) == 0:
        return v
    if np.size(v) == 0 and np.size(part) > 0:
        raise ValueError("Cannot insert from an empty array!")
    return np.resize(np.asarray(v), np.shape(part))


def uncycled(b: Any, v: Any) -> Any:
    """The adjoint of ``np.resize(v, …)``: those of all copies summed.

    >>> uncycled(np.array([1.0, 2.0, 3.0]), [0.0, 0.0])
    array([4., 2.])
    """
    if b is ZERO:
        return b
    count = np.size(v)
    trips = -(-np.size(b) // max(count, 1))
    padded = np.zeros(trips * count, np.asarray(b).dtype)
    padded[: np.size(b)] = np.ravel(b)
    return padded.reshape(trips, count).sum(0).reshape(np.shape(v))
