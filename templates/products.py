"""Products that sum: matmul, dot, inner, outer, tensordot, einsum, kron, cross.

In: two factors of any rank.
Out: rules; transposes never conjugate.
Next: linalg.
"""

from __future__ import annotations

import operator

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, inactive, positions, rule


@rule(np.matmul, operator.matmul, np.linalg.matmul)
def matmul(x, y) -> z:
    d[z] = d[x] @ y + x @ d[y]
    b[x] += rt.matmul_left(b[z], x, y)
    b[y] += rt.matmul_right(b[z], x, y)


@matmul.when(lambda x, y: x.ndim == y.ndim == 2)
def matmul_matrices(x, y) -> z:
    b[x] += b[z] @ y.T
    b[y] += x.T @ b[z]


@matmul.when(lambda x, y: x.ndim == 2 and y.ndim == 1)
def matmul_vector(x, y) -> z:
    b[x] += np.outer(b[z], y)
    b[y] += x.T @ b[z]


@matmul.when(lambda x, y: x.ndim == 1 and y.ndim == 2)
def matmul_row(x, y) -> z:
    b[x] += y @ b[z]
    b[y] += np.outer(x, b[z])


@matmul.when(lambda x, y: x.ndim == y.ndim == 1)
def matmul_vectors(x, y) -> z:
    b[x] += b[z] * y
    b[y] += b[z] * x


@rule(np.dot, np.ndarray.dot)
def dot(x, y) -> z:
    d[z] = np.dot(d[x], y) + np.dot(x, d[y])
    b[x] += rt.dot_left(b[z], x, y)
    b[y] += rt.dot_right(b[z], x, y)


@dot.when(lambda x, y: x.ndim == y.ndim == 2)
def dot_matrices(x, y) -> z:
    b[x] += b[z] @ y.T
    b[y] += x.T @ b[z]


@dot.when(lambda x, y: x.ndim == 2 and y.ndim == 1)
def dot_vector(x, y) -> z:
    b[x] += np.outer(b[z], y)
    b[y] += x.T @ b[z]


@dot.when(lambda x, y: x.ndim == 1 and y.ndim == 2)
def dot_row(x, y) -> z:
    b[x] += y @ b[z]
    b[y] += np.outer(x, b[z])


@dot.when(lambda x, y: x.ndim == y.ndim == 1)
def dot_vectors(x, y) -> z:
    b[x] += b[z] * y
    b[y] += b[z] * x


@rule(np.vdot)
def vdot(x, y) -> z:
    """``Σ conj(x) y`` over the flattened factors."""
    d[z] = np.vdot(d[x], y) + np.vdot(x, d[y])
    b[x] += rt.unbroadcast(np.conj(b[z] * np.reshape(y, np.shape(x))), x)
    b[y] += rt.unbroadcast(b[z] * np.reshape(np.conj(x), np.shape(y)), y)


@rule(np.inner)
def inner(x, y) -> z:
    d[z] = np.inner(d[x], y) + np.inner(x, d[y])
    b[x] += rt.inner_left(b[z], x, y)
    b[y] += rt.inner_right(b[z], x, y)


@rule(np.outer, np.linalg.outer)
def outer(x, y) -> z:
    d[z] = np.outer(d[x], y) + np.outer(x, d[y])
    b[x] += rt.outer_left(b[z], x, y)
    b[y] += rt.outer_right(b[z], x, y)


@outer.when(lambda x, y: x.ndim == y.ndim == 1)
def outer_vectors(x, y) -> z:
    b[x] += b[z] @ y
    b[y] += x @ b[z]


@rule(np.tensordot)
def tensordot(x, y, axes=2) -> z:
    d[z] = np.tensordot(d[x], y, axes) + np.tensordot(x, d[y], axes)
    b[x] += rt.tensordot_left(b[z], x, y, axes)
    b[y] += rt.tensordot_right(b[z], x, y, axes)


@rule(np.linalg.tensordot)
def tensordot_by_keyword(x, y, *, axes=2) -> z:
    d[z] = np.tensordot(d[x], y, axes) + np.tensordot(x, d[y], axes)
    b[x] += rt.tensordot_left(b[z], x, y, axes)
    b[y] += rt.tensordot_right(b[z], x, y, axes)


@rule(np.vecdot, np.linalg.vecdot)
def vecdot(x, y, *, axis=-1) -> z:
    """``Σ conj(x) y`` along an axis."""
    d[z] = np.vecdot(d[x], y, axis=axis) + np.vecdot(x, d[y], axis=axis)
    b[x] += rt.unbroadcast(np.conj(np.expand_dims(b[z], axis) * y), x)
    b[y] += rt.unbroadcast(np.expand_dims(b[z], axis) * np.conj(x), y)


if hasattr(np, "matvec"):

    @rule(np.matvec)
    def matvec(x, y) -> z:
        d[z] = np.matvec(d[x], y) + np.matvec(x, d[y])
        b[x] += rt.unbroadcast(np.expand_dims(b[z], -1) * np.expand_dims(y, -2), x)
        b[y] += rt.unbroadcast(np.matvec(rt.mT(x), b[z]), y)

    @rule(np.vecmat)
    def vecmat(x, y) -> z:
        """The vector is conjugated."""
        d[z] = np.vecmat(d[x], y) + np.vecmat(x, d[y])
        b[x] += rt.unbroadcast(np.conj(np.matvec(y, b[z])), x)
        b[y] += rt.unbroadcast(np.expand_dims(np.conj(x), -1) * np.expand_dims(b[z], -2), y)


inactive(rt.einsum_spec)


@rule(np.einsum)
def einsum(spec, *xs, optimize=False) -> y:
    for k in positions(xs):
        d[y] += np.einsum(spec, *xs[:k], d[xs[k]], *xs[k + 1 :], optimize=optimize)
        b[xs[k]] += rt.einsum_adjoint(spec, b[y], xs, k)


@rule(np.kron)
def kron(x, y) -> z:
    d[z] = np.kron(d[x], y) + np.kron(x, d[y])
    b[x] += rt.kron_left(b[z], x, y)
    b[y] += rt.kron_right(b[z], x, y)


@rule(np.cross, np.linalg.cross)
def cross(x, y, *, axis=None) -> z:
    """Vectors along one axis, the last if none is given; those of two components lie in a plane."""
    d[z] = np.cross(d[x], y, axis=axis) + np.cross(x, d[y], axis=axis)
    b[x] += rt.uncross(y, b[z], x, axis)
    b[y] -= rt.uncross(x, b[z], y, axis)


@cross.when(lambda axis: axis.literal is None)
def cross_along_the_last(x, y, *, axis=None) -> z:
    d[z] = np.cross(d[x], y) + np.cross(x, d[y])
    b[x] += rt.uncross(y, b[z], x)
    b[y] -= rt.uncross(x, b[z], y)
