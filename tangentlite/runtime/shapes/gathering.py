"""Functions that move elements by position: where each element of the result came from.

In: an array, and the flat index of the element that each element of the result is; -1 for none.
Out: elements gathered, adjoints given back.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tangentlite.runtime.memory.private import folded
from tangentlite.runtime.memory.shadow import zeros
from tangentlite.runtime.shapes.broadcast import shape, unbroadcast
from tangentlite.runtime.zero import ZERO


def numbered(x: Any) -> Any:
    """The flat index of every element of ``x``: what a function makes of it tells what moves where.

    >>> np.delete(numbered(np.zeros((2, 2))), 0, 1)
    array([[1],
           [3]])
    """
    return np.arange(np.size(x)).reshape(shape(x))


def strided(x: Any, shape: Any = None, strides: Any = None) -> Any:
    """The flat index of every element of ``as_strided(x, shape, strides)``.

    >>> strided(np.zeros(4), (2, 3), (8, 8))
    array([[0, 1, 2],
           [1, 2, 3]])
    """
    x = np.asarray(x)
    there, own = _offsets(as_strided(x, shape, strides)), _offsets(x).ravel()
    order = np.argsort(own, kind="stable")
    place = np.searchsorted(own, there, sorter=order)
    index = order[np.minimum(place, own.size - 1)] if own.size else place
    if there.size and (not own.size or np.any(own[index] != there)):
        raise ValueError("as_strided reads memory that is not of its array: no derivative is known")
    return index


def strewn(x: Any, shape: Any = None, strides: Any = None, writeable: bool = True) -> bool:
    """Whether ``as_strided(x, shape, strides)`` may be written: its elements share no memory.

    >>> strewn(np.zeros(4), (2, 2), (16, 8)), strewn(np.zeros(4), (2, 3), (8, 8))
    (True, False)
    """
    return writeable and not folded(as_strided(x, shape, strides))


def _offsets(x: Any) -> Any:
    """How many bytes lie before each element."""
    steps = [np.arange(n) * step for n, step in zip(x.shape, x.strides)]
    return sum(np.ix_(*steps), np.zeros(x.shape, int)) if steps else np.zeros((), int)


def nowhere(x: Any) -> Any:
    """In place of every element of ``x`` the index -1, which none has."""
    return np.full(shape(x), -1)


def gather(x: Any, index: Any) -> Any:
    """The elements of ``x`` at flat indices, zero at -1.

    >>> gather(np.array([1.0, 2.0]), [1, -1, 1])
    array([2., 0., 2.])
    """
    if x is ZERO:
        return x
    flat = np.ravel(x)
    if not flat.size:
        return np.zeros(shape(index), flat.dtype)
    missing = np.less(index, 0)
    return np.where(missing, flat.dtype.type(0), flat[index]) if missing.any() else flat[index]


def ungather(b: Any, x: Any, index: Any) -> Any:
    """The adjoint of ``gather(x, index)``, in the shape of ``x``.

    >>> ungather(np.array([1.0, 2.0, 3.0]), [0.0, 0.0], [1, -1, 1])
    [np.float64(0.0), np.float64(4.0)]
    """
    if b is ZERO:
        return b
    index, b = np.broadcast_arrays(index, b)
    kept = index >= 0
    result = np.zeros(int(np.size(x)), b.dtype)
    np.add.at(result, index[kept], b[kept])
    return unbroadcast(np.reshape(result, shape(x)), x)


def chosen(xs: Any, which: Any) -> Any:
    """Of each element the one from ``xs[which]``, zero at -1.

    >>> chosen([np.array([1.0, 2.0]), 5.0], np.array([0, 1]))
    array([1., 5.])
    """
    if xs is ZERO:
        return xs
    return np.select([np.equal(which, k) for k in range(len(xs))], [np.asarray(x) for x in xs], 0.0)


def unchosen(b: Any, xs: Any, which: Any) -> Any:
    """The adjoint of ``chosen(xs, which)``, one part per element."""
    if b is ZERO:
        return b
    parts = [unbroadcast(np.where(np.equal(which, k), b, 0.0), x) for k, x in enumerate(xs)]
    return np.array(parts) if isinstance(xs, np.ndarray) else parts


def unmesh(b: Any, xs: Any, k: int, indexing: str = "xy", sparse: bool = False) -> Any:
    """The adjoint of ``xs[k]`` in ``np.meshgrid(*xs)``.

    >>> unmesh([np.ones((2, 3)), ZERO], (np.zeros(3), np.zeros(2)), 0)
    array([2., 2., 2.])
    """
    if b is ZERO or b[k] is ZERO:
        return ZERO
    axis = 1 - k if indexing == "xy" and len(xs) > 1 and k < 2 else k
    others = tuple(j for j in range(len(xs)) if j != axis)
    return unbroadcast(np.reshape(np.sum(b[k], axis=others), shape(xs[k])), xs[k])


def remesh(v: Any, xs: Any, k: int, indexing: str = "xy", sparse: bool = False) -> Any:
    """The adjoint of ``unmesh``: what ``np.meshgrid`` makes of ``v`` in place of ``xs[k]`` alone."""
    if v is ZERO:
        return v
    given = [v if j == k else zeros(np.asarray(x)) for j, x in enumerate(xs)]
    options: Any = {"indexing": indexing, "sparse": sparse}
    whole = np.meshgrid(*given, **options)[k]
    return [whole if j == k else ZERO for j in range(len(xs))]


def unblock(b: Any, xs: Any) -> Any:
    """The adjoint of ``np.block(xs)``, in its nest.

    >>> unblock(np.arange(3.0), [np.zeros(1), np.zeros(2)])
    [array([0.]), array([1., 2.])]
    """
    if b is ZERO:
        return b
    sizes: list[int] = []
    index = np.block(_numbered(xs, sizes))
    flat = np.empty(sum(sizes), np.asarray(b).dtype)
    flat[index] = b
    return _leaves(xs, flat, [0])


def _numbered(xs: Any, sizes: list[int]) -> Any:
    if isinstance(xs, list):
        return [_numbered(x, sizes) for x in xs]
    index = numbered(xs) + sum(sizes)
    sizes.append(index.size)
    return index


def _leaves(xs: Any, flat: Any, at: list[int]) -> Any:
    if isinstance(xs, list):
        return [_leaves(x, flat, at) for x in xs]
    start = at[0]
    at[0] += int(np.size(xs))
    return unbroadcast(np.reshape(flat[start : at[0]], shape(xs)), xs)


def window(v: Any, like: Any, start: int) -> Any:
    """The elements of ``v`` in a row of zeros as long as ``like``, from ``start`` on.

    >>> window(np.array([1.0, 2.0]), np.zeros(4), 1)
    array([0., 1., 2., 0.])
    """
    if v is ZERO:
        return v
    flat = np.ravel(v)
    dtype = np.asarray(like).dtype
    result = np.zeros(len(like), dtype if dtype.kind == flat.dtype.kind else flat.dtype)
    result[start : start + flat.size] = flat
    return result


def unwindow(b: Any, v: Any, start: int) -> Any:
    """The adjoint of ``window(v, …, start)``."""
    if b is ZERO:
        return b
    return unbroadcast(np.reshape(b[start : start + int(np.size(v))], shape(v)), v)


def groups(x: Any, y: Any) -> Any:
    """Which element of ``y``, of which none are equal, each element of ``x`` equals.

    >>> groups(np.array([3.0, 1.0, 3.0]), np.array([1.0, 3.0]))
    array([1, 0, 1])
    """
    order = np.argsort(y)
    return order[np.searchsorted(np.asarray(y)[order], x)]


def evenly(b: Any, index: Any) -> Any:
    """Each element of ``b`` divided by the number of times that ``index`` has it."""
    if b is ZERO:
        return b
    return b / np.bincount(np.ravel(index), minlength=len(b)).astype(b.dtype)


def lengths(x: Any) -> int:
    """The number of elements of ``x``, none if it is None."""
    return 0 if x is None else int(np.size(x))
