"""Images laid out so that what stands under a window, anywhere in a row of places, is a matrix that needs no copy.

In: lines, which are images of shape (rows, channels, columns, number), and a window that slides over them.
Out: matrices, of which a column is what stands under the window at one place in one image.
Next: images.

Each line is written once for every column of the window, moved by as much. What is under the window at the places of a
row is then one stretch of memory, and what is under it a row further down is the same memory a line further on.

>>> import numpy as np
>>> line = np.arange(8.0).reshape(2, 1, 4, 1)
>>> window = Window(2, 2, 1, 0, 0, 1, 3)
>>> next(unfolded(line, window, 4))[1][0]
array([[0., 1., 2.],
       [1., 2., 3.],
       [4., 5., 6.],
       [5., 6., 7.]])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.lib.stride_tricks import as_strided

from tangentlite.learn.rooms import room

PRODUCTS = 1e6  # numbers that are multiplied in a product of matrices which BLAS makes without copying them
FEWEST, PLENTY = (
    96,
    256,
)  # columns of a matrix: fewer are not worth a product; enough, if it is to be copied
NEAR = 1 << 22  # bytes of lines that are unfolded together


@dataclass(frozen=True)
class Window:
    """What slides over lines: the first place begins ``top`` rows above them, and ``left`` columns before."""

    high: int
    wide: int
    stride: int
    top: int
    left: int
    down: int
    across: int


Place = tuple[slice, slice, slice, slice]  # of rows, channels, columns and images


def unfolded(
    lines: Any, window: Window, products: int, ones: bool = False
) -> Iterator[tuple[Place, Any]]:
    """Give which places, and for each row of them a matrix; it is overwritten later.

    ``products``: how many a column takes part in; ``ones``: whether each line ends with a row of ones.
    """
    _, channels, _, images = lines.shape
    height = window.wide * channels + ones
    wide, many = shares(products, window.across, images)
    size = height * wide * many
    tall = max((NEAR // max(size * lines.itemsize, 1) - window.high) // window.stride + 1, 1)
    tall = min(tall, window.down)
    work = room((((tall - 1) * window.stride + window.high) * size,), lines.dtype)
    for column in range(0, window.across, wide):
        columns = slice(column, min(column + wide, window.across))
        for image in range(0, images, many):
            some = slice(image, min(image + many, images))
            length = (columns.stop - column) * (some.stop - image)
            for row in range(0, window.down, tall):
                rows = slice(row, min(row + tall, window.down))
                needed = (rows.stop - row - 1) * window.stride + window.high
                laid = work[: needed * height * length].reshape(
                    needed, height, columns.stop - column, some.stop - image
                )
                _lay(laid, lines[..., some], window, row, column)
                laid[:, height - ones :] = 1.0
                line, item = laid.strides[0], laid.itemsize
                shape = (rows.stop - row, window.high * height, length)
                steps = (window.stride * line, length * item, item)
                yield (rows, slice(None), columns, some), as_strided(laid, shape, steps)


def shares(products: int, across: int, images: int) -> tuple[int, int]:
    """Give how many columns of places, and of how many images, are together in a matrix.

    >>> shares(144 * 32, 14, 64), shares(144 * 32, 14, 1000), shares(9 * 16, 28, 64), shares(10**5, 14, 64)
    ((3, 64), (1, 200), (28, 64), (4, 64))
    """
    most = int(PRODUCTS / max(products, 1))
    most = most if most >= FEWEST else PLENTY
    wide = min(max(most // max(images, 1), 1), across)
    parts = -(-images // most) if wide == 1 and images else 1
    return -(-across // -(-across // wide)), max(-(-images // parts), 1)


def _lay(laid: Any, lines: Any, window: Window, row: int, column: int) -> None:
    """Write the lines from the row of a place on, for the columns of places from one on; zeros beyond."""
    rows, channels, columns, _ = lines.shape
    needed, _, wide, _ = laid.shape
    above = window.top - row * window.stride
    begin, end = min(max(above, 0), needed), max(min(rows + above, needed), 0)
    laid[:begin] = 0.0
    laid[end:] = 0.0
    given = lines[begin - above : end - above]
    for k in range(window.wide):
        to = laid[begin:end, k * channels : (k + 1) * channels]
        before = window.left - k - column * window.stride
        low = min(max(-(-before // window.stride), 0), wide)
        high = max(min((columns - 1 + before) // window.stride + 1, wide), low)
        to[:, :, :low] = 0.0
        to[:, :, high:] = 0.0
        if low < high:
            first = low * window.stride - before
            last = (high - 1) * window.stride - before
            to[:, :, low:high] = given[:, :, first : last + 1 : window.stride]
