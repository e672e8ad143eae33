"""What an exported file holds of the runtime where all that its functions are given is numbers and arrays.

In: numbers and arrays, as ``plainness`` proves; no nests, no zeros of unknown shape but ``ZERO`` in sums.
Out: the same as from the functions of the runtime that they stand for, bit for bit.
Next: inlined.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class ZeroGrad:
    """The adjoint that nothing has reached yet: it vanishes in sums."""

    __array_ufunc__ = None

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __float__(self) -> float:
        return 0.0

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.zeros((), dtype)


ZERO = ZeroGrad()


def is_array(x: Any) -> bool:
    """Whether ``x`` has elements that may be written."""
    return isinstance(x, np.ndarray)


def continuous(dtype: Any) -> bool:
    """Whether elements of a dtype carry a derivative."""
    return dtype.kind in "fc"


def shape(x: Any) -> Any:
    """The shape of a number or an array."""
    return np.shape(x)


def numbers(*values: Any) -> None:
    """Refuse what is neither a real number nor an array of those; None stands for what is not given."""
    for value in values:
        if value is None or isinstance(value, (int, float)):
            continue
        array = type(value) is np.ndarray or isinstance(value, np.generic)
        kind = value.dtype.kind if array else "O"
        if kind not in "fiub":
            found = f"dtype {value.dtype}" if array else type(value).__name__
            if kind == "c" or isinstance(value, complex):
                found = "complex numbers"
            raise TypeError(f"expected a number or an array, got {found}")


def seed(by: Any, y: Any, required: bool = False) -> Any:
    """The seed ``by``, a copy if it is an array, which must have the shape of the result ``y``."""
    if type(by) is type(y) is float:
        return by
    given, target = np.shape(by), np.shape(y)
    if given != target and (given or required):
        raise TypeError(f"the seed has shape {given}, the result has shape {target}")
    if given != target:
        needed = "a gradient needs a scalar result, or a seed: df(x, adjoint=…)"
        raise TypeError(f"the result has shape {target}: {needed}")
    if isinstance(by, np.ndarray):
        return np.array(by, float if by.dtype.kind in "iub" else by.dtype)
    return np.array(by, float) if isinstance(by, (list, tuple)) else by


def tangent(dx: Any, x: Any) -> Any:
    """The tangent ``dx``, which must have the shape of its argument ``x`` and lies in memory as this does."""
    given, target = np.shape(dx), np.shape(x)
    if given != target:
        said = f"the argument has shape {target}, its tangent has shape {given}"
        raise TypeError(f"{said}: pass tangent=… of the same shape")
    if isinstance(dx, list) or (isinstance(dx, np.ndarray) and dx.dtype.kind in "iub"):
        dx = np.array(dx, float)
    if isinstance(dx, np.ndarray) and not isinstance(x, np.ndarray):
        return dx[()]
    if type(dx) in (float, int, bool) and isinstance(x, np.ndarray | np.generic):
        return x.dtype.type(dx) if x.dtype.kind in "fc" else np.float64(dx)
    if not isinstance(dx, np.ndarray) or dx.ndim < 2 or dx.strides == x.strides:
        return dx
    result = np.empty_like(x, dtype=dx.dtype)
    result[...] = dx
    return result


def unbroadcast(b: Any, like: Any) -> Any:
    """Sum ``b`` down to the shape of ``like``; its real part where ``like`` is real."""
    if type(b) is type(like) is float:
        return b
    if type(b) is type(like) is np.ndarray:
        if (b.shape, b.dtype) == (like.shape, like.dtype):
            return b
    if np.iscomplexobj(b) and not np.iscomplexobj(like):
        b = b.real
    target = np.shape(like)
    if np.shape(b) == target:
        arrays = isinstance(b, np.ndarray), isinstance(like, np.ndarray)
        return b[()] if not target and arrays == (True, False) else b
    b = np.asarray(b)
    extra = b.ndim - len(target)
    if extra > 0:
        b = np.add.reduce(b, 0 if extra == 1 else tuple(range(extra)))
    if b.shape != target:
        axes = tuple(-k for k in range(1, b.ndim + 1) if target[-k] == 1 != b.shape[-k])
        b = np.add.reduce(b, axes, keepdims=True) if axes else b
    return b if b.shape == target else np.broadcast_to(b, target)


def like(bx: Any, x: Any) -> Any:
    """The gradient ``bx`` as ``x`` is: a float for a float, an array of its dtype for an array."""
    if x is None:
        return None
    bx = unbroadcast(bx, x)
    if isinstance(x, np.ndarray):
        dtype = x.dtype if x.dtype.kind in "fc" else np.dtype(float)
        if type(bx) is np.ndarray and (bx.shape, bx.dtype) == (x.shape, dtype):
            return bx if bx.base is None and bx.flags.writeable else bx.copy()
        return np.array(np.broadcast_to(bx, x.shape), dtype)
    if isinstance(x, np.generic):
        return (type(x) if isinstance(x, np.inexact) else np.float64)(bx)
    return complex(bx) if isinstance(x, complex) else float(bx)


def spread(b: Any, like: Any) -> Any:
    """The number ``b`` as an array of its own in the shape of ``like``."""
    if not isinstance(like, np.ndarray):
        return b
    if type(b) not in (float, int, complex):
        return np.full(like.shape, b, np.result_type(b, np.float16))
    dtype = like.dtype if like.dtype.kind in "fc" else np.dtype(float)
    return np.full(like.shape, b, np.result_type(dtype, 1j) if type(b) is complex else dtype)


def unbroadcast_product(a: Any, b: Any, like: Any) -> Any:
    """Sum ``a * b`` down to the shape of ``like``."""
    return unbroadcast(a * b, like)


def dot(a: Any, b: Any) -> Any:
    """The sum of all elements of ``a * b``."""
    return unbroadcast(a * b, 0.0)


def unreduce_product(b: Any, x: Any, like: Any, axis: Any) -> Any:
    """The adjoint of ``like`` in ``np.sum(x * like, axis)``."""
    return unbroadcast(unreduce(b, x * like, axis) * x, like)


def unreduce(b: Any, x: Any, axis: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """Adjoint of a sum: ``b`` in the shape of ``x``, zero where ``where`` is false."""
    if np.ndim(x) == 0:
        result = b if np.ndim(b) == 0 else np.reshape(b, ())
    elif axis is None and (not keepdims or np.ndim(b) == 0):
        result = spread(b, x)
    else:
        result = np.broadcast_to(kept(b, x, axis, keepdims), x.shape)
    return result if where is True else np.where(where, result, 0.0)


def kept(y: Any, x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The reduced ``y`` with the reduced axes of ``x`` put back in, of length 1."""
    if keepdims:
        return y
    return np.reshape(y, (1,) * np.ndim(x)) if axis is None else np.expand_dims(y, axis)


