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

from tangentlite.learn.rooms import like, product, room, shifted


def conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0, bias: Any = None) -> Any:
    """Cross-correlate images with kernels: one product of matrices, of kernels and of patches.

    ``bias``: what is added, a number for each kernel.
    """
    high, wide, _, count = w.shape
    kernels, under = np.reshape(w, (-1, count)).T, patches(x, high, wide, stride, padding)
    sums = product(kernels, under) if bias is None else shifted(kernels, under, bias)
    rows = (x.shape[1] + 2 * padding - high) // stride + 1
    columns = (x.shape[2] + 2 * padding - wide) // stride + 1
    return np.transpose(np.reshape(sums, (count, rows, columns, len(x))), (3, 1, 2, 0))


def planes(x: Any, padding: int) -> Any:
    """Give the channels, with zeros around; images come last, so that neighbors in memory are treated alike."""
    x = np.asarray(x)
    count, rows, columns, channels = x.shape
    found = room((channels, rows + 2 * padding, columns + 2 * padding, count), x.dtype)
    if padding:
        found[:] = 0.0
    found[:, padding : padding + rows, padding : padding + columns] = x.transpose(3, 1, 2, 0)
    return found


def places(rows: int, columns: int, high: int, wide: int, stride: int) -> tuple[int, int]:
    """Give how often a window fits, down and across."""
    if high > rows or wide > columns:
        raise ValueError(f"a window of {high} by {wide} does not fit into {rows} by {columns}")
    return (rows - high) // stride + 1, (columns - wide) // stride + 1


def patches(x: Any, high: int, wide: int, stride: int = 1, padding: int = 0) -> Any:
    """Give a matrix with a column for each place of the window: what stands under it."""
    x = planes(x, padding)
    channels, rows, columns, count = x.shape
    down, across = places(rows, columns, high, wide, stride)
    channel, row, column, image = x.strides
    apart = (row, column, channel, stride * row, stride * column, image)
    found = room((high, wide, channels, down, across, count), x.dtype)
    found[:] = as_strided(x, found.shape, apart)
    return found.reshape(high * wide * channels, -1)


def overlay(p: Any, x: Any, high: int, wide: int, stride: int = 1, padding: int = 0) -> Any:
    """Add patches to each other where they lay in ``x``."""
    count, rows, columns, channels = x.shape
    whole = room((channels, rows + 2 * padding, columns + 2 * padding, count), p.dtype)
    whole[:] = 0.0
    down, across = places(whole.shape[1], whole.shape[2], high, wide, stride)
    parts = np.reshape(p, (high, wide, channels, down, across, count))
    for i in range(high):
        below = i + stride * (down - 1) + 1
        for j in range(wide):
            whole[:, i:below:stride, j : j + stride * (across - 1) + 1 : stride] += parts[i, j]
    inside = whole[:, padding : padding + rows, padding : padding + columns]
    return inside.transpose(3, 1, 2, 0)


def max_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the largest element of each cell; the first of several gets the whole adjoint."""
    first = part(x, 0, size, stride or size)
    y = like(first)
    y[:] = first
    for k in range(1, size * size):
        np.maximum(y, part(x, k, size, stride or size), out=y)
    return y


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
    found = np.zeros_like(y, v.dtype)
    for k, here in firsts(x, y, size, stride):
        np.copyto(found, part(v, k, size, stride), where=here)
    return found


def spread(g: Any, x: Any, y: Any, size: int, stride: int) -> Any:
    """Put elements where ``chosen`` takes them from."""
    whole, finite = like(x, g.dtype), bool(np.isfinite(np.sum(g)))
    if not finite or stride != size or x.shape[1] % size or x.shape[2] % size:
        whole[:] = 0.0
    for k, here in firsts(x, y, size, stride):
        cells = part(whole, k, size, stride)
        if stride < size:
            cells += np.where(here, g, 0.0)
        elif finite:
            np.multiply(g, here, out=cells)
        else:
            np.copyto(cells, g, where=here)
    return whole


def average_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the mean of each cell."""
    total = 0.0
    for k in range(size * size):
        total = total + part(x, k, size, stride or size)
    return total / (size * size)
