"""Adjoints of functions that only move elements: joining, splitting, repeating, taking.

In: the adjoint of the result, and the operand (its shape only).
Out: the adjoint of the operand.
Next: the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, KeysView
from typing import Any

import numpy as np

from tangentlite.runtime.containers.objects import opened
from tangentlite.runtime.memory.shadow import add_at, zeros
from tangentlite.runtime.shapes.broadcast import broadcast, shape, unbroadcast
from tangentlite.runtime.zero import ZERO

AXES = {"v": 0, "c": 1, "d": 2}
SHAPED = {"v": np.atleast_2d, "d": np.atleast_3d, "h": np.atleast_1d}

JOINS: dict[str, Any] = {"h": np.hstack, "v": np.vstack, "c": np.column_stack, "d": np.dstack}


def filled(ds: Any, xs: Any) -> Any:
    """The tangents of a nest, each in the shape of its element: no ZERO among them.

    >>> filled((ZERO, 1.0), (np.zeros(2), 3.0))
    [array([0., 0.]), 1.0]
    """
    xs = opened(xs)
    if isinstance(xs, dict):
        return {key: _filled(ZERO if ds is ZERO else ds[key], x) for key, x in xs.items()}
    if isinstance(xs, KeysView):
        return _OfKeys(xs)
    if not isinstance(xs, list | tuple):
        return zeros(xs) if ds is ZERO else ds
    parts = [ZERO] * len(xs) if ds is ZERO else ds
    return [_filled(part, x) for part, x in zip(parts, xs, strict=True)]


class _OfKeys:
    """The tangents of the keys that a dict has when they are asked for."""

    def __init__(self, keys: KeysView[Any]) -> None:
        self._keys = keys

    def __iter__(self) -> Iterator[Any]:
        return map(zeros, self._keys)


def _filled(d: Any, x: Any) -> Any:
    if isinstance(opened(x), list | tuple | dict):
        return filled(d, x)
    return zeros(x) if d is ZERO else broadcast(d, x)


def split_like(b: Any, xs: Any, axis: Any = 0) -> Any:
    """The adjoint of ``np.concatenate(xs, axis)``, one part per element.

    >>> split_like(np.arange(3.0), (np.zeros(1), np.zeros(2)))
    [array([0.]), array([1., 2.])]
    """
    if b is ZERO:
        return b
    if axis == 0 and b.ndim == 1 and type(xs) is tuple:
        if all(type(x) is np.ndarray and x.dtype is b.dtype for x in xs):
            return _lengthwise(b, xs)
    if axis is None:
        return _cut(b, xs, [int(np.size(x)) for x in xs], 0)
    return _cut(b, xs, [shape(x)[axis] for x in xs], axis)


def _lengthwise(b: Any, xs: Any) -> list[Any]:
    """The parts of a vector that belong to vectors."""
    result, end = [], 0
    for x in xs:
        start, end = end, end + x.shape[0]
        result.append(b[start:end])
    return result


def unjoin(b: Any, xs: Any, form: str) -> Any:
    """The adjoint of hstack, vstack, column_stack or dstack: ``form`` is its first letter."""
    if b is ZERO:
        return b
    if form == "c":
        sizes = [1 if len(shape(x)) < 2 else shape(x)[1] for x in xs]
        return _cut(b, xs, sizes, 1)
    shapes = [SHAPED[form](np.broadcast_to(0.0, shape(x))).shape for x in xs]
    axis = AXES.get(form, 0 if len(shapes[0]) == 1 else 1)
    return _cut(b, xs, [s[axis] for s in shapes], axis)


def _cut(b: Any, xs: Any, sizes: list[int], axis: int) -> Any:
    ahead, end, result = (slice(None),) * (axis % b.ndim), 0, []
    for size, x in zip(sizes, xs, strict=True):
        end += size
        place = (*ahead, slice(end - size, end))
        part = b[place]
        given = shape(x)
        result.append(unbroadcast(part if part.shape == given else part.reshape(given), x))
    return np.array(result) if isinstance(xs, np.ndarray) else result


def rejoin(parts: Any, xs: Any, form: str) -> Any:
    """The inverse of ``unjoin``: hstack, vstack, column_stack or dstack of the parts."""
    return JOINS[form](filled(parts, xs))


def unstack(b: Any, xs: Any, axis: int = 0) -> Any:
    """The adjoint of ``np.stack(xs, axis)``, one part per element."""
    if b is ZERO:
        return b
    parts = np.moveaxis(b, axis, 0)
    if isinstance(xs, np.ndarray):
        return parts
    return [unbroadcast(part, x) for part, x in zip(parts, xs, strict=True)]


def unsplit(bs: Any, x: Any, cuts: Any, axis: int = 0) -> Any:
    """The adjoint of ``np.split(x, cuts, axis)``: the parts joined, zeros where nothing came; sums where they overlap.

    >>> unsplit([np.ones(2), ZERO], np.zeros(3), [2])
    array([1., 1., 0.])
    >>> unsplit([np.ones(2), np.ones(0), np.ones(2)], np.zeros(3), [2, 1])
    array([1., 2., 1.])
    """
    if bs is ZERO:
        return bs
    whole = shape(x)
    if not any(b is ZERO for b in bs) and sum(b.shape[axis] for b in bs) == whole[axis]:
        return np.concatenate(bs, axis)
    result, ahead = zeros(x), (slice(None),) * (axis % len(whole))
    places = np.array_split(np.arange(whole[axis]), cuts)
    for b, place in zip(bs, places, strict=True):
        if b is not ZERO and place.size:
            result = add_at(result, (*ahead, slice(int(place[0]), int(place[-1]) + 1)), b)
    return result


def axes_order(axes: Any) -> Any:
    """The axes of ``x.transpose(*axes)`` as those of ``np.transpose(x, axes)``.

    >>> axes_order(()), axes_order((1, 0)), axes_order(((1, 0),))
    (None, (1, 0), (1, 0))
    """
    if len(axes) == 1 and not isinstance(axes[0], int | np.integer):
        return axes[0]
    return axes or None


def transposed(b: Any) -> Any:
    """``b.T``, which a number of Python has not.

    >>> transposed(np.ones((1, 2))).shape, transposed(2.0)
    ((2, 1), 2.0)
    """
    return b if type(b) is float else b.T


def untranspose(b: Any, axes: Any = None) -> Any:
    """The adjoint of ``np.transpose(x, axes)``."""
    if b is ZERO or axes is None:
        return np.transpose(b)
    return np.transpose(b, np.argsort([int(k) % np.ndim(b) for k in axes]))


def untile(b: Any, x: Any, reps: Any) -> Any:
    """The adjoint of ``np.tile(x, reps)``: all copies summed."""
    if b is ZERO:
        return b
    times = (reps,) if isinstance(reps, int | np.integer) else tuple(reps)
    rank = max(len(times), len(shape(x)))
    times = (1,) * (rank - len(times)) + times
    inner = (1,) * (rank - len(shape(x))) + shape(x)
    pairs = [size for pair in zip(times, inner, strict=True) for size in pair]
    result = np.sum(np.reshape(b, pairs), axis=tuple(range(0, 2 * rank, 2)))
    return unbroadcast(np.reshape(result, shape(x)), x)


def unrepeat(b: Any, x: Any, repeats: Any, axis: Any = None) -> Any:
    """The adjoint of ``np.repeat(x, repeats, axis)``: the copies of each element summed."""
    if b is ZERO:
        return b
    n = int(np.size(x)) if axis is None or not shape(x) else shape(x)[axis]
    index = np.repeat(np.arange(n), repeats)
    rows = np.moveaxis(b, -1 if axis is None else axis, 0)
    result = np.zeros((n, *rows.shape[1:]), rows.dtype)
    np.add.at(result, index, rows)
    result = np.moveaxis(result, 0, -1 if axis is None else axis)
    return unbroadcast(np.reshape(result, shape(x)), x)


def unpad(b: Any, x: Any, pad_width: Any) -> Any:
    """The adjoint of ``np.pad(x, pad_width)``: the middle."""
    if b is ZERO:
        return b
    sizes = shape(x)
    widths = pairs(pad_width, len(sizes))
    return b[tuple(slice(w, w + n) for (w, _), n in zip(widths, sizes, strict=True))]


def pairs(widths: Any, rank: int) -> list[tuple[int, int]]:
    """The widths before and behind of a padding, axis by axis.

    >>> pairs(1, 2), pairs({-1: (0, 2)}, 2)
    ([(1, 1), (1, 1)], [(0, 0), (0, 2)])
    """
    if isinstance(widths, dict):
        given = [widths.get(k, widths.get(k - rank, 0)) for k in range(rank)]
        widths = [(w, w) if isinstance(w, int | np.integer) else w for w in given]
    return [(int(m), int(n)) for m, n in np.broadcast_to(widths, (rank, 2))]


def undiagonal(b: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The adjoint of ``np.diagonal(x, …)``: zeros with ``b`` on the diagonal.

    >>> undiagonal(np.ones(2), np.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    if b is ZERO:
        return b
    b = np.asarray(b)
    result = np.zeros(shape(x), b.dtype)
    matrices = np.moveaxis(result, (axis1, axis2), (-2, -1))
    length = np.diagonal(matrices, offset, -2, -1).shape[-1]
    rows = np.arange(length) + max(-offset, 0)
    matrices[..., rows, rows + offset] = b
    return result


def untrace(b: Any, x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The adjoint of ``np.trace(x, …)``."""
    return undiagonal(np.expand_dims(b, -1), x, offset, axis1, axis2)


