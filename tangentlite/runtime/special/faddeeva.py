"""Derivatives of all orders of Faddeeva's function, of ``erfcx``, and of the logarithm of the normal distribution.

In: points, orders of derivatives.
Out: numbers or arrays as the points are, to full precision, also where the formulas that define them cancel.
Next: series.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET
from tangentlite.runtime.special.incomplete import like_given
from tangentlite.runtime.special.integrals import half_line


def erfcx_slope(x: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.erfcx``."""
    from scipy import special

    at = np.asarray(x, float)
    near, far = np.where(at < 1.0, at, 1.0), np.where(at < 1.0, 1.0, at)[..., None]
    with np.errstate(**QUIET):
        found = [special.erfcx(near), 2.0 * near * special.erfcx(near) - 2.0 / math.sqrt(math.pi)]
        for m in range(1, n):
            found.append(2.0 * (near * found[m] + m * found[m - 1]))
        above = half_line(
            lambda w: (-2.0 * w) ** n * np.exp(-w * w - 2.0 * far * w),
            1.0 / far[..., 0],
            60.0 / far[..., 0],
        )
    return like_given(np.where(at < 1.0, found[n], 2.0 / math.sqrt(math.pi) * above), x)


def wofz_slope(z: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.wofz``; far from zero by the asymptotic series."""
    from scipy import special

    at = np.asarray(z, complex)
    below = at.imag < 0.0
    up = np.where(below, -at, at)
    far = np.abs(up) > 8.0
    near, away = np.where(far, 0.0, up), np.where(far, up, 8.0)
    found = [special.wofz(near), 2j / math.sqrt(math.pi) - 2.0 * near * special.wofz(near)]
    bells = [np.exp(-(at**2)), -2.0 * at * np.exp(-(at**2))]
    for m in range(1, n):
        for row, point in ((found, near), (bells, at)):
            row.append(-2.0 * (point * row[m] + m * row[m - 1]))
    tail: Any = 0.0
    size = 1j / math.sqrt(math.pi) / away ** (n + 1)
    with np.errstate(**QUIET):
        for k in range(30):
            tail = tail + math.perm(2 * k + n, n) * (-1.0) ** n * size
            size = size * (k + 0.5) / away / away
        whole = np.where(far, tail, found[n])
        whole = np.where(below, 2.0 * bells[n] - (-1.0) ** n * whole, whole)
    return like_given(whole, z + 0j)


def log_ndtr_slope(x: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.log_ndtr``."""
    from scipy import special

    at = np.asarray(x, float)
    with np.errstate(**QUIET):
        t = np.where(at < 0.0, -at, 0.0) / math.sqrt(2.0)
        ratios = [erfcx_slope(t, k) / special.erfcx(t) for k in range(n + 1)]
        logs = [0.0]
        for k in range(1, n + 1):
            rest = sum(math.comb(k - 1, j - 1) * logs[j] * ratios[k - j] for j in range(1, k))
            logs.append(ratios[k] - rest)
        left = (-math.sqrt(0.5)) ** n * logs[n] - (at if n == 1 else 1.0 if n == 2 else 0.0)
        up = np.where(at < 0.0, 0.0, at)
        right = [np.exp(-0.5 * up * up - special.log_ndtr(up)) / math.sqrt(2.0 * math.pi)]
        for k in range(n - 1):
            square = sum(math.comb(k, j) * right[j] * right[k - j] for j in range(k + 1))
            right.append(-(up * right[k] + (k * right[k - 1] if k else 0.0) + square))
    return like_given(np.where(at < 0.0, left, right[n - 1]), x)
