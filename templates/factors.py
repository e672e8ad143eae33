"""Adjoints of factors: bilinear in the seed and the other factor, hence products themselves.

In: ``rt.matmul_left`` and its kin, which generated code calls.
Out: rules.
Next: selection.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, rule


@rule(rt.matmul_left)
def matmul_left(g, x, y) -> z:
    d[z] = rt.matmul_left(d[g], x, y) + rt.matmul_left(g, x, d[y])
    b[g] += b[z] @ y
    b[y] += rt.matmul_right(g, b[z], y)


@rule(rt.matmul_right)
def matmul_right(g, x, y) -> z:
    d[z] = rt.matmul_right(d[g], x, y) + rt.matmul_right(g, d[x], y)
    b[g] += x @ b[z]
    b[x] += rt.matmul_left(g, x, b[z])


@rule(rt.dot_left)
def dot_left(g, x, y) -> z:
    d[z] = rt.dot_left(d[g], x, y) + rt.dot_left(g, x, d[y])
    b[g] += np.dot(b[z], y)
    b[y] += rt.dot_right(g, b[z], y)


@rule(rt.dot_right)
def dot_right(g, x, y) -> z:
    d[z] = rt.dot_right(d[g], x, y) + rt.dot_right(g, d[x], y)
    b[g] += np.dot(x, b[z])
    b[x] += rt.dot_left(g, x, b[z])


@rule(rt.dot_both)
def dot_both(g, x) -> z:
    d[z] = rt.dot_both(d[g], x) + rt.dot_both(g, d[x])
    b[g] += np.dot(b[z], x) + np.dot(x, b[z])
    b[x] += rt.dot_right(g, b[z], x) + rt.dot_left(g, x, b[z])


@rule(rt.matmul_both)
def matmul_both(g, x) -> z:
    d[z] = rt.matmul_both(d[g], x) + rt.matmul_both(g, d[x])
    b[g] += b[z] @ x + x @ b[z]
    b[x] += rt.matmul_right(g, b[z], x) + rt.matmul_left(g, x, b[z])


@rule(rt.inner_left)
def inner_left(g, x, y) -> z:
    d[z] = rt.inner_left(d[g], x, y) + rt.inner_left(g, x, d[y])
    b[g] += np.inner(b[z], y)
    b[y] += rt.inner_right(g, b[z], y)


@rule(rt.inner_right)
def inner_right(g, x, y) -> z:
    d[z] = rt.inner_right(d[g], x, y) + rt.inner_right(g, d[x], y)
    b[g] += np.inner(x, b[z])
    b[x] += rt.inner_left(g, x, b[z])


@rule(rt.outer_left)
def outer_left(g, x, y) -> z:
    d[z] = rt.outer_left(d[g], x, y) + rt.outer_left(g, x, d[y])
    b[g] += np.outer(b[z], y)
    b[y] += rt.outer_right(g, b[z], y)


@rule(rt.outer_right)
def outer_right(g, x, y) -> z:
    d[z] = rt.outer_right(d[g], x, y) + rt.outer_right(g, d[x], y)
    b[g] += np.outer(x, b[z])
    b[x] += rt.outer_left(g, x, b[z])


@rule(rt.kron_left)
def kron_left(g, x, y) -> z:
    d[z] = rt.kron_left(d[g], x, y) + rt.kron_left(g, x, d[y])
    b[g] += np.kron(b[z], y)
    b[y] += rt.kron_right(g, b[z], y)


@rule(rt.kron_right)
def kron_right(g, x, y) -> z:
    d[z] = rt.kron_right(d[g], x, y) + rt.kron_right(g, d[x], y)
    b[g] += np.kron(x, b[z])
    b[x] += rt.kron_left(g, x, b[z])


@rule(rt.tensordot_left)
def tensordot_left(g, x, y, axes=2) -> z:
    d[z] = rt.tensordot_left(d[g], x, y, axes) + rt.tensordot_left(g, x, d[y], axes)
    b[g] += np.tensordot(b[z], y, axes)
    b[y] += rt.tensordot_right(g, b[z], y, axes)


@rule(rt.tensordot_right)
def tensordot_right(g, x, y, axes=2) -> z:
    d[z] = rt.tensordot_right(d[g], x, y, axes) + rt.tensordot_right(g, d[x], y, axes)
    b[g] += np.tensordot(x, b[z], axes)
    b[x] += rt.tensordot_left(g, x, b[z], axes)


@rule(rt.einsum)
def einsum(spec, *xs) -> y:
    for k in positions(xs):
        d[y] += rt.einsum(spec, *xs[:k], d[xs[k]], *xs[k + 1 :])
        b[xs[k]] += rt.einsum_adjoint(spec, b[y], xs, k)


@rule(rt.einsum_adjoint)
def einsum_adjoint(spec, g, xs, k) -> z:
    d[z] = rt.einsum_adjoint(spec, d[g], xs, k) + rt.einsum_tangent(spec, g, xs, k, d[xs])
    b[g] += rt.einsum_with(spec, xs, k, b[z])
    b[xs] += rt.einsum_adjoints(spec, g, xs, k, b[z])
