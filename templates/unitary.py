"""Factors of complex matrices: unitary where those of real ones are orthogonal.

In: a complex matrix, or a stack of them. Of a Hermitian matrix only the triangle counts that NumPy reads.
Out: rules, variants of those for real matrices.
Next: linalg.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, rule
from tangentlite.templates.decompositions import eigh, eigvalsh, pinv, svd, svdvals
from tangentlite.templates.linalg import cholesky


@eigh.when(lambda a: a.exact == "complex")
def complex_eigh(a, UPLO="L") -> (w, v):
    """As of real matrices; the phase is LAPACK's, which makes one entry of each vector real."""
    moved = rt.mH(v) @ rt.mirrored(d[a], UPLO) @ v
    d[w] = np.real(np.diagonal(moved, 0, -2, -1))
    d[v] = rt.held(v @ rt.gapped(moved, w), v, UPLO)
    turned = rt.gapped(rt.mT(v) @ rt.unheld(b[v], v, UPLO), w)
    inner = rt.diagonal_matrix(np.real(b[w])) + turned
    b[a] += rt.unmirrored(np.conj(v) @ inner @ rt.mT(v), UPLO)


@eigvalsh.when(lambda a: a.exact == "complex")
def complex_eigvalsh(a, UPLO="L") -> w:
    v = np.linalg.eigh(a, UPLO)[1]
    d[w] = np.real(np.diagonal(rt.mH(v) @ rt.mirrored(d[a], UPLO) @ v, 0, -2, -1))
    b[a] += rt.unmirrored(np.conj(v) @ rt.diagonal_matrix(np.real(b[w])) @ rt.mT(v), UPLO)


@svd.when(lambda a: a.exact == "complex")
def complex_svd(a, full_matrices=True, compute_uv=True) -> (u, s, vh):
    """Phases are LAPACK's; of the vectors beside a matrix that is not square only the space counts."""
    turned = rt.svd_phased(d[a], u, s, vh)
    d[u] = turned[0]
    d[s] = rt.svd_moved(d[a], u, s, vh)
    d[vh] = turned[1]
    b[a] += np.conj(rt.rebuilt(np.real(b[s]), u, vh)) + rt.svd_unphased(b[u], b[vh], u, s, vh)


@svdvals.when(lambda a: a.exact == "complex")
def complex_svdvals(a) -> s:
    d[s] = rt.svdvals_moved(d[a], a)
    b[a] += np.conj(rt.svdvals_unmoved(np.real(b[s]), a))


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
    d[p] = p @ rt.mH(p) @ rt.mH(d[a]) @ left + right @ rt.mH(d[a]) @ rt.mH(p) @ p - p @ d[a] @ p
    moved = left @ rt.mT(b[p]) @ p @ rt.mH(p) + rt.mH(p) @ p @ rt.mT(b[p]) @ right
    b[a] += np.conj(moved) - rt.mT(p) @ b[p] @ rt.mT(p)


# The function of the runtime.
@rule(rt.pins, constant=("held",))
def pins(v, where="L", held=True) -> h:
    d[h] = -h * h * np.real(d[v])
    b[v] -= h * h * b[h]
