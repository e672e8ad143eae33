"""Statistics: quantiles, covariances, and reductions that pass over what is no number.

In: arrays; ``rt.from_quantiles`` and ``rt.to_quantiles``.
Out: rules.
Next: shaping.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule

inactive(rt.freedom)


@rule(np.quantile)
def quantile(x, q, axis=None, *, keepdims=False, method="linear") -> y:
    """Between its neighbors by a straight line; refused in ``q``."""
    d[y] = rt.from_quantiles(d[x], x, q, axis, keepdims, method)
    b[x] += rt.to_quantiles(b[y], x, q, axis, keepdims, method)


@rule(np.percentile)
def percentile(x, q, axis=None, *, keepdims=False, method="linear") -> y:
    d[y] = rt.from_quantiles(d[x], x, np.divide(q, 100.0), axis, keepdims, method)
    b[x] += rt.to_quantiles(b[y], x, np.divide(q, 100.0), axis, keepdims, method)


@rule(np.nanquantile)
def nanquantile(x, q, axis=None, *, keepdims=False, method="linear") -> y:
    d[y] = rt.from_quantiles(d[x], x, q, axis, keepdims, method, True)
    b[x] += rt.to_quantiles(b[y], x, q, axis, keepdims, method, True)


@rule(np.nanpercentile)
def nanpercentile(x, q, axis=None, *, keepdims=False, method="linear") -> y:
    d[y] = rt.from_quantiles(d[x], x, np.divide(q, 100.0), axis, keepdims, method, True)
    b[x] += rt.to_quantiles(b[y], x, np.divide(q, 100.0), axis, keepdims, method, True)


@rule(np.nanmedian)
def nanmedian(x, axis=None, *, keepdims=False) -> y:
    d[y] = rt.from_quantiles(d[x], x, 0.5, axis, keepdims, "linear", True)
    b[x] += rt.to_quantiles(b[y], x, 0.5, axis, keepdims, "linear", True)


@rule(np.nanprod)
def nanprod(x, axis=None, *, keepdims=False) -> y:
    others = rt.others(x, axis, np.logical_not(np.isnan(x)))
    d[y] = np.sum(rt.times(others, d[x]), axis, keepdims=keepdims)
    b[x] += others * rt.unreduce(b[y], x, axis, keepdims)


@rule(np.nanvar)
def nanvar(x, axis=None, *, ddof=0, keepdims=False) -> y:
    keep = np.logical_not(np.isnan(x))
    deviation = rt.centered(x, axis, keep)
    free = rt.count(x, axis, keepdims, keep, ddof)
    d[y] = np.sum(rt.times(deviation, d[x]), axis, keepdims=keepdims) * 2.0 / free
    b[x] += deviation * rt.unreduce(b[y] * 2.0 / free, x, axis, keepdims)


@rule(np.nanstd)
def nanstd(x, axis=None, *, ddof=0, keepdims=False) -> y:
    """Zero where all entries are equal."""
    keep = np.logical_not(np.isnan(x))
    direction = rt.ratio(rt.centered(x, axis, keep), rt.kept(y, x, axis, keepdims))
    free = rt.count(x, axis, keepdims, keep, ddof)
    d[y] = np.sum(rt.times(direction, d[x]), axis, keepdims=keepdims) / free
    b[x] += direction * rt.unreduce(b[y] / free, x, axis, keepdims)


@rule(np.nancumsum)
def nancumsum(x, axis=None) -> y:
    keep = np.logical_not(np.isnan(x))
    d[y] = np.cumsum(np.where(keep, d[x], 0.0), axis)
    back = np.reshape(np.flip(np.cumsum(np.flip(b[y], axis), axis), axis), np.shape(x))
    b[x] += np.where(keep, back, 0.0)


@rule(np.nancumprod)
def nancumprod(x, axis=None) -> y:
    keep = np.logical_not(np.isnan(x))
    factors = rt.lined(np.where(keep, x, 1.0), axis)
    before = rt.shift(y, axis, 1.0)
    d[y] = rt.recurrence(factors, rt.lined(np.where(keep, d[x], 0.0), axis) * before, axis)
    ahead = rt.recurrence(rt.shift(factors, axis, 0.0, True), b[y], axis, True)
    b[x] += np.where(keep, np.reshape(before * ahead, np.shape(x)), 0.0)


if hasattr(np, "cumulative_sum"):

    @linear(np.cumulative_sum, in_=("x",))
    def cumulative_sum(x, *, axis=None, include_initial=False) -> y:
        back = np.flip(rt.tail(b[y], x, axis), axis)
        b[x] += np.reshape(np.flip(np.cumsum(back, axis), axis), np.shape(x))

    @rule(np.cumulative_prod)
    def cumulative_prod(x, *, axis=None, include_initial=False) -> y:
        factors = rt.lined(x, axis)
        before = rt.shift(rt.tail(y, x, axis), axis, 1.0)
        d[y] = rt.untail(rt.recurrence(factors, rt.lined(d[x], axis) * before, axis), y, axis)
        ahead = rt.shift(factors, axis, 0.0, True)
        back = rt.recurrence(ahead, rt.tail(b[y], x, axis), axis, True)
        b[x] += np.reshape(before * back, np.shape(x))


@rule(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None) -> c:
    rows = rt.centered(rt.observations((m, y), (m, y), rowvar), 1)
    moved = rt.observations((d[m], d[y]), (m, y), rowvar) / rt.freedom(rows, bias, ddof)
    d[c] = np.reshape(rt.symmetric(moved @ rows.T), np.shape(c))
    whole = rt.symmetric(np.atleast_2d(b[c])) @ rows / rt.freedom(rows, bias, ddof)
    b[m] += rt.unobserved(whole, (m, y), rowvar)[0]
    b[y] += rt.unobserved(whole, (m, y), rowvar)[1]


@rule(np.corrcoef)
def corrcoef(m, y=None, rowvar=True) -> r:
    """``r = z zᵀ`` with rows of length one."""
    rows = rt.centered(rt.observations((m, y), (m, y), rowvar), 1)
    moved = rt.turned_rows(rt.observations((d[m], d[y]), (m, y), rowvar), rows)
    d[r] = np.reshape(rt.symmetric(moved @ rt.unit_rows(rows).T), np.shape(r))
    whole = rt.turned_rows(rt.symmetric(np.atleast_2d(b[r])) @ rt.unit_rows(rows), rows)
    b[m] += rt.unobserved(whole, (m, y), rowvar)[0]
    b[y] += rt.unobserved(whole, (m, y), rowvar)[1]


# The functions of the runtime.
@linear(rt.from_quantiles, in_=("dx",), constant=("x",))
def from_quantiles(dx, x, q, axis=None, keepdims=False, method="linear", skip=False) -> y:
    b[dx] += rt.to_quantiles(b[y], x, q, axis, keepdims, method, skip)


@linear(rt.to_quantiles, in_=("g",), constant=("x",))
def to_quantiles(g, x, q, axis=None, keepdims=False, method="linear", skip=False) -> y:
    b[g] += rt.from_quantiles(b[y], x, q, axis, keepdims, method, skip)


@linear(rt.tail, in_=("x",))
def tail(x, like, axis=None) -> y:
    b[x] += rt.untail(b[y], x, axis)


@linear(rt.untail, in_=("g",))
def untail(g, x, axis=None) -> y:
    b[g] += rt.tail(b[y], g, axis)


@linear(rt.observations, in_=("ds",))
def observations(ds, xs, rowvar=True) -> rows:
    b[ds] += rt.unobserved(b[rows], xs, rowvar)


@linear(rt.unobserved, in_=("g",))
def unobserved(g, xs, rowvar=True) -> parts:
    b[g] += rt.observations(b[parts], xs, rowvar)