def undiag(b: Any, x: Any, k: int = 0) -> Any:
    """The adjoint of ``np.diag(x, k)``, which takes or makes a diagonal."""
    return np.diagonal(b, k) if len(shape(x)) == 1 else undiagonal(b, x, k)


def scatter(b: Any, x: Any, i: Any) -> Any:
    """The adjoint of ``x[i]`` alone: zeros of ``x`` with ``b`` added at ``i``.

    >>> scatter(1.0, np.zeros(3), [1, 1])
    array([0., 2., 0.])
    """
    return b if b is ZERO else add_at(_buffer(b, x), i, b)


def untake(b: Any, x: Any, i: Any, axis: Any = None) -> Any:
    """The adjoint of ``np.take(x, i, axis)``."""
    if b is ZERO:
        return b
    result = zeros(np.asarray(x))
    if axis is None:
        np.add.at(np.reshape(result, -1), i, b)
        return result
    index = (slice(None),) * (int(axis) % result.ndim) + (np.asarray(i),)
    return add_at(result, index, b)


def put_along(b: Any, x: Any, i: Any, axis: Any = -1) -> Any:
    """The adjoint of ``np.take_along_axis(x, i, axis)``."""
    if b is ZERO:
        return b
    result = zeros(np.asarray(x))
    if axis is None:
        np.add.at(np.reshape(result, -1), np.ravel(i), np.ravel(b))
        return result
    i = np.asarray(i)
    grid: list[Any] = list(np.ix_(*(np.arange(n) for n in i.shape)))
    for k, (mine, theirs) in enumerate(zip(result.shape, i.shape, strict=True)):
        if k != int(axis) % i.ndim and mine == 1 != theirs:
            grid[k] = np.zeros_like(grid[k])
    grid[axis] = i
    np.add.at(result, tuple(grid), b)
    return result


