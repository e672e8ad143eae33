"""What long derivatives are made of: products of all others, weighted sums, shares, ramps, rows that turn.

In: tangents or adjoints, and the values that they belong to.
Out: those of the other side. No function here needs a rule.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.axes.scan import merge, shift, unmerge, unweights, weights
from tangentlite.runtime.shapes.broadcast import broadcast, kept, unbroadcast, unreduce
from tangentlite.runtime.shapes.gathering import lengths, window
from tangentlite.runtime.shapes.layout import filled
from tangentlite.runtime.zero import ZERO

__all__ = [
    "ended",
    "others",
    "heaviness",
    "portions",
    "unportions",
    "average_moved",
    "average_unmoved",
    "ramped",
    "unramped",
    "symmetric",
    "unit_rows",
    "turned_rows",
    "uncross",
]


def ended(parts: Any, y: Any, first: Any, last: Any) -> Any:
    """The tangent of a row ``y``: of what was put before it, of the middle, of what was put behind."""
    before, middle, behind = parts
    whole = window(middle, y, lengths(first)) + window(filled(before, first), y, 0)
    return whole + window(filled(behind, last), y, np.size(y) - lengths(last))


def others(x: Any, axis: Any = None, where: Any = True) -> Any:
    """The product of all other factors, for each: zeros are right.

    >>> others(np.array([0.0, 2.0, 3.0]))
    array([6., 0., 0.])
    """
    f = merge(x, axis, where)
    before = shift(np.cumprod(f, axis=-1), -1, 1.0)
    after = np.flip(shift(np.cumprod(np.flip(f, -1), axis=-1), -1, 1.0), -1)
    return unmerge(before * after, x, axis, where)


def heaviness(w: Any, x: Any, axis: Any = None) -> Any:
    """The sum of the weights of ``np.average(x, axis, w)``, with the axes kept."""
    return np.sum(weights(w, x, axis), axis, keepdims=True)


def portions(w: Any, x: Any, axis: Any = None) -> Any:
    """The weights of ``np.average(x, axis, w)``, in the shape of ``x``, with the sum one.

    >>> portions(None, np.zeros(2)), portions(np.array([1.0, 3.0]), np.zeros(2))
    (array([0.5, 0.5]), array([0.25, 0.75]))
    """
    return weights(w, x, axis) / heaviness(w, x, axis)


def unportions(b: Any, w: Any, x: Any, axis: Any = None) -> Any:
    """The adjoint of the weights, of one for those with the sum one."""
    return unbroadcast(unweights(b / heaviness(w, x, axis), w, x, axis), w)


def average_moved(dx: Any, dw: Any, x: Any, y: Any, axis: Any, w: Any, keepdims: bool) -> Any:
    """How the average ``y`` moves with the numbers and the weights."""
    moves = (x - kept(y, x, axis, keepdims)) * weights(dw, x, axis) / heaviness(w, x, axis)
    return np.sum(portions(w, x, axis) * dx + moves, axis, keepdims=keepdims)


def average_unmoved(b: Any, x: Any, y: Any, axis: Any, w: Any, keepdims: bool) -> Any:
    """The adjoint of ``average_moved``: of the numbers and of the weights."""
    back = unreduce(b, x, axis, keepdims)
    rest = x - kept(y, x, axis, keepdims)
    return portions(w, x, axis) * back, unportions(rest * back, w, x, axis)


def ramped(start: Any, stop: Any, t: Any, y: Any, axis: int = 0) -> Any:
    """Between ``start`` and ``stop`` along an axis of ``y``, as ``t`` goes."""
    rows = broadcast((1.0 - t) * start + t * stop, np.moveaxis(y, axis, 0))
    return np.moveaxis(rows, 0, axis)


def unramped(b: Any, step: Any, t: Any, x: Any, axis: int = 0) -> Any:
    """The adjoint of an end ``x`` that has the share ``t``, and a part of each step."""
    return unbroadcast(t * np.moveaxis(b, axis, 0), x) + unbroadcast(step, x)


def symmetric(x: Any) -> Any:
    """A matrix and its transpose."""
    return x + x.T


def unit_rows(rows: Any) -> Any:
    """Rows of length one."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def turned_rows(v: Any, rows: Any) -> Any:
    """How ``unit_rows`` move when ``rows`` move by ``v``: linear in v, and its own adjoint."""
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    z = rows / size
    return (v - z * np.sum(z * v, 1, keepdims=True)) / size


def uncross(other: Any, b: Any, x: Any, axis: Any = None) -> Any:
    """The adjoint of ``x`` in ``np.cross(x, other)``: vectors of two components lie in a plane.

    >>> uncross(np.array([1.0, 2.0]), 1.0, np.zeros(2))
    array([ 2., -1.])
    """
    if b is ZERO:
        return b
    place = -1 if axis is None else axis
    row, like = np.moveaxis(np.asarray(other), place, -1), np.moveaxis(np.asarray(x), place, -1)
    if np.shape(row)[-1] == 2 and np.shape(like)[-1] == 2:
        found = np.stack((row[..., 1] * b, -(row[..., 0] * b)), -1)
    else:
        last = np.zeros_like(row[..., :1])
        row = np.concatenate((row, last), -1) if np.shape(row)[-1] == 2 else row
        found = np.cross(row, np.moveaxis(b, place, -1))[..., : np.shape(like)[-1]]
    return np.moveaxis(unbroadcast(found, like), -1, place)
