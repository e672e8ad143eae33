"""Derivatives of all orders of ``sinc`` and of the logarithm of the gamma function.

In: a number, or an array for ``sinc``.
Out: the derivative, to full precision, also where the quotients that define it cancel.
Next: choices.
"""

from __future__ import annotations

import math
import sys
from functools import cache
from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import FLOATS
from tangentlite.runtime.singular import NUMBERS, QUIET, as_given, is_double
from tangentlite.runtime.zero import ZERO

NEAR = 300.0
LARGEST = math.log(sys.float_info.max)
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


@cache
def quadrature() -> tuple[Any, Any]:
    """Nodes and weights of Gauss and Legendre on the interval from 0 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    return (nodes + 1.0) / 2.0, weights / 2.0


def dsinc(x: Any, n: int = 1) -> Any:
    """The n-th derivative of ``np.sinc``.

    >>> round(float(dsinc(0.5)), 6), round(float(dsinc(0.0, 2)), 6)
    (-1.27324, -3.289868)
    """
    if x is ZERO:
        return dsinc(0.0, n)
    far = np.where(np.abs(x) < 1.0, 1.0, x)
    result = np.sinc(far)
    for k in range(1, n + 1):
        wave = np.sin(np.pi * far + 0.5 * k * np.pi)
        result = (math.pi ** (k - 1) * wave - k * result) / far
    nodes, weights = quadrature()
    angle = np.multiply.outer(np.where(np.abs(x) < 1.0, x, 0.0), np.pi * nodes)
    near = np.cos(angle + 0.5 * n * np.pi) @ (weights * (np.pi * nodes) ** n)
    chosen = np.where(np.abs(x) < 1.0, near, result)
    return chosen.astype(getattr(x, "dtype", float))[()] if np.ndim(x) == 0 else _as(chosen, x)


def _as(value: Any, x: Any) -> Any:
    dtype = np.asarray(x).dtype
    return value.astype(dtype) if dtype.kind == "f" else value


def polygamma(x: float, n: int = 0) -> float:
    """The derivative of order ``n + 1`` of ``math.lgamma``.

    >>> round(polygamma(1.0), 12), round(polygamma(1.0, 1), 12)
    (-0.577215664902, 1.644934066848)
    """
    x, near = float(x), 0.0
    while x < 14.0 + n:
        near += x ** -(n + 1)
        x += 1.0
    tail = 1.0 / (2.0 * x ** (n + 1)) * math.factorial(n)
    tail += math.log(x) * -1.0 if n == 0 else math.factorial(n - 1) / x**n
    for k, number in enumerate(BERNOULLI, 1):
        ratio = math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        tail += number * ratio / x ** (2 * k + n)
    sign = -1.0 if n % 2 == 0 else 1.0
    return sign * (tail + math.factorial(n) * near)


def bessel(x: Any, n: int = 0) -> Any:
    """The modified Bessel function of the first kind of order ``n``; of order 0 it is ``np.i0``.

    >>> round(float(bessel(1.0, 1)), 12)
    0.565159103992
    """
    if x is ZERO:
        return bessel(0.0, n)
    angles = np.pi * (np.arange(256) + 0.5) / 256
    result = np.mean(np.exp(np.multiply.outer(x, np.cos(angles))) * np.cos(n * angles), axis=-1)
    dtype = np.asarray(x).dtype
    return result.astype(dtype) if dtype.kind == "f" and np.ndim(x) else result


def octave(m: Any, e: Any) -> Any:
    """``2 ** -e`` in the precision of ``m``: what ``frexp`` multiplies by.

    >>> octave(0.75, 2), octave(np.float32(0.75), 1).dtype
    (0.25, dtype('float32'))
    """
    if type(m) is float:
        return math.ldexp(1.0, -int(e))
    return np.ldexp(np.ones((), np.asarray(m).dtype), np.negative(e))


def ramp(num: int, endpoint: bool, y: Any, axis: int = 0) -> Any:
    """From 0 to 1 as ``np.linspace(…, num, endpoint)`` goes, against the rows of ``y`` along ``axis``.

    >>> ramp(2, True, np.zeros((2, 3)))
    array([[0.],
           [1.]])
    """
    dtype = np.asarray(y).dtype
    t = np.linspace(0.0, 1.0, num, endpoint, dtype=dtype if dtype.kind == "f" else float)
    return t.reshape(-1, *(1,) * (np.ndim(y) - 1))


def intervals(num: int, endpoint: bool) -> float:
    """How many steps there are between the ends of ``np.linspace``."""
    return float(num - 1 if endpoint else num)


def share(x: Any, y: Any, base: float = math.e) -> Any:
    """What ``base ** x`` has of ``base ** x + base ** y``; a half where both are infinite.

    >>> share(1.0, 1.0), share(2.0, -np.inf), share(-np.inf, -np.inf)
    (0.5, 1.0, 0.5)
    """
    if base == math.e and type(x) in FLOATS and type(y) in FLOATS:
        found = _share(float(x), float(y))
        return found if type(x) is type(y) is float else np.float64(found)
    if np.ndarray in (type(x), type(y)) and base == math.e and _is_near(x) and _is_near(y):
        return 1.0 / (1.0 + np.exp(y - x))
    with np.errstate(**QUIET):
        found = 1.0 / (1.0 + np.power(base, np.subtract(y, x)))
    return as_given(np.where(np.equal(x, y), 0.5, found).astype(found.dtype), x, y)


def _share(x: float, y: float) -> float:
    """The share of one number; ``math.exp`` raises where that of NumPy is infinite."""
    if x == y:
        return 0.5
    rise = y - x
    return 0.0 if rise > LARGEST else 1.0 / (1.0 + math.exp(rise))


def _is_near(x: Any) -> bool:
    """Whether the exponential of a difference of two such numbers is one, too."""
    if type(x) in NUMBERS:
        return abs(x) < NEAR  # type: ignore[no-any-return]
    return is_double(x) and np.vdot(x, x) < NEAR * NEAR


def either(first: Any, second: Any) -> Any:
    """The first that is not None."""
    return second if first is None else first


def zeta_slope(x: Any, q: Any = None, n: int = 1) -> Any:
    """The n-th derivative of Hurwitz' zeta function in x (Euler and Maclaurin); ``q`` is one if not given.

    >>> round(zeta_slope(2.0), 12), round(zeta_slope(2.0, 1.0, 0), 12)
    (-0.937548254316, 1.644934066848)
    """
    s, q = np.asarray(x, float), np.asarray(1.0 if q is None else q, float)
    first = np.expand_dims(q, -1) + np.arange(14)
    total = np.sum((-np.log(first)) ** n * first ** -np.expand_dims(s, -1), -1)
    t = q + 14.0
    powers: list[Any] = [0.0] * n + [(-1.0) ** n]  # of the logarithm, a factor of t ** -s
    area, level = powers, s - 1.0
    for k in range(n + 1):
        total = total + _at(area, t) * t ** (1.0 - s) / level ** (k + 1)
        area = [j * area[j] for j in range(1, len(area))] or [0.0]
    total = total + 0.5 * _at(powers, t) * t**-s
    for k, bernoulli in enumerate(BERNOULLI, 1):
        for _ in range(1 if k == 1 else 2):
            rise = [*(j * powers[j] for j in range(1, len(powers))), 0.0]
            powers = [a - s * b for a, b in zip(rise, powers)]
            s = s + 1.0
        total = total - bernoulli / math.factorial(2 * k) * _at(powers, t) * t**-s
    return float(total) if np.ndim(total) == 0 else _as(total, x if np.ndim(x) else total)


def _at(powers: list[Any], t: Any) -> Any:
    return sum(c * np.log(t) ** j for j, c in enumerate(powers))
