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
    d[s] = rt.ratio(d[e] - s * d[u], u)


@rule(rt.log_of_total, constant=("v", "e", "s", "axis", "keepdims"))
def log_of_total(v, x, e, s, axis=None, keepdims=False) -> y:
    """The logarithm of ``s``, the sum of ``e``, which is a multiple of ``exp(x)``."""
    y = v
    d[y] = np.sum(rt.exp_shares(x, e, s, axis, keepdims) * d[x], axis, keepdims=keepdims)
    b[x] += rt.exp_shared(b[y], x, e, s, axis, keepdims)


@rule(rt.exp_shares, constant=("e", "s", "axis", "keepdims"))
def exp_shares(x, e, s, axis=None, keepdims=False) -> p:
    d[p] = p * (d[x] - np.sum(p * d[x], axis, keepdims=True))
    b[x] += p * (b[p] - np.sum(p * b[p], axis, keepdims=True))


@rule(rt.exp_shared, constant=("e", "s", "axis", "keepdims"))
def exp_shared(g, x, e, s, axis=None, keepdims=False) -> z:
    share = rt.exp_shares(x, e, s, axis, keepdims)
    d[z] = rt.exp_shared(d[g], x, e, s, axis, keepdims) + z * (
        d[x] - np.sum(share * d[x], axis, keepdims=True)
    )
    b[g] += np.sum(share * b[z], axis, keepdims=keepdims)
    b[x] += z * b[z] - share * np.sum(z * b[z], axis, keepdims=True)


@linear(rt.sure, in_=("g",), constant=("y",))
def sure(g, y) -> z:
    b[g] += rt.sure(b[z], y)
