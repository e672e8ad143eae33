"""Adjoints of the products that sum over axes: matmul, dot, inner, outer, tensordot, kron.

In: the adjoint of the product and both factors, numbers, vectors, matrices or stacks.
Out: the adjoint of the left or the right factor, in its shape.
Next: matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.linear.contracting import frame
from tangentlite.runtime.linear.matrices import mT
from tangentlite.runtime.shapes.broadcast import DOUBLE, FLOATS, shape, spread, unbroadcast
from tangentlite.runtime.zero import ZERO


def weighted(s: Any, t: Any, like: Any) -> Any:
    """Adjoint of ``like`` in ``like * t``, every element of which has the adjoint ``s``, a number.

    >>> weighted(2.0, np.array([1.0, 3.0]), np.zeros(2)), weighted(2.0, 3.0, np.zeros(2))
    (array([2., 6.]), array([6., 6.]))
    """
    if type(t) is np.ndarray and type(like) is np.ndarray and type(s) in FLOATS:
        if t.shape == like.shape and t.dtype is like.dtype:
            if t.dtype is DOUBLE or (t.dtype.kind == "f" and type(s) is float):
                return s * t
    if s is ZERO or t is ZERO or like is ZERO:
        return ZERO
    whole = frame(like, t) if type(like) is type(t) is np.ndarray else like * t
    return unbroadcast(spread(s, whole) * t, like)


def _fitted(result: Any, x: Any) -> Any:
    """A new array in the shape of ``x``, of its precision at least: others of the kind may be added to it in place."""
    result = unbroadcast(result, x)
    if type(result) is np.ndarray and type(x) is np.ndarray and result.dtype is not x.dtype:
        return result.astype(np.result_type(result, x), copy=False)
    return result


def _are_matrices(b: Any, x: Any, y: Any) -> bool:
    """Whether ``b`` is the adjoint of a matrix times a matrix or a vector, all of one precision."""
    if type(x) is type(y) is type(b) is np.ndarray and x.dtype is y.dtype is b.dtype:
        return x.ndim == 2 and 0 < y.ndim == b.ndim <= 2
    return False


def matmul_left(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``x`` in ``x @ y``; of ``x`` only the shape is read.

    >>> matmul_left(np.ones((1, 2)), np.zeros((1, 3)), np.eye(3, 2))
    array([[1., 1., 0.]])
    """
    if b is ZERO or y is ZERO:
        return ZERO
    if _are_matrices(b, x, y):
        result = b.dot(y.T) if y.ndim == 2 else b[:, None].dot(y[None])
        same = result.shape == x.shape and result.dtype is x.dtype
        return result if same else _fitted(result, x)
    x, y = np.asarray(x), np.asarray(y)
    if x.ndim == 1:
        result = b * y if y.ndim == 1 else y @ b if y.ndim == 2 else _matmul_stack(b, y)
    elif y.ndim == 1:
        result = np.multiply.outer(b, y)
    else:
        result = b @ mT(y)
    return _fitted(result, x)


def _matmul_stack(b: Any, y: Any) -> Any:
    """A vector times a stack of matrices: one contribution per matrix."""
    return (y @ b[..., np.newaxis])[..., 0]


