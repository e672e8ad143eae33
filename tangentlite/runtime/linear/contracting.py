"""Sums of products over axes that were broadcast, without the product where that takes less time.

In: two factors, and the value in whose shape their product is summed.
Out: the sum.
Next: einsum.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tangentlite.runtime.shapes.broadcast import DOUBLE, FLOATS, strides_of, unbroadcast, unreduce

ndarray = np.ndarray
NUMBER = np.zeros(())
NUMBER.flags.writeable = False
SMALL = 256  # products of so few elements are made
Picture = tuple[tuple[int, ...], tuple[int, ...]]  # shape and strides


def frame(a: Any, b: Any) -> Any:
    """What has the shape of ``a * b``, and no elements of its own.

    >>> frame(np.ones((3, 1)), np.ones(4)).shape
    (3, 4)
    """
    try:
        if type(a) is type(b) is ndarray and a.dtype is b.dtype is DOUBLE:
            return _frame(a.shape, b.shape)
        if type(a) is not ndarray and type(b) is not ndarray:
            return a if type(a) in FLOATS and type(b) in FLOATS else a * b
        if a is None or b is None:
            return a * b  # which raises as the sum does
        a, b = (np.asarray(x) if isinstance(x, list | tuple) else x for x in (a, b))
        shape = np.broadcast(a, b).shape
    except ValueError:
        return a * b  # which says what does not fit
    room = np.zeros((), np.result_type(a, b))
    return ndarray(shape, room.dtype, room, 0, (0,) * len(shape))


@lru_cache(512)
def _frame(a: tuple[int, ...], b: tuple[int, ...]) -> Any:
    shape = np.broadcast_shapes(a, b)
    return ndarray(shape, DOUBLE, NUMBER, 0, (0,) * len(shape))


class _Matrix(NamedTuple):
    """How an array becomes a matrix: axes along which it repeats itself are left away, the others ordered.

    ``order``: None if they are in order, then the matrix may be ``turned``, and nothing is copied for that.
    """

    part: tuple[Any, ...] | None
    order: tuple[int, ...] | None
    shape: tuple[int, int]
    turned: bool


def unbroadcast_product(a: Any, b: Any, like: Any) -> Any:
    """``unbroadcast(a * b, like)``: one product of matrices where every summed axis is one of both factors.

    >>> column, row = np.ones((3, 1)), np.arange(4.0)
    >>> unbroadcast_product(np.ones((3, 4)), row, column)
    array([[6.],
           [6.],
           [6.]])
    """
    if type(a) is ndarray and a.dtype is DOUBLE:
        alike = type(like) is ndarray and a.shape == like.shape and like.dtype is DOUBLE
        if type(b) is ndarray and b.dtype is DOUBLE:
            if alike and a.shape == b.shape:
                return a * b
            if type(like) in FLOATS:
                if a.ndim == 1 and a.shape == b.shape:
                    return a.dot(b)
            elif type(like) is ndarray and like.dtype is DOUBLE and a.size + b.size > SMALL:
                plan = _plan((a.shape, a.strides), (b.shape, b.strides), like.shape)
                if plan is not None:
                    if plan[2]:
                        a, b = b, a
                    return _matrix(a, plan[0]).dot(_matrix(b, plan[1])).reshape(like.shape)
        elif alike and type(b) in FLOATS:
            return a * b
    return unbroadcast(a * b, like)


def dot(a: Any, b: Any) -> Any:
    """The sum of all elements of ``a * b``, a number: ``unbroadcast(a * b, 0.0)``.

    >>> dot(np.ones((2, 3)), np.arange(3.0)).item()
    6.0
    """
    return unbroadcast_product(a, b, 0.0)


def unreduce_product(b: Any, x: Any, like: Any, axis: Any) -> Any:
    """``unbroadcast(unreduce(b, x * like, axis) * x, like)``: the adjoint of ``like`` in ``np.sum(x * like, axis)``.

    >>> rows, columns = np.ones((9, 20, 1)), np.ones((20, 3))
    >>> unreduce_product(np.ones((9, 3)), rows, columns, 1)[:2]
    array([[9., 9., 9.],
           [9., 9., 9.]])
    """
    if type(b) is type(x) is type(like) is ndarray and b.dtype is x.dtype is like.dtype is DOUBLE:
        b = b if b.flags.c_contiguous else b.copy()
        plan = _unreduced(b.shape, b.strides, axis, (x.shape, x.strides), like.shape)
        if plan is not None:
            own, other = _matrix(b, plan[0]), _matrix(x, plan[1])
            return (other.dot(own) if plan[2] else own.dot(other)).reshape(like.shape)
    return unbroadcast_product(unreduce(b, frame(x, like), axis), x, like)


@lru_cache(512)
def _unreduced(
    shape: tuple[int, ...], strides: tuple[int, ...], axis: Any, x: Picture, target: tuple[int, ...]
) -> tuple[_Matrix, _Matrix, bool] | None:
    """How the adjoint of a sum, as it is, and ``x`` become matrices, and whether those change places."""
    whole = np.broadcast_shapes(x[0], target)
    stretched = strides_of(shape, strides, whole, axis, False)
    if stretched is None or math.prod(whole) + math.prod(x[0]) <= SMALL:
        return None
    plan = _plan((whole, stretched), x, target)
    if plan is None:
        return None
    own, other = plan[1::-1] if plan[2] else plan[:2]
    if own.order is not None or math.prod(own.shape) != math.prod(shape):
        return None
    return own._replace(part=None), other, plan[2]


def _matrix(x: Any, how: _Matrix) -> Any:
    part, order, shape, turned = how
    if part is not None:
        x = x[part]
    if order is not None:
        x = x.transpose(order)
    return x.reshape(shape).T if turned else x.reshape(shape)


@lru_cache(512)
def _plan(a: Picture, b: Picture, target: tuple[int, ...]) -> tuple[_Matrix, _Matrix, bool] | None:
    """The matrices whose product is the sum, and whether the factors change places; None if it is no such product."""
    rank = max(len(a[0]), len(b[0]), len(target))
    first, second = _varied(a, rank), _varied(b, rank)
    sizes = [max(p, q) for p, q in zip(first, second)]
    whole = [max(p, q) for p, q in zip(_padded(a[0], rank), _padded(b[0], rank))]
    wanted = _padded(target, rank)
    summed = [k for k in range(rank) if sizes[k] > 1 and wanted[k] == 1]
    rows = [k for k in range(rank) if first[k] > 1 and k not in summed]
    columns = [k for k in range(rank) if second[k] > 1 and k not in summed]
    told = sizes == whole and all(w in (1, n) for w, n in zip(wanted, sizes))
    both = all(first[k] == second[k] for k in summed)
    if not (told and both and summed) or set(rows) & set(columns) or 0 in (*a[0], *b[0]):
        return None
    swapped = bool(rows and columns) and max(columns) < min(rows)
    if swapped:
        a, b, rows, columns = b, a, columns, rows
    if rows and columns and max(rows) > min(columns):
        return None
    return _as_matrix(a, rank, rows, summed), _as_matrix(b, rank, summed, columns), swapped


def _varied(x: Picture, rank: int) -> tuple[int, ...]:
    """The lengths of axes, 1 where an array is constant along one."""
    return _padded(tuple(1 if stride == 0 else n for n, stride in zip(*x)), rank)


def _padded(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return (*[1] * (rank - len(shape)), *shape)


def _as_matrix(x: Picture, rank: int, left: list[int], right: list[int]) -> _Matrix:
    """``x`` over the axes on the left and those on the right."""
    shape, missing = x[0], rank - len(x[0])
    used = [k for k in range(rank) if k in left or k in right]
    index = tuple(slice(None) if k + missing in used else 0 for k in range(len(shape)))
    turned = bool(left and right) and [*right, *left] == used
    first, last = (right, left) if turned else (left, right)
    order = tuple(used.index(k) for k in (*first, *last))
    sides = tuple(math.prod(shape[k - missing] for k in side) for side in (first, last))
    in_order = order == (*range(len(order)),)
    short = all(n == 1 for n, entry in zip(shape, index) if entry == 0)
    return _Matrix(
        None if 0 not in index or (in_order and short) else index,
        None if in_order else order,
        sides,  # type: ignore[arg-type]
        turned,
    )
