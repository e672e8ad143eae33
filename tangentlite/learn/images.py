"""Convolution and pooling of images.

In: images of shape (number, rows, columns, channels); kernels of shape (rows, columns, channels, number).
Out: images.
Next: layers.

>>> images, kernels = np.ones((1, 4, 4, 1)), np.ones((3, 3, 1, 2))
>>> conv2d(images, kernels).shape, conv2d(images, kernels, stride=2, padding=1).shape
((1, 2, 2, 2), (1, 2, 2, 2))
>>> max_pool2d(np.arange(16.0).reshape(1, 4, 4, 1)).ravel()
array([ 5.,  7., 13., 15.])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided


def conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0) -> Any:
    """Cross-correlate images with kernels: one product of matrices, of patches and of kernels."""
    high, wide, _, count = w.shape
    if padding:
        x = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    rows, columns = (x.shape[1] - high) // stride + 1, (x.shape[2] - wide) // stride + 1
    sums = patches(x, high, wide, stride) @ np.reshape(w, (-1, count))
    return np.reshape(sums, (len(x), rows, columns, count))


def patches(x: Any, high: int, wide: int, stride: int = 1) -> Any:
    """Give a matrix with a row for each place of the window: what stands under it."""
    x = np.ascontiguousarray(x)
    count, rows, columns, channels = x.shape
    if high > rows or wide > columns:
        raise ValueError(f"a window of {high} by {wide} does not fit into {rows} by {columns}")
    down, across = (rows - high) // stride + 1, (columns - wide) // stride + 1
    image, row, column, step = x.strides
    places = (count, down, across, high, wide * channels)
    apart = (image, stride * row, stride * column, row, step)
    return as_strided(x, places, apart).reshape(count * down * across, -1)


def overlay(p: Any, x: Any, high: int, wide: int, stride: int = 1) -> Any:
    """Add patches to each other where they lay in ``x``."""
    count, rows, columns, channels = x.shape
    down, across = (rows - high) // stride + 1, (columns - wide) // stride + 1
    whole = np.zeros((count, rows, columns * channels), p.dtype)
    parts = np.reshape(p, (count, down, across, high, wide * channels))
    for i in range(high):
        below = i + stride * (down - 1) + 1
        for j in range(across):
            left = j * stride * channels
            whole[:, i:below:stride, left : left + wide * channels] += parts[:, :, j, i]
    return whole.reshape(x.shape)


def max_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the largest element of each cell; the first of several gets the whole adjoint."""
    y = np.array(part(x, 0, size, stride or size))
    for k in range(1, size * size):
        np.maximum(y, part(x, k, size, stride or size), out=y)
    return y


def part(x: Any, k: int, size: int, stride: int) -> Any:
    """Give the view of all elements that are number ``k`` in their cells."""
    i, j = divmod(k, size)
    below, beyond = x.shape[1] - size + i + 1, x.shape[2] - size + j + 1
    return x[:, i:below:stride, j:beyond:stride]


def firsts(x: Any, y: Any, size: int, stride: int) -> Iterator[tuple[int, Any]]:
    """Give for each number in a cell, where that element is the first that is equal to the cell's ``y``."""
    free, last = np.ones(y.shape, np.bool_), size * size - 1
    for k in range(last):
        here = part(x, k, size, stride) == y
        here &= free
        free ^= here
        yield k, here
    yield last, free


def chosen(v: Any, x: Any, y: Any, size: int, stride: int) -> Any:
    """Give that element of each cell of ``v`` where the largest of ``x`` is."""
    found = np.zeros(y.shape, v.dtype)
    for k, here in firsts(x, y, size, stride):
        np.copyto(found, part(v, k, size, stride), where=here)
    return found


def spread(g: Any, x: Any, y: Any, size: int, stride: int) -> Any:
    """Put elements where ``chosen`` takes them from."""
    whole = np.zeros(x.shape, g.dtype)
    for k, here in firsts(x, y, size, stride):
        cells = part(whole, k, size, stride)
        taken = np.where(here, g, 0.0)
        cells[:] = taken if stride >= size else cells + taken
    return whole


def average_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the mean of each cell."""
    step = stride or size
    total = 0.0
    for i in range(size):
        for j in range(size):
            below, beyond = x.shape[1] - size + i + 1, x.shape[2] - size + j + 1
            total = total + x[:, i:below:step, j:beyond:step]
    return total / (size * size)
