"""Noncentral distributions with derivatives of all orders in their shapes: chi-squared, F and Student's.

The first two are mixtures over a Poisson distribution, the last is the mean of a normal one whose scale varies.

In: points, degrees of freedom, what moves the center, orders of derivatives.
Out: numbers or arrays as the arguments are.
Next: carlson.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET
from tangentlite.runtime.special.incomplete import (
    bell,
    beta_density,
    beta_slope,
    gamma_density,
    gamma_slope,
    like_given,
)
from tangentlite.runtime.special.integrals import whole_line


def chi_density(x: Any, df: Any, nc: Any, n: int = 0) -> Any:
    """The density of the noncentral chi-squared distribution, derived ``n`` times in ``df``."""
    half = _wide(x, 0.5), _wide(df, 0.5)
    found = _mixed(nc, lambda j: gamma_density(half[0], half[1] + j, n))
    return like_given(found * 0.5 ** (n + 1), x, df, nc)


def chi_slope(x: Any, df: Any, nc: Any, n: int = 1) -> Any:
    """``scipy.special.chndtr(x, df, nc)``, derived ``n`` times in ``df``."""
    half = _wide(x, 0.5), _wide(df, 0.5)
    found = _mixed(nc, lambda j: gamma_slope(half[0], half[1] + j, n))
    return like_given(found * 0.5**n, x, df, nc)


def ratio_density(
    x: Any, p: Any, q: Any, nc: Any, up: int = 0, i: int = 0, j: int = 0, k: int = 0
) -> Any:
    """The density of the noncentral beta distribution, derived as ``beta_density`` is, and ``k`` times in ``nc``."""
    x_, p_, q_ = _wide(x), _wide(p), _wide(q)
    found = _mixed(nc, lambda at: _steps(k, lambda s: beta_density(x_, p_ + at + s, q_, up, i, j)))
    return like_given(found, x, p, q, nc)


def ratio_slope(x: Any, p: Any, q: Any, nc: Any, i: int = 0, j: int = 0, k: int = 0) -> Any:
    """How much of the noncentral beta distribution is below ``x``, derived as ``beta_slope`` is, and in ``nc``."""
    x_, p_, q_ = _wide(x), _wide(p), _wide(q)
    found = _mixed(nc, lambda at: _steps(k, lambda s: beta_slope(x_, p_ + at + s, q_, i, j)))
    return like_given(found, x, p, q, nc)


def _steps(k: int, part: Callable[[int], Any]) -> Any:
    """Half of the difference to the next, ``k`` times: what a mean over a Poisson distribution is derived by."""
    return sum(math.comb(k, s) * (-1.0) ** (k - s) * part(s) for s in range(k + 1)) * 0.5**k


def student_density(t: Any, df: Any, nc: Any, k: int = 1, n: int = 0) -> Any:
    """The mean of ``s ** k`` times the normal density at ``t * s - nc``, derived ``n`` times in ``df``.

    ``s * s * df`` has a chi-squared distribution; ``k = 1`` is the density of the noncentral Student's.
    """
    if type(nc) is float and nc == 0.0 and n == 0 and k == 1:
        return like_given(_student(t, df), t, df)
    t_, df_, nc_ = _known(t, df, nc)
    spread = df_ + t_ * t_
    top = (t_ * nc_ + np.sqrt((t_ * nc_) ** 2 + 4.0 * df_ * spread)) / (2.0 * spread)
    steep = 2.0 * spread * top * top - t_ * nc_ * top

    def mean(v: Any) -> Any:
        s = np.exp(v)
        return s**k * np.exp(-0.5 * (t_ * s - nc_) ** 2) * _scales(v, df_, n)

    found = _over_scales(mean, np.log(top), steep, df_)
    return like_given(_or_nan(found / math.sqrt(2.0 * math.pi), t, df, nc), t, df, nc)


def _student(t: Any, df: Any) -> Any:
    from scipy import special

    with np.errstate(**QUIET):
        size = np.sqrt(df) * special.beta(0.5, np.multiply(0.5, df))
        return np.exp(-0.5 * np.add(df, 1.0) * np.log1p(np.square(t) / df)) / size


def student_slope(t: Any, df: Any, nc: Any, n: int = 1) -> Any:
    """``scipy.special.nctdtr(df, nc, t)``, derived ``n`` times in ``df``."""
    from scipy import special

    t_, df_, nc_ = _known(t, df, nc)

    def mean(v: Any) -> Any:
        return special.ndtr(t_ * np.exp(v) - nc_) * _scales(v, df_, n)

    found = _over_scales(mean, 0.0 * df_, 2.0 * df_ + nc_ * nc_, df_)
    return like_given(_or_nan(found, t, df, nc), t, df, nc)


def _known(t: Any, df: Any, nc: Any) -> list[Any]:
    """Arguments with one axis more, and others in place of those for which there is no integral."""
    right = _is_known(t, df, nc)
    return [np.where(right, v, 1.0)[..., None] for v in (t, df, nc)]


def _is_known(t: Any, df: Any, nc: Any) -> Any:
    return np.isfinite(t) & np.isfinite(nc) & np.isfinite(df) & np.greater(df, 0.0)


def _or_nan(found: Any, t: Any, df: Any, nc: Any) -> Any:
    """Nothing at infinity, unknown where a parameter has no meaning."""
    far = np.isinf(t) & np.isfinite(nc) & np.isfinite(df) & np.greater(df, 0.0)
    return np.where(_is_known(t, df, nc), found, np.where(far, 0.0, np.nan))


def _over_scales(mean: Callable[[Any], Any], center: Any, steep: Any, df: Any) -> Any:
    with np.errstate(**QUIET):
        scale = np.minimum(1.0 / np.sqrt(steep), 1.0)
        center, scale = np.broadcast_arrays(center, scale)
        reach = 80.0 / float(np.min(df)) + float(np.max(np.abs(center))) + 10.0
        return whole_line(mean, center[..., 0], scale[..., 0], reach)


def _scales(v: Any, df: Any, n: int) -> Any:
    """The density of the logarithm of ``s``, derived ``n`` times in ``df``."""
    from scipy import special

    size = math.log(2.0) + 0.5 * df * np.log(0.5 * df) - special.gammaln(0.5 * df)
    slopes = [0.5 * np.log(0.5 * df) + 0.5 - 0.5 * special.digamma(0.5 * df) + v]
    slopes[0] = slopes[0] - 0.5 * np.exp(2.0 * v)
    for m in range(2, n + 1):
        power = 0.5 * (-1.0) ** m * math.factorial(m - 2) / df ** (m - 1)
        slopes.append(power - 0.5**m * special.polygamma(m - 1, 0.5 * df))
    return np.exp(size + df * (v - 0.5 * np.exp(2.0 * v))) * bell(slopes[:n])[n]


def _mixed(nc: Any, part: Callable[[Any], Any]) -> Any:
    """The mean of ``part`` over a Poisson distribution whose mean is half of ``nc``."""
    from scipy import special

    right = np.isfinite(nc) & np.greater_equal(nc, 0.0)
    mean = 0.5 * np.where(right, nc, 0.0)[..., None]
    low = float(np.min(mean - 12.0 * np.sqrt(mean), initial=np.inf))
    high = float(np.max(mean + 12.0 * np.sqrt(mean), initial=0.0)) + 40.0
    count = np.arange(max(0.0, np.floor(low)), high if np.max(mean, initial=0.0) > 0 else 1.0)
    weight = np.exp(special.xlogy(count, mean) - mean - special.gammaln(count + 1.0))
    with np.errstate(**QUIET):
        return np.where(right, np.sum(weight * part(count), -1), np.nan)


def _wide(x: Any, factor: float = 1.0) -> Any:
    return factor * np.asarray(x, float)[..., None]
