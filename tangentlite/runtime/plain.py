"""What long derivatives are made of: functions that a second derivative reads like helpers of the user.

In: tangents or adjoints, and the values that they belong to.
Out: those of the other side. No function here needs a rule.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.broadcast import broadcast, kept, unbroadcast, unreduce
from tangentlite.runtime.factors import (
    gapped,
    inverted,
    leading,
    lower_skew,
    pins,
    skew,
    solved_right,
    sums_between,
    trailing,
    uncolumn_sums,
    unleading,
    unlower_skew,
)
from tangentlite.runtime.gathering import lengths, window
from tangentlite.runtime.layout import filled
from tangentlite.runtime.matrices import columns, mH, mT, swapped_rows
from tangentlite.runtime.scan import merge, shift, unmerge, unweights, weights
from tangentlite.runtime.singular import quotient


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
    beside = (bu - uk @ along - ur @ (mH(bur) @ uk)) * row
    below = (bv - vk @ across - vr @ (mH(bvr) @ vk)) * row
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


def ended(parts: Any, y: Any, first: Any, last: Any) -> Any:
    """The tangent of a row ``y``: of what was put before it, of the middle, of what was put behind."""
    before, middle, behind = parts
    whole = window(middle, y, lengths(first)) + window(filled(before, first), y, 0)
    return whole + window(filled(behind, last), y, np.size(y) - lengths(last))


def others(x: Any, axis: Any = None, where: Any = True) -> Any:
    """The product of all other factors, for each: zeros are right.

    >>> others(np.array([0.0, 2.0, 3.0]))
    array([6., 0., 0.])
    """
    f = merge(x, axis, where)
    before = shift(np.cumprod(f, axis=-1), -1, 1.0)
    after = np.flip(shift(np.cumprod(np.flip(f, -1), axis=-1), -1, 1.0), -1)
    return unmerge(before * after, x, axis, where)


def heaviness(w: Any, x: Any, axis: Any = None) -> Any:
    """The sum of the weights of ``np.average(x, axis, w)``, with the axes kept."""
    return np.sum(weights(w, x, axis), axis, keepdims=True)


def portions(w: Any, x: Any, axis: Any = None) -> Any:
    """The weights of ``np.average(x, axis, w)``, in the shape of ``x``, with the sum one.

    >>> portions(None, np.zeros(2)), portions(np.array([1.0, 3.0]), np.zeros(2))
    (array([0.5, 0.5]), array([0.25, 0.75]))
    """
    return weights(w, x, axis) / heaviness(w, x, axis)


def unportions(b: Any, w: Any, x: Any, axis: Any = None) -> Any:
    """The adjoint of the weights, of one for those with the sum one."""
    return unbroadcast(unweights(b / heaviness(w, x, axis), w, x, axis), w)


def average_moved(dx: Any, dw: Any, x: Any, y: Any, axis: Any, w: Any, keepdims: bool) -> Any:
    """How the average ``y`` moves with the numbers and the weights."""
    moves = (x - kept(y, x, axis, keepdims)) * weights(dw, x, axis) / heaviness(w, x, axis)
    return np.sum(portions(w, x, axis) * dx + moves, axis, keepdims=keepdims)


def average_unmoved(b: Any, x: Any, y: Any, axis: Any, w: Any, keepdims: bool) -> Any:
    """The adjoint of ``average_moved``: of the numbers and of the weights."""
    back = unreduce(b, x, axis, keepdims)
    rest = x - kept(y, x, axis, keepdims)
    return portions(w, x, axis) * back, unportions(rest * back, w, x, axis)


def ramped(start: Any, stop: Any, t: Any, y: Any, axis: int = 0) -> Any:
    """Between ``start`` and ``stop`` along an axis of ``y``, as ``t`` goes."""
    rows = broadcast((1.0 - t) * start + t * stop, np.moveaxis(y, axis, 0))
    return np.moveaxis(rows, 0, axis)


def unramped(b: Any, step: Any, t: Any, x: Any, axis: int = 0) -> Any:
    """The adjoint of an end ``x`` that has the share ``t``, and a part of each step."""
    return unbroadcast(t * np.moveaxis(b, axis, 0), x) + unbroadcast(step, x)


def symmetric(x: Any) -> Any:
    """A matrix and its transpose."""
    return x + x.T


def unit_rows(rows: Any) -> Any:
    """Rows of length one."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def turned_rows(v: Any, rows: Any) -> Any:
    """How ``unit_rows`` move when ``rows`` move by ``v``: linear in v, and its own adjoint."""
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    z = rows / size
    return (v - z * np.sum(z * v, 1, keepdims=True)) / size
