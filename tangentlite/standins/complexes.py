"""Functions of complex numbers, by those of their sizes and parts.

In: complex arrays. Some are functions of the runtime, which second derivatives call.
Out: stand-ins.
Next: parameters.
"""

from __future__ import annotations

import numpy as np

from tangentlite import runtime as rt
from tangentlite.standins import parameters
from tangentlite.standins.table import stands_for_complex


@stands_for_complex(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    """The norm of the absolute values; spectral norms are norms of the singular values."""
    two = np.ndim(x) == 2 if axis is None else isinstance(axis, tuple) and len(axis) == 2
    if not two or not (ord == 2 or ord == -2 or ord == "nuc"):
        return np.linalg.norm(np.abs(x), ord, axis, keepdims)
    return _spectral(x, ord, (0, 1) if axis is None else axis, keepdims)


def _spectral(x, ord, axes, keepdims):
    s = np.abs(np.linalg.svdvals(np.moveaxis(x, axes, (-2, -1))))  # flat at zero
    if ord == "nuc":
        y = np.sum(s, -1)
    else:
        y = np.max(s, -1) if ord == 2 else np.min(s, -1)
    return np.expand_dims(y, axes) if keepdims else y


@stands_for_complex(np.linalg.vector_norm)
def vector_norm(x, axis=None, keepdims=False, ord=2):
    """The norm of the absolute values."""
    return np.linalg.vector_norm(np.abs(x), axis=axis, keepdims=keepdims, ord=ord)


@stands_for_complex(np.var, np.ndarray.var)
def var(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """The mean square of the distances to the mean."""
    middle = np.mean(a, axis, dtype, keepdims=True, where=where) if mean is None else mean
    away = a - middle
    squares = np.real(away) ** 2 + np.imag(away) ** 2
    count = np.sum(np.broadcast_to(where, np.shape(a)), axis, keepdims=keepdims)
    free = count - (ddof if correction is None else correction)
    return np.sum(squares, axis, keepdims=keepdims, where=where) / free


@stands_for_complex(np.std, np.ndarray.std)
def std(
    a,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
):
    """The root of the variance."""
    square = var(a, axis, dtype, None, ddof, keepdims, where, mean, correction)
    varies = square != 0  # the deviation of what is constant has no derivative: zero
    return np.sqrt(np.where(varies, square, 1.0)) * varies


@stands_for_complex(np.nanvar)
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """The variance of what is there."""
    there = np.logical_and(where, np.logical_not(np.isnan(a)))
    return var(a, axis, dtype, None, ddof, keepdims, there)


@stands_for_complex(np.nanstd)
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """The deviation of what is there."""
    there = np.logical_and(where, np.logical_not(np.isnan(a)))
    return std(a, axis, dtype, None, ddof, keepdims, there)


@stands_for_complex(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """As that of real numbers, where observations may have weights."""
    return parameters.cov(m, y, rowvar, bias, ddof, fweights, aweights)


@stands_for_complex(np.corrcoef)
def corrcoef(x, y=None, rowvar=True):
    """Covariances of what has the deviation one."""
    c = np.atleast_2d(parameters.cov(x, y, rowvar))
    deviations = np.sqrt(np.real(np.diagonal(c)))
    r = c / deviations[:, np.newaxis] / deviations
    return np.squeeze(r) if np.shape(r) == (1, 1) else r


@stands_for_complex(np.linalg.matrix_norm)
def matrix_norm(x, keepdims=False, ord="fro"):
    """As the norm over the last two axes."""
    return norm(x, ord, (-2, -1), keepdims)


@stands_for_complex(np.linalg.cond)
def cond(x, p=None):
    """``norm(x) * norm(inv(x))``; the largest singular value over the smallest."""
    if p is None or p == 2 or p == -2:
        s = np.linalg.svdvals(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return norm(x, p, (-2, -1)) * norm(np.linalg.inv(x), p, (-2, -1))


@stands_for_complex(np.linalg.lstsq)
def lstsq(a, b, rcond=None):
    """For full rank, by the pseudo-inverse."""
    x = np.linalg.pinv(a) @ b
    squares = np.sum(np.abs(b - a @ x) ** 2, 0, keepdims=np.ndim(b) == 1)
    count = np.size(squares) if np.shape(a)[0] > np.shape(a)[1] else 0
    return x, squares[:count], np.linalg.matrix_rank(a), np.linalg.svdvals(a)


@stands_for_complex(rt.turned)
def turned(v, x):
    """How the sign turns when ``x`` moves by ``v``; zero at zero."""
    unit = rt.direction(x)
    return rt.quotient((x != 0) * (np.conj(v) - unit * np.real(unit * v)), np.abs(x))
