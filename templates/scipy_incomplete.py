"""``scipy.special``: incomplete gamma and beta functions, and the distributions that they are.

In: real numbers and arrays; counts are constants.
Out: rules.
Next: scipy_inverses.
"""

from __future__ import annotations

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


@elementwise(sp.gammainc, samples=[(1.3, 0.7)])
def gammainc(a, x) -> y:
    d[y] = rt.gamma_density(x, a) * d[x] + rt.gamma_slope(x, a) * d[a]


@elementwise(sp.gammaincc, samples=[(1.3, 0.7)])
def gammaincc(a, x) -> y:
    d[y] = -(rt.gamma_density(x, a) * d[x] + rt.gamma_slope(x, a) * d[a])


@elementwise(sp.betainc, samples=[(1.3, 0.7, 0.4)])
def betainc(a, b_, x) -> y:
    d[y] = (
        rt.beta_density(x, a, b_) * d[x]
        + rt.beta_slope(x, a, b_) * d[a]
        + rt.beta_slope(x, a, b_, 0, 1) * d[b_]
    )


@elementwise(sp.betaincc, samples=[(1.3, 0.7, 0.4)])
def betaincc(a, b_, x) -> y:
    below = rt.beta_slope(x, a, b_) * d[a] + rt.beta_slope(x, a, b_, 0, 1) * d[b_]
    d[y] = -(rt.beta_density(x, a, b_) * d[x] + below)


# Distributions.
@elementwise(sp.chdtr, samples=[(2.6, 1.4)])
def chdtr(v, x) -> y:
    density = rt.gamma_density(0.5 * x, 0.5 * v)
    d[y] = 0.5 * (density * d[x] + rt.gamma_slope(0.5 * x, 0.5 * v) * d[v])


@elementwise(sp.chdtrc, samples=[(2.6, 1.4)])
def chdtrc(v, x) -> y:
    density = rt.gamma_density(0.5 * x, 0.5 * v)
    d[y] = -0.5 * (density * d[x] + rt.gamma_slope(0.5 * x, 0.5 * v) * d[v])


@elementwise(sp.gdtr, samples=[(0.8, 1.3, 0.7)])
def gdtr(a, b_, x) -> y:
    density = rt.gamma_density(a * x, b_)
    d[y] = density * (a * d[x] + x * d[a]) + rt.gamma_slope(a * x, b_) * d[b_]


@elementwise(sp.gdtrc, samples=[(0.8, 1.3, 0.7)])
def gdtrc(a, b_, x) -> y:
    density = rt.gamma_density(a * x, b_)
    d[y] = -(density * (a * d[x] + x * d[a]) + rt.gamma_slope(a * x, b_) * d[b_])


@elementwise(sp.pdtr, samples=[(2.0, 1.3)])
def pdtr(k, m) -> y:
    d[y] = -rt.gamma_density(m, np.floor(k) + 1.0) * d[m]


@elementwise(sp.pdtrc, samples=[(2.0, 1.3)])
def pdtrc(k, m) -> y:
    d[y] = rt.gamma_density(m, np.floor(k) + 1.0) * d[m]


@elementwise(sp.bdtr, samples=[(2.0, 5, 0.3)])
def bdtr(k, n, p) -> y:
    d[y] = -rt.beta_density(p, np.floor(k) + 1.0, n - np.floor(k)) * d[p]


@elementwise(sp.bdtrc, samples=[(2.0, 5, 0.3)])
def bdtrc(k, n, p) -> y:
    d[y] = rt.beta_density(p, np.floor(k) + 1.0, n - np.floor(k)) * d[p]


@elementwise(sp.nbdtr, samples=[(2, 5, 0.3)])
def nbdtr(k, n, p) -> y:
    d[y] = rt.beta_density(p, n, np.floor(k) + 1.0) * d[p]


@elementwise(sp.nbdtrc, samples=[(2, 5, 0.3)])
def nbdtrc(k, n, p) -> y:
    d[y] = -rt.beta_density(p, n, np.floor(k) + 1.0) * d[p]


