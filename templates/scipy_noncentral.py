"""``scipy.special``: inverses of noncentral distributions, in the point and in each shape.

In: real numbers and arrays.
Out: rules.
Next: scipy_special.
"""

from __future__ import annotations

import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


@elementwise(sp.chndtrix, samples=[(0.4, 2.6, 0.8)])
def chndtrix(p, df, nc) -> x:
    center = rt.chi_density(x, df + 2.0, nc) * d[nc]
    d[x] = rt.quotient(d[p] + center - rt.chi_slope(x, df, nc) * d[df], rt.chi_density(x, df, nc))


@elementwise(sp.chndtridf, samples=[(1.4, 0.4, 0.8)])
def chndtridf(x, p, nc) -> df:
    moved = rt.chi_density(x, df, nc) * d[x] - rt.chi_density(x, df + 2.0, nc) * d[nc]
    d[df] = rt.quotient(d[p] - moved, rt.chi_slope(x, df, nc))


@elementwise(sp.chndtrinc, samples=[(1.4, 1.6, 0.4)])
def chndtrinc(x, df, p) -> nc:
    moved = rt.chi_density(x, df, nc) * d[x] + rt.chi_slope(x, df, nc) * d[df]
    d[nc] = rt.quotient(moved - d[p], rt.chi_density(x, df + 2.0, nc))


@elementwise(sp.ncfdtri, samples=[(2.6, 3.4, 0.8, 0.4)])
def ncfdtri(dfn, dfd, nc, p) -> f:
    whole, z, a, c = dfd + dfn * f, dfn * f / (dfd + dfn * f), 0.5 * dfn, 0.5 * dfd
    steep = rt.ratio_density(z, a, c, nc) * dfn * dfd / (whole * whole)
    shapes = rt.ratio_slope(z, a, c, nc, 1) * d[dfn] + rt.ratio_slope(z, a, c, nc, 0, 1) * d[dfd]
    center = rt.ratio_slope(z, a, c, nc, 0, 0, 1) * d[nc]
    moved = rt.quotient(d[p] - 0.5 * shapes - center, steep)
    d[f] = moved - f / dfn * d[dfn] + f / dfd * d[dfd]


@elementwise(sp.ncfdtridfd, samples=[(2.6, 0.38, 0.8, 0.7)])
def ncfdtridfd(dfn, p, nc, f) -> dfd:
    whole, z, a, c = dfd + dfn * f, dfn * f / (dfd + dfn * f), 0.5 * dfn, 0.5 * dfd
    steep = rt.ratio_density(z, a, c, nc) / (whole * whole)
    center = rt.ratio_slope(z, a, c, nc, 0, 0, 1) * d[nc]
    moved = steep * dfd * (dfn * d[f] + f * d[dfn]) + 0.5 * rt.ratio_slope(z, a, c, nc, 1) * d[dfn]
    across = 0.5 * rt.ratio_slope(z, a, c, nc, 0, 1) - steep * dfn * f
    d[dfd] = rt.quotient(d[p] - moved - center, across)


@elementwise(sp.ncfdtridfn, samples=[(0.4, 3.4, 0.8, 0.7)])
def ncfdtridfn(p, dfd, nc, f) -> dfn:
    whole, z, a, c = dfd + dfn * f, dfn * f / (dfd + dfn * f), 0.5 * dfn, 0.5 * dfd
    steep = rt.ratio_density(z, a, c, nc) / (whole * whole)
    shapes = 0.5 * rt.ratio_slope(z, a, c, nc, 0, 1) * d[dfd]
    moved = steep * dfn * (dfd * d[f] - f * d[dfd]) + rt.ratio_slope(z, a, c, nc, 0, 0, 1) * d[nc]
    across = 0.5 * rt.ratio_slope(z, a, c, nc, 1) + steep * dfd * f
    d[dfn] = rt.quotient(d[p] - shapes - moved, across)


@elementwise(sp.ncfdtrinc, samples=[(2.6, 3.4, 0.3, 0.7)])
def ncfdtrinc(dfn, dfd, p, f) -> nc:
    whole, z, a, c = dfd + dfn * f, dfn * f / (dfd + dfn * f), 0.5 * dfn, 0.5 * dfd
    steep = rt.ratio_density(z, a, c, nc) / (whole * whole)
    shapes = rt.ratio_slope(z, a, c, nc, 1) * d[dfn] + rt.ratio_slope(z, a, c, nc, 0, 1) * d[dfd]
    moved = steep * (dfd * (dfn * d[f] + f * d[dfn]) - dfn * f * d[dfd]) + 0.5 * shapes
    d[nc] = rt.quotient(d[p] - moved, rt.ratio_slope(z, a, c, nc, 0, 0, 1))


@elementwise(sp.nctdtrit, samples=[(2.6, 0.8, 0.4)])
def nctdtrit(df, nc, p) -> t:
    moved = rt.student_slope(t, df, nc) * d[df] - rt.student_density(t, df, nc, 0) * d[nc]
    d[t] = rt.quotient(d[p] - moved, rt.student_density(t, df, nc))


@elementwise(sp.nctdtridf, samples=[(0.6, 0.8, 1.7)])
def nctdtridf(p, nc, t) -> df:
    moved = rt.student_density(t, df, nc) * d[t] - rt.student_density(t, df, nc, 0) * d[nc]
    d[df] = rt.quotient(d[p] - moved, rt.student_slope(t, df, nc))


@elementwise(sp.nctdtrinc, samples=[(2.6, 0.4, 1.7)])
def nctdtrinc(df, p, t) -> nc:
    moved = rt.student_density(t, df, nc) * d[t] + rt.student_slope(t, df, nc) * d[df]
    d[nc] = rt.quotient(moved - d[p], rt.student_density(t, df, nc, 0))
