# mypy: ignore-errors
# ruff: noqa: D103
"""What the functions of the runtime mean to Numba: types are known, so that most of them vanish.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: kernel.
"""

from __future__ import annotations

import numpy as np
from numba import extending, types
from numba.np.numpy_support import as_dtype

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.products import outer, product
from tangentlite.native.looping.nests import MISMATCH

FLOATS = types.float32, types.float64


def _is_array(kind):
    return isinstance(kind, types.Array)


def _is_several(kind):
    return isinstance(kind, (types.List, types.BaseTuple))


def _is_complex(kind):
    return isinstance(kind.dtype if _is_array(kind) else kind, types.Complex)


@overload(runtime.outline)
@overload(runtime.sequence)
@overload(runtime.stack)
def same(x):
    return lambda x: x


@overload(runtime.drained)
@overload(runtime.stop_gradient)
def stop_gradient(x):
    return (lambda x: x.copy()) if _is_array(x) else (lambda x: x)


@extending.overload(runtime.zeros)
def zeros(x):
    if _is_array(x) and isinstance(x.dtype, (types.Float, types.Complex)):
        return lambda x: np.zeros(x.shape, x.dtype)
    if _is_array(x):
        return lambda x: np.zeros(x.shape)
    if isinstance(x, types.Optional) and _is_array(x.type):
        return _of_nothing(x.type)
    if isinstance(x, types.UniTuple) and _is_array(x.dtype) and x.dtype.dtype in FLOATS:
        return lambda x: [np.zeros(part.shape, part.dtype) for part in x]
    return None if _is_several(x) or isinstance(x, types.NoneType) else (lambda x: 0.0)


def _of_nothing(kind):
    """What may be None has an array for its adjoint all the same: an empty one, which fits nothing."""
    empty, floats = (0,) * kind.ndim, isinstance(kind.dtype, (types.Float, types.Complex))
    dtype = as_dtype(kind.dtype if floats else types.float64)

    def zeros(x):
        return np.zeros(empty if x is None else x.shape, dtype)

    return zeros


def zeros_of(x):
    """Zeros of the shape of an array, else the number zero."""
    return np.zeros(np.shape(x))


@overload(zeros_of)
def _zeros_of(x):
    return (lambda x: runtime.zeros(x)) if _is_array(x) else (lambda x: 0.0)


@overload(runtime.room)
def room(x):
    if _is_array(x) and isinstance(x.dtype, (types.Float, types.Complex)):
        return lambda x: np.zeros(x.shape, x.dtype)
    return (lambda x: np.zeros(x.shape)) if _is_array(x) else (lambda x: np.zeros(()))


@overload(runtime.transposed)
def transposed(b):
    return (lambda b: b.T) if _is_array(b) else (lambda b: b)


@overload(runtime.storage)
def storage(x):
    """What is stored into an array of integers has no derivative: that is left to Python."""
    if _is_array(x) and not isinstance(x.dtype, (types.Float, types.Complex)):
        return None
    return (lambda x: np.zeros(x.shape, x.dtype)) if _is_array(x) else (lambda x: 0.0)


@overload(runtime.buffer)
def buffer(b, x):
    if _is_array(b) or not _is_array(x):
        return lambda b, x: b
    return lambda b, x: np.full(x.shape, b)


@overload(runtime.unbroadcast)
def unbroadcast(b, like):
    if _is_several(like):
        return None
    if _is_complex(b) and not _is_complex(like):
        return lambda b, like: runtime.unbroadcast(b.real, like)
    if not _is_array(like):
        return (lambda b, like: b.sum()) if _is_array(b) else (lambda b, like: b)
    if not _is_array(b):
        return lambda b, like: np.full(like.shape, b)
    if b.ndim < like.ndim:
        return lambda b, like: np.broadcast_to(b, like.shape).copy()
    if (b.ndim, like.ndim) not in SUMMED:
        return None
    return SUMMED[b.ndim, like.ndim]


def _line(b, like):
    if b.shape == like.shape:
        return b.copy()
    if b.size == 0 or like.size == 1:
        return np.full(like.shape, b.sum())
    return np.full(like.shape, b[0])


def _plane(b, like):
    if b.shape == like.shape:
        return b.copy()
    if b.size == 0:
        return np.zeros(like.shape, b.dtype)
    for k in range(2):
        if b.shape[k] != like.shape[k] and like.shape[k] != 1:
            raise ValueError(MISMATCH)
    result = np.zeros(like.shape, b.dtype)
    rows, columns = int(like.shape[0] > 1), int(like.shape[1] > 1)
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            result[i * rows, j * columns] += b[i, j]
    return result


def _row(b, like):
    if b.shape[1] != like.shape[0] and like.shape[0] != 1:
        raise ValueError(MISMATCH)
    result = np.zeros(like.shape, b.dtype)
    columns = int(like.shape[0] > 1)
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            result[j * columns] += b[i, j]
    return result


