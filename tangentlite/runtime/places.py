"""Where calls write into an array: indices for ``put_along_axis``, ``fill_diagonal``, ``put``.

In: an array and what the call was given.
Out: an index.
Next: memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np


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
