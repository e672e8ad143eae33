"""Pooling of images: one number for each cell of a channel.

In: images of shape (number, rows, columns, channels), in any order in memory.
Out: images; they lie in the same order.
Next: images.

>>> max_pool2d(np.arange(16.0).reshape(1, 4, 4, 1)).ravel()
array([ 5.,  7., 13., 15.])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tangentlite.learn.rooms import like, ordered, slabs
from tangentlite.runtime import ZERO

NEAR = 1 << 20  # bytes of what is dealt to cells together


def places(rows: int, columns: int, high: int, wide: int, stride: int) -> tuple[int, int]:
    """Give how often a window fits, down and across."""
    if high > rows or wide > columns:
        raise ValueError(f"a window of {high} by {wide} does not fit into {rows} by {columns}")
    return (rows - high) // stride + 1, (columns - wide) // stride + 1


def max_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the largest element of each cell; the first of several gets the whole adjoint."""
    places(x.shape[1], x.shape[2], size, size, stride or size)
    y = largest(largest(x, 2, size, stride or size), 1, size, stride or size)
    return np.array(y) if size == 1 else y


def largest(x: Any, axis: int, size: int, stride: int) -> Any:
    """Give the largest of every few elements along an axis."""
    y = along(x, axis, 0, size, stride)
    for k in range(1, size):
        y = np.maximum(y, along(x, axis, k, size, stride), out=like(y) if k == 1 else y)
    return y


def along(x: Any, axis: int, k: int, size: int, stride: int) -> Any:
    """Give the view of all elements that are number ``k`` of those in a window, along an axis."""
    count = (x.shape[axis] - size) // stride + 1
    beyond = k + stride * (count - 1) + 1
    return x[(*(slice(None),) * axis, slice(k, beyond, stride))]


def part(x: Any, k: int, size: int, stride: int) -> Any:
    """Give the view of all elements that are number ``k`` in their cells."""
    i, j = divmod(k, size)
    down, across = places(x.shape[1], x.shape[2], size, size, stride)
    below, beyond = i + stride * (down - 1) + 1, j + stride * (across - 1) + 1
    return x[:, i:below:stride, j:beyond:stride]


def firsts(x: Any, y: Any, size: int, stride: int) -> Iterator[tuple[int, Any]]:
    """Give for each number in a cell, where that element is the first that is equal to the cell's ``y``."""
    free, last = np.ones_like(y, np.bool_), size * size - 1
    for k in range(last):
        here = part(x, k, size, stride) == y
        here &= free
        free ^= here
        yield k, here
    yield last, free


def chosen(v: Any, x: Any, y: Any, size: int, stride: int) -> Any:
    """Give that element of each cell of ``v`` where the largest of ``x`` is."""
    if v is ZERO:
        return ZERO
    found = np.zeros_like(y, v.dtype)
    for k, here in firsts(x, y, size, stride):
        np.copyto(found, part(v, k, size, stride), where=here)
    return found


def spread(g: Any, x: Any, y: Any, size: int, stride: int) -> Any:
    """Put elements where ``chosen`` takes them from."""
    if g is ZERO:
        return ZERO
    whole, g = like(x, g.dtype), ordered(g, y)
    touch = 1 < size == stride and not (x.shape[1] % size or x.shape[2] % size)
    if touch and np.isfinite(np.sum(g)):
        for here in slabs(y, (0, 1, 3), NEAR):
            cells = _times(here, size)
            _deal(g[here], x[cells], y[here], size, whole[cells])
        return whole
    whole[:] = 0.0
    for k, here in firsts(x, y, size, stride):
        cells = part(whole, k, size, stride)
        if stride < size:
            cells += np.where(here, g, 0.0)
        else:
            np.copyto(cells, g, where=here)
    return whole


def _times(here: Any, size: int) -> Any:
    """Give the indices of what is in cells: there are ``size`` rows in one.

    >>> _times((slice(None), slice(1, 3)), 2)
    (slice(None, None, None), slice(2, 6, None))
    """
    if len(here) != 2:
        return here
    return here[0], slice(size * here[1].start, size * here[1].stop)


def _deal(g: Any, x: Any, y: Any, size: int, whole: Any) -> None:
    """Fill cells that touch: the first row that has the largest takes all, and in it the first column."""
    rows = largest(x, 2, size, size)
    given = like(rows, g.dtype)
    _share(g, rows, y, 1, size, given)
    _share(given, x, rows, 2, size, whole)


def _share(g: Any, x: Any, y: Any, axis: int, size: int, whole: Any) -> None:
    """Give each of ``g`` to the first of its elements that is equal to ``y``, or else to the last."""
    last = along(whole, axis, size - 1, size, size)
    for k in range(size - 1):
        mine = along(whole, axis, k, size, size)
        np.multiply(g, along(x, axis, k, size, size) == y, out=mine)
        g = np.subtract(g, mine, out=last if k == size - 2 else None)


def average_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the mean of each cell."""
    total = 0.0
    for k in range(size * size):
        total = total + part(x, k, size, stride or size)
    return total / (size * size)
