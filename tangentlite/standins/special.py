"""Functions of SciPy that are Python: sums of exponentials, counts, log-densities.

They are known by their names, so that SciPy is not imported.

In: arguments of SciPy's functions.
Out: stand-ins.
Next: complexes.
"""

from __future__ import annotations

import numpy as np

from tangentlite.standins.table import stands_for


@stands_for("scipy.special.logsumexp")
def logsumexp(a, axis=None, b=None, keepdims=False):
    """The logarithm of a sum of exponentials, weighted by ``b``."""
    top = np.max(a if b is None else _counting(a, b), axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    whole = np.exp(a - top) if b is None else _weighed(a, b, top)
    inner = np.log(np.sum(whole, axis, keepdims=keepdims))
    return inner + (top if keepdims else np.squeeze(top, axis))


@stands_for("scipy.special.logsumexp", return_sign=True)
def signed_logsumexp(a, axis=None, b=None, keepdims=False, return_sign=True):
    """The logarithm of the size of the sum, and its sign."""
    top = np.max(a if b is None else _counting(a, b), axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    parts = np.exp(a - top) if b is None else _weighed(a, b, top)
    whole = np.sum(parts, axis, keepdims=keepdims)
    inner = np.log(np.abs(whole))
    return inner + (top if keepdims else np.squeeze(top, axis)), np.sign(whole)


def _counting(a, b):
    """What has a weight: the rest is not looked for the largest."""
    return np.where(np.equal(b, 0), -np.inf, a)


def _weighed(a, b, top):
    """``b exp(a - top)``, zero where ``b`` is, however large ``a``."""
    most = 0.99 * np.log(np.finfo(np.asarray(top).dtype).max)
    return b * np.exp(np.where(np.equal(b, 0), np.fmin(a - top, most), a - top))


@stands_for("scipy.special.softmax")
def softmax(x, axis=None):
    """Exponentials that sum to one."""
    whole = np.exp(x - np.max(x, axis, keepdims=True))
    return whole / np.sum(whole, axis, keepdims=True)


@stands_for("scipy.special.log_softmax")
def log_softmax(x, axis=None):
    """Logarithms of exponentials that sum to one."""
    away = x - np.max(x, axis, keepdims=True)
    return away - np.log(np.sum(np.exp(away), axis, keepdims=True))


@stands_for("scipy.special.comb", repetition=True)
def comb_with_repetition(N, k, *, exact=False, repetition=True):
    """How many multisets of ``k`` of ``N`` things there are."""
    from scipy import special

    return special.comb(N + k - 1, k)
