"""Eigenvalues, singular values, triangular and orthogonal factors, pseudo-inverses.

In: a matrix, or a stack of them. Of a symmetric matrix only the triangle counts that NumPy reads.
Out: rules.
Next: unitary.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, linear, rule


@rule(np.linalg.eigh)
def eigh(a, UPLO="L") -> (w, v):
    """``vᵀ a v = w``; where values are equal only what does not tell their vectors apart has a derivative."""
    moved = rt.mT(rt.real_only(v)) @ rt.mirrored(d[a], UPLO) @ v
    d[w] = np.diagonal(moved, 0, -2, -1)
    d[v] = v @ rt.gapped(moved, w)
    turned = 0.5 * rt.gapped(rt.skew(rt.mT(rt.real_only(v)) @ b[v]), w)
    b[a] += rt.unmirrored(v @ (rt.diagonal_matrix(b[w]) + turned) @ rt.mT(v), UPLO)


@rule(np.linalg.eigvalsh)
def eigvalsh(a, UPLO="L") -> w:
    v = np.linalg.eigh(rt.real_only(a), UPLO)[1]
    d[w] = np.diagonal(rt.mT(v) @ rt.mirrored(d[a], UPLO) @ v, 0, -2, -1)
    b[a] += rt.unmirrored(v @ rt.diagonal_matrix(b[w]) @ rt.mT(v), UPLO)


@rule(np.linalg.eigvals)
def eigvals(a) -> w:
    """``dw = diag(v⁻¹ da v)``: where values are equal there may be none."""
    v = np.linalg.eig(a)[1]
    inverse = np.linalg.inv(v)
    d[w] = np.diagonal(inverse @ d[a] @ v, 0, -2, -1)
    b[a] += rt.unbroadcast(rt.mT(inverse) @ rt.diagonal_matrix(b[w]) @ rt.mT(v), a)


@rule(np.linalg.eig)
def eig(a) -> (w, v):
    """Vectors of length one, their largest entry real."""
    inverse = np.linalg.inv(v)
    moved = inverse @ d[a] @ v
    d[w] = np.diagonal(moved, 0, -2, -1)
    d[v] = rt.sideways(v @ rt.gapped(moved, w), v)
    turned = rt.gapped(rt.mT(v) @ rt.unsideways(b[v], v), w)
    b[a] += rt.unbroadcast(rt.mT(inverse) @ (rt.diagonal_matrix(b[w]) + turned) @ rt.mT(v), a)


@rule(np.linalg.svd, literal=("compute_uv",))
def svd(a, full_matrices=True, compute_uv=True) -> (u, s, vh):
    """Signs are kept; of the vectors beside a matrix that is not square only the space counts."""
    turned = rt.svd_turned(d[a], rt.real_only(u), s, vh)
    d[u] = turned[0]
    d[s] = rt.svd_moved(d[a], u, s, vh)
    d[vh] = turned[1]
    b[a] += rt.rebuilt(b[s], rt.real_only(u), vh) + rt.svd_unturned(b[u], b[vh], u, s, vh)


@svd.when(lambda a, compute_uv: compute_uv.literal is False and a.exact == "complex")
def complex_svd_values(a, full_matrices=True, compute_uv=True) -> s:
    d[s] = rt.svdvals_moved(d[a], a)
    b[a] += np.conj(rt.svdvals_unmoved(np.real(b[s]), a))


@svd.when(lambda compute_uv: compute_uv.literal is False)
def svd_values(a, full_matrices=True, compute_uv=True) -> s:
    d[s] = rt.svdvals_moved(d[a], rt.real_only(a))
    b[a] += rt.svdvals_unmoved(b[s], rt.real_only(a))


@rule(np.linalg.svdvals)
def svdvals(a) -> s:
    d[s] = rt.svdvals_moved(d[a], rt.real_only(a))
    b[a] += rt.svdvals_unmoved(b[s], rt.real_only(a))


@rule(np.linalg.qr, literal=("mode",))
def qr(a, mode="reduced") -> (q, r):
    """``a = q r``: q turns by a skew matrix, and moves beside what it spans."""
    moved = rt.qr_moved(d[a], rt.thin(q, r), r)
    d[q] = moved[0]
    d[r] = moved[1]
    b[a] += rt.qr_unmoved(b[q], b[r], rt.thin(q, r), r)


@qr.when(lambda a, mode: mode.literal == "r" and a.exact == "complex")
def complex_qr_triangle(a, mode="reduced") -> r:
    q = np.linalg.qr(a)[0]
    u = rt.leading(r, q)
    inner = rt.mH(q) @ rt.solved_right(rt.leading(d[a], q), u)
    d[r] = rt.mH(q) @ d[a] - rt.lower_skew(inner) @ r
    back = np.conj(q) @ rt.unlower_skew(b[r] @ rt.mT(r))
    b[a] += np.conj(q) @ b[r] - rt.unleading(rt.solved_right(back, rt.mT(u)), a)


@qr.when(lambda mode: mode.literal == "r")
def qr_triangle(a, mode="reduced") -> r:
    q = np.linalg.qr(rt.real_only(a))[0]
    u = rt.leading(r, q)
    inner = rt.mT(q) @ rt.solved_right(rt.leading(d[a], q), u)
    d[r] = rt.mT(q) @ d[a] - rt.lower_skew(inner) @ r
    back = q @ rt.unlower_skew(b[r] @ rt.mT(r))
    b[a] += q @ b[r] - rt.unleading(rt.solved_right(back, rt.mT(u)), a)


@rule(np.linalg.pinv)
def pinv(a, rcond=None) -> p:
    """For a rank that does not change."""
    left = rt.complement(rt.real_only(a) @ p)
    right = rt.complement(p @ a)
    d[p] = p @ rt.mT(p) @ rt.mT(d[a]) @ left + right @ rt.mT(d[a]) @ rt.mT(p) @ p - p @ d[a] @ p
    moved = left @ rt.mT(b[p]) @ p @ rt.mT(p) + rt.mT(p) @ p @ rt.mT(b[p]) @ right
    b[a] += moved - rt.mT(p) @ b[p] @ rt.mT(p)


@rule(np.linalg.lstsq)
def lstsq(a, y, rcond=None) -> (x, residuals, rank, s):
    """For full rank: ``x = p y`` with the pseudo-inverse ``p``."""
    d[x] = rt.lstsq_moved(d[a], d[y], rt.real_only(a), y, x)
    d[residuals] = 2.0 * rt.column_sums((y - a @ x) * (d[y] - d[a] @ x), residuals)
    d[s] = rt.svdvals_moved(d[a], a)
    moved = rt.lstsq_unmoved(b[x], b[residuals], rt.real_only(a), y, x)
    b[y] += moved[1]
    b[a] += rt.svdvals_unmoved(b[s], a) + moved[0]


# The functions of the runtime.
@rule(rt.gapped)
def gapped(m, x) -> z:
    d[z] = rt.gapped(d[m] - z * rt.steps_between(d[x]), x)
    b[m] += rt.gapped(b[z], x)
    b[x] -= rt.unbroadcast(rt.unsteps_between(rt.gapped(b[z] * z, x)), x)


@rule(rt.inverted, constant=("u", "v"))
def inverted(s, u, v) -> y:
    d[y] = -y * y * np.expand_dims(d[s], -2)
    b[s] -= rt.unbroadcast(np.sum(y * y * b[y], -2), s)


@linear(rt.steps_between, in_=("x",))
def steps_between(x) -> y:
    b[x] += rt.unsteps_between(b[y])


@linear(rt.unsteps_between, in_=("g",))
def unsteps_between(g) -> y:
    b[g] += rt.steps_between(b[y])


@linear(rt.sums_between, in_=("x",))
def sums_between(x) -> y:
    b[x] += rt.unsums_between(b[y])


@linear(rt.unsums_between, in_=("g",))
def unsums_between(g) -> y:
    b[g] += rt.sums_between(b[y])


@linear(rt.mirrored, in_=("x",))
def mirrored(x, side="L") -> y:
    b[x] += rt.unmirrored(b[y], side)


@linear(rt.unmirrored, in_=("g",))
def unmirrored(g, side="L") -> y:
    b[g] += rt.mirrored(b[y], side)


@linear(rt.skew, in_=("x",))
def skew(x) -> y:
    b[x] += rt.skew(b[y])


@linear(rt.lower_skew, in_=("x",))
def lower_skew(x) -> y:
    b[x] += rt.unlower_skew(b[y])


@linear(rt.unlower_skew, in_=("g",))
def unlower_skew(g) -> y:
    b[g] += rt.lower_skew(b[y])


@linear(rt.leading, in_=("x",))
def leading(x, like) -> y:
    b[x] += rt.unleading(b[y], x)


@linear(rt.unleading, in_=("g",))
def unleading(g, x) -> y:
    b[g] += rt.leading(b[y], g)


@linear(rt.trailing, in_=("x",))
def trailing(x, like) -> y:
    b[x] += rt.untrailing(b[y], x)


@rule(rt.spanned, constant=("v",))
def spanned(g, v) -> y:
    d[y] = d[g]
    b[g] += b[y]


@linear(rt.untrailing, in_=("g",))
def untrailing(g, x) -> y:
    b[g] += rt.last_columns(b[y], g)


@linear(rt.last_columns, in_=("x",))
def last_columns(x, g) -> y:
    b[x] += rt.untrailing(b[y], x)


@linear(rt.diagonal_matrix, in_=("x",))
def diagonal_matrix(x) -> y:
    b[x] += np.diagonal(b[y], 0, -2, -1)


@rule(rt.solved_right)
def solved_right(x, u) -> y:
    back = rt.solved_right(b[y], rt.mT(u))
    d[y] = rt.solved_right(d[x] - y @ d[u], u)
    b[x] += back
    b[u] -= rt.mT(y) @ back


@linear(rt.thin, in_=("q",))
def thin(q, r) -> y:
    b[q] += b[y]


@rule(rt.complement)
def complement(x) -> y:
    d[y] = -d[x]
    b[x] -= b[y]


@linear(rt.column_sums, in_=("x",))
def column_sums(x, like) -> y:
    b[x] += rt.uncolumn_sums(b[y], x)


@linear(rt.uncolumn_sums, in_=("g",))
def uncolumn_sums(g, x) -> y:
    b[g] += rt.column_sums(b[y], g)
