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

from tangentlite.learn.rooms import NEAR, like, ordered, room, slabs
from tangentlite.runtime import ZERO

STRETCH = 1 << 18  # bytes of patches that are multiplied while they are near


def conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0, bias: Any = None) -> Any:
    """Cross-correlate images with kernels; ``bias``: what is added, a number for each kernel."""
    if (x is ZERO or w is ZERO) and bias is None:
        return ZERO
    high, wide, channels, count = w.shape
    if channels != np.shape(x)[-1]:
        raise ValueError(f"images of {np.shape(x)[-1]} channels, and kernels for {channels}")
    kind = np.result_type(x, w) if bias is None else np.result_type(x, w, bias)
    planes, kernels = planes_of(x, padding, kind), np.reshape(w, (-1, count))
    if bias is not None:
        row = np.broadcast_to(np.reshape(bias, (1, -1)), (1, count))
        kernels = np.concatenate((kernels, row), dtype=kind)
    down, across = places(planes.shape[1], planes.shape[2], high, wide, stride)
    found = room((count, down * across * len(x)), kind)
    for here, patches in stretches(planes, high, wide, stride, ones=bias is not None):
        np.matmul(kernels.T, patches, out=found[:, here])
    return found.reshape(count, down, across, len(x)).transpose(3, 1, 2, 0)


def of_kernels(x: Any, g: Any, shape: Any, stride: int, padding: int) -> Any:
    """Give the adjoint of kernels of a shape, of what came from ``x``: a cross-correlation with the adjoint ``g``."""
    if x is ZERO or g is ZERO:
        return ZERO
    high, wide, _, count = shape
    kind = np.result_type(x, g)
    rows = planes_of(g, 0, kind).reshape(count, -1)
    total: Any = 0
    for here, patches in stretches(planes_of(x, padding, kind), high, wide, stride):
        total = patches @ rows[:, here].T + total
    return total.reshape(shape)


def of_images(g: Any, w: Any, shape: Any, stride: int, padding: int) -> Any:
    """Give the adjoint of images of a shape: the adjoint ``g`` of what they gave, spread by the kernels.

    Columns that are ``stride`` apart are under the same columns of the kernels.
    """
    if g is ZERO or w is ZERO:
        return ZERO
    channels, kind = w.shape[2], np.result_type(g, w)
    whole = room((shape[1] + 2 * padding, channels, shape[2], len(g)), kind)
    whole[:] = 0.0
    for k in range(min(stride, w.shape[1])):
        begin = -((k - padding) // stride)
        columns = whole[:, :, k + stride * begin - padding :: stride]
        _add_lines(g, np.asarray(w[:, k::stride], kind), columns, stride, begin)
    found = room((channels, *shape[1:3], len(g)), kind)
    found[:] = whole[padding : padding + shape[1]].transpose(1, 0, 2, 3)
    return found.transpose(3, 1, 2, 0)


def _add_lines(g: Any, w: Any, whole: Any, stride: int, begin: int) -> None:
    """Add to lines what lines of ``g`` give them: those are moved across for each column of the kernels.

    What is number ``k`` of a line of ``g``, under column ``j``, gets to number ``k + j - begin``.
    """
    high, wide, channels, count = w.shape
    _, _, columns, images = whole.shape
    kernels = w.transpose(1, 3, 0, 2).reshape(wide * count, -1)
    g, across, down = g.transpose(3, 1, 2, 0), g.shape[2], g.shape[1]
    most = min(max(NEAR // max(kernels.shape[0] * columns * images * w.itemsize, 1), 1), down)
    for first in range(0, down, most):
        lines = min(most, down - first)
        moved = np.zeros((wide, count, lines, columns, images), w.dtype)
        for j in range(wide):
            low = max(j - begin, 0)
            beyond = max(min(across + j - begin, columns), low)
            given = g[:, first : first + lines, low + begin - j : beyond + begin - j]
            moved[j, :, :, low:beyond] = given
        parts = (kernels.T @ moved.reshape(wide * count, -1)).reshape(
            high, channels, *moved.shape[2:]
        )
        for i in range(high):
            above = first * stride + i
            whole[above : above + stride * lines : stride] += parts[i].swapaxes(0, 1)


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
    planes: Any, high: int, wide: int, stride: int, ones: bool = False
) -> Iterator[tuple[Any, Any]]:
    """Give which columns, and a matrix that has these columns, for some lines of places at a time.

    A column is what stands under the window at a place, and a one below it, if wanted; it is overwritten later.
    """
    channels, rows, columns, count = planes.shape
    down, across = places(rows, columns, high, wide, stride)
    channel, row, column, image = planes.strides
    apart = (row, column, channel, stride * row, stride * column, image)
    length, line = high * wide * channels, across * count
    most = min(max(STRETCH // max(length * line * planes.itemsize, 1), 1), down)
    work = room(((length + ones) * line * most,), planes.dtype)
    for first in range(0, down, most):
        lines = min(most, down - first)
        patches = work[: (length + ones) * line * lines].reshape(length + ones, lines * line)
        under = patches[:length].reshape(high, wide, channels, lines, across, count)
        under[:] = as_strided(planes[:, first * stride :], under.shape, apart)
        patches[length:] = 1.0
        yield slice(first * line, (first + lines) * line), patches


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
