"""Legendre's associated functions between -1 and 1, with derivatives of all orders, and how their tables are laid out.

In: points, whole orders, degrees.
Out: numbers or arrays.
Next: library.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.incomplete import like_given
from tangentlite.runtime.singular import QUIET


def legendre(x: Any, m: Any, v: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.lpmv(m, v, x)`` in ``x``.

    >>> round(legendre(1.0, 0, 2), 12), round(legendre(0.5, 1, 1), 12), round(legendre(0.5, 2, 2, 2), 12)
    (3.0, 0.57735026919, -6.0)
    """
    from scipy import special

    order = np.abs(np.asarray(m, float))
    v = np.where(np.asarray(v, float) < 0.0, -1.0 - np.asarray(v, float), v)
    with np.errstate(**QUIET):
        found: Any = 0.0
        for i in range(n + 1):
            for j in range(n + 1 - i):
                share = math.comb(n, i) * math.comb(n - i, j)
                wall = (
                    _power(1.0 - x, 0.5 * order, i) * (-1.0) ** i * _power(1.0 + x, 0.5 * order, j)
                )
                found = found + share * _product(wall, _rise(v, order + (n - i - j), x))
        low = special.poch(v - order + 1.0, 2.0 * order)
        factor = np.where(np.asarray(m) < 0, np.where(low == 0.0, 0.0, 1.0 / low), (-1.0) ** order)
        found = np.where((order > v) & (v == np.floor(v)), 0.0, factor * found)
    return like_given(found, x)


def _rise(v: Any, k: Any, x: Any) -> Any:
    """The k-th derivative of Legendre's function of degree ``v``."""
    from scipy import special

    size = special.poch(v + 1.0 - k, 2.0 * k) / special.poch(1.0, k) * 0.5**k
    value = special.hyp2f1(k - v, v + 1.0 + k, k + 1.0, 0.5 * (1.0 - np.asarray(x)))
    return np.where(size == 0.0, 0.0, size * value)


def _power(base: Any, power: Any, times: int) -> Any:
    falling = np.prod([power - k for k in range(times)], axis=0) if times else 1.0
    return np.where(falling == 0.0, 0.0, falling * np.asarray(base) ** (power - times))


def _product(a: Any, b: Any) -> Any:
    return np.where((a == 0.0) | (b == 0.0), 0.0, a * b)


def degrees(n: int, x: Any, axes: int = 1) -> Any:
    """From 0 to ``n`` along an axis that stands before those of ``x``, and before ``axes - 1`` others.

    >>> degrees(2, 0.5).shape, degrees(1, np.zeros(3), 2).shape
    ((3,), (2, 1, 1))
    """
    return np.arange(n + 1.0).reshape(-1, *(1,) * (np.ndim(x) + axes - 1))


def orders(m: int, x: Any) -> Any:
    """From 0 to ``m`` and from ``-m`` to -1, as SciPy lays tables out: before the axes of ``x``.

    >>> orders(1, 0.5)
    array([ 0.,  1., -1.])
    """
    m = abs(m)
    return np.concatenate([np.arange(m + 1.0), np.arange(-m, 0.0)]).reshape(-1, *(1,) * np.ndim(x))
