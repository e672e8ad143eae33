"""Logarithms of sums in which an exponential may overflow, which ``analysis.smoothness.exponents`` finds.

In: values, and what they are the logarithms of.
Out: rules.
Next: elementary.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, linear, rule


@elementwise(rt.log_of_exp, constant=("v", "e", "s"), domain=(0.5, 2.0))
def log_of_exp(v, x, c, e, s) -> y:
    """The logarithm of ``s``, the sum of ``c`` and of ``e``, which is a multiple of ``exp(x)``."""
    y = v
    d[y] = rt.exp_share(e, s) * d[x] + rt.ratio(d[c], s)


@elementwise(rt.log1p_of_exp, constant=("v", "s"), domain=(0.5, 2.0))
def log1p_of_exp(v, x, s) -> y:
    """The logarithm of the sum of one and of ``s``, which is a multiple of ``exp(x)``."""
    y = v
    d[y] = rt.exp_share(s, 1.0 + s) * d[x]


@elementwise(rt.exp_share, domain=(0.5, 2.0))
def exp_share(e, u) -> s:
    d[s] = rt.ratio(d[e] - rt.cancel(d[u], s), u)


@rule(rt.log_of_total, constant=("v", "e", "s", "axis", "keepdims"))
def log_of_total(v, x, e, s, axis=None, keepdims=False) -> y:
    """The logarithm of ``s``, the sum of ``e``, which is a multiple of ``exp(x)``."""
    y = v
    share = rt.exp_shares(x, e, s, axis, keepdims)
    d[y] = np.sum(rt.cancel(d[x], share), axis, keepdims=keepdims)
    b[x] += rt.exp_shared(b[y], x, e, s, axis, keepdims)


@rule(rt.exp_shares, constant=("e", "s", "axis", "keepdims"))
def exp_shares(x, e, s, axis=None, keepdims=False) -> p:
    d[p] = rt.cancel(d[x] - np.sum(rt.cancel(d[x], p), axis, keepdims=True), p)
    b[x] += rt.cancel(b[p] - np.sum(rt.cancel(b[p], p), axis, keepdims=True), p)


@rule(rt.exp_shared, constant=("e", "s", "axis", "keepdims"))
def exp_shared(g, x, e, s, axis=None, keepdims=False) -> z:
    share = rt.exp_shares(x, e, s, axis, keepdims)
    mean = np.sum(rt.cancel(d[x], share), axis, keepdims=True)
    d[z] = rt.exp_shared(d[g], x, e, s, axis, keepdims) + rt.cancel(d[x] - mean, z)
    b[g] += np.sum(rt.cancel(b[z], share), axis, keepdims=keepdims)
    b[x] += rt.cancel(b[z], z) - share * np.sum(rt.cancel(b[z], z), axis, keepdims=True)


@linear(rt.sure, in_=("g",), constant=("y",))
def sure(g, y) -> z:
    b[g] += rt.sure(b[z], y)
