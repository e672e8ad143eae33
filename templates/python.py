"""What Python itself adds, compares and lists: ``sum``, ``math.fsum``, ``max``, ``min``, ``list``.

In: several numbers, or one sequence of them.
Out: rules.
Next: reductions.
"""

from __future__ import annotations

import math

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, positions, rule

inactive(rt.starts)


@rule(sum)
def total(xs, start=0) -> y:
    d[y] = rt.broadcast(rt.total(d[xs]), y) + rt.broadcast(d[start], y)
    b[xs] += rt.each(b[y], xs)
    b[start] += rt.unbroadcast(b[y], start)


@rule(math.fsum)
def fsum(xs) -> y:
    d[y] = rt.total(d[xs])
    b[xs] += rt.each(b[y], xs)


@rule(list, tuple)
def elements(x) -> y:
    d[y] = rt.aligned(d[x], x)
    b[x] += rt.unbroadcast(b[y], x)


@rule(max, min)
def winner(*xs) -> y:
    """Those that attain it share the derivative equally."""
    for k in positions(xs):
        d[y] += rt.from_winner(d[xs[k]], y, xs, k)
        b[xs[k]] += rt.to_winner(b[y], y, xs, k)


@rule(rt.length)
def length(v) -> r:
    """Zero at the origin."""
    d[r] = np.sum(rt.ratio(v, r) * d[v])
    b[v] += rt.ratio(v, r) * b[r]


@linear(rt.total, in_=("ds",))
def runtime_total(ds) -> y:
    b[ds] += rt.each(b[y], ds)


@linear(rt.each, in_=("g",))
def each(g, xs) -> y:
    b[g] += rt.broadcast(rt.total(b[y]), g)


@linear(rt.to_winner, in_=("g",), constant=("y", "xs"))
def to_winner(g, y, xs, k) -> z:
    b[g] += rt.broadcast(rt.from_winner(b[z], y, xs, k), g)


@linear(rt.from_winner, in_=("ds",), constant=("y", "xs"))
def from_winner(ds, y, xs, k) -> z:
    b[ds] += rt.to_winner(b[z], y, xs, k)
