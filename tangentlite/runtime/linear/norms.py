"""Norms of vectors and matrices: the direction in which they grow, and how it bends.

In: real arrays, the order, the axes.
Out: arrays of the same shape.
Next: the rules.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.axes.scan import shares
from tangentlite.runtime.linear.matrices import mT, real_only
from tangentlite.runtime.singular import QUIET
from tangentlite.runtime.zero import ZERO


def norm_slope(x: Any, order: Any = None, axis: Any = None, form: str = "") -> Any:
    """The derivative of ``np.linalg.norm(x, order, axis)``; zero where the norm has a corner at zero.

    ``form``: "vector" or "matrix" where the axes do not tell.

    >>> norm_slope(np.array([3.0, -4.0]), 1), norm_slope(np.array([3.0, -4.0]), np.inf)
    (array([ 1., -1.]), array([ 0., -1.]))
    """
    rows, back = _laid_out(x, order, axis, form)
    if rows.size == 0:
        return np.zeros(np.shape(x), rows.dtype)
    with np.errstate(**QUIET):
        if back["matrix"]:
            return _put_back(_matrix_slope(rows, order), back)
        return _put_back(_vector_slope(rows, order), back)


def norm_bend(x: Any, v: Any, order: Any = None, axis: Any = None, form: str = "") -> Any:
    """How ``norm_slope`` moves when ``x`` moves by ``v``: linear in v, and its own adjoint."""
    if v is ZERO:
        return v
    rows, back = _laid_out(x, order, axis, form)
    moved, _ = _laid_out(v, order, axis, form)
    if rows.size == 0:
        return np.zeros(np.shape(x), moved.dtype)
    with np.errstate(**QUIET):
        if back["matrix"]:
            return _put_back(_matrix_bend(rows, moved, order), back)
        return _put_back(_vector_bend(rows, moved, order), back)


def squared_norm(r: Any, x: Any) -> Any:
    """The square of ``r``, the norm of order two of ``x``."""
    return r * r


def squared_slope(x: Any) -> Any:
    """The derivative of the square of the norm of order two: smooth, if x is a vector.

    >>> squared_slope(np.array([3.0, 0.0]))
    array([6., 0.])
    """
    return 2.0 * x if np.ndim(x) == 1 else 2.0 * np.linalg.norm(x, 2) * norm_slope(x, 2)


def squared_bend(x: Any, v: Any) -> Any:
    """How ``squared_slope`` moves when ``x`` moves by ``v``: linear in v, and its own adjoint."""
    if v is ZERO or np.ndim(x) == 1:
        return 2.0 * v
    slope = norm_slope(x, 2)
    return 2.0 * (slope * np.sum(slope * v) + np.linalg.norm(x, 2) * norm_bend(x, v, 2))


def _laid_out(x: Any, order: Any, axis: Any, form: str) -> tuple[Any, dict[str, Any]]:
    """The vectors in the last axis, the matrices in the last two; and how to undo that."""
    x = np.asarray(real_only(x))
    x = x if x.dtype.kind == "f" else x.astype(float)
    matrix = form == "matrix" or (not form and _is_matrix(x, order, axis))
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if matrix and form == "matrix":
        axes = (-2, -1)
    places = tuple(range(-len(axes), 0))
    rows = np.moveaxis(x, axes, places)
    back = {"matrix": matrix, "axes": axes, "places": places, "shape": rows.shape}
    if not matrix:
        kept = rows.shape[: rows.ndim - len(axes)]
        rows = rows.reshape(*kept, math.prod(rows.shape[len(kept) :]))
    return rows, back


def _is_matrix(x: Any, order: Any, axis: Any) -> bool:
    if order is None:
        return False
    return x.ndim == 2 if axis is None else isinstance(axis, tuple) and len(axis) == 2


def _put_back(rows: Any, back: dict[str, Any]) -> Any:
    return np.moveaxis(rows.reshape(back["shape"]), back["places"], back["axes"])


def _vector_slope(x: Any, order: Any) -> Any:
    size = np.abs(x)
    if order == 0:
        return np.zeros_like(x)
    if order in (np.inf, -np.inf):
        extremum = np.max if order > 0 else np.min
        return np.sign(x) * shares(size, extremum(size, -1), -1)
    p = 2.0 if order is None else float(order)
    if p == 1.0:
        return np.sign(x)
    whole = np.linalg.norm(x, p, -1, True)
    share = np.where(whole == 0, 0.0, size / whole).astype(x.dtype)
    return np.where(share == 0, 0.0, np.sign(x) * share ** (p - 1.0)).astype(x.dtype)


def _vector_bend(x: Any, v: Any, order: Any) -> Any:
    p = 2.0 if order is None else float(order)
    if p in (0.0, 1.0, np.inf, -np.inf):
        return np.zeros_like(v)
    slope = _vector_slope(x, order)
    whole = np.linalg.norm(x, p, -1, True)
    share = np.abs(x) / whole
    along = np.sum(slope * v, -1, keepdims=True)
    first = v if p == 2.0 else np.where(share == 0, 0.0, share ** (p - 2.0)) * v
    return np.where(whole == 0, 0.0, (p - 1.0) * (first - slope * along) / whole).astype(v.dtype)


def _matrix_slope(x: Any, order: Any) -> Any:
    if order in ("fro", "f"):
        return _vector_slope(x.reshape(*x.shape[:-2], -1), 2.0).reshape(x.shape)
    if order in (1, -1, np.inf, -np.inf):
        axis = -2 if order in (1, -1) else -1
        sums = np.sum(np.abs(x), axis, keepdims=True)
        across = -1 if axis == -2 else -2
        extremum = np.max if order > 0 else np.min
        return np.sign(x) * shares(sums, extremum(sums, across, keepdims=True), across, True)
    u, _, vh, weights = _spectrum(x, order)
    return (u * weights[..., np.newaxis, :]) @ vh


def _spectrum(x: Any, order: Any) -> tuple[Any, Any, Any, Any]:
    """Singular vectors and values, and what each value has in the norm."""
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    if order == "nuc":
        return u, s, vh, np.where(s > 0, 1.0, 0.0).astype(s.dtype)
    extremum = np.max if order == 2 else np.min
    hit = np.isclose(s, extremum(s, -1, keepdims=True), rtol=1e-12, atol=0.0) & (s > 0)
    total = np.maximum(np.sum(hit, -1, keepdims=True), 1)
    return u, s, vh, (hit / total).astype(s.dtype)


def _matrix_bend(x: Any, v: Any, order: Any) -> Any:
    """The derivative of ``u w(s) vᵀ``: divided differences of ``w`` in the frame of the vectors."""
    if order in ("fro", "f"):
        flat = (*x.shape[:-2], -1)
        return _vector_bend(x.reshape(flat), v.reshape(flat), 2.0).reshape(x.shape)
    if order in (1, -1, np.inf, -np.inf):
        return np.zeros_like(v)
    u, s, vh, w = _spectrum(x, order)
    inner = mT(u) @ v @ mT(vh)
    down, across = s[..., :, np.newaxis], s[..., np.newaxis, :]
    wd, wa = w[..., :, np.newaxis], w[..., np.newaxis, :]
    even = np.where(wd == wa, 0.0, (wd - wa) / (down - across))
    odd = np.where(wd + wa == 0, 0.0, (wd + wa) / (down + across))
    result = u @ (even * (inner + mT(inner)) / 2.0 + odd * (inner - mT(inner)) / 2.0) @ vh
    ratio = np.where(w == 0, 0.0, w / s)[..., np.newaxis, :]
    beside = v - u @ (mT(u) @ v)
    below = v - (v @ mT(vh)) @ vh
    return result + (beside @ mT(vh) * ratio) @ vh + (u * ratio) @ (mT(u) @ below)
