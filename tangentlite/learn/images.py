"""Convolution of images.

In: images of shape (number, rows, columns, channels); kernels of shape (rows, columns, channels, number).
Out: images. In memory their rows come first, then channels, columns and the images: see `unfolding`.
Next: pooling, layers.

>>> images, kernels = np.ones((1, 4, 4, 1)), np.ones((3, 3, 1, 2))
>>> conv2d(images, kernels).shape, conv2d(images, kernels, stride=2, padding=1).shape
((1, 2, 2, 2), (1, 2, 2, 2))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.learn.pooling import average_pool2d, max_pool2d, places
from tangentlite.learn.rooms import room
from tangentlite.learn.unfolding import Window, unfolded
from tangentlite.runtime import ZERO

__all__ = ["average_pool2d", "conv2d", "max_pool2d", "of_images", "of_kernels"]

FLAT = 1200  # numbers of a product of long matrices which BLAS makes without copying them


def conv2d(x: Any, w: Any, stride: int = 1, padding: int = 0, bias: Any = None) -> Any:
    """Cross-correlate images with kernels; ``bias``: what is added, a number for each kernel."""
    if (x is ZERO or w is ZERO) and bias is None:
        return ZERO
    high, wide, channels, count = w.shape
    if channels != np.shape(x)[-1]:
        raise ValueError(f"images of {np.shape(x)[-1]} channels, and kernels for {channels}")
    kind = np.result_type(x, w) if bias is None else np.result_type(x, w, bias)
    lines = lines_of(x, kind)
    window = _window(lines, high, wide, stride, padding)
    found = room((window.down, count, window.across, lines.shape[3]), kind)
    _correlate(lines, _matrix(w, bias, kind), window, found, bias is not None)
    return found.transpose(3, 0, 2, 1)


def _matrix(w: Any, bias: Any, kind: Any) -> Any:
    """Give a row for each kernel; for the ones at the end of the first line, its bias."""
    high, wide, channels, count = w.shape
    kernels = np.reshape(w, (high, wide * channels, count))
    if bias is not None:
        below = np.zeros((high, 1, count), kind)
        below[0] = np.reshape(bias, -1)
        kernels = np.concatenate((kernels, below), 1)
    return np.asarray(kernels, kind).reshape(high * kernels.shape[1], count).T


def _correlate(lines: Any, matrix: Any, window: Window, found: Any, ones: bool = False) -> None:
    """Write what kernels, the rows of a matrix, give at all places."""
    for place, patches in unfolded(lines, window, matrix.size, ones):
        part = found[place]
        np.matmul(matrix, patches, out=part.reshape(*part.shape[:2], patches.shape[2]))


def of_kernels(x: Any, g: Any, shape: Any, stride: int, padding: int) -> Any:
    """Give the adjoint of kernels of a shape, of what came from ``x``: a cross-correlation with the adjoint ``g``."""
    if x is ZERO or g is ZERO:
        return ZERO
    high, wide, channels, count = shape
    kind, size = np.result_type(x, g), high * wide * channels
    parts = next((n for n in range(1, size) if size % n == 0 and size // n * count <= FLAT), 1)
    lines, slopes = lines_of(x, kind), lines_of(g, kind)
    total = np.zeros((parts, size // parts, count), kind)
    window = _window(lines, high, wide, stride, padding)
    for place, patches in unfolded(lines, window, size // parts * count):
        part = slopes[place]
        rows = part.reshape(len(part), 1, count, patches.shape[2]).swapaxes(2, 3)
        split = patches.reshape(len(part), *total.shape[:2], patches.shape[2])
        total += np.add.reduce(np.matmul(split, rows), 0)
    return total.reshape(shape)


def of_images(g: Any, w: Any, shape: Any, stride: int, padding: int) -> Any:
    """Give the adjoint of images of a shape: the adjoint ``g`` of what they gave, spread by the kernels.

    Rows that are ``stride`` apart are under the same rows of the kernels, and so are columns: what these get is ``g``
    cross-correlated with those rows and columns of the kernels in the opposite order.
    """
    if g is ZERO or w is ZERO:
        return ZERO
    kind = np.result_type(g, w)
    lines = lines_of(g, kind)
    whole = room((shape[1], shape[3], shape[2], len(g)), kind)
    for i in range(min(stride, shape[1])):
        down, first = divmod(i + padding, stride)
        for j in range(min(stride, shape[2])):
            across, begin = divmod(j + padding, stride)
            kernels = np.asarray(w[first::stride, begin::stride], kind)
            _spread(lines, kernels[::-1, ::-1], (down, across), whole[i::stride, :, j::stride])
    return whole.transpose(3, 0, 2, 1)


def _spread(lines: Any, kernels: Any, last: tuple[int, int], found: Any) -> None:
    """Write what comes back to some rows and columns; ``last``: where the kernels end at the first of them."""
    high, wide, channels, count = kernels.shape
    top, left = high - 1 - last[0], wide - 1 - last[1]
    window = Window(high, wide, 1, top, left, found.shape[0], found.shape[2])
    matrix = kernels.transpose(0, 1, 3, 2).reshape(high * wide * count, channels).T
    to = found if found.flags.c_contiguous else room(found.shape, found.dtype)
    _correlate(lines, matrix, window, to)
    if to is not found:
        found[...] = to


def lines_of(x: Any, kind: Any) -> Any:
    """Give images as they lie in memory, copied if they do not lie so."""
    return np.ascontiguousarray(np.asarray(x).transpose(1, 3, 2, 0), kind)


def _window(lines: Any, high: int, wide: int, stride: int, padding: int) -> Window:
    rows, _, columns, _ = lines.shape
    down, across = places(rows + 2 * padding, columns + 2 * padding, high, wide, stride)
    return Window(high, wide, stride, padding, padding, down, across)
