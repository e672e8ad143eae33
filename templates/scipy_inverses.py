"""``scipy.special``: inverses of distribution functions, in the point and in each shape.

Of ``F(x, shapes) = p`` the total differential is zero: ``dp = density dx + slope dshape``.

In: real numbers and arrays.
Out: rules.
Next: scipy_linalg.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


# Normal.
@elementwise(sp.ndtri_exp, domain=(-2.0, -0.2))
def ndtri_exp(y) -> x:
    """``log_ndtr(x) = y``."""
    d[x] = d[y] / rt.log_ndtr_slope(x)


@elementwise(sp.nrdtrimn, samples=[(0.3, 1.3, 0.7)])
def nrdtrimn(p, std, x) -> mean:
    z = (x - mean) / std
    d[mean] = d[x] - z * d[std] - std * math.sqrt(2.0 * math.pi) * np.exp(0.5 * z * z) * d[p]


@elementwise(sp.nrdtrisd, samples=[(0.7, 0.8, 1.9)])
def nrdtrisd(mean, p, x) -> std:
    z = sp.ndtri(p)
    d[std] = (d[x] - d[mean] - std * math.sqrt(2.0 * math.pi) * np.exp(0.5 * z * z) * d[p]) / z


# Gamma, chi-squared and Poisson.
@elementwise(sp.gammaincinv, samples=[(1.3, 0.4)])
def gammaincinv(a, y) -> x:
    d[x] = rt.quotient(d[y] - rt.gamma_slope(x, a) * d[a], rt.gamma_density(x, a))


@elementwise(sp.gammainccinv, samples=[(1.3, 0.4)])
def gammainccinv(a, y) -> x:
    d[x] = -rt.quotient(d[y] + rt.gamma_slope(x, a) * d[a], rt.gamma_density(x, a))


@elementwise(sp.chdtri, samples=[(2.6, 0.4)])
def chdtri(v, p) -> x:
    moved = 2.0 * d[p] + rt.gamma_slope(0.5 * x, 0.5 * v) * d[v]
    d[x] = -rt.quotient(moved, rt.gamma_density(0.5 * x, 0.5 * v))


@elementwise(sp.chdtriv, samples=[(0.4, 1.4)])
def chdtriv(p, x) -> v:
    density = rt.gamma_density(0.5 * x, 0.5 * v)
    d[v] = rt.quotient(2.0 * d[p] - density * d[x], rt.gamma_slope(0.5 * x, 0.5 * v))


@elementwise(sp.gdtria, samples=[(0.4, 1.3, 0.7)])
def gdtria(p, b_, x) -> a:
    moved = d[p] - rt.gamma_slope(a * x, b_) * d[b_]
    d[a] = (rt.quotient(moved, rt.gamma_density(a * x, b_)) - a * d[x]) / x


@elementwise(sp.gdtrib, samples=[(0.8, 0.4, 0.7)])
def gdtrib(a, p, x) -> b_:
    moved = rt.gamma_density(a * x, b_) * (a * d[x] + x * d[a])
    d[b_] = rt.quotient(d[p] - moved, rt.gamma_slope(a * x, b_))


@elementwise(sp.gdtrix, samples=[(0.8, 1.3, 0.4)])
def gdtrix(a, b_, p) -> x:
    moved = d[p] - rt.gamma_slope(a * x, b_) * d[b_]
    d[x] = (rt.quotient(moved, rt.gamma_density(a * x, b_)) - x * d[a]) / a


@elementwise(sp.pdtri, samples=[(2, 0.4)])
def pdtri(k, y) -> m:
    d[m] = -rt.quotient(d[y], rt.gamma_density(m, np.floor(k) + 1.0))


@elementwise(sp.pdtrik, samples=[(0.6, 1.3)])
def pdtrik(p, m) -> k:
    d[k] = -rt.quotient(d[p] + rt.gamma_density(m, k + 1.0) * d[m], rt.gamma_slope(m, k + 1.0))


# Beta and binomial.
@elementwise(sp.betaincinv, samples=[(1.3, 0.7, 0.4)])
def betaincinv(a, b_, y) -> x:
    shapes = rt.beta_slope(x, a, b_) * d[a] + rt.beta_slope(x, a, b_, 0, 1) * d[b_]
    d[x] = rt.quotient(d[y] - shapes, rt.beta_density(x, a, b_))


@elementwise(sp.betainccinv, samples=[(1.3, 0.7, 0.4)])
def betainccinv(a, b_, y) -> x:
    shapes = rt.beta_slope(x, a, b_) * d[a] + rt.beta_slope(x, a, b_, 0, 1) * d[b_]
    d[x] = -rt.quotient(d[y] + shapes, rt.beta_density(x, a, b_))


@elementwise(sp.btdtria, samples=[(0.4, 0.7, 0.6)])
def btdtria(p, b_, x) -> a:
    moved = rt.beta_density(x, a, b_) * d[x] + rt.beta_slope(x, a, b_, 0, 1) * d[b_]
    d[a] = rt.quotient(d[p] - moved, rt.beta_slope(x, a, b_))


@elementwise(sp.btdtrib, samples=[(1.3, 0.4, 0.6)])
def btdtrib(a, p, x) -> b_:
    moved = rt.beta_density(x, a, b_) * d[x] + rt.beta_slope(x, a, b_) * d[a]
    d[b_] = rt.quotient(d[p] - moved, rt.beta_slope(x, a, b_, 0, 1))


@elementwise(sp.bdtri, samples=[(2, 5, 0.4)])
def bdtri(k, n, y) -> p:
    d[p] = -rt.quotient(d[y], rt.beta_density(p, np.floor(k) + 1.0, n - np.floor(k)))


@elementwise(sp.bdtrik, samples=[(0.6, 5.0, 0.4)])
def bdtrik(y, n, p) -> k:
    right = rt.beta_slope(p, k + 1.0, n - k, 0, 1)
    moved = d[y] + rt.beta_density(p, k + 1.0, n - k) * d[p] + right * d[n]
    d[k] = rt.quotient(moved, right - rt.beta_slope(p, k + 1.0, n - k))


@elementwise(sp.bdtrin, samples=[(2.0, 0.6, 0.4)])
def bdtrin(k, y, p) -> n:
    right = rt.beta_slope(p, k + 1.0, n - k, 0, 1)
    count = (rt.beta_slope(p, k + 1.0, n - k) - right) * d[k]
    d[n] = -rt.quotient(d[y] + rt.beta_density(p, k + 1.0, n - k) * d[p] + count, right)


@elementwise(sp.nbdtri, samples=[(2, 5, 0.4)])
def nbdtri(k, n, y) -> p:
    d[p] = rt.quotient(d[y], rt.beta_density(p, n, np.floor(k) + 1.0))


@elementwise(sp.nbdtrik, samples=[(0.6, 5.0, 0.4)])
def nbdtrik(y, n, p) -> k:
    moved = rt.beta_density(p, n, k + 1.0) * d[p] + rt.beta_slope(p, n, k + 1.0) * d[n]
    d[k] = rt.quotient(d[y] - moved, rt.beta_slope(p, n, k + 1.0, 0, 1))


@elementwise(sp.nbdtrin, samples=[(2.0, 0.6, 0.4)])
def nbdtrin(k, y, p) -> n:
    moved = rt.beta_density(p, n, k + 1.0) * d[p] + rt.beta_slope(p, n, k + 1.0, 0, 1) * d[k]
    d[n] = rt.quotient(d[y] - moved, rt.beta_slope(p, n, k + 1.0))


# F and Student's.
@elementwise(sp.fdtri, samples=[(2.6, 3.4, 0.4)])
def fdtri(dfn, dfd, p) -> x:
    whole, z, a, c = dfd + dfn * x, dfn * x / (dfd + dfn * x), 0.5 * dfn, 0.5 * dfd
    steep = rt.beta_density(z, a, c) * dfn * dfd / (whole * whole)
    shapes = rt.beta_slope(z, a, c) * d[dfn] + rt.beta_slope(z, a, c, 0, 1) * d[dfd]
    d[x] = rt.quotient(d[p] - 0.5 * shapes, steep) - x / dfn * d[dfn] + x / dfd * d[dfd]


@elementwise(sp.fdtridfd, samples=[(2.6, 0.4, 0.7)])
def fdtridfd(dfn, p, x) -> dfd:
    whole, z, a, c = dfd + dfn * x, dfn * x / (dfd + dfn * x), 0.5 * dfn, 0.5 * dfd
    steep = rt.beta_density(z, a, c) / (whole * whole)
    moved = steep * dfd * (dfn * d[x] + x * d[dfn]) + 0.5 * rt.beta_slope(z, a, c) * d[dfn]
    across = 0.5 * rt.beta_slope(z, a, c, 0, 1) - steep * dfn * x
    d[dfd] = rt.quotient(d[p] - moved, across)


@elementwise(sp.stdtrit, samples=[(3.0, 0.4)])
def stdtrit(df, p) -> t:
    moved = rt.student_slope(t, df, 0.0) * d[df]
    d[t] = rt.quotient(d[p] - moved, rt.student_density(t, df, 0.0))


@elementwise(sp.stdtridf, samples=[(0.8, 1.2)])
def stdtridf(p, t) -> df:
    moved = rt.student_density(t, df, 0.0) * d[t]
    d[df] = rt.quotient(d[p] - moved, rt.student_slope(t, df, 0.0))


# Statistics of samples.
@elementwise(sp.kolmogorov, domain=(0.5, 2.0))
def kolmogorov(x) -> y:
    d[y] = rt.kolmogorov_slope(x) * d[x]


@elementwise(sp.kolmogi, domain=(0.2, 0.8))
def kolmogi(p) -> x:
    d[x] = rt.quotient(d[p], rt.kolmogorov_slope(x))


@elementwise(sp.smirnov, samples=[(5, 0.33)])
def smirnov(n, x) -> y:
    d[y] = rt.smirnov_slope(n, x) * d[x]


@elementwise(sp.smirnovi, samples=[(5, 0.4)])
def smirnovi(n, p) -> x:
    d[x] = rt.quotient(d[p], rt.smirnov_slope(n, x))


@elementwise(rt.kolmogorov_slope, domain=(0.5, 2.0), constant=("n",))
def kolmogorov_slope(x, n=1) -> y:
    d[y] = rt.kolmogorov_slope(x, n + 1) * d[x]


@elementwise(rt.smirnov_slope, samples=[(5, 0.33)], constant=("order",))
def smirnov_slope(n, x, order=1) -> y:
    d[y] = rt.smirnov_slope(n, x, order + 1) * d[x]


@elementwise(sp.tklmbda, samples=[(0.4, 0.7), (-0.3, 2.0)])
def tklmbda(x, lmbda) -> p:
    """``x`` is ``boxcox(p, lmbda) - boxcox(1 - p, lmbda)``; flat beyond the ends."""
    q = np.where((p > 0.0) & (p < 1.0), p, 0.5)
    log, rest = np.log(q), np.log1p(-q)
    left = 0.5 * log * log * sp.hyp1f1(2.0, 3.0, lmbda * log)
    right = 0.5 * rest * rest * sp.hyp1f1(2.0, 3.0, lmbda * rest)
    steep = q ** (lmbda - 1.0) + (1.0 - q) ** (lmbda - 1.0)
    d[p] = np.where(q == p, (d[x] - (left - right) * d[lmbda]) / steep, 0.0)
