"""Linear algebra: systems, inverses, determinants, factors, lengths.

In: a matrix, or a stack of matrices.
Out: rules.
Next: runtime.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, rule


@rule(np.linalg.solve)
def solve(a, y) -> x:
    """``a x = y``, hence ``a dx = dy - da x`` and ``aᵀ r = bx``."""
    columns = rt.columns(x, y)
    d[x] = rt.uncolumns(np.linalg.solve(a, rt.columns(d[y], y) - d[a] @ columns), y)
    r = np.linalg.solve(rt.mT(a), rt.columns(b[x], y))
    b[y] += rt.unbroadcast(rt.uncolumns(r, y), y)
    b[a] -= rt.unbroadcast(r @ rt.mT(columns), a)


@solve.when(lambda a, y: a.ndim == 2 and y.ndim == 1)
def solve_vector(a, y) -> x:
    d[x] = np.linalg.solve(a, d[y] - d[a] @ x)
    r = np.linalg.solve(a.T, b[x])
    b[y] += r
    b[a] -= np.outer(r, x)


@solve.when(lambda a, y: a.ndim == y.ndim == 2)
def solve_matrix(a, y) -> x:
    d[x] = np.linalg.solve(a, d[y] - d[a] @ x)
    r = np.linalg.solve(a.T, b[x])
    b[y] += r
    b[a] -= r @ x.T


@rule(np.linalg.inv)
def inv(a) -> y:
    """``a y = 1``, hence ``dy = -y da y``."""
    d[y] = -(y @ d[a] @ y)
    b[a] -= rt.mT(y) @ b[y] @ rt.mT(y)


@rule(np.linalg.det)
def det(a) -> y:
    """The derivative in an entry is its cofactor, also where the matrix is singular."""
    cofactors = rt.cofactors(a)
    d[y] = np.sum(cofactors * d[a], axis=(-2, -1))
    b[a] += cofactors * np.expand_dims(b[y], (-2, -1))


@det.when(lambda a: a.exact == "complex")
def complex_det(a) -> y:
    """``dy = y tr(a⁻¹ da)``, for matrices that have an inverse."""
    inverse = rt.mT(np.linalg.inv(a)) * np.expand_dims(y, (-2, -1))
    d[y] = np.sum(inverse * d[a], axis=(-2, -1))
    b[a] += inverse * np.expand_dims(b[y], (-2, -1))


@rule(np.linalg.slogdet)
def slogdet(a) -> (s, w):
    """``d log|det a| = tr(a⁻¹ da)``; the sign of a real matrix does not move."""
    inverse = np.linalg.inv(rt.real_only(a))
    d[w] = np.sum(rt.mT(inverse) * d[a], axis=(-2, -1))
    b[a] += rt.mT(inverse) * np.expand_dims(b[w], (-2, -1))


@slogdet.when(lambda a: a.exact == "complex")
def complex_slogdet(a) -> (s, w):
    """The sign is a number of length one, which turns."""
    inverse = rt.mT(np.linalg.inv(a))
    moved = np.sum(inverse * d[a], axis=(-2, -1))
    d[s] = 1j * s * np.imag(moved)
    d[w] = np.real(moved)
    b[a] += inverse * np.expand_dims(np.real(b[w]) + 1j * np.imag(s * b[s]), (-2, -1))


@rule(np.linalg.cholesky)
def cholesky(a) -> y:
    """``a = y yᵀ``; as NumPy does, only the lower triangle of ``a`` is read."""
    inverse = np.linalg.inv(rt.real_only(y))
    moved = np.tril(d[a]) + rt.mT(np.tril(d[a], -1))
    d[y] = y @ rt.lower(inverse @ moved @ rt.mT(inverse))
    inner = rt.mT(inverse) @ rt.lower(rt.mT(y) @ b[y]) @ inverse
    b[a] += rt.lower(inner + rt.mT(inner))


@rule(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False) -> y:
    """Every norm has the derivative zero at zero; where several entries win they share."""
    slope = rt.norm_slope(x, ord, axis)
    d[y] = np.sum(slope * d[x], axis, keepdims=keepdims)
    b[x] += slope * rt.unreduce(b[y], x, axis, keepdims)


@norm.when(lambda ord: ord.literal is None)
def euclidean_norm(x, ord=None, axis=None, keepdims=False) -> y:
    """The Euclidean length: zero has derivative zero."""
    direction = rt.ratio(rt.real_only(x), rt.kept(y, x, axis, keepdims))
    d[y] = np.sum(direction * d[x], axis, keepdims=keepdims)
    b[x] += direction * rt.unreduce(b[y], x, axis, keepdims)
