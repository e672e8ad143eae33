"""Convolutions and polynomials.

In: rows of numbers.
Out: rules.
Next: products.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, linear, rule


@rule(np.convolve)
def convolve(a, v, mode="full") -> y:
    whole = rt.uncrop(b[y], a, v, mode)
    d[y] = np.convolve(d[a], v, mode) + np.convolve(a, d[v], mode)
    b[a] += rt.unbroadcast(np.convolve(whole, np.flip(v), "valid"), a)
    b[v] += rt.unbroadcast(np.convolve(whole, np.flip(a), "valid"), v)


@rule(np.correlate)
def correlate(a, v, mode="valid") -> y:
    """The second factor is conjugated."""
    whole = rt.uncrop(b[y], a, v, mode, True)
    d[y] = np.correlate(d[a], v, mode) + np.correlate(a, d[v], mode)
    b[a] += rt.unbroadcast(np.convolve(whole, np.conj(v), "valid"), a)
    turned = np.conj(np.flip(np.convolve(whole, np.flip(a), "valid")))
    b[v] += rt.unbroadcast(turned, v)


@rule(np.polyval)
def polyval(p, x) -> y:
    """Coefficients may be arrays: powers go along the first axis."""
    rise = np.polyval(rt.polyder(p), x)
    steep = rt.through(rise, rt.dtype_like(y))
    d[y] = rt.broadcast(np.polyval(rt.filled(d[p], p), x), y) + rt.broadcast(steep * d[x], y)
    b[p] += rt.unbroadcast(rt.unpolyval(b[y], p, x), p)
    b[x] += rt.unbroadcast(rise * b[y], x)


@polyval.when(lambda p: p.ndim == 1)
def polyval_of_numbers(p, x) -> y:
    rise = np.polyval(np.polyder(p), x)
    steep = rt.through(rise, rt.dtype_like(y))
    d[y] = rt.broadcast(np.polyval(rt.filled(d[p], p), x), y) + rt.broadcast(steep * d[x], y)
    b[p] += rt.unbroadcast(rt.unpolyval(b[y], p, x), p)
    b[x] += rt.unbroadcast(rise * b[y], x)


@linear(np.polyder, rt.polyder, in_=("p",))
def polyder(p, m=1) -> y:
    b[p] += rt.unpolyder(b[y], p, m)


@linear(np.polyint, in_=("p",))
def polyint(p, m=1) -> y:
    b[p] += rt.unpolyint(b[y], p, m)


@linear(np.polyadd, in_=("a1", "a2"))
def polyadd(a1, a2) -> y:
    b[a1] += rt.unbroadcast(rt.headed(b[y], np.size(a1)), a1)
    b[a2] += rt.unbroadcast(rt.headed(b[y], np.size(a2)), a2)


@linear(np.polysub, in_=("a1", "a2"))
def polysub(a1, a2) -> y:
    b[a1] += rt.unbroadcast(rt.headed(b[y], np.size(a1)), a1)
    b[a2] += rt.unbroadcast(-rt.headed(b[y], np.size(a2)), a2)


@rule(np.polymul)
def polymul(a1, a2) -> y:
    """Zeros in front are left out: in them there is no derivative."""
    left = np.convolve(rt.filled(d[a1], a1), a2)
    right = np.convolve(a1, rt.filled(d[a2], a2))
    d[y] = rt.headed(left, np.size(y)) + rt.headed(right, np.size(y))
    whole = rt.headed(b[y], np.size(a1) + np.size(a2) - 1)
    b[a1] += rt.unbroadcast(np.convolve(whole, np.flip(a2), "valid"), a1)
    b[a2] += rt.unbroadcast(np.convolve(whole, np.flip(a1), "valid"), a2)


@rule(np.polyfit)
def polyfit(x, y, deg) -> p:
    """Least squares with the matrix of powers."""
    matrix = rt.powers(x, deg + 1)
    steep = rt.powers(x, deg + 1, 1)
    d[p] = rt.lstsq_moved(np.expand_dims(d[x], -1) * steep, d[y], matrix, y, p)
    moved = rt.lstsq_unmoved(b[p], rt.ZERO, matrix, y, p)
    b[x] += np.sum(steep * moved[0], -1)
    b[y] += moved[1]


@rule(np.vander)
def vander(x, N=None, increasing=False) -> y:
    steep = rt.powers(x, np.shape(y)[1], 1, increasing)
    d[y] = steep * np.expand_dims(d[x], -1)
    b[x] += np.sum(steep * b[y], -1)


# The functions of the runtime.
@linear(rt.uncrop, in_=("g",))
def uncrop(g, a, v, mode="full", turned=False) -> y:
    b[g] += rt.crop(b[y], a, v, mode, turned)


@linear(rt.crop, in_=("x",))
def crop(x, a, v, mode="full", turned=False) -> y:
    b[x] += rt.uncrop(b[y], a, v, mode, turned)


@rule(rt.unpolyval)
def unpolyval(g, p, x, order=0) -> y:
    rise = np.polyval(rt.polyder(b[y], order + 1), x)
    d[y] = rt.unpolyval(d[g], p, x, order) + rt.unpolyval(g * d[x], p, x, order + 1)
    b[g] += rt.unbroadcast(np.polyval(rt.polyder(b[y], order), x), g)
    b[x] += rt.unbroadcast(g * rise, x)


@rule(rt.powers)
def powers(x, n, order=0, increasing=False) -> y:
    steep = rt.powers(x, n, order + 1, increasing)
    d[y] = steep * np.expand_dims(d[x], -1)
    b[x] += np.sum(steep * b[y], -1)


@linear(rt.unpolyder, in_=("g",))
def unpolyder(g, p, m=1) -> y:
    b[g] += rt.unbroadcast(rt.polyder(b[y], m), g)


@linear(rt.unpolyint, in_=("g",))
def unpolyint(g, p, m=1) -> y:
    b[g] += np.polyint(b[y], m)


@linear(rt.headed, in_=("g",))
def headed(g, size) -> y:
    b[g] += rt.unbroadcast(rt.headed(b[y], np.size(g)), g)
