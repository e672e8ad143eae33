"""Linear algebra of the array API, condition numbers, powers, tensors as matrices.

In: a matrix, or a stack of matrices.
Out: rules.
Next: decompositions.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, linear, rule


@rule(np.linalg.vector_norm)
def vector_norm(x, *, axis=None, keepdims=False, ord=2) -> y:
    slope = rt.norm_slope(x, ord, axis, "vector")
    d[y] = np.sum(slope * d[x], axis, keepdims=keepdims)
    b[x] += slope * rt.unreduce(b[y], x, axis, keepdims)


@rule(np.linalg.matrix_norm)
def matrix_norm(x, *, keepdims=False, ord="fro") -> y:
    slope = rt.norm_slope(x, ord, (-2, -1), "matrix")
    d[y] = np.sum(slope * d[x], (-2, -1), keepdims=keepdims)
    b[x] += slope * rt.unreduce(b[y], x, (-2, -1), keepdims)


@rule(np.linalg.cond)
def cond(x, p=None) -> y:
    """``norm(x) * norm(inv(x))``."""
    inverse = np.linalg.inv(x)
    outer = np.linalg.norm(inverse, p, (-2, -1), True)
    steep = rt.mT(inverse) @ rt.norm_slope(inverse, p, (-2, -1)) @ rt.mT(inverse)
    slope = rt.norm_slope(x, p, (-2, -1)) * outer - np.linalg.norm(x, p, (-2, -1), True) * steep
    d[y] = np.sum(slope * d[x], (-2, -1))
    b[x] += slope * np.expand_dims(b[y], (-2, -1))


@cond.when(lambda p: p.literal is None or p.literal == 2)
def cond_of_values(x, p=None) -> y:
    """The largest singular value over the smallest."""
    low = np.linalg.norm(x, -2, (-2, -1), True)
    fall = np.expand_dims(y, (-2, -1)) * rt.norm_slope(x, -2, (-2, -1))
    slope = (rt.norm_slope(x, 2, (-2, -1)) - fall) / low
    d[y] = np.sum(slope * d[x], (-2, -1))
    b[x] += slope * np.expand_dims(b[y], (-2, -1))


@rule(np.linalg.matrix_power)
def matrix_power(a, n) -> y:
    """A power of ``[[a, da], [0, a]]`` has in its corner the derivative."""
    d[y] = rt.corner(np.linalg.matrix_power(rt.doubled(a, d[a]), n))
    b[a] += rt.corner(np.linalg.matrix_power(rt.doubled(rt.mT(a), b[y]), n))


@rule(np.linalg.tensorinv)
def tensorinv(a, ind=2) -> y:
    n = int(np.size(a) ** 0.5 + 0.5)
    flat = np.reshape(y, (n, n))
    d[y] = -np.reshape(flat @ np.reshape(d[a], (n, n)) @ flat, np.shape(y))
    b[a] -= np.reshape(flat.T @ np.reshape(b[y], (n, n)) @ flat.T, np.shape(a))


@rule(np.linalg.tensorsolve)
def tensorsolve(a, y) -> x:
    flat = np.reshape(a, (np.size(x), np.size(x)))
    d[x] = np.linalg.tensorsolve(a, d[y] - np.tensordot(d[a], x, np.ndim(x)))
    r = np.reshape(np.linalg.solve(flat.T, np.ravel(b[x])), np.shape(y))
    b[y] += rt.unbroadcast(r, y)
    b[a] -= rt.unbroadcast(np.tensordot(r, x, 0), a)


@linear(np.linalg.trace, in_=("x",))
def trace(x, *, offset=0) -> y:
    b[x] += rt.untrace(b[y], x, offset, -2, -1)


@linear(np.linalg.diagonal, in_=("x",))
def diagonal(x, *, offset=0) -> y:
    b[x] += rt.undiagonal(b[y], x, offset, -2, -1)


inactive(np.linalg.matrix_rank)


@rule(np.linalg.multi_dot)
def multi_dot(xs) -> y:
    d[y] = rt.chain(d[xs], xs)
    b[xs] += rt.unchain(b[y], xs)


# The functions of the runtime.
@rule(rt.norm_slope)
def norm_slope(x, order=None, axis=None, form="") -> s:
    d[s] = rt.norm_bend(x, d[x], order, axis, form)
    b[x] += rt.norm_bend(x, b[s], order, axis, form)


@linear(rt.norm_bend, in_=("v",))
def norm_bend(x, v, order=None, axis=None, form="") -> y:
    """Of third order in ``x``: refused."""
    b[v] += rt.norm_bend(x, b[y], order, axis, form)


@linear(rt.doubled, in_=("a", "v"))
def doubled(a, v) -> m:
    b[a] += rt.unbroadcast(rt.twice(b[m]), a)
    b[v] += rt.unbroadcast(rt.corner(b[m]), v)


@linear(rt.corner, in_=("m",))
def corner(m) -> y:
    b[m] += rt.uncorner(b[y])


@linear(rt.uncorner, in_=("g",))
def uncorner(g) -> y:
    b[g] += rt.corner(b[y])


@linear(rt.twice, in_=("m",))
def twice(m) -> y:
    b[m] += rt.untwice(b[y])


@linear(rt.untwice, in_=("g",))
def untwice(g) -> y:
    b[g] += rt.twice(b[y])


@rule(rt.chain)
def chain(ds, xs) -> y:
    d[y] = rt.chain(d[ds], xs) + rt.chain_along(ds, d[xs], xs)
    b[ds] += rt.unchain(b[y], xs)
    b[xs] += rt.unchain_along(b[y], ds, xs)


@rule(rt.unchain)
def unchain(g, xs) -> ys:
    d[ys] = rt.add(rt.unchain(d[g], xs), rt.unchain_along(g, d[xs], xs))
    b[g] += rt.chain(b[ys], xs)
    b[xs] += rt.unchain_along(g, b[ys], xs)


@linear(rt.chain_along, in_=("es",))
def chain_along(ds, es, xs) -> y:
    """Of third order in ``xs``: refused."""
    b[es] += rt.unchain_along(b[y], ds, xs)


@linear(rt.unchain_along, in_=("g",))
def unchain_along(g, ds, xs) -> ys:
    """Of third order in ``xs``: refused."""
    b[g] += rt.chain_along(b[ys], ds, xs)
