"""Logarithms of sums in which an exponential may overflow: what their derivatives tend to.

In: numbers or arrays.
Out: the same, without warnings.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import FLOATS, kept
from tangentlite.runtime.singular import QUIET, as_given
from tangentlite.runtime.times import finite
from tangentlite.runtime.zero import ZERO

__all__ = [
    "exp_share",
    "exp_shared",
    "exp_shares",
    "log1p_of_exp",
    "log_of_exp",
    "log_of_total",
    "sure",
]

FEW = 1000  # elements that are looked at before they divide, rather than behind


def log_of_exp(v: Any, x: Any, c: Any, e: Any, s: Any) -> Any:
    """``v``, the logarithm of ``s``, the sum of ``c`` and of ``e``, which is a multiple of ``exp(x)``.

    >>> log_of_exp(0.7, 0.0, 1.0, 1.0, 2.0)
    0.7
    """
    return v


def log1p_of_exp(v: Any, x: Any, s: Any) -> Any:
    """``v``, the logarithm of the sum of one and of ``s``, which is a multiple of ``exp(x)``.

    >>> log1p_of_exp(0.7, 0.0, 1.0)
    0.7
    """
    return v


def exp_share(e: Any, u: Any) -> Any:
    """``e / u``, what an exponential has of a sum: one where both are infinite, or both zero.

    >>> exp_share(1.0, 4.0), exp_share(float("inf"), float("inf")), exp_share(0.0, 0.0)
    (0.25, 1.0, 1.0)
    """
    if type(u) is float:
        if u and u - u == 0.0:
            return e / u
    elif type(u) is np.ndarray and u.size < FEW and np.count_nonzero(u) == u.size and finite(u):
        return e / u
    if e is ZERO or u is ZERO:
        return ZERO
    with np.errstate(**QUIET):
        found = np.true_divide(e, u)
        if finite(found):
            return as_given(found, e, u)
        whole = np.equal(e, u) & (np.isinf(u) | np.equal(u, 0))
    return as_given(np.where(whole, 1.0, found).astype(found.dtype), e, u)


def log_of_total(v: Any, x: Any, e: Any, s: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """``v``, the logarithm of ``s``, the sum along an axis of ``e``, which is a multiple of ``exp(x)``.

    >>> log_of_total(0.7, np.zeros(2), np.ones(2), 2.0)
    0.7
    """
    return v


def exp_shares(x: Any, e: Any, s: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """What each element of ``e``, a multiple of ``exp(x)``, has of ``s``, the sum along an axis.

    >>> exp_shares(np.log([1.0, 3.0]), np.array([1.0, 3.0]), 4.0)
    array([0.25, 0.75])
    >>> exp_shares(np.array([900.0, 900.0, 0.0]), np.array([np.inf, np.inf, 1.0]), np.inf)
    array([0.5, 0.5, 0. ])
    """
    if _divides(s):
        return e / kept(s, x, axis, keepdims)
    with np.errstate(**QUIET):
        weights = np.exp(x - np.max(x, axis, keepdims=True))
        return weights / np.sum(weights, axis, keepdims=True)


def exp_shared(g: Any, x: Any, e: Any, s: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """``g``, as the elements of ``e``, a multiple of ``exp(x)``, have shares of ``s``, the sum along an axis.

    >>> exp_shared(2.0, np.log([1.0, 3.0]), np.array([1.0, 3.0]), 4.0)
    array([0.5, 1.5])
    """
    if g is not ZERO and _divides(s):
        weight = g / s
        return (weight if type(weight) in FLOATS else kept(weight, x, axis, keepdims)) * e
    return kept(g, x, axis, keepdims) * exp_shares(x, e, s, axis, keepdims)


def _divides(s: Any) -> bool:
    """Whether sums are neither infinite nor zero."""
    if type(s) in FLOATS:
        return bool(s) and s - s == 0.0
    return bool(np.all(s)) and finite(s)


def sure(b: Any, y: Any) -> Any:
    """The adjoint ``b`` of ``y`` where that is finite, else NaN, or zero where nothing flows.

    >>> sure(2.0, 1.0), sure(2.0, float("inf")), sure(0.0, float("inf"))
    (2.0, nan, 0.0)
    """
    if b is ZERO or finite(y):
        return b
    found = np.where(np.isfinite(y) | np.equal(b, 0), b, np.nan)
    return as_given(found.astype(np.result_type(b, y)), b, y)
