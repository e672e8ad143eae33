"""How the factors of a matrix move with it: plain functions, as in ``parts``.

In: tangents or adjoints, and the factors.
Out: those of the other side. No function here needs a rule.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.linear.factors import (
    diagonal_matrix,
    gapped,
    inverted,
    leading,
    lower_skew,
    pins,
    skew,
    solved_right,
    spanned,
    sums_between,
    trailing,
    uncolumn_sums,
    unleading,
    unlower_skew,
    unmirrored,
)
from tangentlite.runtime.linear.matrices import columns, mH, mT, swapped_rows
from tangentlite.runtime.singular import quotient

__all__ = [
    "svd_moved",
    "rebuilt",
    "svd_turned",
    "svd_phased",
    "svd_unturned",
    "svd_unphased",
    "svdvals_moved",
    "svdvals_unmoved",
    "held",
    "unheld",
    "sideways",
    "unsideways",
    "qr_moved",
    "qr_unmoved",
    "lstsq_moved",
    "lstsq_unmoved",
    "lu_moved",
    "lu_unmoved",
    "side",
    "eigh_turned",
    "eigh_unturned",
    "eigh_unscaled",
]


def svd_moved(da: Any, u: Any, s: Any, vh: Any) -> Any:
    """How the singular values move when the matrix moves by ``da``."""
    moved = mH(leading(u, s)) @ da @ leading(mH(vh), s)
    return np.real(np.diagonal(moved, 0, -2, -1))


def rebuilt(s: Any, u: Any, vh: Any) -> Any:
    """The matrix that has these singular values and vectors.

    >>> rebuilt(np.array([2.0, 1.0]), np.eye(2), np.eye(2)[::-1])
    array([[0., 2.],
           [1., 0.]])
    """
    count = min(np.shape(u)[-1], np.shape(vh)[-2])
    return (u[..., :count] * np.expand_dims(s, -2)) @ vh[..., :count, :]


def svd_turned(da: Any, u: Any, s: Any, vh: Any) -> Any:
    """How the vectors turn when the matrix moves by ``da``: signs are kept.

    Of the vectors beside a matrix that is not square only the space counts.
    """
    du, beside, dv, below = _turned(da, u, s, vh)
    return np.concatenate([du, beside], -1), mT(np.concatenate([dv, below], -1))


def svd_phased(da: Any, u: Any, s: Any, vh: Any) -> Any:
    """As ``svd_turned``, for complex vectors: their phases are LAPACK's."""
    du, beside, dv, below = _turned(da, u, s, vh)
    pu, pv = _pinned(u, s, vh)
    turn = np.sum(pu * np.imag(du), -2, keepdims=True) + np.sum(pv * np.imag(dv), -2, keepdims=True)
    du = du - 1j * leading(u, s) * turn
    dv = dv - 1j * leading(mH(vh), s) * turn
    return np.concatenate([du, beside], -1), mH(np.concatenate([dv, below], -1))


def svd_unturned(bu: Any, bvh: Any, u: Any, s: Any, vh: Any) -> Any:
    """The adjoint of ``svd_turned``."""
    bv = mT(bvh)
    return _unturned(leading(bu, s), trailing(bu, s), leading(bv, s), trailing(bv, s), u, s, vh)


def svd_unphased(bu: Any, bvh: Any, u: Any, s: Any, vh: Any) -> Any:
    """The adjoint of ``svd_phased``."""
    bv = mH(bvh)
    ku, kv = leading(bu, s), leading(bv, s)
    pu, pv = _pinned(u, s, vh)
    left = np.sum(leading(u, s) * ku, -2, keepdims=True)
    right = np.sum(leading(mH(vh), s) * kv, -2, keepdims=True)
    turn = 1j * np.imag(left + right)
    return _unturned(ku - pu * turn, trailing(bu, s), kv - pv * turn, trailing(bv, s), u, s, vh)


def _turned(da: Any, u: Any, s: Any, vh: Any) -> Any:
    """The motion of the vectors of both sides: those of the values, and those beside them."""
    uk, vk = leading(u, s), leading(mH(vh), s)
    ur, vr = trailing(u, s), trailing(mH(vh), s)
    row = inverted(s, u, mT(vh))
    moved = mH(uk) @ da @ vk
    even = 0.5 * gapped(moved + mH(moved), s)
    odd = 0.5 * quotient(skew(moved), sums_between(s))
    du = uk @ (even + odd) + (da @ vk - uk @ moved) * row
    dv = vk @ (even - odd) + (mH(da) @ uk - vk @ mH(moved)) * row
    beside = -uk @ mH(mH(ur) @ da @ vk * row)
    below = -vk @ mH(mH(vr) @ mH(da) @ uk * row)
    return du, beside, dv, below


def _unturned(bu: Any, bur: Any, bv: Any, bvr: Any, u: Any, s: Any, vh: Any) -> Any:
    """The adjoint of ``_turned``."""
    uk, vk = np.conj(leading(u, s)), np.conj(leading(mH(vh), s))
    ur, vr = np.conj(trailing(u, s)), np.conj(trailing(mH(vh), s))
    row = inverted(s, u, mT(vh))
    along, across = mH(uk) @ bu, mH(vk) @ bv
    left, right = skew(along), skew(across)
    inner = 0.5 * gapped(left + right, s) + 0.5 * quotient(left - right, sums_between(s))
    apart, under = spanned(bur, ur), spanned(bvr, vr)
    beside = (bu - uk @ along - ur @ (mH(apart) @ uk)) * row
    below = (bv - vk @ across - vr @ (mH(under) @ vk)) * row
    return (uk @ inner + beside) @ mH(vk) + uk @ mH(below)


