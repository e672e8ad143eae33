"""Functions given by series, with derivatives of all orders: statistics of Kolmogorov and Smirnov, Dirichlet's kernel.

In: points, counts, orders of derivatives.
Out: numbers or arrays as the points are.
Next: legendre.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET
from tangentlite.runtime.special.incomplete import bell, like_given


def kolmogorov_slope(x: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.kolmogorov``.

    >>> round(kolmogorov_slope(1.0), 10)
    -1.0719485584
    """
    at = np.asarray(x, float)[..., None]
    k = np.arange(1.0, 40.0)
    with np.errstate(**QUIET):
        far = np.where(at > 1.0, at, 1.0)
        waves = [2.0 * (-1.0) ** (k - 1.0) * np.exp(-2.0 * k * k * far * far)]
        for m in range(n):
            before = m * waves[m - 1] if m else 0.0
            waves.append(-4.0 * k * k * (far * waves[m] + before))
        near = np.where(at > 1.0, 1.0, at)
        c = ((2.0 * k - 1.0) * math.pi) ** 2 / 8.0
        slopes = [_dual_slope(near, c, m) for m in range(n)]
        dual = np.sqrt(2.0 * math.pi) / near * np.exp(-c / near**2) * bell(slopes)[n]
        found = np.where(at > 1.0, waves[n], np.where(near > 0.01, -dual, 0.0))
    return like_given(np.sum(found, -1), x)


def _dual_slope(x: Any, c: Any, m: int) -> Any:
    """The m-th derivative of ``2 c / x ** 3 - 1 / x``."""
    sign = (-1.0) ** m
    return sign * (c * math.factorial(m + 2) / x ** (m + 3) - math.factorial(m) / x ** (m + 1))


def smirnov_slope(n: Any, x: Any, order: int = 1) -> Any:
    """The derivative of ``scipy.special.smirnov(n, x)`` in ``x``."""
    from scipy import special

    count = np.where(np.isfinite(n), np.floor(n), 0.0)[..., None]
    at = np.asarray(x, float)[..., None]
    j = np.arange(1.0, float(np.max(count, initial=0.0)) + 1.0)
    size = special.gammaln(count + 1.0) - special.gammaln(j + 1.0)
    with np.errstate(**QUIET):
        size = np.where(j <= count, size - special.gammaln(count - j + 1.0), -np.inf)
        up, down = at + j / count, 1.0 - at - j / count
        found = _derived(1.0 - at, count, order, 0.0)[..., 0] * (-1.0) ** order
        for b in range(order + 1):
            a, rest = order - b, _derived(down, count - j, b, size) * (-1.0) ** b
            first = at * _derived(up, j - 1.0, a, 0.0)
            if a:
                first = first + a * _derived(up, j - 1.0, a - 1, 0.0)
            found = found + math.comb(order, b) * np.sum(
                np.where(down <= 0.0, 0.0, first * rest), -1
            )
    return like_given(found, x)


def _derived(base: Any, power: Any, times: int, size: Any) -> Any:
    """The derivative of ``exp(size) * base ** power``; zero where the power runs out."""
    from scipy import special

    falling = np.prod([power - k for k in range(times)], axis=0) if times else 1.0
    value = np.exp(special.xlogy(power - times, base) + size)
    return np.where(falling == 0.0, 0.0, falling * value)


def diric_slope(x: Any, n: int, order: int = 1) -> Any:
    """The derivative of ``scipy.special.diric(x, n)`` in ``x``: a sum of cosines.

    >>> round(diric_slope(0.3, 2), 12), round(-0.5 * math.sin(0.15), 12)
    (-0.074719066237, -0.074719066237)
    """
    at = np.asarray(x, float)
    with np.errstate(**QUIET):
        found: Any = 0.0
        for k in range(int(n)):
            rate = 0.5 * (n - 1) - k
            found = found + rate**order * np.cos(rate * at + 0.5 * math.pi * order) / n
    return like_given(found + 0.0 * at, x)


KINDS = {"i0": (-1.0, 0.0), "j0": (1.0, 0.0), "struve": (1.0, 2.0 / math.pi)}


def divided(x: Any, kind: str, n: int = 0) -> Any:
    """The n-th derivative of ``(i0(x) - 1) / x``, ``(1 - j0(x)) / x`` or ``struve(0, x) / x``.

    What is divided solves ``x f'' + f' + sign x f = constant``.
    """
    at = np.asarray(x, float)
    near, far = np.where(np.abs(at) < 1.5, at, 0.0), np.where(np.abs(at) < 1.5, 1.5, at)
    sign, constant = KINDS[kind]
    whole = _solutions(far, kind, n)
    quotients = [whole[0] / far]
    for m in range(1, n + 1):
        quotients.append((whole[m] - m * quotients[m - 1]) / far)
    power, size = (0, constant) if kind == "struve" else (1, 0.25)
    close: Any = 0.0
    for _ in range(30):
        if power >= n:
            close = close + size * math.perm(power, n) * near ** (power - n)
        power += 2
        size *= -sign / (power + 1) ** 2
    return like_given(np.where(np.abs(at) < 1.5, close, quotients[n]), x)


def _solutions(x: Any, kind: str, n: int) -> list[Any]:
    """What is divided, and its derivatives."""
    from scipy import special

    sign, constant = KINDS[kind]
    if kind == "struve":
        found = [special.struve(0, x), constant - special.struve(1, x)]
    elif kind == "i0":
        found = [special.i0(x), special.i1(x)]
    else:
        found = [special.j0(x), -special.j1(x)]
    for m in range(n - 1):
        lower = constant if m == 0 else -sign * m * found[m - 1]
        found.append((lower - (m + 1) * found[m + 1] - sign * x * found[m]) / x)
    if kind == "struve":
        return found
    found[0] = found[0] - 1.0
    return found if kind == "i0" else [-f for f in found]
