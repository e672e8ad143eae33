"""Shapes: from a result's shape back to an operand's, and from a small shape up to a large one.

In: an adjoint or tangent, and the value whose shape it shall have.
Out: the same numbers summed or repeated; possibly the very argument.
Next: times.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tangentlite.runtime.zero import INERT, ZERO

ndarray = np.ndarray
NESTS = (list, tuple, dict)
DOUBLE = np.dtype(float)
SINGLE = (np.dtype(np.float32), np.dtype(np.complex64))
FLOATS = frozenset({float, np.float64})
SMALL = 9_000  # elements that are multiplied without threads
NEW = tuple((*[slice(None)] * place, None) for place in range(4))  # indices that insert an axis


def shape(x: Any) -> tuple[int, ...]:
    """The shape of a number, an array or a nest of lists."""
    kind = type(x)
    if kind is float or kind is int:
        return ()
    return x.shape if kind is ndarray else np.shape(x)


def even_shape(x: Any) -> tuple[int, ...] | None:
    """The shape of what a caller passes; None if its parts have several."""
    try:
        return shape(x)
    except ValueError:
        return None


def having_shape(x: Any) -> str:
    """What an error says of the shape of ``x``.

    >>> having_shape([1.0, 2.0]), having_shape((np.ones(3), 0.0))
    ('has shape (2,)', 'is a tuple of unlike parts')
    """
    found = even_shape(x)
    return f"is a {type(x).__name__} of unlike parts" if found is None else f"has shape {found}"


def is_real(x: Any) -> bool:
    """Whether ``x`` holds no complex numbers."""
    return not np.iscomplexobj(x)


def unbroadcast(b: Any, like: Any) -> Any:
    """Sum ``b`` down to the shape of ``like``; its real part where ``like`` is real.

    The adjoint of a ZERO goes nowhere, whatever shape it has: it is ZERO.
    """
    kind = type(like)
    if kind is ndarray and type(b) is ndarray and b.dtype is like.dtype:
        given, target = b.shape, like.shape
        if given == target:
            return b
        if given[1:] == target:
            return over_rows(b)
        if target[-1:] == (1,) and given[:-1] == target[:-1]:
            return np.add.reduce(b, -1, keepdims=True)
        if target[:1] == (1,) and given[1:] == target[1:] and len(given) == len(target):
            return np.add.reduce(b, 0, keepdims=True)
    elif kind in FLOATS:
        if type(b) in FLOATS:
            return b
        if type(b) is ndarray and b.dtype is DOUBLE:
            return over_rows(b) if b.ndim == 1 else np.add.reduce(b, None)
    if b is ZERO or like is ZERO:
        return ZERO
    if b is INERT:
        return b if getattr(like, "dtype", np.dtype(kind)).kind in "iub" else ZERO
    if isinstance(b, NESTS):
        return assembled(b, like) if type(b) is list and kind is ndarray else b
    summed = _summed(_real_where(b, like), shape(like), kind)
    return _rows(summed, like) if kind is list and type(summed) is ndarray else summed


def over_rows(b: Any) -> Any:
    """``np.add.reduce(b, 0)``: a product with ones where that takes less time.

    >>> over_rows(np.ones((2, 3)))
    array([2., 2., 2.])
    """
    if b.dtype is DOUBLE and b.ndim < 3 and 0 < b.size < SMALL:
        return _ones(b.shape[0]).dot(b)
    return np.add.reduce(b, 0)


@lru_cache(64)
def _ones(n: int) -> Any:
    ones = np.ones(n)
    ones.flags.writeable = False
    return ones


def _rows(b: Any, like: Any) -> Any:
    """The adjoint of a list as a list."""
    return [_rows(part, x) for part, x in zip(b, like)] if type(like) is list else b


def assembled(parts: list[Any], x: Any) -> Any:
    """The adjoints of the rows of an array, some of which may be ZERO, as one array."""
    result = np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else np.float64)
    for k, part in enumerate(parts):
        if part is not ZERO:
            result[k] = assembled(part, x[k]) if type(part) is list else part
    return result


def _is_whole(d: Any) -> bool:
    """Whether no part of a nest is ZERO."""
    return all(map(_is_whole, d)) if type(d) is list else d is not ZERO


def _real_where(b: Any, like: Any) -> Any:
    """``b``, its real part where ``like`` is real; a list may be so in parts."""
    if type(b) is not complex and getattr(b, "dtype", DOUBLE).kind != "c":
        return b
    if not np.iscomplexobj(like):
        return b.real
    if not isinstance(like, list | tuple):
        return b
    return [_real_where(part, x) for part, x in zip(b, like, strict=True)]


def _summed(b: Any, target: tuple[int, ...], kind: type) -> Any:
    given = shape(b)
    if given == target:
        return b[()] if type(b) is ndarray and not given and kind is not ndarray else b
    b = np.asarray(b)
    extra = b.ndim - len(target)
    if extra > 0:
        b = np.add.reduce(b, 0 if extra == 1 else tuple(range(extra)))
        if b.shape == target:
            return b
    if b.shape != target:
        axes = tuple([-k for k in range(1, b.ndim + 1) if target[-k] == 1 != b.shape[-k]])
        b = np.add.reduce(b, axes, keepdims=True) if axes else b
    return b if b.shape == target else np.broadcast_to(b, target)


def broadcast(d: Any, like: Any) -> Any:
    """The tangent ``d`` blown up to the shape of ``like``, as an array of its own if it grows.

    Its real part where ``like`` is real, since this is the adjoint of ``unbroadcast`` too.

    >>> broadcast(1.0, np.zeros(2))
    array([1., 1.])
    """
    kind = type(like)
    if kind is float and type(d) is float:
        return d
    if d is ZERO or like is ZERO or d is INERT:
        return ZERO
    if isinstance(d, NESTS):
        if type(d) is not list or kind is not ndarray:
            return d
        if not _is_whole(d):
            return assembled(d, like)
        d = np.array(d)
    if kind is list and any(part is ZERO or isinstance(part, (ndarray, *NESTS)) for part in like):
        return [broadcast(part, whole) for part, whole in zip(d, like, strict=True)]
    d = _real_where(d, like)
    have, target = shape(d), shape(like)
    if have == target:
        return d
    grows = np.broadcast_shapes(have, target) == target
    return _filled(d, like, target) if grows else unbroadcast(d, like)


def spread(b: Any, like: Any) -> Any:
    """The number ``b`` as an array of its own in the shape of ``like``.

    >>> spread(2.0, [1, 2])
    array([2., 2.])
    """
    if type(like) is ndarray and like.dtype is DOUBLE and type(b) in FLOATS:
        result = np.empty(like.shape)
        result.fill(b)
        return result
    if type(like) is float or b is ZERO:
        return b
    target = shape(like)
    return _filled(b, like, target) if target or type(like) is ndarray else b


def _filled(value: Any, like: Any, target: tuple[int, ...]) -> Any:
    """A fresh array of ``value``: a weak Python number takes the precision of ``like``."""
    dtype = getattr(like, "dtype", None)
    if type(value) in (float, int, complex):
        known = dtype if dtype is not None and dtype.kind in "fc" else np.float64
        result = np.empty(target, np.result_type(known, 1j) if type(value) is complex else known)
    elif type(value) in (list, tuple):
        result = np.empty(target)
    else:
        result = np.empty(target, np.result_type(value, np.float16))
    result[...] = value
    return result


def unreduce(b: Any, x: Any, axis: Any = None, keepdims: bool = False, where: Any = True) -> Any:
    """Adjoint of a sum: ``b`` in the shape of ``x``, zero where ``where`` is false.

    What is larger than the sum, since that was broadcast, is summed down first.

    >>> unreduce(np.array([1.0, 2.0]), np.zeros((2, 3)), axis=1)
    array([[1., 1., 1.],
           [2., 2., 2.]])
    """
    if type(b) is type(x) is ndarray and type(axis) in (int, tuple) and where is True:
        if (view := _stretched(b, x, axis, keepdims)) is not None:
            return view
    if b is ZERO or (type(x) is float and where is True):
        return b
    target = shape(x)
    if (given := shape(b)) and given != (reduced := reduced_shape(target, axis, keepdims)):
        b = _summed(_real_where(b, x), reduced, ndarray)
    if not target:
        result = b if shape(b) == () else np.reshape(b, ())
    elif axis is None and (keepdims is False or shape(b) == ()):
        result = _filled(b, x, target)
    else:
        result = np.broadcast_to(kept(b, x, axis, keepdims), target)
    return result if where is True else np.where(where, result, 0.0)


def _stretched(b: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """``b`` repeated along axes, as a view that nobody writes; None if it does not fit as it is.

    ``np.broadcast_to`` does the same, and takes as long as thousands of additions.
    """
    strides = strides_of(b.shape, b.strides, x.shape, axis, keepdims)
    if strides is None or (b.dtype is not x.dtype and b.dtype.kind == "c"):
        return None
    if not b.flags.c_contiguous:
        b = b.copy()
        strides = strides_of(b.shape, b.strides, x.shape, axis, keepdims)
    view = ndarray(x.shape, b.dtype, b, 0, strides)
    view.flags.writeable = False
    return view


@lru_cache(512)
def strides_of(
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    target: tuple[int, ...],
    axis: Any,
    keepdims: bool,
) -> tuple[int, ...] | None:
    """The strides of what is repeated along axes of ``target``; None if it has not the shape of a reduction."""
    if shape != reduced_shape(target, axis, keepdims):
        return None
    gone = _axes(axis, len(target))
    rest = [k for k in range(len(target)) if keepdims or k not in gone]
    found = dict(zip(rest, strides))
    return tuple(0 if k in gone else found[k] for k in range(len(target)))


def _axes(axis: Any, rank: int) -> set[int]:
    if axis is None or not rank:
        return set(range(rank))
    return {int(k) % rank for k in (axis if isinstance(axis, tuple) else (axis,))}


def reduced_shape(target: tuple[int, ...], axis: Any, keepdims: bool) -> tuple[int, ...]:
    """The shape of a reduction along axes.

    >>> reduced_shape((2, 3), 1, False), reduced_shape((2, 3), 1, True)
    ((2,), (2, 1))
    """
    gone = _axes(axis, len(target))
    return tuple(1 if k in gone else n for k, n in enumerate(target) if keepdims or k not in gone)


def kept(y: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The reduced ``y`` with the reduced axes of ``x`` put back in, of length 1."""
    if keepdims or y is ZERO:
        return y
    if type(axis) is int and type(y) is ndarray and type(x) is ndarray and y.ndim + 1 == x.ndim:
        place = axis % x.ndim
        return y[NEW[place] if place < 4 else (*[slice(None)] * place, None)]
    rank = len(shape(x))
    if axis is None:
        return np.reshape(y, (1,) * rank)
    axes = axis if isinstance(axis, tuple) else (axis,)
    gone = {int(k) % max(rank, 1) for k in axes}
    return np.reshape(y, tuple(1 if k in gone else n for k, n in enumerate(shape(x))))


def count(
    x: Any, axis: Any = None, keepdims: bool = False, where: Any = True, ddof: float = 0
) -> Any:
    """How many elements each entry of a reduction of ``x`` is made of, less ``ddof``.

    >>> count(np.zeros((2, 3)), axis=0)
    2
    """
    target = shape(x)
    if where is not True:
        single = getattr(x, "dtype", DOUBLE) in SINGLE
        real = np.float32 if single else float
        hits = np.broadcast_to(where, target)
        return np.sum(hits, axis=axis, keepdims=keepdims, dtype=real) - real(ddof)
    axes = range(len(target)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    size = 1
    for k in axes:
        size *= target[k]
    return size - ddof if size > ddof else float("nan")
