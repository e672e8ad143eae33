"""Differences along an axis: with ends put on, with spacings, summed by trapezoids; straight lines between points.

In: arrays and adjoints.
Out: the linear maps that the rules are made of, and their adjoints.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import shape, unbroadcast
from tangentlite.runtime.zero import ZERO

SLOPES: Any = np.gradient


def extended(ds: Any, xs: Any, axis: int = -1) -> Any:
    """The tangent of an array with something put before and behind; ``xs``: before, array, behind.

    >>> extended((1.0, np.ones(2), ZERO), (0.0, np.zeros(2), None))
    array([1., 1., 1.])
    """
    if ds is ZERO:
        return ds
    parts = [_end(d, x, xs[1], axis) for d, x in zip(ds, xs, strict=True) if x is not None]
    return np.concatenate(parts, axis)


def _end(d: Any, x: Any, middle: Any, axis: int) -> Any:
    target = end_shape(x, middle, axis)
    if d is ZERO:
        return np.zeros(target, np.result_type(np.asarray(middle), np.float16))
    return np.broadcast_to(d, target)


def end_shape(x: Any, middle: Any, axis: int) -> tuple[int, ...]:
    """The shape of what is put before or behind: a number is one along the axis."""
    if shape(x):
        return shape(x)
    target = list(shape(middle))
    target[axis] = 1
    return tuple(target)


def separated(b: Any, xs: Any, axis: int = -1) -> Any:
    """The adjoint of ``extended``: of what was put before, of the array, of what was put behind.

    >>> separated(np.array([1.0, 2.0, 3.0]), (0.0, np.zeros(2), None))
    [np.float64(1.0), array([2., 3.]), ZERO]
    """
    if b is ZERO:
        return b
    rows, parts, start = np.moveaxis(b, axis, 0), [], 0
    for x in xs:
        if x is None:
            parts.append(ZERO)
            continue
        stop = start + end_shape(x, xs[1], axis)[axis]
        parts.append(unbroadcast(np.moveaxis(rows[start:stop], 0, axis), x))
        start = stop
    return parts


def gradient(x: Any, spacing: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """``np.gradient`` with the spacings as one tuple."""
    if x is ZERO:
        return x
    result = SLOPES(x, *spacing, axis=axis, edge_order=edge_order)
    return list(result) if isinstance(result, tuple) else result


def ungradient(b: Any, x: Any, spacing: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The adjoint of ``SLOPES(x, *spacing, …)``.

    >>> ungradient(np.array([0.0, 1.0, 0.0]), np.zeros(3), ())
    array([-0.5,  0. ,  0.5])
    """
    if b is ZERO:
        return b
    rank = len(shape(x))
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    parts = [b] if len(axes) == 1 and not isinstance(b, list | tuple) else b
    steps = spacing if len(spacing) == len(axes) else (spacing or (1.0,)) * len(axes)
    total: Any = ZERO
    for k, part, step in zip(axes, parts, steps, strict=True):
        if part is not ZERO:
            total = total + _along(part, int(k) % rank, step, edge_order)
    return total


def _along(b: Any, axis: int, step: Any, edge_order: int) -> Any:
    """Each slope reads three neighbors: combs with every third entry tell with which weights."""
    rows = np.moveaxis(b, axis, 0)
    n = len(rows)
    reach = min(3, n)
    start = np.clip(np.arange(n) - 1, 0, max(n - 3, 0))
    result = np.zeros(rows.shape, rows.dtype)
    for phase in range(reach):
        comb = (np.arange(n) % reach == phase).astype(float)
        weights = SLOPES(comb, step, edge_order=edge_order).astype(rows.dtype)
        column = start + (phase - start) % reach
        np.add.at(result, column, weights.reshape(-1, *(1,) * (rows.ndim - 1)) * rows)
    return np.moveaxis(result, 0, axis)


