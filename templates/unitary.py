"""Factors of complex matrices: unitary where those of real ones are orthogonal.

In: a complex matrix, or a stack of them. Of a Hermitian matrix only the triangle counts that NumPy reads.
Out: rules, variants of those for real matrices.
Next: linalg.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, rule
from tangentlite.templates.decompositions import eigh, eigvalsh, pinv, qr, svd, svdvals
from tangentlite.templates.linalg import cholesky


@eigh.when(lambda a: a.exact == "complex")
def complex_eigh(a, UPLO="L") -> (w, v):
    """As of real matrices; the phase is LAPACK's, which makes one entry of each vector real."""
    pins = rt.pins(v, UPLO)
    moved = rt.mH(v) @ rt.mirrored(d[a], UPLO) @ v
    free = v @ rt.gapped(moved, w)
    d[w] = np.real(np.diagonal(moved, 0, -2, -1))
    d[v] = free - 1j * v * np.sum(pins * np.imag(free), -2, keepdims=True)
    held = b[v] - 1j * pins * np.imag(np.sum(v * b[v], -2, keepdims=True))
    inner = rt.diagonal_matrix(np.real(b[w])) + rt.gapped(rt.mT(v) @ held, w)
    b[a] += rt.unmirrored(np.conj(v) @ inner @ rt.mT(v), UPLO)


@eigvalsh.when(lambda a: a.exact == "complex")
def complex_eigvalsh(a, UPLO="L") -> w:
    v = np.linalg.eigh(a, UPLO)[1]
    d[w] = np.real(np.diagonal(rt.mH(v) @ rt.mirrored(d[a], UPLO) @ v, 0, -2, -1))
    b[a] += rt.unmirrored(np.conj(v) @ rt.diagonal_matrix(np.real(b[w])) @ rt.mT(v), UPLO)


@svd.when(lambda a: a.exact == "complex")
def complex_svd(a, full_matrices=True, compute_uv=True) -> (u, s, vh):
    """Phases are LAPACK's; of the vectors beside a matrix that is not square only the space counts."""
    wide = np.shape(a)[-2] < np.shape(a)[-1]
    uk = rt.leading(u, s)
    ur = rt.trailing(u, s)
    vk = rt.leading(rt.mH(vh), s)
    vr = rt.trailing(rt.mH(vh), s)
    pu = rt.pins(uk, held=wide)
    pv = rt.pins(vk, held=not wide)
    row = rt.inverted(s, u, rt.mT(vh))
    moved = rt.mH(uk) @ d[a] @ vk
    even = 0.5 * rt.gapped(moved + rt.mH(moved), s)
    odd = 0.5 * rt.quotient(rt.skew(moved), rt.sums_between(s))
    du = uk @ (even + odd) + (d[a] @ vk - uk @ moved) * row
    dv = vk @ (even - odd) + (rt.mH(d[a]) @ uk - vk @ rt.mH(moved)) * row
    turn = 1j * np.sum(pu * np.imag(du), -2, keepdims=True)
    turn = turn + 1j * np.sum(pv * np.imag(dv), -2, keepdims=True)
    dur = -uk @ rt.mH(rt.mH(ur) @ d[a] @ vk * row)
    dvr = -vk @ rt.mH(rt.mH(vr) @ rt.mH(d[a]) @ uk * row)
    d[s] = np.real(np.diagonal(moved, 0, -2, -1))
    d[u] = np.concatenate([du - uk * turn, dur], -1)
    d[vh] = rt.mH(np.concatenate([dv - vk * turn, dvr], -1))
    bu = rt.leading(b[u], s)
    bv = rt.leading(rt.mH(b[vh]), s)
    bur = rt.trailing(b[u], s)
    bvr = rt.trailing(rt.mH(b[vh]), s)
    turned = 1j * np.imag(np.sum(uk * bu, -2, keepdims=True) + np.sum(vk * bv, -2, keepdims=True))
    bu = bu - pu * turned
    bv = bv - pv * turned
    left = rt.skew(rt.mT(uk) @ bu)
    right = rt.skew(rt.mT(vk) @ bv)
    outer = 0.5 * rt.quotient(left - right, rt.sums_between(s))
    inner = rt.diagonal_matrix(np.real(b[s])) + 0.5 * rt.gapped(left + right, s) + outer
    beside = (bu - np.conj(uk) @ (rt.mT(uk) @ bu) - np.conj(ur) @ (rt.mH(bur) @ np.conj(uk))) * row
    below = (bv - np.conj(vk) @ (rt.mT(vk) @ bv) - np.conj(vr) @ (rt.mH(bvr) @ np.conj(vk))) * row
    b[a] += (np.conj(uk) @ inner + beside) @ rt.mT(vk) + np.conj(uk) @ rt.mH(below)


@svdvals.when(lambda a: a.exact == "complex")
def complex_svdvals(a) -> s:
    f = np.linalg.svd(a, full_matrices=False)
    d[s] = np.real(np.diagonal(rt.mH(f[0]) @ d[a] @ rt.mH(f[2]), 0, -2, -1))
    b[a] += np.conj(f[0] @ rt.diagonal_matrix(np.real(b[s])) @ f[2])


@qr.when(lambda a: a.exact == "complex")
def complex_qr(a, mode="reduced") -> (q, r):
    """``q`` turns by a skew Hermitian matrix, so that the diagonal of ``r`` stays real."""
    u = rt.leading(r, rt.thin(q, r))
    moved = rt.solved_right(rt.leading(d[a], q), u)
    inner = rt.mH(q) @ moved
    d[q] = moved - q @ (inner - rt.lower_skew(inner))
    d[r] = rt.mH(q) @ d[a] - rt.lower_skew(inner) @ r
    turned = rt.mT(q) @ b[q]
    back = b[q] + np.conj(q) @ (rt.unlower_skew(turned - b[r] @ rt.mT(r)) - turned)
    b[a] += np.conj(q) @ b[r] + rt.unleading(rt.solved_right(back, rt.mT(u)), a)


@cholesky.when(lambda a: a.exact == "complex")
def complex_cholesky(a) -> y:
    inverse = np.linalg.inv(y)
    d[y] = y @ rt.lower(inverse @ rt.mirrored(d[a]) @ rt.mH(inverse))
    inner = rt.mT(inverse) @ rt.lower(rt.mT(y) @ b[y]) @ np.conj(inverse)
    b[a] += rt.unmirrored(inner)


@pinv.when(lambda a: a.exact == "complex")
def complex_pinv(a, rcond=None) -> p:
    left = rt.complement(a @ p)
    right = rt.complement(p @ a)
    pH = rt.mH(p)
    daH = rt.mH(d[a])
    d[p] = p @ pH @ daH @ left + right @ daH @ pH @ p - p @ d[a] @ p
    bT = rt.mT(b[p])
    b[a] += np.conj(left @ bT @ p @ pH + pH @ p @ bT @ right) - rt.mT(p) @ b[p] @ rt.mT(p)


# The function of the runtime.
@rule(rt.pins, constant=("held",))
def pins(v, where="L", held=True) -> h:
    d[h] = -h * h * np.real(d[v])
    b[v] -= h * h * b[h]
