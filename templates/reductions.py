"""Reductions and scans: sums, means, extrema, products, deviations.

In: ``rt.unreduce``, which gives a reduced adjoint the operand's shape again.
Out: rules.
Next: shaping.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, linear, rule


@rule(np.sum, np.ndarray.sum, constant=("where",))
def sum(x, axis=None, *, keepdims=False, initial=0, where=True, dtype=None) -> y:
    """A sum of dtype integer carries no derivative."""
    whole = np.sum(d[x], axis, keepdims=keepdims, where=where)
    d[y] = rt.through(whole, dtype) + rt.broadcast(d[initial], y)
    b[x] += rt.unreduce(rt.through(b[y], dtype), x, axis, keepdims, where)
    b[initial] += rt.unbroadcast(b[y], initial)


@sum.when(lambda dtype: dtype.literal is None)
def sum_as_it_is(x, axis=None, *, keepdims=False, initial=0, where=True, dtype=None) -> y:
    d[y] = np.sum(d[x], axis, keepdims=keepdims, where=where) + rt.broadcast(d[initial], y)
    b[x] += rt.unreduce(b[y], x, axis, keepdims, where)
    b[initial] += rt.unbroadcast(b[y], initial)


@linear(np.mean, np.ndarray.mean, in_=("x",), constant=("where",))
def mean(x, axis=None, *, keepdims=False, where=True, dtype=None) -> y:
    d[y] = rt.through(np.mean(d[x], axis, keepdims=keepdims, where=where), dtype)
    share = rt.through(b[y], dtype) / rt.count(x, axis, keepdims, where)
    b[x] += rt.unreduce(share, x, axis, keepdims, where)


@mean.when(lambda dtype: dtype.literal is None)
def mean_as_it_is(x, axis=None, *, keepdims=False, where=True, dtype=None) -> y:
    d[y] = np.mean(d[x], axis, keepdims=keepdims, where=where)
    b[x] += rt.unreduce(b[y] / rt.count(x, axis, keepdims, where), x, axis, keepdims, where)


@rule(
    np.max,
    np.min,
    np.amax,
    np.amin,
    np.nanmax,
    np.nanmin,
    np.ndarray.max,
    np.ndarray.min,
    constant=("where",),
)
def extremum(x, axis=None, *, keepdims=False, initial=None, where=True) -> y:
    """Entries that attain the extremum share the derivative equally; ``initial`` has its share."""
    share = rt.shares(x, y, axis, keepdims, initial, where)
    rest = 1.0 - np.sum(share, axis, keepdims=keepdims)
    d[y] = np.sum(rt.times(share, d[x]), axis, keepdims=keepdims) + rest * d[initial]
    b[x] += share * rt.unreduce(b[y], x, axis, keepdims)
    b[initial] += rt.unbroadcast(rest * b[y], initial)


@rule(np.nansum)
def nansum(x, axis=None, *, keepdims=False) -> y:
    keep = np.logical_not(np.isnan(x))
    d[y] = np.sum(d[x], axis, keepdims=keepdims, where=keep)
    b[x] += rt.unreduce(b[y], x, axis, keepdims, keep)


@rule(np.nanmean)
def nanmean(x, axis=None, *, keepdims=False) -> y:
    keep = np.logical_not(np.isnan(x))
    d[y] = np.mean(d[x], axis, keepdims=keepdims, where=keep)
    b[x] += rt.unreduce(b[y] / rt.count(x, axis, keepdims, keep), x, axis, keepdims, keep)


@rule(np.ptp)
def ptp(x, axis=None, *, keepdims=False) -> y:
    high = rt.shares(x, np.max(x, axis, keepdims=keepdims), axis, keepdims)
    low = rt.shares(x, np.min(x, axis, keepdims=keepdims), axis, keepdims)
    d[y] = np.sum((high - low) * d[x], axis, keepdims=keepdims)
    b[x] += (high - low) * rt.unreduce(b[y], x, axis, keepdims)


@rule(np.prod, np.ndarray.prod, constant=("where",))
def prod(x, axis=None, *, keepdims=False, initial=1, where=True) -> y:
    """Each factor times the product of those before and after it: zeros are right."""
    others = rt.others(x, axis, where) * initial
    whole = np.prod(x, axis, keepdims=keepdims, where=where)
    d[y] = np.sum(rt.times(others, d[x]), axis, keepdims=keepdims) + whole * d[initial]
    b[x] += others * rt.unreduce(b[y], x, axis, keepdims)
    b[initial] += rt.unbroadcast(whole * b[y], initial)


@rule(np.var, np.ndarray.var, constant=("where",))
def var(x, axis=None, *, ddof=0, keepdims=False, where=True, correction=None) -> y:
    deviation = rt.centered(x, axis, where)
    free = rt.count(x, axis, keepdims, where, rt.either(correction, ddof))
    d[y] = np.sum(deviation * d[x], axis, keepdims=keepdims) * 2.0 / free
    b[x] += deviation * rt.unreduce(b[y] * 2.0 / free, x, axis, keepdims)


@var.when(lambda correction: correction.literal is None)
def var_by_ddof(x, axis=None, *, ddof=0, keepdims=False, where=True, correction=None) -> y:
    deviation = rt.centered(x, axis, where)
    free = rt.count(x, axis, keepdims, where, ddof)
    d[y] = np.sum(deviation * d[x], axis, keepdims=keepdims) * 2.0 / free
    b[x] += deviation * rt.unreduce(b[y] * 2.0 / free, x, axis, keepdims)


@rule(np.std, np.ndarray.std, constant=("where",))
def std(x, axis=None, *, ddof=0, keepdims=False, where=True, correction=None) -> y:
    """Zero where all entries are equal."""
    direction = rt.ratio(rt.centered(x, axis, where), rt.kept(y, x, axis, keepdims))
    free = rt.count(x, axis, keepdims, where, rt.either(correction, ddof))
    d[y] = np.sum(direction * d[x], axis, keepdims=keepdims) / free
    b[x] += direction * rt.unreduce(b[y] / free, x, axis, keepdims)


@std.when(lambda correction: correction.literal is None)
def std_by_ddof(x, axis=None, *, ddof=0, keepdims=False, where=True, correction=None) -> y:
    direction = rt.ratio(rt.centered(x, axis, where), rt.kept(y, x, axis, keepdims))
    free = rt.count(x, axis, keepdims, where, ddof)
    d[y] = np.sum(direction * d[x], axis, keepdims=keepdims) / free
    b[x] += direction * rt.unreduce(b[y] / free, x, axis, keepdims)


@rule(np.average, literal=("returned",))
def average(x, axis=None, weights=None, returned=False, *, keepdims=False) -> y:
    share = rt.portions(weights, x, axis)
    rest = x - rt.kept(y, x, axis, keepdims)
    moves = rt.weights(d[weights], x, axis) / rt.heaviness(weights, x, axis)
    d[y] = np.sum(share * d[x] + rest * moves, axis, keepdims=keepdims)
    b[x] += share * rt.unreduce(b[y], x, axis, keepdims)
    b[weights] += rt.unportions(rest * rt.unreduce(b[y], x, axis, keepdims), weights, x, axis)


@average.when(lambda returned: returned.literal is True)
def average_and_weight(x, axis=None, weights=None, returned=False, *, keepdims=False) -> (y, w):
    d[y] = rt.average_moved(d[x], d[weights], x, y, axis, weights, keepdims)
    d[w] = rt.broadcast(np.sum(rt.weights(d[weights], x, axis), axis, keepdims=keepdims), w)
    moved = rt.average_unmoved(b[y], x, y, axis, weights, keepdims)
    whole = rt.unweights(rt.unreduce(b[w], x, axis, keepdims), weights, x, axis)
    b[x] += moved[0]
    b[weights] += moved[1] + rt.unbroadcast(whole, weights)


@linear(np.cumsum, np.ndarray.cumsum, in_=("x",))
def cumsum(x, axis=None, *, dtype=None) -> y:
    d[y] = rt.through(np.cumsum(d[x], axis), dtype)
    back = rt.through(b[y], dtype)
    b[x] += np.reshape(np.flip(np.cumsum(np.flip(back, axis), axis), axis), np.shape(x))


@cumsum.when(lambda dtype: dtype.literal is None)
def cumsum_as_it_is(x, axis=None, *, dtype=None) -> y:
    d[y] = np.cumsum(d[x], axis)
    b[x] += np.reshape(np.flip(np.cumsum(np.flip(b[y], axis), axis), axis), np.shape(x))


@rule(np.cumprod, np.ndarray.cumprod)
def cumprod(x, axis=None) -> y:
    """``y[i] = x[i] y[i-1]``, differentiated as the recurrence that it is."""
    factors = rt.lined(x, axis)
    before = rt.shift(y, axis, 1.0)
    d[y] = rt.recurrence(factors, rt.lined(d[x], axis) * before, axis)
    ahead = rt.recurrence(rt.shift(factors, axis, 0.0, True), b[y], axis, True)
    b[x] += np.reshape(before * ahead, np.shape(x))


@linear(np.trace, np.ndarray.trace, in_=("x",))
def trace(x, offset=0, axis1=0, axis2=1) -> y:
    b[x] += rt.untrace(b[y], x, offset, axis1, axis2)


# What a check observes.
@linear(rt.weighed, in_=("g",), constant=("count", "scales"))
def weighed(g, count, scales) -> y:
    b[g] += rt.unweighed(b[y], g, count, scales)


@linear(rt.unweighed, in_=("g",), constant=("x", "count", "scales"))
def unweighed(g, x, count, scales) -> y:
    b[g] += rt.weighed(b[y], count, scales)