def matmul_right(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``y`` in ``x @ y``; of ``y`` only the shape is read."""
    if b is ZERO or x is ZERO:
        return ZERO
    if _are_matrices(b, x, y):
        result = x.T.dot(b) if y.ndim == 2 else b.dot(x)
        same = result.shape == y.shape and result.dtype is y.dtype
        return result if same else _fitted(result, y)
    x, y = np.asarray(x), np.asarray(y)
    if y.ndim == 1:
        result = b * x if x.ndim == 1 else b @ x if x.ndim == 2 else np.tensordot(b, x, np.ndim(b))
    elif x.ndim == 1:
        result = x[:, np.newaxis] * b[..., np.newaxis, :]
    else:
        result = mT(x) @ b
    return _fitted(result, y)


def _is_matmul(x: Any, y: Any) -> bool:
    """Whether ``np.dot(x, y)`` is ``x @ y``."""
    return type(x) is type(y) is np.ndarray and 1 <= x.ndim <= 2 and 1 <= y.ndim <= 2


def _is_inner(b: Any, x: Any, y: Any) -> bool:
    """Whether ``b`` is the adjoint of the product of two vectors of floats."""
    if type(x) is type(y) is np.ndarray and type(b) in FLOATS:
        return x.dtype is y.dtype is DOUBLE and x.shape == y.shape and x.ndim == 1
    return False


def dot_left(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``x`` in ``np.dot(x, y)``."""
    if _is_inner(b, x, y):
        return b * y
    if _is_matmul(x, y):
        return matmul_left(b, x, y)
    if b is ZERO or y is ZERO:
        return ZERO
    rank = len(shape(y))
    if not shape(x) or not rank:
        return _fitted(b * y, x)
    if rank == 1:
        return _fitted(np.multiply.outer(b, y), x)
    if rank == 2:
        return _fitted(b @ np.transpose(y), x)
    return _fitted(np.tensordot(b, np.moveaxis(y, -2, -1), (_last(rank - 1), _first(rank - 1))), x)


def dot_right(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``y`` in ``np.dot(x, y)``."""
    if _is_inner(b, x, y):
        return b * x
    if _is_matmul(x, y):
        return matmul_right(b, x, y)
    if b is ZERO or x is ZERO:
        return ZERO
    rank = len(shape(x))
    if not rank or not shape(y):
        return _fitted(b * x, y)
    result = np.tensordot(x, b, (_first(rank - 1), _first(rank - 1)))
    return _fitted(np.moveaxis(result, 0, -2) if len(shape(y)) > 1 else result, y)


def dot_both(b: Any, x: Any) -> Any:
    """Adjoint of ``x`` in ``np.dot(x, x)``: of both factors.

    >>> dot_both(0.5, np.array([3.0, 4.0]))
    array([3., 4.])
    """
    return (b + b) * x if _is_inner(b, x, x) else dot_left(b, x, x) + dot_right(b, x, x)


def matmul_both(b: Any, x: Any) -> Any:
    """Adjoint of ``x`` in ``x @ x``."""
    return (b + b) * x if _is_inner(b, x, x) else matmul_left(b, x, x) + matmul_right(b, x, x)


def inner_left(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``x`` in ``np.inner(x, y)``, and with the factors swapped of ``y`` in … (y, x)."""
    if b is ZERO or y is ZERO:
        return ZERO
    if not shape(x) or not shape(y):
        return _fitted(b * y, x)
    rank = len(shape(y)) - 1
    return _fitted(np.tensordot(b, y, (_last(rank), _first(rank))), x)


def inner_right(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``y`` in ``np.inner(x, y)``."""
    if b is ZERO or x is ZERO:
        return ZERO
    if not shape(x) or not shape(y):
        return _fitted(b * x, y)
    rank = len(shape(x)) - 1
    return _fitted(np.tensordot(b, x, (_first(rank), _first(rank))), y)


def outer_left(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``x`` in ``np.outer(x, y)``, which flattens both."""
    if b is ZERO or y is ZERO:
        return ZERO
    result = b @ np.ravel(y)
    return _fitted(np.reshape(result, shape(x)), x)


def outer_right(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``y`` in ``np.outer(x, y)``."""
    if b is ZERO or x is ZERO:
        return ZERO
    return _fitted(np.reshape(np.ravel(x) @ b, shape(y)), y)


def _first(n: int) -> list[int]:
    return list(range(n))


def _last(n: int) -> list[int]:
    return list(range(-n, 0))


def _contracted(x: Any, y: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The summed axes of both factors of ``np.tensordot``, counted from 0."""
    m, n = len(shape(x)), len(shape(y))
    if isinstance(axes, int | np.integer):
        return list(range(m - int(axes), m)), list(range(int(axes)))
    left, right = axes
    left = [left] if isinstance(left, int | np.integer) else left
    right = [right] if isinstance(right, int | np.integer) else right
    return [int(k) % m for k in left], [int(k) % n for k in right]


def tensordot_left(b: Any, x: Any, y: Any, axes: Any = 2) -> Any:
    """Adjoint of ``x`` in ``np.tensordot(x, y, axes)``."""
    if b is ZERO or y is ZERO:
        return ZERO
    left, right = _contracted(x, y, axes)
    free = [k for k in range(len(shape(y))) if k not in right]
    result = np.tensordot(b, y, (_last(len(free)), free))
    kept = [k for k in range(len(shape(x))) if k not in left]
    order = kept + [left[right.index(k)] for k in sorted(right)]
    return _fitted(np.transpose(result, np.argsort(order)), x)


def tensordot_right(b: Any, x: Any, y: Any, axes: Any = 2) -> Any:
    """Adjoint of ``y`` in ``np.tensordot(x, y, axes)``."""
    if b is ZERO or x is ZERO:
        return ZERO
    left, right = _contracted(x, y, axes)
    free = [k for k in range(len(shape(x))) if k not in left]
    result = np.tensordot(x, b, (free, _first(len(free))))
    kept = [k for k in range(len(shape(y))) if k not in right]
    order = [right[left.index(k)] for k in sorted(left)] + kept
    return _fitted(np.transpose(result, np.argsort(order)), y)


def kron_left(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``x`` in ``np.kron(x, y)``: blocks of ``b`` against ``y``."""
    if b is ZERO or y is ZERO:
        return ZERO
    blocks, _, small = _blocks(b, x, y)
    odd = list(range(1, blocks.ndim, 2))
    return unbroadcast(
        np.reshape(np.tensordot(blocks, small, (odd, _first(len(odd)))), shape(x)), x
    )


def kron_right(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``y`` in ``np.kron(x, y)``."""
    if b is ZERO or x is ZERO:
        return ZERO
    blocks, large, _ = _blocks(b, x, y)
    even = list(range(0, blocks.ndim, 2))
    return unbroadcast(
        np.reshape(np.tensordot(large, blocks, (_first(len(even)), even)), shape(y)), y
    )


def _blocks(b: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """``b`` with an axis of x and one of y in turn, and both factors at equal rank."""
    rank = max(len(shape(x)), len(shape(y)))
    m = (1,) * (rank - len(shape(x))) + shape(x)
    n = (1,) * (rank - len(shape(y))) + shape(y)
    pairs = [size for pair in zip(m, n, strict=True) for size in pair]
    return np.reshape(b, pairs), np.reshape(x, m), np.reshape(y, n)


__all__ = [
    "dot_both",
    "dot_left",
    "dot_right",
    "inner_left",
    "inner_right",
    "kron_left",
    "kron_right",
    "matmul_both",
    "matmul_left",
    "matmul_right",
    "outer_left",
    "outer_right",
    "tensordot_left",
    "tensordot_right",
]
