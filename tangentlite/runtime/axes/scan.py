"""Reductions and scans: extrema, deviations, running products that stand zeros.

In: an array, the axes, the mask.
Out: local derivatives and the linear pieces they are made of.
Next: layout.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import ndarray

from tangentlite.runtime.shapes.broadcast import DOUBLE, kept, shape
from tangentlite.runtime.zero import ZERO


def shares(
    x: Any, y: Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """What each element of ``x`` has in the extremum ``y``: those that attain it share equally.

    >>> shares(np.array([1.0, 3.0, 3.0]), 3.0)
    array([0. , 0.5, 0.5])
    """
    if not shape(x) and initial is None and where is True:
        return 1.0
    top = kept(y, x, axis, keepdims)
    hit = np.equal(x, top)
    if initial is None and where is True and type(x) is ndarray and x.dtype is DOUBLE:
        if type(axis) is int and x.size:
            return _divided(hit, axis)
    if where is not True:
        hit = hit & where
    total = np.sum(hit, axis=axis, keepdims=True)
    if initial is not None:
        total = total + np.equal(initial, top)
    real = getattr(x, "dtype", np.dtype(float))
    with np.errstate(invalid="ignore"):
        return np.divide(hit, total, dtype=real.type if real.kind == "f" else float)


def _divided(hit: Any, axis: int) -> Any:
    """The share of each that attains an extremum along one axis: most often there is one, which has all of it."""
    total = np.add.reduce(hit, axis, keepdims=True)
    if np.count_nonzero(total) < total.size:
        with np.errstate(invalid="ignore"):
            return np.divide(hit, total)
    return hit.astype(DOUBLE) if np.count_nonzero(hit) == total.size else np.divide(hit, total)


def centered(x: Any, axis: Any = None, where: Any = True) -> Any:
    """``x`` without its mean, zero where ``where`` is false: linear, and its own adjoint.

    >>> centered(np.array([1.0, 3.0]))
    array([-1.,  1.])
    """
    if x is ZERO:
        return x
    if type(x) is np.ndarray and x.dtype is DOUBLE and x.size and type(axis) is int:
        if where is True:  # what ``np.mean`` does, without looking at what it is given
            return x - np.add.reduce(x, axis, keepdims=True) / x.shape[axis]
    if np.iscomplexobj(x):
        raise TypeError("the variance of complex numbers is not differentiated")
    if where is True:
        return x - np.mean(x, axis=axis, keepdims=True)
    result = x - np.mean(x, axis=axis, keepdims=True, where=where)
    return np.where(where, result, 0.0)


def merge(x: Any, axis: Any = None, where: Any = True, fill: float = 1.0) -> Any:
    """The axes of a reduction as one last axis, ``fill`` where ``where`` is false.

    >>> merge(np.ones((2, 3, 4)), (0, 1)).shape
    (4, 6)
    """
    if x is ZERO:
        return x
    x = np.asarray(x)
    if x.dtype.kind not in "fc":
        x = x.astype(float)
    if where is not True:
        x = np.where(where, x, fill)
    if axis is None:
        return np.reshape(x, -1)
    axes = _axes(axis, x.ndim)
    x = np.moveaxis(x, axes, range(-len(axes), 0))
    rest = x.shape[: x.ndim - len(axes)]
    return np.reshape(x, (*rest, math.prod(x.shape[len(rest) :])))


def unmerge(f: Any, x: Any, axis: Any = None, where: Any = True) -> Any:
    """What ``merge`` put last, back in the shape of ``x``; zero where ``where`` is false."""
    if f is ZERO:
        return f
    target = shape(x)
    axes = _axes(range(len(target)) if axis is None else axis, len(target))
    rest = tuple(n for k, n in enumerate(target) if k not in axes)
    f = np.reshape(f, rest + tuple(target[k] for k in axes))
    f = np.moveaxis(f, range(-len(axes), 0), axes) if axes else f
    return f if where is True else np.where(where, f, 0.0)


def _axes(axis: Any, rank: int) -> tuple[int, ...]:
    axes = axis if isinstance(axis, tuple | range) else (axis,)
    return tuple(sorted(int(k) % rank for k in axes)) if rank else ()


def lined(x: Any, axis: Any = None) -> Any:
    """``x`` as a scan sees it: flat if there is no axis, or if it is a number; an array."""
    if x is ZERO:
        return x
    return np.ravel(x) if axis is None or np.ndim(x) == 0 else np.asarray(x)


def shift(x: Any, axis: Any = None, fill: float = 0.0, back: bool = False) -> Any:
    """Each element in the place of the next (with ``back``: the previous), ``fill`` in the gap.

    >>> shift(np.array([1.0, 2.0, 3.0])), shift(np.array([1.0, 2.0, 3.0]), back=True)
    (array([0., 1., 2.]), array([2., 3., 0.]))
    """
    if x is ZERO:
        return x
    rows = np.moveaxis(x, -1 if axis is None else axis, 0)
    result = np.empty_like(x)
    target = np.moveaxis(result, -1 if axis is None else axis, 0)
    if len(rows) == 0:
        return result
    if back:
        target[:-1], target[-1] = rows[1:], fill
    else:
        target[1:], target[0] = rows[:-1], fill
    return result


def recurrence(c: Any, v: Any, axis: Any = None, back: bool = False) -> Any:
    """``r[i] = v[i] + c[i] * r[i - 1]`` along an axis; with ``back`` from ``r[i + 1]``.

    >>> recurrence(np.array([9.0, 2.0, 2.0]), np.ones(3))
    array([1., 3., 7.])
    """
    if v is ZERO:
        return v
    axis = -1 if axis is None else axis
    result = np.array(np.broadcast_to(v, np.shape(c)), np.result_type(v, np.asarray(c)))
    r, factors = np.moveaxis(result, axis, 0), np.moveaxis(c, axis, 0)
    if back:
        r, factors = r[::-1], factors[::-1]
    for i in range(1, len(r)):
        r[i] += factors[i] * r[i - 1]
    return result


def weights(w: Any, x: Any, axis: Any = None) -> Any:
    """The weights of ``np.average(x, axis, w)`` in the shape of ``x``; ones for None."""
    target = shape(x)
    if w is ZERO or w is None:
        dtype = getattr(x, "dtype", np.dtype(float))
        return np.full(target, 0.0 if w is ZERO else 1.0, dtype if dtype.kind == "f" else float)
    if shape(w) == target:
        return np.asarray(w)
    axes = axis if isinstance(axis, tuple) else (axis,)
    order = np.argsort([int(k) % len(target) for k in axes])
    rest = tuple(k for k in range(len(target)) if k not in _axes(axis, len(target)))
    return np.broadcast_to(np.expand_dims(np.transpose(w, order), rest), target)


def unweights(b: Any, w: Any, x: Any, axis: Any = None) -> Any:
    """The adjoint of ``weights``."""
    if w is None:
        return ZERO
    target = shape(x)
    if b is ZERO or shape(w) == target:
        return b
    axes = axis if isinstance(axis, tuple) else (axis,)
    order = np.argsort([int(k) % len(target) for k in axes])
    rest = tuple(k for k in range(len(target)) if k not in _axes(axis, len(target)))
    return np.transpose(np.sum(b, axis=rest), np.argsort(order))
