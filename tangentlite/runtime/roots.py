"""Roots of sums of squares, and their squares: what is flat, and what is smooth, where the root is zero.

In: numbers or arrays.
Out: the same, without warnings.
Next: the rules.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET, as_given, count, quotient
from tangentlite.runtime.times import finite
from tangentlite.runtime.zero import ZERO


def ratio(b: Any, y: Any) -> Any:
    """``b / y``, zero where ``y`` is: for roots of sums of squares, which are flat where they are zero.

    >>> ratio(3.0, 2.0), ratio(0.0, 0.0), ratio(1.0, 0.0)
    (1.5, 0.0, 0.0)
    """
    if type(y) is float:
        if y:
            return b / y
    elif type(y) is np.ndarray and count(y) == y.size and finite(y):
        return b / y
    if b is ZERO:
        return ZERO
    with np.errstate(**QUIET):
        found = np.true_divide(b, y)
    return as_given(np.where(np.asarray(y) == 0, 0.0, found).astype(found.dtype), b, y)


def smooth(v: Any, s: Any) -> Any:
    """``v``, which is ``s`` up to rounding, but for a derivative that would be lost on the way to it.

    >>> smooth(4.0, 4.0)
    4.0
    """
    return v


def rooted(v: Any, s: Any) -> Any:
    """``v``, the root of a sum of squares ``s``: flat where it is zero.

    >>> rooted(2.0, 4.0)
    2.0
    """
    return v


def rooted_product(v: Any, s: Any) -> Any:
    """``v``, the root of ``s = x @ x``: flat where it is zero, if that is one number.

    >>> rooted_product(2.0, 4.0)
    2.0
    """
    return v


def steep(b: Any, y: Any) -> Any:
    """``ratio(b, y)`` for one number ``y``, ``quotient(b, y)`` for several.

    >>> steep(1.0, 0.0), steep(1.0, np.zeros(2))
    (0.0, array([inf, inf]))
    """
    return ratio(b, y) if np.size(y) == 1 else quotient(b, y)


def radicand(s: Any, r: Any) -> Any:
    """``s``, of which the root is ``r``, in memory of its own.

    >>> radicand(4.0, 2.0)
    4.0
    """
    return +s


def defined(r: Any) -> Any:
    """One where ``r`` is a number, else NaN.

    >>> defined(2.0), defined(float("nan"))
    (1.0, nan)
    """
    if type(r) is float:
        return 1.0 if r == r else r
    one = np.where(np.isnan(r), np.nan, 1.0).astype(np.real(r).dtype)
    return as_given(one, r)


def even_root(v: Any, s: Any, first: int) -> Any:
    """``v``, which is ``spherical(s, first)`` up to rounding, but for its derivative."""
    return v


def spherical(p: Any, n: int) -> Any:
    """``j(r) / r ** n`` with ``p = r ** 2`` and ``j`` the spherical Bessel function of order ``n``.

    That of order -1 is the cosine. Smooth in ``p``, also where that is not positive, with the derivative
    ``-spherical(p, n + 1) / 2``.

    >>> spherical(0.0, 0), round(spherical(np.pi**2 / 4.0, 0), 12), round(spherical(-1.0, -1), 12)
    (1.0, 0.636619772368, 1.543080634815)
    """
    q = np.asarray(p, np.result_type(np.asarray(p), np.float16))
    near = np.abs(q) < 9.0
    small = np.where(near, q, 0.0)
    term = np.ones_like(q) / math.prod(range(2 * n + 1, 0, -2))
    total = term
    for m in range(1, 24):
        term = term * small / (-2.0 * m * (2 * n + 2 * m + 1))
        total = total + term
    far = np.where(near, 9.0, q)
    root = np.sqrt(np.abs(far))
    before = np.where(far > 0.0, np.cos(root), np.cosh(root))
    value = np.where(far > 0.0, np.sin(root), np.sinh(root)) / root
    for k in range(n):
        before, value = value, ((2 * k + 1) * value - before) / far
    return as_given(np.where(near, total, before if n < 0 else value).astype(q.dtype), p)
