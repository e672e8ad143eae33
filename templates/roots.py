"""Roots of sums of squares and their squares, which ``analysis.roots`` finds; corners, which ``analysis.sides`` finds.

In: values, and what they are roots or squares of.
Out: rules.
Next: elementary.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, inactive, linear, rule

inactive(rt.defined, rt.rise, rt.fall)


@elementwise(rt.ratio, domain=(0.5, 2.0))
def ratio(x, y) -> z:
    """Zero where y is, to any order."""
    d[z] = rt.ratio(d[x] - rt.cancel(d[y], z), y)


@elementwise(rt.steep, domain=(0.5, 2.0))
def steep(x, y) -> z:
    d[z] = rt.steep(d[x] - rt.cancel(d[y], z), y)


@elementwise(rt.smooth, constant=("v",), domain=(0.5, 2.0))
def smooth(v, s) -> y:
    """The square of a root: its radicand."""
    y = v
    d[y] = d[s]


@elementwise(rt.rooted, constant=("v",), domain=(0.5, 2.0))
def rooted(v, s) -> y:
    """The root of a sum of squares: flat at zero."""
    y = v
    d[y] = rt.ratio(0.5 * d[s], y)


@elementwise(rt.rooted_product, constant=("v",), domain=(0.5, 2.0))
def rooted_product(v, s) -> y:
    """The root of ``x @ x``: flat at zero if that is one number."""
    y = v
    d[y] = rt.steep(0.5 * d[s], y)


@elementwise(rt.even_root, constant=("v", "first"))
def even_root(v, s, first) -> y:
    """An even function of a root: a smooth one of its radicand."""
    y = v
    d[y] = -0.5 * rt.spherical(s, first + 1) * d[s]


@elementwise(rt.spherical, constant=("n",), samples=[(0.5, 0), (-0.5, 1), (12.0, -1), (-12.0, 2)])
def spherical(p, n) -> y:
    d[y] = -0.5 * rt.spherical(p, n + 1) * d[p]


@elementwise(rt.radicand, constant=("r",), domain=(0.5, 2.0))
def radicand(s, r) -> y:
    """No number where the root is none."""
    d[y] = rt.defined(r) * d[s]


@rule(rt.squared_norm, constant=("r",))
def squared_norm(r, x) -> y:
    """The square of the norm ``r`` of order two."""
    y = r * r
    d[y] = np.sum(rt.squared_slope(x) * d[x])
    b[x] += rt.squared_slope(x) * b[y]


@rule(rt.squared_slope)
def squared_slope(x) -> s:
    d[s] = rt.squared_bend(x, d[x])
    b[x] += rt.squared_bend(x, b[s])


@linear(rt.squared_bend, in_=("v",))
def squared_bend(x, v) -> y:
    """Of third order in ``x``: refused."""
    b[v] += rt.squared_bend(x, b[y])


@elementwise(rt.rising, constant=("v",))
def rising(v, s) -> y:
    """The absolute value, from the right at zero."""
    y = v
    d[y] = rt.rise(s) * d[s]


@elementwise(rt.falling, constant=("v",))
def falling(v, s) -> y:
    """The absolute value, from the left at zero."""
    y = v
    d[y] = rt.fall(s) * d[s]


@elementwise(rt.surplus, constant=("v",))
def surplus(v, s) -> y:
    """``log(1 + exp(-abs(x)))``: a corner at zero, and the same curvature on both sides."""
    y = v
    d[y] = rt.surplus_slope(s) * d[s]


@elementwise(rt.surplus_slope)
def surplus_slope(x) -> s:
    d[s] = rt.bell(x) * d[x]


@elementwise(rt.bell)
def bell(x) -> y:
    d[y] = -y * np.tanh(0.5 * x) * d[x]


@elementwise(rt.logistic)
def logistic(g, p, t) -> y:
    u = rt.cancel(p, t)
    d[y] = (
        rt.times(d[g], rt.cancel(p, u)) + rt.times(d[p], 2.0 * (g * u)) + rt.times(d[t], g * p * p)
    )
