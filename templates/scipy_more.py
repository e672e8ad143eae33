"""``scipy.special``: functions that are met less often.

In: numbers and arrays; orders are constants.
Out: rules.
Next: scipy_special.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


@elementwise(sp.exprel)
def exprel(x) -> y:
    """``(exp(x) - 1) / x``, a hypergeometric function."""
    d[y] = 0.5 * sp.hyp1f1(2.0, 3.0, x) * d[x]


@elementwise(sp.lambertw, constant=("k", "tol"), domain=(0.5, 2.0))
def lambertw(z, k=0, tol=1e-8) -> w:
    """``w exp(w) = z``."""
    d[w] = np.exp(-w) / (1.0 + w) * d[z]


@elementwise(sp.wofz)
def wofz(z) -> w:
    d[w] = rt.wofz_slope(z) * d[z]


@elementwise(sp.owens_t)
def owens_t(h, a) -> y:
    steep = 0.5 * sp.erf(a * h / math.sqrt(2.0)) / math.sqrt(2.0 * math.pi)
    wide = 1.0 + a * a
    across = np.exp(-0.5 * h * h * wide) / (2.0 * math.pi * wide)
    d[y] = across * d[a] - steep * np.exp(-0.5 * h * h) * d[h]


@elementwise(sp.zetac, domain=(1.5, 3.0))
def zetac(x) -> y:
    d[y] = rt.zeta_slope(x) * d[x]


# Spherical Bessel functions.
@elementwise(sp.spherical_jn, constant=("n",), samples=[(2, 1.3), (0, 0.0)])
def spherical_jn(n, z) -> y:
    lower = n * sp.spherical_jn(np.maximum(n - 1, 0), z)
    d[y] = (lower - (n + 1) * sp.spherical_jn(n + 1, z)) / (2 * n + 1) * d[z]


@elementwise(sp.spherical_yn, constant=("n",), samples=[(2, 1.3)])
def spherical_yn(n, z) -> y:
    lower = n * sp.spherical_yn(np.maximum(n - 1, 0), z)
    d[y] = (lower - (n + 1) * sp.spherical_yn(n + 1, z)) / (2 * n + 1) * d[z]


@elementwise(sp.spherical_in, constant=("n",), samples=[(2, 1.3)])
def spherical_in(n, z) -> y:
    lower = n * sp.spherical_in(np.maximum(n - 1, 0), z)
    d[y] = (lower + (n + 1) * sp.spherical_in(n + 1, z)) / (2 * n + 1) * d[z]


@elementwise(sp.spherical_kn, constant=("n",), samples=[(2, 1.3)])
def spherical_kn(n, z) -> y:
    lower = n * sp.spherical_kn(np.maximum(n - 1, 0), z)
    d[y] = -(lower + (n + 1) * sp.spherical_kn(n + 1, z)) / (2 * n + 1) * d[z]


# Counts that are continued between whole numbers.
@elementwise(sp.comb, samples=[(4.6, 1.7), (1.5, 3.0)])
def comb(N, k) -> y:
    """Zero, and flat, where more is taken than there is."""
    inside = (k <= N) & (N >= 0) & (k >= 0)
    whole, taken = np.where(inside, N, 1.0), np.where(inside, k, 0.0)
    rest = sp.digamma(whole - taken + 1.0)
    d[y] = y * ((sp.digamma(whole + 1.0) - rest) * d[N] + (rest - sp.digamma(taken + 1.0)) * d[k])


@elementwise(sp.perm, samples=[(4.6, 1.7), (1.5, 3.0)])
def perm(N, k) -> y:
    inside = (k <= N) & (N >= 0) & (k >= 0)
    whole, taken = np.where(inside, N, 1.0), np.where(inside, k, 0.0)
    rest = sp.digamma(whole - taken + 1.0)
    d[y] = y * ((sp.digamma(whole + 1.0) - rest) * d[N] + rest * d[k])


@elementwise(sp.factorial, samples=[(2.3,), (-1.5,)], constant=("extend",))
def factorial(n, exact=False, extend="zero") -> y:
    """Zero below zero, unless it is extended."""
    d[y] = y * sp.digamma(np.where(y == 0.0, 1.0, n) + 1.0) * d[n]


@elementwise(sp.factorial2, samples=[(2.3, False, "complex")], constant=("extend",))
def factorial2(n, exact=False, extend="zero") -> y:
    d[y] = y * 0.5 * (math.log(2.0) + sp.digamma(0.5 * np.where(y == 0.0, 1.0, n) + 1.0)) * d[n]


@elementwise(sp.factorialk, samples=[(2.3, 3, False, "complex")], constant=("extend",))
def factorialk(n, k, exact=False, extend="zero") -> y:
    whole = np.where(y == 0.0, 1.0, n) / k
    d[y] = y * (math.log(k) + sp.digamma(whole + 1.0)) / k * d[n]