def _pinned(u: Any, s: Any, vh: Any) -> Any:
    """What holds the phases: entries of the shorter vectors."""
    wide = np.shape(u)[-2] < np.shape(vh)[-1]
    return pins(leading(u, s), held=wide), pins(leading(mH(vh), s), held=not wide)


def svdvals_moved(da: Any, a: Any) -> Any:
    """How the singular values of ``a`` move when it moves by ``da``."""
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return svd_moved(da, u, s, vh)


def svdvals_unmoved(bs: Any, a: Any) -> Any:
    """The adjoint of ``svdvals_moved``."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return rebuilt(bs, u, vh)


def held(x: Any, v: Any, side: str = "L") -> Any:
    """What is left of ``x``, the motion of vectors ``v``, if their phase stays."""
    return x - 1j * v * np.sum(pins(v, side) * np.imag(x), -2, keepdims=True)


def unheld(b: Any, v: Any, side: str = "L") -> Any:
    """The adjoint of ``held(x, v)``."""
    return b - 1j * pins(v, side) * np.imag(np.sum(v * b, -2, keepdims=True))


def sideways(x: Any, v: Any) -> Any:
    """What is left of ``x``, the motion of eigenvectors ``v``, if their length and phase stay."""
    along = np.real(np.sum(np.conj(v) * x, -2, keepdims=True))
    if not np.iscomplexobj(v):
        return x - v * along
    return x - v * (along + 1j * np.sum(pins(v, "largest") * np.imag(x), -2, keepdims=True))


def unsideways(b: Any, v: Any) -> Any:
    """The adjoint of ``sideways(x, v)``."""
    along = np.sum(v * b, -2, keepdims=True)
    if not np.iscomplexobj(v):
        return b - v * along
    return b - np.real(along) * np.conj(v) - 1j * np.imag(along) * pins(v, "largest")


def qr_moved(da: Any, q: Any, r: Any) -> Any:
    """How both factors move when ``q r`` moves by ``da``: the diagonal of ``r`` stays real."""
    moved = solved_right(leading(da, q), leading(r, q))
    inner = mH(q) @ moved
    turned = lower_skew(inner)
    return moved - q @ (inner - turned), mH(q) @ da - turned @ r


def qr_unmoved(bq: Any, br: Any, q: Any, r: Any) -> Any:
    """The adjoint of ``qr_moved``."""
    turned = mT(q) @ bq
    back = bq + np.conj(q) @ (unlower_skew(turned - br @ mT(r)) - turned)
    return np.conj(q) @ br + unleading(solved_right(back, mT(leading(r, q))), r)


def lstsq_moved(da: Any, dy: Any, a: Any, y: Any, x: Any) -> Any:
    """How the solution ``x`` of least squares moves, for full rank."""
    p = np.linalg.pinv(a)
    back = da.T @ (p.T @ x)
    return p @ (dy - da @ x + p.T @ (da.T @ (y - a @ x))) + back - p @ (a @ back)


def lstsq_unmoved(bx: Any, squares: Any, a: Any, y: Any, x: Any) -> Any:
    """The adjoint: of the matrix and of the right-hand side. ``squares``: the adjoint of the residuals."""
    p, rest = np.linalg.pinv(a), y - a @ x
    back = p.T @ bx
    whole = back + 2.0 * rest * uncolumn_sums(squares, rest)
    left = columns(rest, y) @ mT(columns(p @ back, y)) - columns(whole, y) @ mT(columns(x, y))
    return left + columns(p.T @ x, y) @ mT(columns(bx - a.T @ back, y)), whole


def lu_moved(da: Any, lu: Any, piv: Any) -> Any:
    """How both factors move, in one matrix."""
    lower, upper = np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype), np.triu(lu)
    inner = np.linalg.solve(lower, solved_right(da[swapped_rows(piv)], upper))
    return lower @ np.tril(inner, -1) + np.triu(inner) @ upper


def lu_unmoved(b: Any, lu: Any, piv: Any) -> Any:
    """The adjoint of ``lu_moved``."""
    lower, upper = np.tril(lu, -1) + np.eye(len(lu), dtype=lu.dtype), np.triu(lu)
    left = np.tril(mT(lower) @ np.tril(b, -1), -1) + np.triu(np.triu(b) @ mT(upper))
    back = solved_right(np.linalg.solve(mT(lower), left), mT(upper))
    return back[np.argsort(swapped_rows(piv))]


def side(lower: bool) -> str:
    """The triangle of a symmetric matrix that is read, as NumPy names it."""
    return "L" if lower else "U"


def eigh_turned(moved: Any, dc: Any, w: Any, v: Any) -> Any:
    """How the vectors turn, whose lengths in a matrix stay that moves by ``dc``."""
    return v @ (gapped(moved, w) - 0.5 * diagonal_matrix(np.diagonal(mT(v) @ dc @ v)))


def eigh_unturned(bw: Any, bv: Any, w: Any, v: Any) -> Any:
    """The adjoint of ``vᵀ da v``."""
    return diagonal_matrix(bw) + gapped(mT(v) @ bv, w)


def eigh_unscaled(back: Any, bv: Any, w: Any, v: Any, triangle: str) -> Any:
    """The adjoint of the second matrix, with the other sign."""
    length = 0.5 * diagonal_matrix(np.diagonal(mT(v) @ bv))
    return unmirrored(v @ (back * w + length) @ mT(v), triangle)
