"""Choosing elements by condition, by order, by index.

In: conditions and indices, which carry no derivative.
Out: rules.
Next: indexing.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, linear, rule


@elementwise(np.where, constant=("c",))
def where(c, x, y) -> z:
    d[z] = np.where(c, d[x], d[y])


@rule(np.sort)
def sort(x, axis=-1, kind=None, *, stable=None) -> y:
    order = np.argsort(x, axis, kind, stable=stable)
    y = np.take_along_axis(np.asarray(x), order, axis)
    d[y] = np.take_along_axis(np.asarray(d[x]), order, axis)
    b[x] += rt.put_along(b[y], x, order, axis)


@sort.when(lambda stable: stable.literal is None)
def sort_as_usual(x, axis=-1, kind=None, *, stable=None) -> y:
    """Sorted once: the order is kept."""
    order = np.argsort(x, axis, kind)
    y = np.take_along_axis(np.asarray(x), order, axis)
    d[y] = np.take_along_axis(np.asarray(d[x]), order, axis)
    b[x] += rt.put_along(b[y], x, order, axis)


@rule(np.partition)
def partition(x, kth, axis=-1) -> y:
    """Which element each is, is found by sorting before and after."""
    order = np.take_along_axis(np.argsort(x, axis), np.argsort(np.argsort(y, axis), axis), axis)
    d[y] = np.take_along_axis(np.asarray(d[x]), order, axis)
    b[x] += rt.put_along(b[y], x, order, axis)


@linear(np.take_along_axis, in_=("x",), constant=("indices",))
def take_along_axis(x, indices, axis=-1) -> y:
    b[x] += rt.put_along(b[y], x, indices, axis)


@linear(np.take, np.ndarray.take, in_=("x",), constant=("indices",))
def take(x, indices, axis=None, *, mode="raise") -> y:
    b[x] += rt.ungather(b[y], x, np.take(rt.numbered(x), indices, axis, mode=mode))


@take.when(lambda mode: mode.literal == "raise")
def take_inside(x, indices, axis=None, *, mode="raise") -> y:
    b[x] += rt.untake(b[y], x, indices, axis)


@elementwise(np.ndarray.clip)
def clip(a, min=None, max=None) -> y:
    """As ``np.clip``."""
    room = rt.wins(max, min)
    inside = rt.wins(a, min) * rt.wins(max, a) * (room > 0.5)
    low = (1.0 - rt.wins(a, min)) * room * (rt.wins(max, a) > 0.5)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[min], low) + rt.cancel(d[max], high)


@clip.when(lambda min, max: min.literal is None or max.literal is None or min.literal < max.literal)
def clip_to_numbers(a, min=None, max=None) -> y:
    inside = rt.wins(a, min) * rt.wins(max, a)
    low = (1.0 - rt.wins(a, min)) * rt.wins(max, min)
    high = 1.0 - inside - low
    d[y] = rt.cancel(d[a], inside) + rt.cancel(d[min], low) + rt.cancel(d[max], high)


@rule(np.median)
def median(x, axis=None, *, keepdims=False) -> y:
    share = rt.quantile_shares(x, 0.5, axis)
    d[y] = np.sum(rt.times(share, d[x]), axis, keepdims=keepdims)
    b[x] += share * rt.unreduce(b[y], x, axis, keepdims)


@rule(np.bincount, constant=("x",))
def bincount(x, weights=None, minlength=0) -> y:
    d[y] = np.bincount(x, d[weights], minlength)
    b[weights] += b[y][x]