def matmul_left(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``x`` in ``x @ y``."""
    x, y = np.asarray(x), np.asarray(y)
    if x.ndim > 1:
        result = np.multiply.outer(b, y) if y.ndim == 1 else b @ np.swapaxes(y, -1, -2)
    elif y.ndim == 1:
        result = b * y
    else:
        result = y @ b if y.ndim == 2 else (y @ b[..., np.newaxis])[..., 0]
    result = unbroadcast(result, x)
    return np.asarray(result, np.result_type(result, x))


def matmul_right(b: Any, x: Any, y: Any) -> Any:
    """Adjoint of ``y`` in ``x @ y``."""
    x, y = np.asarray(x), np.asarray(y)
    if y.ndim > 1:
        outer = x.ndim == 1
        result = x[:, np.newaxis] * b[..., np.newaxis, :] if outer else np.swapaxes(x, -1, -2) @ b
    elif x.ndim == 1:
        result = b * x
    else:
        result = b @ x if x.ndim == 2 else np.tensordot(b, x, np.ndim(b))
    result = unbroadcast(result, y)
    return np.asarray(result, np.result_type(result, y))


def distinct(gradients: Any) -> Any:
    """The tuple of gradients, an array that is in it twice copied the second time."""
    found: list[Any] = []
    for gradient in gradients:
        again = is_array(gradient) and any(gradient is before for before in found)
        found.append(gradient.copy() if again else gradient)
    return tuple(found)


def zeros(x: Any) -> Any:
    """A zero adjoint for ``x``, that contributions may be added into."""
    if isinstance(x, np.ndarray):
        return np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float)
    return type(x)(0) if isinstance(x, (complex, np.inexact)) else 0.0


def add_at(bx: Any, i: Any, e: Any) -> Any:
    """Add ``e`` to ``bx`` at index ``i``, in place; an index that repeats adds each time."""
    if not isinstance(bx, np.ndarray):
        return bx + unbroadcast(e, bx)
    parts = i if isinstance(i, tuple) else (i,)
    if any(isinstance(k, (np.ndarray, list, bool, np.bool_)) for k in parts):
        np.add.at(bx, i, e.real if bx.dtype.kind != "c" and np.iscomplexobj(e) else e)
    else:
        bx[i] += unbroadcast(e, bx[i])
    return bx