@elementwise(sp.fdtr, samples=[(2.6, 3.4, 0.7)])
def fdtr(dfn, dfd, x) -> y:
    whole, z, a, c = dfd + dfn * x, dfn * x / (dfd + dfn * x), 0.5 * dfn, 0.5 * dfd
    steep = rt.beta_density(z, a, c) / (whole * whole)
    shapes = rt.beta_slope(z, a, c) * d[dfn] + rt.beta_slope(z, a, c, 0, 1) * d[dfd]
    moved = dfd * (dfn * d[x] + x * d[dfn]) - dfn * x * d[dfd]
    d[y] = steep * moved + 0.5 * shapes


@elementwise(sp.fdtrc, samples=[(2.6, 3.4, 0.7)])
def fdtrc(dfn, dfd, x) -> y:
    whole, z, a, c = dfd + dfn * x, dfn * x / (dfd + dfn * x), 0.5 * dfn, 0.5 * dfd
    steep = rt.beta_density(z, a, c) / (whole * whole)
    shapes = rt.beta_slope(z, a, c) * d[dfn] + rt.beta_slope(z, a, c, 0, 1) * d[dfd]
    moved = dfd * (dfn * d[x] + x * d[dfn]) - dfn * x * d[dfd]
    d[y] = -(steep * moved + 0.5 * shapes)


@elementwise(sp.stdtr, samples=[(2.6, 0.7)])
def stdtr(df, t) -> y:
    d[y] = rt.student_density(t, df, 0.0) * d[t] + rt.student_slope(t, df, 0.0) * d[df]


# Noncentral ones.
@elementwise(sp.chndtr, samples=[(1.4, 2.6, 0.8)])
def chndtr(x, df, nc) -> y:
    moved = rt.chi_density(x, df, nc) * d[x] - rt.chi_density(x, df + 2.0, nc) * d[nc]
    d[y] = moved + rt.chi_slope(x, df, nc) * d[df]


@elementwise(sp.ncfdtr, samples=[(2.6, 3.4, 0.8, 0.7)])
def ncfdtr(dfn, dfd, nc, f) -> y:
    whole, z, a, c = dfd + dfn * f, dfn * f / (dfd + dfn * f), 0.5 * dfn, 0.5 * dfd
    moved = dfd * (dfn * d[f] + f * d[dfn]) - dfn * f * d[dfd]
    shapes = rt.ratio_slope(z, a, c, nc, 1) * d[dfn] + rt.ratio_slope(z, a, c, nc, 0, 1) * d[dfd]
    center = rt.ratio_slope(z, a, c, nc, 0, 0, 1) * d[nc]
    d[y] = rt.ratio_density(z, a, c, nc) / (whole * whole) * moved + 0.5 * shapes + center


@elementwise(sp.nctdtr, samples=[(2.6, 0.8, 0.7)])
def nctdtr(df, nc, t) -> y:
    moved = rt.student_density(t, df, nc) * d[t] - rt.student_density(t, df, nc, 0) * d[nc]
    d[y] = moved + rt.student_slope(t, df, nc) * d[df]


# The functions of the runtime.
@elementwise(rt.gamma_density, samples=[(0.7, 1.3), (0.7, 3.0)], constant=("n",))
def gamma_density(x, a, n=0) -> y:
    slope = rt.gamma_density(x, a - 1.0, n) - rt.gamma_density(x, a, n)
    d[y] = slope * d[x] + rt.gamma_density(x, a, n + 1) * d[a]


@elementwise(rt.gamma_slope, samples=[(0.7, 1.3), (0.7, 3.0)], constant=("n",))
def gamma_slope(x, a, n=1) -> y:
    d[y] = rt.gamma_density(x, a, n) * d[x] + rt.gamma_slope(x, a, n + 1) * d[a]


