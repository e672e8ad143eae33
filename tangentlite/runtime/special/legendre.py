"""Legendre's associated functions between -1 and 1, with derivatives of all orders, and how their tables are laid out.

In: points, whole orders, degrees.
Out: numbers or arrays.
Next: library.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET
from tangentlite.runtime.special.incomplete import like_given


def legendre(x: Any, m: Any, v: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.lpmv(m, v, x)`` in ``x``."""
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
    return np.arange(n + 1).reshape(-1, *(1,) * (np.ndim(x) + axes - 1))


def orders(m: int, x: Any) -> Any:
    """From 0 to ``m`` and from ``-m`` to -1, as SciPy lays tables out: before the axes of ``x``.

    >>> orders(1, 0.5)
    array([ 0,  1, -1])
    """
    m = abs(m)
    return np.concatenate([np.arange(m + 1), np.arange(-m, 0)]).reshape(-1, *(1,) * np.ndim(x))


def associated(n: Any, m: Any, z: Any, cut: Any = 2, norm: bool = False, k: int = 1) -> Any:
    """The k-th derivative in ``z`` of ``scipy.special.assoc_legendre_p``; beyond the second by their equation.

    ``(1 - z²)² y'' = 2z (1 - z²) y' - (n (n + 1) (1 - z²) - m²) y``.
    """
    from scipy import special

    found = list(
        special.assoc_legendre_p(n, m, z, branch_cut=cut, norm=norm, diff_n=min(k, 2))[:, None]
    )
    square, rest = np.asarray(n) * np.add(n, 1), np.square(m)
    head = _rises([1.0, 0.0, -2.0, 0.0, 1.0], z)
    slope = _rises([0.0, 2.0, 0.0, -2.0], z)
    with np.errstate(**QUIET):
        wall = [square * w for w in _rises([1.0, 0.0, -1.0], z)]
        wall[0] = wall[0] - rest
        for j in range(1, k - 1):
            total: Any = 0.0
            for i in range(j + 1):
                total = total + math.comb(j, i) * (
                    _at(slope, i) * found[j + 1 - i] - _at(wall, i) * found[j - i]
                )
                if i:
                    total = total - math.comb(j, i) * _at(head, i) * found[j + 2 - i]
            found.append(total / head[0])
    return found[k]


def _rises(powers: list[float], z: Any) -> list[Any]:
    """A polynomial at ``z``, and its derivatives."""
    row = np.polynomial.Polynomial(powers)
    return [row.deriv(k)(z) if k else row(z) for k in range(len(powers))]


def _at(row: list[Any], k: int) -> Any:
    return row[k] if k < len(row) else 0.0


def sphere_slope(n: Any, m: Any, theta: Any, k: int = 1) -> Any:
    """The k-th derivative in ``theta`` of ``scipy.special.sph_legendre_p``: the neighboring orders have it.

    SciPy takes the size of the sine of ``theta``, so that signs turn beyond the poles.
    """
    from scipy import special

    if k == 0:
        return special.sph_legendre_p(n, m, theta)
    side = np.where(np.sin(theta) < 0.0, -0.5, 0.5)
    up = np.sqrt(np.maximum(np.subtract(n, m) * (np.add(n, m) + 1.0), 0.0))
    down = np.sqrt(np.maximum(np.add(n, m) * (np.subtract(n, m) + 1.0), 0.0))
    right, left = sphere_slope(n, m + 1, theta, k - 1), sphere_slope(n, m - 1, theta, k - 1)
    return side * (up * right - down * left)


def harmonic(n: Any, m: Any, theta: Any, phi: Any, k: int) -> Any:
    """The k-th derivative in ``theta`` of ``scipy.special.sph_harm_y``."""
    return sphere_slope(n, m, theta, k)[0] * np.exp(1j * m * phi)
