"""``scipy.special``: gamma, error, Bessel and elliptic functions, entropies, distributions, polynomials.

Read when a function of a program comes from there. Orders, degrees and shapes without a known derivative are left out.

In: real numbers and arrays.
Out: rules.
Next: scipy_functions.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


# Gamma and beta.
@elementwise(sp.gamma, domain=(0.5, 3.0))
def gamma(x) -> y:
    d[y] = y * sp.digamma(x) * d[x]


@elementwise(sp.gammaln, sp.loggamma, domain=(0.5, 3.0))
def gammaln(x) -> y:
    d[y] = sp.digamma(x) * d[x]


@elementwise(sp.digamma, domain=(0.5, 3.0))
def digamma(x) -> y:
    d[y] = sp.zeta(2.0, x) * d[x]


@elementwise(sp.polygamma, constant=("n",), samples=[(1, 1.3)])
def polygamma(n, x) -> y:
    d[y] = sp.polygamma(n + 1, x) * d[x]


@elementwise(sp.rgamma, domain=(0.5, 3.0))
def rgamma(x) -> y:
    d[y] = -y * sp.digamma(x) * d[x]


@elementwise(sp.beta, domain=(0.5, 3.0))
def beta(a, b_) -> y:
    d[y] = (
        y * (sp.digamma(a) - sp.digamma(a + b_)) * d[a]
        + y * (sp.digamma(b_) - sp.digamma(a + b_)) * d[b_]
    )


@elementwise(sp.betaln, domain=(0.5, 3.0))
def betaln(a, b_) -> y:
    d[y] = (sp.digamma(a) - sp.digamma(a + b_)) * d[a] + (sp.digamma(b_) - sp.digamma(a + b_)) * d[
        b_
    ]


@elementwise(sp.binom, domain=(1.5, 3.0))
def binom(n, k) -> y:
    rest = sp.digamma(n - k + 1.0)
    d[y] = y * (sp.digamma(n + 1.0) - rest) * d[n] + y * (rest - sp.digamma(k + 1.0)) * d[k]


@elementwise(sp.poch, domain=(0.5, 3.0))
def poch(z, m) -> y:
    whole = sp.digamma(z + m)
    d[y] = y * (whole - sp.digamma(z)) * d[z] + y * whole * d[m]


@elementwise(sp.zeta, samples=[(2.3, 1.4)])
def zeta(x, q=None) -> y:
    d[y] = rt.zeta_slope(x, q) * d[x] - x * sp.zeta(x + 1.0, q) * d[q]


@elementwise(rt.zeta_slope, samples=[(2.3, 1.4, 1), (3.1, 0.7, 2)])
def zeta_slope(x, q=None, n=1) -> y:
    steep = x * rt.zeta_slope(x + 1.0, q, n) + n * rt.zeta_slope(x + 1.0, q, n - 1)
    d[y] = rt.zeta_slope(x, q, n + 1) * d[x] - steep * d[q]


# Errors and the normal distribution.
@elementwise(sp.erf)
def erf(x) -> y:
    d[y] = 2.0 / math.sqrt(math.pi) * np.exp(-x * x) * d[x]


@elementwise(sp.erfc)
def erfc(x) -> y:
    d[y] = -2.0 / math.sqrt(math.pi) * np.exp(-x * x) * d[x]


@elementwise(sp.erfi)
def erfi(x) -> y:
    d[y] = 2.0 / math.sqrt(math.pi) * np.exp(x * x) * d[x]


@elementwise(sp.erfcx)
def erfcx(x) -> y:
    d[y] = rt.erfcx_slope(x) * d[x]


@elementwise(sp.dawsn)
def dawsn(x) -> y:
    d[y] = 0.5 * math.sqrt(math.pi) * np.imag(rt.wofz_slope(x)) * d[x]


@elementwise(sp.erfinv)
def erfinv(x) -> y:
    d[y] = 0.5 * math.sqrt(math.pi) * np.exp(y * y) * d[x]


@elementwise(sp.erfcinv, domain=(0.5, 1.5))
def erfcinv(x) -> y:
    d[y] = -0.5 * math.sqrt(math.pi) * np.exp(y * y) * d[x]


@elementwise(sp.ndtr)
def ndtr(x) -> y:
    d[y] = np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi) * d[x]


@elementwise(sp.ndtri, domain=(0.2, 0.8))
def ndtri(x) -> y:
    d[y] = np.exp(0.5 * y * y) * math.sqrt(2.0 * math.pi) * d[x]


@elementwise(sp.log_ndtr)
def log_ndtr(x) -> y:
    d[y] = rt.log_ndtr_slope(x) * d[x]


# Logistic functions, logarithms, entropies.
@elementwise(sp.expit)
def expit(x) -> y:
    d[y] = y * (1.0 - y) * d[x]


@elementwise(sp.log_expit)
def log_expit(x) -> y:
    d[y] = sp.expit(-x) * d[x]


@elementwise(sp.logit, domain=(0.2, 0.8))
def logit(x) -> y:
    d[y] = rt.times(d[x], 1.0 / (x * (1.0 - x)))


@elementwise(sp.xlogy, domain=(0.5, 2.0))
def xlogy(x, y) -> z:
    d[z] = rt.times(d[x], np.log(y)) + rt.quotient(x, y) * d[y]


@elementwise(sp.xlog1py, domain=(0.5, 2.0))
def xlog1py(x, y) -> z:
    d[z] = rt.times(d[x], np.log1p(y)) + rt.quotient(x, 1.0 + y) * d[y]


@elementwise(sp.entr, domain=(0.5, 2.0))
def entr(x) -> y:
    d[y] = rt.times(d[x], -np.log(x) - 1.0)


@elementwise(sp.rel_entr, domain=(0.5, 2.0))
def rel_entr(x, y) -> z:
    d[z] = rt.times(d[x], np.log(x / y) + 1.0) - rt.quotient(x, y) * d[y]


@elementwise(sp.kl_div, domain=(0.5, 2.0))
def kl_div(x, y) -> z:
    d[z] = rt.times(d[x], np.log(x / y)) + (1.0 - rt.quotient(x, y)) * d[y]


@elementwise(sp.huber, samples=[(1.0, 0.6), (1.0, -1.7)])
def huber(delta, r) -> y:
    d[y] = np.clip(r, -delta, delta) * d[r] + np.maximum(np.abs(r) - delta, 0.0) * d[delta]


@elementwise(sp.pseudo_huber, domain=(0.5, 2.0))
def pseudo_huber(delta, r) -> y:
    root = np.sqrt(1.0 + (r / delta) * (r / delta))
    d[y] = r / root * d[r] + (2.0 * delta * (root - 1.0) - r * r / (delta * root)) * d[delta]


@elementwise(sp.exp10)
def exp10(x) -> y:
    d[y] = math.log(10.0) * y * d[x]


@elementwise(sp.exp2)
def exp2(x) -> y:
    d[y] = math.log(2.0) * y * d[x]


@elementwise(sp.expm1)
def expm1(x) -> y:
    d[y] = (y + 1.0) * d[x]


@elementwise(sp.log1p, domain=(-0.5, 2.0))
def log1p(x) -> y:
    d[y] = rt.times(d[x], 1.0 / (1.0 + x))


@elementwise(sp.cosm1)
def cosm1(x) -> y:
    d[y] = -np.sin(x) * d[x]


@elementwise(sp.cbrt, domain=(0.5, 2.0))
def cbrt(x) -> y:
    d[y] = rt.times(d[x], 1.0 / (3.0 * y * y))


@elementwise(sp.boxcox, samples=[(1.3, 0.7), (1.3, 0.0)])
def boxcox(x, lmbda) -> y:
    bend = 0.5 * np.log(x) ** 2 * sp.hyp1f1(2.0, 3.0, lmbda * np.log(x))
    d[y] = x ** (lmbda - 1.0) * d[x] + bend * d[lmbda]


@elementwise(sp.inv_boxcox, samples=[(1.3, 0.7), (0.4, 0.0)])
def inv_boxcox(y, lmbda) -> x:
    bend = 0.5 * np.log(x) ** 2 * sp.hyp1f1(2.0, 3.0, lmbda * np.log(x))
    d[x] = x ** (1.0 - lmbda) * (d[y] - bend * d[lmbda])


@elementwise(sp.inv_boxcox1p, samples=[(1.3, 0.7), (0.4, 0.0)])
def inv_boxcox1p(y, lmbda) -> x:
    bend = 0.5 * np.log1p(x) ** 2 * sp.hyp1f1(2.0, 3.0, lmbda * np.log1p(x))
    d[x] = (1.0 + x) ** (1.0 - lmbda) * (d[y] - bend * d[lmbda])


@elementwise(sp.boxcox1p, samples=[(1.3, 0.7), (1.3, 0.0)])
def boxcox1p(x, lmbda) -> y:
    bend = 0.5 * np.log1p(x) ** 2 * sp.hyp1f1(2.0, 3.0, lmbda * np.log1p(x))
    d[y] = (1.0 + x) ** (lmbda - 1.0) * d[x] + bend * d[lmbda]


@elementwise(sp.spence, domain=(0.3, 0.8))
def spence(z) -> y:
    d[y] = -sp.hyp2f1(1.0, 1.0, 2.0, 1.0 - z) * d[z]


# The functions of the runtime.
@elementwise(rt.erfcx_slope, samples=[(0.3,), (4.0,)], constant=("n",))
def erfcx_slope(x, n=1) -> y:
    d[y] = rt.erfcx_slope(x, n + 1) * d[x]


@elementwise(rt.wofz_slope, samples=[(0.3,), (9.0,)], constant=("n",))
def wofz_slope(z, n=1) -> w:
    d[w] = rt.wofz_slope(z, n + 1) * d[z]


@elementwise(rt.log_ndtr_slope, samples=[(0.3,), (-9.0,)], constant=("n",))
def log_ndtr_slope(x, n=1) -> y:
    d[y] = rt.log_ndtr_slope(x, n + 1) * d[x]
