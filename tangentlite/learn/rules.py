"""The rules of the operations, in the notation of ``templates``.

In: the functions of windows and images.
Out: declarations; what has an adjoint here is the adjoint of something, so derivatives go to any order.
Next: optimizers.
"""

from __future__ import annotations

import numpy as np

from tangentlite import b, d, linear, rt, rule
from tangentlite.learn.gates import gate, relu
from tangentlite.learn.images import conv2d, of_images, of_kernels
from tangentlite.learn.pooling import chosen, max_pool2d, spread
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


@rule(relu)
def relu_rule(x) -> y:
    d[y] = gate(d[x], x)
    b[x] += gate(b[y], x)


@linear(gate, in_=("g",), constant=("x",))
def gate_rule(g, x) -> z:
    b[g] += gate(b[z], x)


@rule(conv2d)
def conv2d_rule(x, w, stride=1, padding=0, bias=None) -> y:
    moved = conv2d(d[x], w, stride, padding) + conv2d(x, d[w], stride, padding)
    d[y] = moved + d[bias] * np.ones_like(y)
    b[x] += of_images(b[y], w, np.shape(x), stride, padding)
    b[w] += of_kernels(x, b[y], np.shape(w), stride, padding)
    b[bias] += np.sum(b[y], (0, 1, 2))


@rule(of_images, constant=("shape",))
def of_images_rule(g, w, shape, stride, padding) -> z:
    d[z] = of_images(d[g], w, shape, stride, padding) + of_images(g, d[w], shape, stride, padding)
    b[g] += conv2d(b[z], w, stride, padding)
    b[w] += of_kernels(b[z], g, np.shape(w), stride, padding)


@rule(of_kernels, constant=("shape",))
def of_kernels_rule(x, g, shape, stride, padding) -> z:
    d[z] = of_kernels(d[x], g, shape, stride, padding) + of_kernels(x, d[g], shape, stride, padding)
    b[x] += of_images(g, b[z], np.shape(x), stride, padding)
    b[g] += conv2d(x, b[z], stride, padding)


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
