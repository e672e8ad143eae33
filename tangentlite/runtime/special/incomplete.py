"""The densities of the gamma and the beta distribution, and how much is below, with derivatives in their shapes.

In: points, shapes, orders of derivatives.
Out: numbers or arrays as the arguments are.
Next: noncentral.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

from tangentlite.runtime.singular import QUIET, as_given
from tangentlite.runtime.special.integrals import half_line


def gamma_density(x: Any, a: Any, n: int = 0) -> Any:
    """``x ** (a - 1) * exp(-x) / Γ(a)``, its n-th derivative in ``a``; also where that is a limit."""
    from scipy import special

    with np.errstate(**QUIET):
        found = _gamma(special.xlogy(np.subtract(a, 1.0), x) - x, np.log(x), a, n)
    return like_given(_limits(found, np.equal(x, 0.0) | np.isinf(x)), x, a)


def _gamma(power: Any, log: Any, a: Any, n: int) -> Any:
    """The n-th derivative in ``a`` of ``exp(power) / Γ(a)``, where the power has the slope ``log``."""
    size, parts = reciprocal(a, n)
    terms = [comb(n, k) * _log_power(log, k) * parts[n - k] for k in range(n + 1)]
    return np.exp(power - size) * sum(terms)


def gamma_slope(x: Any, a: Any, n: int = 1) -> Any:
    """The n-th derivative of ``scipy.special.gammainc(a, x)`` in ``a``."""
    from scipy import special

    if n == 0:
        return like_given(special.gammainc(a, x), x, a)
    at, shape = np.broadcast_arrays(np.asarray(x, float), np.asarray(a, float))
    low = (at < np.maximum(shape, 1.0)) & (shape > 0.0)
    first, wide = np.where(low, at, 1.0), np.where(low, 1.0, at)
    scale = 1.0 / np.sqrt(np.maximum(shape, 1.0))

    def part(start: Any, sign: float) -> Callable[[Any], Any]:
        def integrand(w: Any) -> Any:
            log = np.log(start)[..., None] + sign * w
            return _gamma(shape[..., None] * log - np.exp(log), log, shape[..., None], n)

        return integrand

    with np.errstate(**QUIET):
        left = half_line(part(first, -1.0), scale, 60.0 / shape + 12.0 * scale)
        right = half_line(part(wide, 1.0), 1.0 / np.sqrt(np.maximum(wide, 1.0)), 8.0)
        found = np.where(at == 0.0, 0.0, np.where(low, left, -right))
    return like_given(np.where((at < 0.0) | (shape < 0.0), np.nan, found), x, a)


def beta_density(x: Any, p: Any, q: Any, up: int = 0, i: int = 0, j: int = 0) -> Any:
    """``x**(p - 1) * (1 - x)**(q - 1) * Γ(p + q + up) / (Γ(p) Γ(q))``, derived i times in p, j times in q."""
    from scipy import special

    with np.errstate(**QUIET):
        power = special.xlogy(np.subtract(p, 1.0), x) + special.xlog1py(np.subtract(q, 1.0), -x)
        found = _beta(power, np.log(x), np.log1p(-x), p, q, (up, i, j))
    return like_given(_limits(found, np.equal(x, 0.0) | np.equal(x, 1.0)), x, p, q)


def _beta(power: Any, log: Any, rest: Any, p: Any, q: Any, orders: tuple[int, int, int]) -> Any:
    """Derivatives in p and q of ``exp(power) Γ(p + q + up) / (Γ(p) Γ(q))``, of slopes ``log``, ``rest``."""
    from scipy import special

    up, i, j = orders
    (left, ps), (right, qs) = reciprocal(p, i), reciprocal(q, j)
    whole = np.add(p, q) + up
    sums = bell([special.polygamma(k, whole) for k in range(i + j)])
    inner, outer = _shares(log, ps, i), _shares(rest, qs, j)
    terms = [a * b * sums[k + m] for k, a in enumerate(inner) for m, b in enumerate(outer)]
    return np.exp(power + special.gammaln(whole) - left - right) * sum(terms)


def beta_slope(x: Any, a: Any, b: Any, i: int = 1, j: int = 0) -> Any:
    """``scipy.special.betainc(a, b, x)``, derived ``i`` times in a and ``j`` times in b."""
    from scipy import special

    if i == j == 0:
        return like_given(special.betainc(a, b, x), x, a, b)
    at, p, q = np.broadcast_arrays(*(np.asarray(v, float) for v in (x, a, b)))
    low = at * (p + q) <= p
    found = np.zeros(at.shape)
    if low.any():
        found = np.where(low, _below(np.where(low, at, 0.5), p, q, i, j), found)
    if not low.all():
        found = np.where(low, found, -_below(np.where(low, 0.5, 1.0 - at), q, p, j, i))
    wrong = (at < 0.0) | (at > 1.0) | (p <= 0.0) | (q <= 0.0)
    return like_given(np.where(wrong, np.nan, found), x, a, b)


def _below(x: Any, p: Any, q: Any, i: int, j: int) -> Any:
    """The integral of the density up to ``x``, which is at most the mean."""
    with np.errstate(**QUIET):
        start = (np.log(x) - np.log1p(-x))[..., None]
        first, last = p[..., None], q[..., None]

        def inner(w: Any) -> Any:
            log = -np.logaddexp(0.0, w - start)
            rest = log + w - start
            return _beta(first * log + last * rest, log, rest, first, last, (0, i, j))

        scale = np.minimum(np.sqrt(1.0 / p + 1.0 / q), 1.0)
        found = half_line(inner, scale, 60.0 / p + 12.0 * scale)
    return np.where(x == 0.0, 0.0, found)


def reciprocal(a: Any, n: int) -> tuple[Any, list[Any]]:
    """Derivatives up to the n-th of ``1 / Γ`` at ``a`` times ``exp(size)``: the size, and those."""
    from scipy import special

    a = np.asarray(a, float)
    small = (a < 1.0) & (a > -99.0)
    steps = int(np.ceil(1.0 - np.min(a, where=small, initial=1.0)))
    top = np.where(small, a + steps, a)
    parts = bell([-special.polygamma(k, top) for k in range(n)])
    size = special.gammaln(top)
    for k in range(1, steps + 1):
        t = top - k
        lower = [t * g + (m * parts[m - 1] if m else 0.0) for m, g in enumerate(parts)]
        parts = [np.where(small, g, old) for g, old in zip(lower, parts)]
    return size, parts


def bell(slopes: list[Any]) -> list[Any]:
    """Derivatives of ``exp(f)`` divided by it, from those of ``f``, the first of them the slope.

    >>> bell([2.0, 1.0])
    [1.0, 2.0, 5.0]
    """
    found: list[Any] = [1.0]
    for m in range(len(slopes)):
        found.append(sum(comb(m, k) * slopes[k] * found[m - k] for k in range(m + 1)))
    return found


def _log_power(log: Any, k: int) -> Any:
    return log**k if k else 1.0


def _shares(log: Any, parts: list[Any], n: int) -> list[Any]:
    """By how often the rest is derived: what the power and ``1 / Γ`` give if all are derived n times."""
    return [
        comb(n, m)
        * sum(comb(n - m, k) * _log_power(log, k) * parts[n - m - k] for k in range(n - m + 1))
        for m in range(n + 1)
    ]


def _limits(found: Any, ends: Any) -> Any:
    return np.where(np.isnan(found) & ends, 0.0, found)


def like_given(found: Any, *given: Any) -> Any:
    """In the precision of the smooth arguments; an array if one of them is, or a count was one."""
    with np.errstate(**QUIET):
        dtype = np.asarray(sum(g * 0.0 for g in given)).dtype
    found = np.asarray(found)
    for g in given:
        found = np.where(np.isnan(g), np.nan, found) if np.any(np.isnan(g)) else found
    if dtype.kind == "c" and found.dtype.kind == "f":
        dtype = np.empty(0, dtype).real.dtype
    found = found.astype(dtype)
    return found if found.ndim else as_given(found, *given)