def _buffer(b: Any, x: Any) -> Any:
    """Zeros in the shape of ``x``, complex if ``x`` is."""
    if isinstance(x, list | tuple | dict):
        return zeros(x)
    return zeros(np.asarray(x))


def undiff(b: Any, n: int = 1, axis: int = -1) -> Any:
    """The adjoint of ``np.diff(x, n, axis)``; where no difference is left it does not tell the length of ``x``.

    >>> undiff(np.array([1.0, 10.0])), undiff(np.zeros(0))
    (array([-1., -9., 10.]), ZERO)
    """
    if b is ZERO or np.size(b) == 0:
        return ZERO
    for _ in range(n):
        b = _undiff_once(np.asarray(b), axis)
    return b


def _undiff_once(b: Any, axis: int) -> Any:
    lead = (slice(None),) * (axis % b.ndim)
    result = np.empty([n + (k == len(lead)) for k, n in enumerate(b.shape)], b.dtype)
    np.subtract(b[(*lead, slice(-1))], b[(*lead, slice(1, None))], result[(*lead, slice(1, -1))])
    result[(*lead, 0)] = (
        0.0 - b[(*lead, 0)]
    )  # NumPy 2.4 negates columns of single precision wrongly
    result[(*lead, -1)] = b[(*lead, -1)]
    return result


def dtype_like(x: Any, dtype: Any = None) -> Any:
    """The dtype of what ``np.full_like(x, …, dtype)`` makes."""
    return np.asarray(x).dtype if dtype is None else dtype


def order_of(x: Any, order: str = "C") -> str:
    """The order in which ``np.reshape(x, …, order)`` reads: for "A" the memory of ``x`` decides.

    >>> order_of(np.zeros((2, 3)).T, "A"), order_of(np.zeros((2, 3)), "A")
    ('F', 'C')
    """
    if order.upper() != "A":
        return order
    return "F" if np.asarray(x).flags.fnc else "C"


def raveled(v: Any, x: Any, order: str = "C") -> Any:
    """The elements of ``v`` in the order of ``np.ravel(x, order)``.

    >>> raveled(np.arange(6).reshape(3, 2), np.zeros((2, 3)).T, "K")
    array([0, 2, 4, 1, 3, 5])
    """
    return v if v is ZERO else np.ravel(v)[_reading(x, order)]


def unraveled(b: Any, x: Any, order: str = "C") -> Any:
    """The adjoint of ``raveled``."""
    return b if b is ZERO else np.reshape(b[np.argsort(_reading(x, order))], shape(x))


def _reading(x: Any, order: str) -> Any:
    """The places of the elements of ``x`` in the order of ``np.ravel(x, order)``."""
    places: Any = np.empty_like(x, dtype=np.intp, subok=False)
    form: Any = order_of(x, order)
    places[...] = np.reshape(np.arange(places.size), places.shape)
    return np.ravel(places, order=form)
