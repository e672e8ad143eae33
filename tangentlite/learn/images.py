"""Convolution and pooling of images.

In: images of shape (number, rows, columns, channels); kernels of shape (rows, columns, channels, number).
Out: images. In memory the channels come first and the images last, so that neighbors are treated alike.
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

from tangentlite.learn.rooms import like, ordered, room, slabs

STRETCH = 1 << 19  # bytes of patches that are multiplied while they are near


def conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0, bias: Any = None) -> Any:
    """Cross-correlate images with kernels; ``bias``: what is added, a number for each kernel."""
    high, wide, channels, count = w.shape
    if channels != np.shape(x)[-1]:
        raise ValueError(f"images of {np.shape(x)[-1]} channels, and kernels for {channels}")
    kind = np.result_type(x, w)
    planes = planes_of(x, padding, kind)
    down, across = places(planes.shape[1], planes.shape[2], high, wide, stride)
    kernels, found = np.reshape(w, (-1, count)).T, room((count, down * across * len(x)), kind)
    for _, _, here, patches in stretches(planes, high, wide, stride):
        np.matmul(kernels, patches, out=found[:, here])
    if bias is not None:
        found = np.add(found, np.reshape(bias, (-1, 1)), out=_for_sum(found, bias))
    return found.reshape(count, down, across, len(x)).transpose(3, 1, 2, 0)


def _for_sum(found: Any, bias: Any) -> Any:
    return found if np.result_type(found, bias) == found.dtype else None


def of_kernels(x: Any, g: Any, shape: Any, stride: int, padding: int) -> Any:
    """Give the adjoint of kernels of a shape, of what came from ``x``: a cross-correlation with the adjoint ``g``."""
    high, wide, _, count = shape
    kind = np.result_type(x, g)
    rows, total = planes_of(g, 0, kind).reshape(count, -1), np.zeros((count, 1), kind)
    for _, _, here, patches in stretches(planes_of(x, padding, kind), high, wide, stride):
        total = total + rows[:, here] @ patches.T
    return total.T.reshape(shape)


def of_images(g: Any, w: Any, shape: Any, stride: int, padding: int) -> Any:
    """Give the adjoint of images of a shape: the adjoint ``g`` of what they gave, spread by the kernels."""
    high, wide, channels, count = w.shape
    kind = np.result_type(g, w)
    rows, kernels = planes_of(g, 0, kind).reshape(count, -1), np.reshape(w, (-1, count))
    across = g.shape[2]
    whole = room((channels, shape[1] + 2 * padding, shape[2] + 2 * padding, len(g)), kind)
    whole[:] = 0.0
    for first, lines, here, patches in stretches(whole, high, wide, stride, filled=False):
        parts = np.matmul(kernels, rows[:, here], out=patches)
        parts = parts.reshape(high, wide, channels, lines, across, len(g))
        for i in range(high):
            above = first * stride + i
            below = above + stride * (lines - 1) + 1
            for j in range(wide):
                beyond = j + stride * (across - 1) + 1
                whole[:, above:below:stride, j:beyond:stride] += parts[i, j]
    inside = whole[:, padding : padding + shape[1], padding : padding + shape[2]]
    return inside.transpose(3, 1, 2, 0)


def planes_of(x: Any, padding: int, kind: Any) -> Any:
    """Give the channels as they lie in memory, with zeros around."""
    x = np.asarray(x).transpose(3, 1, 2, 0)
    if not padding:
        return np.ascontiguousarray(x, kind)
    channels, rows, columns, count = x.shape
    found = room((channels, rows + 2 * padding, columns + 2 * padding, count), kind)
    found[:] = 0.0
    found[:, padding : padding + rows, padding : padding + columns] = x
    return found


def places(rows: int, columns: int, high: int, wide: int, stride: int) -> tuple[int, int]:
    """Give how often a window fits, down and across."""
    if high > rows or wide > columns:
        raise ValueError(f"a window of {high} by {wide} does not fit into {rows} by {columns}")
    return (rows - high) // stride + 1, (columns - wide) // stride + 1


def stretches(
    planes: Any, high: int, wide: int, stride: int, filled: bool = True
) -> Iterator[tuple[int, int, Any, Any]]:
    """Give some lines of places at a time: the first, how many, which columns, a matrix.

    The matrix has a column for each place, which is what stands there under the window; it is overwritten later.
    """
    channels, rows, columns, count = planes.shape
    down, across = places(rows, columns, high, wide, stride)
    channel, row, column, image = planes.strides
    apart = (row, column, channel, stride * row, stride * column, image)
    size = high * wide * channels * across * count
    most = min(max(STRETCH // (size * planes.itemsize), 1), down)
    work = room((size * most,), planes.dtype)
    for first in range(0, down, most):
        lines = min(most, down - first)
        part = work[: size * lines].reshape(high, wide, channels, lines, across, count)
        if filled:
            part[:] = as_strided(planes[:, first * stride :], part.shape, apart)
        here = slice(first * across * count, (first + lines) * across * count)
        yield first, lines, here, part.reshape(high * wide * channels, -1)


def max_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the largest element of each cell; the first of several gets the whole adjoint."""
    y = first = part(x, 0, size, stride or size)
    for k in range(1, size * size):
        y = np.maximum(y, part(x, k, size, stride or size), out=like(first) if k == 1 else y)
    return np.array(y) if y is first else y


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
    whole, g = like(x, g.dtype), ordered(g, y)
    if stride == size and not (x.shape[1] % size or x.shape[2] % size):
        if np.isfinite(np.sum(g)):
            for here in slabs(x, (0, 3)):
                _deal(g[here], x[here], y[here], size, whole[here])
            return whole
    whole[:] = 0.0
    for k, here in firsts(x, y, size, stride):
        cells = part(whole, k, size, stride)
        if stride < size:
            cells += np.where(here, g, 0.0)
        else:
            np.copyto(cells, g, where=here)
    return whole


def _deal(g: Any, x: Any, y: Any, size: int, whole: Any) -> None:
    """Fill cells that touch: each element takes what is left, if it is the largest; the last takes the rest."""
    left, taken, last = g.copy("K"), like(g), size * size - 1
    for k in range(last):
        np.equal(part(x, k, size, size), y, out=taken, casting="unsafe")
        taken *= left
        left -= taken
        part(whole, k, size, size)[...] = taken
    part(whole, last, size, size)[...] = left


def average_pool2d(x: Any, size: int = 2, stride: int | None = None) -> Any:
    """Give the mean of each cell."""
    total = 0.0
    for k in range(size * size):
        total = total + part(x, k, size, stride or size)
    return total / (size * size)
