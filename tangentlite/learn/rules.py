"""The rules of the operations, in the notation of ``templates``.

In: the functions of windows and images.
Out: declarations; what has an adjoint here is the adjoint of something, so derivatives go to any order.
Next: optimizers.
"""

from __future__ import annotations

import numpy as np

from tangentlite import b, d, linear, rt, rule
from tangentlite.learn.images import chosen, max_pool2d, overlay, patches, spread
from tangentlite.learn.rooms import product, shifted
from tangentlite.learn.windows import convolve, cross_correlate, largest, matched, maxpool


@rule(cross_correlate)
def cross_correlate_rule(s, k) -> z:
    d[z] = cross_correlate(d[s], k) + cross_correlate(s, d[k])
    b[s] += convolve(b[z], k)
    b[k] += matched(s, b[z])


@rule(convolve)
def convolve_rule(g, k) -> z:
    d[z] = convolve(d[g], k) + convolve(g, d[k])
    b[g] += cross_correlate(b[z], k)
    b[k] += matched(b[z], g)


@rule(matched)
def matched_rule(s, g) -> z:
    d[z] = matched(d[s], g) + matched(s, d[g])
    b[s] += convolve(g, b[z])
    b[g] += cross_correlate(s, b[z])


@rule(maxpool)
def maxpool_rule(x, n) -> y:
    where = largest(x, n)
    y = np.take_along_axis(np.asarray(x), where, -1)
    d[y] = np.take_along_axis(np.asarray(d[x]), where, -1)
    b[x] += rt.put_along(b[y], x, where, -1)


@rule(product)
def product_rule(x, y) -> z:
    d[z] = product(d[x], y) + product(x, d[y])
    b[x] += product(b[z], y.T)
    b[y] += product(x.T, b[z])


@rule(shifted)
def shifted_rule(x, y, c) -> z:
    d[z] = product(d[x], y) + product(x, d[y]) + np.reshape(d[c], (-1, 1)) * np.ones_like(z)
    b[x] += product(b[z], y.T)
    b[y] += product(x.T, b[z])
    b[c] += np.sum(b[z], 1)


@linear(patches, in_=("x",))
def patches_rule(x, high, wide, stride=1, padding=0) -> p:
    b[x] += overlay(b[p], x, high, wide, stride, padding)


@linear(overlay, in_=("p",), constant=("x",))
def overlay_rule(p, x, high, wide, stride=1, padding=0) -> y:
    b[p] += patches(b[y], high, wide, stride, padding)


@rule(max_pool2d)
def max_pool2d_rule(x, size=2, stride=None) -> y:
    d[y] = chosen(d[x], x, y, size, stride or size)
    b[x] += spread(b[y], x, y, size, stride or size)


@linear(chosen, in_=("v",), constant=("x", "y"))
def chosen_rule(v, x, y, size, stride) -> z:
    b[v] += spread(b[z], x, y, size, stride)


@linear(spread, in_=("g",), constant=("x", "y"))
def spread_rule(g, x, y, size, stride) -> z:
    b[g] += chosen(b[z], x, y, size, stride)