@elementwise(rt.beta_density, samples=[(0.4, 1.3, 0.7)], constant=("up", "i", "j"))
def beta_density(x, p, q, up=0, i=0, j=0) -> y:
    left = rt.beta_density(x, p - 1.0, q, up + 1, i, j)
    moved = (left - rt.beta_density(x, p, q - 1.0, up + 1, i, j)) * d[x]
    shapes = rt.beta_density(x, p, q, up, i + 1, j) * d[p]
    d[y] = moved + shapes + rt.beta_density(x, p, q, up, i, j + 1) * d[q]


@elementwise(rt.beta_slope, samples=[(0.4, 1.3, 0.7)], constant=("i", "j"))
def beta_slope(x, a, b_, i=1, j=0) -> y:
    shapes = rt.beta_slope(x, a, b_, i + 1, j) * d[a] + rt.beta_slope(x, a, b_, i, j + 1) * d[b_]
    d[y] = rt.beta_density(x, a, b_, 0, i, j) * d[x] + shapes


@elementwise(rt.chi_density, samples=[(1.4, 2.6, 0.8)], constant=("n",))
def chi_density(x, df, nc, n=0) -> y:
    here = rt.chi_density(x, df, nc, n)
    moved = (rt.chi_density(x, df - 2.0, nc, n) - here) * d[x]
    center = (rt.chi_density(x, df + 2.0, nc, n) - here) * d[nc]
    d[y] = 0.5 * (moved + center) + rt.chi_density(x, df, nc, n + 1) * d[df]


@elementwise(rt.chi_slope, samples=[(1.4, 2.6, 0.8)], constant=("n",))
def chi_slope(x, df, nc, n=1) -> y:
    moved = rt.chi_density(x, df, nc, n) * d[x] - rt.chi_density(x, df + 2.0, nc, n) * d[nc]
    d[y] = moved + rt.chi_slope(x, df, nc, n + 1) * d[df]


@elementwise(rt.ratio_density, samples=[(0.4, 1.3, 0.7, 0.8)], constant=("up", "i", "j", "k"))
def ratio_density(x, p, q, nc, up=0, i=0, j=0, k=0) -> y:
    left = rt.ratio_density(x, p - 1.0, q, nc, up + 1, i, j, k)
    moved = (left - rt.ratio_density(x, p, q - 1.0, nc, up + 1, i, j, k)) * d[x]
    shapes = rt.ratio_density(x, p, q, nc, up, i + 1, j, k) * d[p]
    center = rt.ratio_density(x, p, q, nc, up, i, j, k + 1) * d[nc]
    d[y] = moved + shapes + rt.ratio_density(x, p, q, nc, up, i, j + 1, k) * d[q] + center


@elementwise(rt.ratio_slope, samples=[(0.4, 1.3, 0.7, 0.8)], constant=("i", "j", "k"))
def ratio_slope(x, p, q, nc, i=0, j=0, k=0) -> y:
    shapes = rt.ratio_slope(x, p, q, nc, i + 1, j, k) * d[p]
    others = rt.ratio_slope(x, p, q, nc, i, j + 1, k) * d[q]
    center = rt.ratio_slope(x, p, q, nc, i, j, k + 1) * d[nc]
    d[y] = rt.ratio_density(x, p, q, nc, 0, i, j, k) * d[x] + shapes + others + center


@elementwise(rt.student_density, samples=[(0.7, 2.6, 0.8)], constant=("k", "n"))
def student_density(t, df, nc, k=1, n=0) -> y:
    """The mean of ``s ** k`` times the normal density at ``t * s - nc``."""
    next = rt.student_density(t, df, nc, k + 1, n)
    along = nc * next - t * rt.student_density(t, df, nc, k + 2, n)
    across = t * next - nc * rt.student_density(t, df, nc, k, n)
    d[y] = along * d[t] + across * d[nc] + rt.student_density(t, df, nc, k, n + 1) * d[df]


@elementwise(rt.student_slope, samples=[(0.7, 2.6, 0.8)], constant=("n",))
def student_slope(t, df, nc, n=1) -> y:
    moved = rt.student_density(t, df, nc, 1, n) * d[t] - rt.student_density(t, df, nc, 0, n) * d[nc]
    d[y] = moved + rt.student_slope(t, df, nc, n + 1) * d[df]
