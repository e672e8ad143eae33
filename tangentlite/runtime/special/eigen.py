"""Eigenvalues and vectors of a symmetric matrix that moves along a line: Mathieu's and spheroidal functions.

In: orders, the parameter, how often it is derived.
Out: numbers or arrays.
Next: legendre.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.special.incomplete import like_given


def moved(matrix: Any, towards: Any, index: int, n: int) -> tuple[list[float], list[Any]]:
    """Derivatives up to the n-th of an eigenvalue of ``matrix`` along ``towards``, and of its unit vector.

    >>> moved(np.diag([1.0, 2.0]), np.eye(2), 1, 1)[0]
    [2.0, 1.0]
    """
    sizes, vectors = np.linalg.eigh(matrix)
    value, vector = sizes[index], vectors[:, index]
    gaps = np.delete(sizes, index) - value
    others = np.delete(vectors, index, 1)
    values, rows = [float(value)], [vector]
    for k in range(1, n + 1):
        rest = -k * (towards @ rows[k - 1])
        for j in range(1, k):
            rest = rest + math.comb(k, j) * values[j] * rows[k - j]
        values.append(-float(vector @ rest))
        row = others @ ((others.T @ rest) / gaps)
        size = sum(math.comb(k, j) * rows[j] @ rows[k - j] for j in range(1, k))
        rows.append(row - 0.5 * size * vector)
    return values, rows


def _mathieu(m: int, q: float, odd: bool, n: int) -> tuple[list[float], list[Any]]:
    """Of the differential equation: its matrix in cosines, or sines, of the parity of ``m``."""
    count = int(30 + m + 3.0 * math.sqrt(abs(q)))
    first = (2 if odd else 0) if m % 2 == 0 else 1
    rates = first + 2.0 * np.arange(count)
    towards = np.diag(np.ones(count - 1), 1)
    towards = towards + towards.T
    if first == 0:
        towards[0, 1] = towards[1, 0] = math.sqrt(2.0)
    if first == 1:
        towards[0, 0] = -1.0 if odd else 1.0
    return moved(np.diag(rates**2) + q * towards, towards, (m - first) // 2, n)


def mathieu_value(m: Any, q: Any, odd: bool = False, n: int = 0) -> Any:
    """The n-th derivative in ``q`` of ``scipy.special.mathieu_a(m, q)``; of ``mathieu_b`` where ``odd``.

    >>> round(mathieu_value(0, 0.1, n=1), 6)
    -0.099782
    """

    def one(m: Any, q: Any) -> float:
        return _mathieu(int(m), float(q), odd, n)[0][n] if _known(m - odd, q) else math.nan

    return like_given(np.vectorize(one, otypes=[float])(m, q), q)


def _known(m: Any, q: Any) -> bool:
    """Whether there is an order, and a parameter."""
    return bool(np.isfinite(m + q) and m >= 0 and m == int(m))


def mathieu_row(m: int, q: Any, count: int, odd: bool = False, n: int = 0) -> Any:
    """The first ``count`` of ``scipy.special.mathieu_even_coef(m, q)``, or odd ones, derived ``n`` times in ``q``.

    >>> np.round(mathieu_row(2, 0.0, 2), 6)
    array([0., 1.])
    """
    rows = _mathieu(int(m), float(q), odd, n)[1]
    even = m % 2 == 0 and not odd
    scale = np.where(even & (np.arange(len(rows[0])) == 0), math.sqrt(0.5), 1.0)
    near = np.sum(rows[0] * scale) if not odd else np.sum(rows[0] * (np.arange(len(rows[0])) + 1))
    found = np.zeros(count)
    size = min(count, len(rows[n]))
    found[:size] = (rows[n] * scale)[:size] * (1.0 if near > 0 else -1.0)
    return found


def mathieu(m: Any, q: Any, x: Any, odd: bool = False, i: int = 0, j: int = 0) -> Any:
    """``scipy.special.mathieu_cem(m, q, x)[0]``, or ``sem``, derived ``i`` times in ``q``, ``j`` times in radians.

    >>> round(mathieu(1, 0.0, 60.0), 12)
    0.5
    """

    def one(m: Any, q: Any, x: Any) -> float:
        if not _known(m - odd, q):
            return math.nan
        first = (2 if odd else 0) if int(m) % 2 == 0 else 1
        size = int(30 + m + 3.0 * math.sqrt(abs(q)))
        rates = first + 2.0 * np.arange(size)
        turn = 0.5 * math.pi * (j - (1 if odd else 0))
        row = mathieu_row(int(m), float(q), size, odd, i)
        return float(np.sum(row * rates**j * np.cos(rates * math.radians(x) + turn)))

    return like_given(np.vectorize(one, otypes=[float])(m, q, x), q, x)


def spheroidal_value(m: Any, n: Any, c: Any, oblate: bool = False, order: int = 0) -> Any:
    """The derivative in ``c`` of ``scipy.special.pro_cv(m, n, c)``; of ``obl_cv`` where ``oblate``.

    >>> round(spheroidal_value(0, 0, 0.1, order=1), 6)
    0.066607
    """

    def one(m: Any, n: Any, c: Any) -> float:
        if not (_known(m, c) and _known(n - m, c)):
            return math.nan
        degrees = m + (n - m) % 2 + 2.0 * np.arange(int(30 + n + 2.0 * abs(c)))
        towards = _squares(degrees, float(m))
        sign = -1.0 if oblate else 1.0
        matrix = np.diag(degrees * (degrees + 1.0)) + sign * c * c * towards
        values = moved(matrix, sign * towards, int(n - m) // 2, order)[0]
        return _of_square(values, float(c), order)

    return like_given(np.vectorize(one, otypes=[float])(m, n, c), c)


def _squares(degree: Any, m: float) -> Any:
    """The matrix of ``x * x`` in Legendre's functions of every other degree, which are of unit size."""

    def beside(k: Any) -> Any:  # x takes degree k - 1 to k by this
        return np.sqrt((k * k - m * m) / (4.0 * k * k - 1.0))

    up = beside(degree[:-1] + 1.0) * beside(degree[:-1] + 2.0)
    main = beside(degree + 1.0) ** 2 + np.where(
        degree > m, beside(np.maximum(degree, 1.0)) ** 2, 0.0
    )
    return np.diag(main) + np.diag(up, 1) + np.diag(up, -1)


def _of_square(values: list[float], c: float, n: int) -> float:
    """The n-th derivative in ``c`` of what has these derivatives in ``c * c``."""
    total = values[0] if n == 0 else 0.0
    for k in range((n + 1) // 2, n + 1) if n else ():
        share = math.factorial(n) / (math.factorial(2 * k - n) * math.factorial(n - k))
        total += share * (2.0 * c) ** (2 * k - n) * values[k]
    return total