SUMMED = {(1, 1): _line, (2, 2): _plane, (2, 1): _row}


@overload(runtime.summed)
def summed(b, e, x):
    if _is_array(b):

        def added(b, e, x):
            b += e
            return b

        return added
    return lambda b, e, x: b + e


@overload(runtime.add_at)
def add_at(bx, i, e):
    number = isinstance(getattr(bx, "dtype", None), types.Number) and not _is_several(e)
    if (
        isinstance(i, types.Integer)
        and number
        and not (_is_array(bx) and (bx.ndim > 1 or _is_array(e)))
    ):

        def added(bx, i, e):
            bx[i] += e
            return bx

        return added
    if not (_is_array(i) and i.ndim == 1 and isinstance(i.dtype, types.Integer) and bx.ndim == 1):
        return None
    if _is_array(e):

        def each(bx, i, e):
            for k in range(len(i)):
                bx[i[k]] += e[k]
            return bx

        return each

    def same(bx, i, e):
        for k in range(len(i)):
            bx[i[k]] += e
        return bx

    return same


@overload(runtime.weighted)
def weighted(s, t, like):
    if not _is_array(like):
        return (lambda s, t, like: s * t.sum()) if _is_array(t) else (lambda s, t, like: s * t)
    return lambda s, t, like: runtime.unbroadcast(runtime.spread(s, like * t) * t, like)


@overload(runtime.direction)
def direction(x):
    """No number has no sign."""
    if isinstance(getattr(x, "dtype", x), types.Complex):
        return None
    if _is_array(x):
        return lambda x: np.where(x > 0, 1.0, np.where(x < 0, -1.0, x * 0.0))
    return lambda x: 1.0 if x > 0 else -1.0 if x < 0 else x * 0.0


@overload(runtime.rise)
def rise(x):
    if _is_array(x):
        return lambda x: np.where(x < 0, -1.0, 1.0)
    return lambda x: -1.0 if x < 0 else 1.0


@overload(runtime.fall)
def fall(x):
    if _is_array(x):
        return lambda x: np.where(x > 0, 1.0, -1.0)
    return lambda x: 1.0 if x > 0 else -1.0


@overload(runtime.surplus_slope)
def surplus_slope(x):
    return lambda x: -np.sign(x) * np.exp(-np.abs(x)) / (1.0 + np.exp(-np.abs(x)))


@overload(runtime.bell)
def bell(x):
    return lambda x: np.exp(-np.abs(x)) / (1.0 + np.exp(-np.abs(x))) ** 2


@overload(runtime.real_only)
def real_only(x):
    real = not isinstance(getattr(x, "dtype", x), types.Complex)
    return (lambda x: x) if real else None


@overload(runtime.unreduce)
def unreduce(b, x, axis=None, keepdims=False, where=True):
    if not _is_array(b) and _is_array(x):
        return lambda b, x, axis=None, keepdims=False, where=True: np.full(x.shape, b)
    return None


@overload(runtime.count)
def count(x, axis=None):
    if axis is None or isinstance(axis, (types.NoneType, types.Omitted)):
        return (lambda x, axis=None: x.size) if _is_array(x) else (lambda x, axis=None: 1)
    return None


@overload(runtime.matmul_left)
def matmul_left(b, x, y):
    match (x.ndim, y.ndim):
        case (1, 1):
            return lambda b, x, y: b * y
        case (1, 2):
            return lambda b, x, y: product(y, b)
        case (2, 1):
            return lambda b, x, y: outer(b, y)
        case (2, 2):
            return lambda b, x, y: product(b, y.T)
    return None


@overload(runtime.matmul_right)
def matmul_right(b, x, y):
    match (x.ndim, y.ndim):
        case (1, 1):
            return lambda b, x, y: b * x
        case (2, 1):
            return lambda b, x, y: product(b, x)
        case (1, 2):
            return lambda b, x, y: outer(x, b)
        case (2, 2):
            return lambda b, x, y: product(x.T, b)
    return None


@overload(runtime.matmul_both)
def matmul_both(b, x):
    left, right = runtime.matmul_left, runtime.matmul_right
    return lambda b, x: left(b, x, x) + right(b, x, x)


@overload(runtime.outer_left)
def outer_left(b, x, y):
    return (lambda b, x, y: product(b, y)) if x.ndim == y.ndim == 1 else None


@overload(runtime.outer_right)
def outer_right(b, x, y):
    return (lambda b, x, y: product(x, b)) if x.ndim == y.ndim == 1 else None


@overload(runtime.to_winner)
def to_winner(b, y, xs, k):
    """Those that are as large as the largest share what comes."""
    if not isinstance(xs, types.UniTuple) or not isinstance(xs.dtype, types.Number):
        return None

    def share(b, y, xs, k):
        count = 0
        for x in xs:
            count += x == y
        return b / count if count and xs[k] == y and b != 0.0 else 0.0

    return share
