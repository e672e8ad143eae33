"""Convolutions along several axes, and systems of few diagonals.

In: arrays; matrices in diagonal form, as SciPy stores them: ``ab[u + i - j, j] == a[i, j]``.
Out: arrays.
Next: the rules.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import shape, unbroadcast
from tangentlite.runtime.zero import ZERO

FEW = 64  # entries of a kernel that are added one after the other


def convolved(x: Any, y: Any, axes: Any = None) -> Any:
    """The full convolution along axes (None: all); along the others the arrays are broadcast.

    >>> convolved(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([1., 3., 2.])
    """
    if x is ZERO or y is ZERO:
        return ZERO
    x, y = np.asarray(x), np.asarray(y)
    places = _places(axes, x.ndim)
    if math.prod(y.shape[a] for a in places) > math.prod(x.shape[a] for a in places):
        x, y = y, x
    count = [y.shape[a] for a in places]
    single = {x.dtype.char, y.dtype.char} <= set("fF")
    dtype = np.result_type(x, y, np.float32 if single else float)
    lengths = [x.shape[a] + y.shape[a] - 1 for a in places]
    if math.prod(count) > FEW:
        return _by_transforms(x, y, lengths, places).astype(dtype)
    whole = list(np.broadcast_shapes(*(_flat(v.shape, places) for v in (x, y))))
    for place, length in zip(places, lengths):
        whole[place] = length
    result = np.zeros(whole, dtype)
    for first in np.ndindex(*count):
        ends = [k + x.shape[a] for k, a in zip(first, places)]
        part = y[_cut(y.ndim, places, first, [k + 1 for k in first])]
        result[_cut(x.ndim, places, first, ends)] += x * part
    return result


def _by_transforms(x: Any, y: Any, lengths: list[int], places: Sequence[int]) -> Any:
    if np.iscomplexobj(x) or np.iscomplexobj(y):
        product = np.fft.fftn(x, lengths, places) * np.fft.fftn(y, lengths, places)
        return np.fft.ifftn(product, lengths, places)
    product = np.fft.rfftn(x, lengths, places) * np.fft.rfftn(y, lengths, places)
    return np.fft.irfftn(product, lengths, places)


def correlated(g: Any, y: Any, like: Any, axes: Any = None) -> Any:
    """The adjoint of ``like`` in ``convolved(like, y, axes)``, of which only the shape is read.

    >>> correlated(np.array([1.0, 3.0, 2.0]), np.array([1.0, 1.0]), np.zeros(2))
    array([4., 5.])
    """
    if g is ZERO or y is ZERO:
        return ZERO
    places = _places(axes, np.ndim(y))
    first = [shape(y)[a] - 1 for a in places]
    ends = [k + shape(like)[a] for k, a in zip(first, places)]
    whole = convolved(g, np.flip(y, places), places)
    return unbroadcast(whole[_cut(whole.ndim, places, first, ends)], like)


def middle(x: Any, y: Any, mode: str, axes: Any = None) -> Any:
    """Where ``mode`` lies in the full convolution of two arrays.

    >>> middle(np.zeros(5), np.zeros(3), "same"), middle(np.zeros(5), np.zeros(3), "valid")
    ((slice(1, 6, None),), (slice(2, 5, None),))
    """
    places = _places(axes, np.ndim(x))
    sizes = [(shape(x)[a], shape(y)[a]) for a in places]
    if mode == "same":
        first = [(other - 1) // 2 for _, other in sizes]
        return _cut(np.ndim(x), places, first, [k + n for k, (n, _) in zip(first, sizes)])
    if mode != "valid":
        return (...,)
    if not (all(n >= m for n, m in sizes) or all(n <= m for n, m in sizes)):
        raise ValueError(
            "of two arrays one is as long as the other along each axis in mode 'valid'"
        )
    first = [min(pair) - 1 for pair in sizes]
    return _cut(np.ndim(x), places, first, [max(pair) for pair in sizes])


def _places(axes: Any, ndim: int) -> tuple[int, ...]:
    if axes is None:
        return tuple(range(ndim))
    return tuple(int(a) % ndim for a in (axes if np.iterable(axes) else (axes,)))


def _flat(lengths: Sequence[int], places: Sequence[int]) -> list[int]:
    return [1 if k in places else n for k, n in enumerate(lengths)]


def _cut(ndim: int, places: Sequence[int], first: Sequence[int], ends: Sequence[int]) -> Any:
    index = [slice(None)] * ndim
    for place, start, end in zip(places, first, ends):
        index[place] = slice(start, end)
    return tuple(index)


def _diagonals(ab: Any, lower: int, upper: int) -> Any:
    """For each diagonal its row in ``ab``, the columns that it has, and the rows of the matrix."""
    n = shape(ab)[1]
    for row in range(lower + upper + 1):
        below = row - upper
        yield (
            row,
            slice(max(0, -below), n - max(0, below)),
            slice(max(0, below), n - max(0, -below)),
        )


def solve_bands(ab: Any, y: Any, lower: int, upper: int) -> Any:
    """Solve for a matrix with ``lower`` diagonals below its own and ``upper`` above."""
    if y is ZERO:
        return y
    from scipy.linalg import solve_banded

    return solve_banded((lower, upper), ab, y)


def times_bands(ab: Any, x: Any, lower: int, upper: int) -> Any:
    """The product with a matrix in diagonal form.

    >>> times_bands(np.array([[0.0, 2.0], [1.0, 3.0]]), np.array([1.0, 1.0]), 0, 1)
    array([3., 3.])
    """
    if ab is ZERO or x is ZERO:
        return ZERO
    y = np.zeros(shape(x), np.result_type(ab, x))
    for row, columns, rows in _diagonals(ab, lower, upper):
        y[rows] += (ab[row, columns] * np.asarray(x)[columns].T).T
    return y


def to_bands(r: Any, x: Any, lower: int, upper: int) -> Any:
    """The diagonals of ``r xᵀ``: the adjoint of the matrix in ``times_bands``.

    >>> to_bands(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 0, 1)
    array([[0., 4.],
           [3., 8.]])
    """
    if r is ZERO or x is ZERO:
        return ZERO
    r, x = np.asarray(r), np.asarray(x)
    ab = np.zeros((lower + upper + 1, len(x)), np.result_type(r, x))
    for row, columns, rows in _diagonals(ab, lower, upper):
        product = r[rows] * x[columns]
        ab[row, columns] = product.reshape(len(product), -1).sum(-1) if product.size else 0.0
    return ab


def turned_bands(ab: Any, lower: int, upper: int) -> Any:
    """The transposed matrix, with ``upper`` diagonals below its own.

    >>> turned_bands(np.array([[0.0, 2.0], [1.0, 3.0]]), 0, 1)
    array([[1., 3.],
           [2., 0.]])
    """
    if ab is ZERO:
        return ab
    turned = np.zeros_like(ab)
    for row, columns, rows in _diagonals(ab, lower, upper):
        turned[len(turned) - 1 - row, rows] = ab[row, columns]
    return turned
