"""Absolute values of which one side is meant, what rounds the corner of one off, and the slope of a rounded step.

In: numbers or arrays.
Out: the same.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET, as_given
from tangentlite.runtime.times import cancel, finite, times
from tangentlite.runtime.zero import ZERO

__all__ = ["bell", "fall", "falling", "logistic", "rise", "rising", "surplus", "surplus_slope"]


def rising(v: Any, s: Any) -> Any:
    """``v``, which is ``abs(s)``, read from the right at zero.

    >>> rising(2.0, -2.0)
    2.0
    """
    return v


def falling(v: Any, s: Any) -> Any:
    """``v``, which is ``abs(s)``, read from the left at zero.

    >>> falling(2.0, -2.0)
    2.0
    """
    return v


def rise(x: Any) -> Any:
    """The sign of x, one at zero.

    >>> rise(-2.0), rise(0.0), rise(np.array([-0.0, -3.0]))
    (-1.0, 1.0, array([ 1., -1.]))
    """
    if type(x) is float:
        return -1.0 if x < 0.0 else 1.0
    return _signs(np.less(x, 0), x)


def fall(x: Any) -> Any:
    """The sign of x, minus one at zero.

    >>> fall(2.0), fall(0.0)
    (1.0, -1.0)
    """
    if type(x) is float:
        return 1.0 if x > 0.0 else -1.0
    return _signs(np.less_equal(x, 0), x)


def _signs(negative: Any, x: Any) -> Any:
    dtype = np.result_type(np.asarray(x), np.float16)
    return as_given(np.where(negative, -1.0, 1.0).astype(dtype), x)


def surplus(v: Any, s: Any) -> Any:
    """``v``, which is ``log(1 + exp(-abs(s)))``: what the smooth maximum of s and zero is more than the sharp one.

    >>> surplus(0.5, 0.4)
    0.5
    """
    return v


def surplus_slope(x: Any) -> Any:
    """The derivative of ``log(1 + exp(-abs(x)))``: the middle of both sides at zero.

    >>> surplus_slope(0.0) == 0.0, round(surplus_slope(1.0), 6)
    (True, -0.268941)
    """
    with np.errstate(**QUIET):
        falls = np.exp(-np.abs(x))
        return as_given(np.asarray(-np.sign(x) * falls / (1.0 + falls)), x)


def bell(x: Any) -> Any:
    """The derivative of the logistic function.

    >>> bell(0.0), round(bell(-1.0), 6)
    (0.25, 0.196612)
    """
    with np.errstate(**QUIET):
        falls = np.exp(-np.abs(x))
        return as_given(np.asarray(falls / (1.0 + falls) ** 2), x)


def logistic(b: Any, p: Any, t: Any) -> Any:
    """``b`` times the slope of ``p = 1 / (1 + t)`` in minus the logarithm of ``t``, which is zero where ``t`` is inf.

    >>> logistic(2.0, 0.5, 1.0), logistic(2.0, 0.0, float("inf"))
    (0.5, 0.0)
    """
    if type(t) is np.ndarray and b is not ZERO and finite(t):
        return b * (p * (p * t))
    return times(b, cancel(p, cancel(p, t)))