def midpoints(y: Any, axis: int = -1) -> Any:
    """The means of neighbors along an axis.

    >>> midpoints(np.array([1.0, 3.0, 4.0]))
    array([2. , 3.5])
    """
    if y is ZERO:
        return y
    rows = np.moveaxis(np.asarray(y), axis, 0)
    return np.moveaxis(0.5 * (rows[1:] + rows[:-1]), 0, axis)


def unmidpoints(b: Any, y: Any, axis: int = -1) -> Any:
    """The adjoint of ``midpoints(y, axis)``."""
    if b is ZERO:
        return b
    rows = np.moveaxis(b, axis, 0)
    result = np.zeros((len(rows) + 1, *rows.shape[1:]), rows.dtype)
    result[1:] += 0.5 * rows
    result[:-1] += 0.5 * rows
    return unbroadcast(np.moveaxis(result, 0, axis), y)


def widths(x: Any, y: Any, axis: int = -1) -> Any:
    """The steps of the points ``x`` at which ``y`` is sampled, so that they meet those of ``y``."""
    if x is ZERO:
        return x
    x = np.asarray(x)
    if x.ndim > 1:
        return np.diff(x, axis=axis)
    rank = len(shape(y))
    return np.diff(x).reshape([-1 if k == axis % rank else 1 for k in range(rank)])


def unwidths(b: Any, x: Any, y: Any, axis: int = -1) -> Any:
    """The adjoint of ``widths(x, y, axis)``."""
    if b is ZERO:
        return b
    rows = np.moveaxis(b, axis, 0)
    result = np.zeros((len(rows) + 1, *rows.shape[1:]), rows.dtype)
    result[1:] += rows
    result[:-1] -= rows
    if len(shape(x)) == 1:
        return np.sum(result, axis=tuple(range(1, result.ndim)))
    return unbroadcast(np.moveaxis(result, 0, axis), x)


def slope(x: Any, xp: Any, fp: Any) -> Any:
    """The derivative of ``np.interp(x, xp, fp)`` in x: at a point the middle of the slopes beside it.

    >>> slope(np.array([0.5, 1.0, 2.0]), [0.0, 1.0, 2.0], [0.0, 1.0, 5.0])
    array([1. , 2.5, 2. ])
    """
    if fp is ZERO:
        return fp
    slopes = np.concatenate([[0.0], np.diff(fp) / np.diff(xp), [0.0]])
    low, high = (np.searchsorted(xp, x, side) for side in ("left", "right"))
    return 0.5 * (slopes[low] + slopes[high])


def unslope(b: Any, x: Any, xp: Any) -> Any:
    """The adjoint of ``fp`` in ``slope(x, xp, fp)``."""
    if b is ZERO:
        return b
    slopes = np.zeros(len(xp) + 1, np.result_type(np.asarray(b), np.float16))
    for side in ("left", "right"):
        np.add.at(slopes, np.searchsorted(xp, x, side), 0.5 * np.asarray(b))
    rises = slopes[1:-1] / np.diff(xp)
    result = np.zeros(len(xp), rises.dtype)
    result[1:] += rises
    result[:-1] -= rises
    return result


def uninterp(b: Any, x: Any, xp: Any) -> Any:
    """The adjoint of ``fp`` in ``np.interp(x, xp, fp)``.

    >>> uninterp(np.array([1.0, 4.0]), [0.25, 1.0], [0.0, 1.0])
    array([0.75, 4.25])
    """
    if b is ZERO:
        return b
    x, xp = np.asarray(x), np.asarray(xp)
    b = np.broadcast_to(b, x.shape)
    at = np.clip(np.searchsorted(xp, x, "right") - 1, 0, max(len(xp) - 2, 0))
    result = np.zeros(len(xp), np.result_type(b, np.float16))
    if len(xp) == 1:
        result[0] = np.sum(b)
        return result
    share = np.clip((x - xp[at]) / (xp[at + 1] - xp[at]), 0.0, 1.0)
    np.add.at(result, at, (1.0 - share) * b)
    np.add.at(result, at + 1, share * b)
    return result
