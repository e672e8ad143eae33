"""The rules of the operations, in the notation of ``templates``.

In: the functions of windows and images.
Out: declarations; what has an adjoint here is the adjoint of something, so derivatives go to any order.
Next: optimizers.
"""

from __future__ import annotations

import numpy as np

from tangentlite import b, d, inactive, linear, rt, rule
from tangentlite.learn.gates import gate, leak, leaky, relu
from tangentlite.learn.images import conv2d, of_images, of_kernels
from tangentlite.learn.pooling import chosen, max_pool2d, spread
from tangentlite.learn.standards import leveled, rows, standardized, sums
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


@rule(leaky)
def leaky_rule(x, slope) -> y:
    d[y] = leak(d[x], x, slope) + d[slope] * np.minimum(x, 0.0)
    b[x] += leak(b[y], x, slope)
    b[slope] += np.sum(b[y] * np.minimum(x, 0.0))


@rule(leak, constant=("x",))
def leak_rule(g, x, slope) -> z:
    d[z] = leak(d[g], x, slope) + d[slope] * np.where(x > 0.0, 0.0, g)
    b[g] += leak(b[z], x, slope)
    b[slope] += np.sum(b[z] * np.where(x > 0.0, 0.0, g))


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


inactive(rows)


@linear(sums, in_=("x",))
def sums_rule(x) -> y:
    b[x] += rt.unreduce(b[y], x, tuple(range(np.ndim(x) - 1)), False)


@rule(standardized)
def standardized_rule(x, scale, shift, tiny) -> (y, z, mean, variance):
    steep, n = 1.0 / np.sqrt(variance + tiny), rows(z)
    moved = leveled(d[x], z, sums(d[x]), sums(d[x] * z), steep) - z * (d[tiny] * 0.5 * steep**2)
    d[y] = moved * scale + z * d[scale] + np.ones_like(z) * d[shift]
    d[z] = moved
    d[mean] = sums(d[x]) / n
    d[variance] = sums(d[x] * z) * (2.0 / n / steep)
    total, along = sums(b[y]), sums(b[y] * z)
    b[shift] += total
    b[scale] += along
    b[x] += leveled(b[y], z, total, along, scale * steep)
    b[x] += leveled(b[z], z, sums(b[z]), sums(b[z] * z), steep)
    b[x] += rt.unreduce(b[mean] / n, z, tuple(range(np.ndim(z) - 1)), False)
    b[x] += z * (b[variance] * (2.0 / n / steep))
    b[tiny] -= np.sum(along * scale * (0.5 * steep**2))
    b[tiny] -= np.sum(sums(b[z] * z) * (0.5 * steep**2))


@rule(leveled)
def leveled_rule(g, z, total, along, scale) -> y:
    n = rows(z)
    d[y] = (
        d[g] * scale
        - np.ones_like(z) * (d[total] * scale / n)
        - z * (d[along] * scale / n)
        - d[z] * (along * scale / n)
        + leveled(g, z, total, along, d[scale])
    )
    b[g] += b[y] * scale
    b[total] -= sums(b[y]) * scale / n
    b[along] -= sums(b[y] * z) * scale / n
    b[z] -= b[y] * (along * scale / n)
    b[scale] += sums(b[y] * leveled(g, z, total, along, 1.0))
