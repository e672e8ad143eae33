"""``scipy.special``: integrals, Bessel functions, elliptic integrals, hypergeometric functions, polynomials.

In: real numbers and arrays; orders and degrees are constants.
Out: rules.
Next: scipy_distributions.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


# Bessel functions: the derivative is the mean of the neighboring orders.
@elementwise(sp.j0)
def j0(x) -> y:
    d[y] = -sp.j1(x) * d[x]


@elementwise(sp.j1)
def j1(x) -> y:
    d[y] = 0.5 * (sp.j0(x) - sp.jv(2, x)) * d[x]


@elementwise(sp.y0, domain=(0.5, 2.0))
def y0(x) -> y:
    d[y] = -sp.y1(x) * d[x]


@elementwise(sp.y1, domain=(0.5, 2.0))
def y1(x) -> y:
    d[y] = 0.5 * (sp.y0(x) - sp.yv(2, x)) * d[x]


@elementwise(sp.jv, samples=[(2, 1.3)])
def jv(v, x) -> y:
    d[y] = 0.5 * (sp.jv(v - 1, x) - sp.jv(v + 1, x)) * d[x]


@elementwise(sp.yn, sp.yv, samples=[(2, 1.3)])
def yv(v, x) -> y:
    d[y] = 0.5 * (sp.yv(v - 1, x) - sp.yv(v + 1, x)) * d[x]


@elementwise(sp.iv, samples=[(2, 1.3)])
def iv(v, x) -> y:
    d[y] = 0.5 * (sp.iv(v - 1, x) + sp.iv(v + 1, x)) * d[x]


@elementwise(sp.kn, sp.kv, samples=[(2, 1.3)])
def kv(v, x) -> y:
    d[y] = -0.5 * (sp.kv(v - 1, x) + sp.kv(v + 1, x)) * d[x]


@elementwise(sp.kve, samples=[(2, 1.3)])
def kve(v, x) -> y:
    d[y] = (y - 0.5 * (sp.kve(v - 1, x) + sp.kve(v + 1, x))) * d[x]


@elementwise(sp.i0)
def i0(x) -> y:
    d[y] = sp.i1(x) * d[x]


@elementwise(sp.i1)
def i1(x) -> y:
    d[y] = 0.5 * (sp.i0(x) + sp.iv(2, x)) * d[x]


@elementwise(sp.i0e)
def i0e(x) -> y:
    d[y] = (sp.i1e(x) - np.sign(x) * y) * d[x]


@elementwise(sp.i1e)
def i1e(x) -> y:
    d[y] = (0.5 * (sp.i0e(x) + sp.ive(2, x)) - np.sign(x) * y) * d[x]


@elementwise(sp.k0, domain=(0.5, 2.0))
def k0(x) -> y:
    d[y] = -sp.k1(x) * d[x]


@elementwise(sp.k1, domain=(0.5, 2.0))
def k1(x) -> y:
    d[y] = -0.5 * (sp.k0(x) + sp.kv(2, x)) * d[x]


@elementwise(sp.k0e, domain=(0.5, 2.0))
def k0e(x) -> y:
    d[y] = (y - sp.k1e(x)) * d[x]


@elementwise(sp.k1e, domain=(0.5, 2.0))
def k1e(x) -> y:
    d[y] = (y - 0.5 * (sp.k0e(x) + sp.kve(2, x))) * d[x]


@elementwise(sp.airy)
def airy(x) -> (a, a_slope, c, c_slope):
    d[a] = a_slope * d[x]
    d[a_slope] = x * a * d[x]
    d[c] = c_slope * d[x]
    d[c_slope] = x * c * d[x]


# Integrals.
@elementwise(sp.exp1, domain=(0.5, 2.0))
def exp1(x) -> y:
    d[y] = -np.exp(-x) / x * d[x]


@elementwise(sp.expi, domain=(0.5, 2.0))
def expi(x) -> y:
    d[y] = np.exp(x) / x * d[x]


@elementwise(sp.expn, samples=[(2, 1.3)])
def expn(n, x) -> y:
    whole = sp.expn(np.maximum(n - 1, 0), x)
    d[y] = -np.where(n > 0, whole, np.exp(-x) * (1.0 + x) / (x * x)) * d[x]


@elementwise(sp.sici, domain=(0.5, 2.0))
def sici(x) -> (s, c):
    d[s] = np.sinc(x / math.pi) * d[x]
    d[c] = np.cos(x) / x * d[x]


@elementwise(sp.shichi, domain=(0.5, 2.0))
def shichi(x) -> (s, c):
    d[s] = rt.spherical(-x * x, 0) * d[x]
    d[c] = np.cosh(x) / x * d[x]


@elementwise(sp.fresnel)
def fresnel(x) -> (s, c):
    d[s] = np.sin(0.5 * math.pi * x * x) * d[x]
    d[c] = np.cos(0.5 * math.pi * x * x) * d[x]


@elementwise(sp.ellipk, domain=(0.2, 0.8))
def ellipk(m) -> y:
    d[y] = 0.125 * math.pi * sp.hyp2f1(1.5, 1.5, 2.0, m) * d[m]


@elementwise(sp.ellipe, domain=(0.2, 0.8))
def ellipe(m) -> y:
    d[y] = -0.125 * math.pi * sp.hyp2f1(0.5, 1.5, 2.0, m) * d[m]


# Hypergeometric functions, in their argument.
@elementwise(sp.hyp2f1, samples=[(0.5, 1.3, 2.1, 0.4)])
def hyp2f1(a, b_, c, z) -> y:
    d[y] = a * b_ / c * sp.hyp2f1(a + 1.0, b_ + 1.0, c + 1.0, z) * d[z]


@elementwise(sp.hyp1f1, samples=[(0.5, 1.3, 0.4)])
def hyp1f1(a, b_, x) -> y:
    d[y] = a / b_ * sp.hyp1f1(a + 1.0, b_ + 1.0, x) * d[x]


@elementwise(sp.hyp0f1, samples=[(1.3, 0.4)])
def hyp0f1(v, z) -> y:
    d[y] = sp.hyp0f1(v + 1.0, z) / v * d[z]


@elementwise(sp.hyperu, samples=[(0.5, 1.3, 0.8)])
def hyperu(a, b_, x) -> y:
    d[y] = -a * sp.hyperu(a + 1.0, b_ + 1.0, x) * d[x]


# Polynomials, in their argument.
@elementwise(sp.eval_jacobi, samples=[(3, 0.5, 1.5, 0.4)])
def eval_jacobi(n, alpha, beta, x) -> y:
    lower = sp.eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x)
    d[y] = 0.5 * (n + alpha + beta + 1.0) * lower * d[x]


@elementwise(sp.eval_legendre, samples=[(3, 0.4)])
def eval_legendre(n, x) -> y:
    d[y] = 0.5 * (n + 1.0) * sp.eval_jacobi(n - 1, 1.0, 1.0, x) * d[x]


@elementwise(sp.eval_gegenbauer, samples=[(3, 1.5, 0.4)])
def eval_gegenbauer(n, alpha, x) -> y:
    d[y] = 2.0 * alpha * sp.eval_gegenbauer(n - 1, alpha + 1.0, x) * d[x]


@elementwise(sp.eval_chebyt, samples=[(3, 0.4)])
def eval_chebyt(n, x) -> y:
    d[y] = n * sp.eval_chebyu(n - 1, x) * d[x]


@elementwise(sp.eval_chebyu, samples=[(3, 0.4)])
def eval_chebyu(n, x) -> y:
    d[y] = 2.0 * sp.eval_gegenbauer(n - 1, 2.0, x) * d[x]


@elementwise(sp.eval_hermite, samples=[(3, 0.4)])
def eval_hermite(n, x) -> y:
    d[y] = 2.0 * n * sp.eval_hermite(np.maximum(n - 1, 0), x) * d[x]


@elementwise(sp.eval_hermitenorm, samples=[(3, 0.4)])
def eval_hermitenorm(n, x) -> y:
    d[y] = n * sp.eval_hermitenorm(np.maximum(n - 1, 0), x) * d[x]


@elementwise(sp.eval_genlaguerre, samples=[(3, 0.5, 0.4)])
def eval_genlaguerre(n, alpha, x) -> y:
    d[y] = -sp.eval_genlaguerre(n - 1, alpha + 1.0, x) * d[x]


@elementwise(sp.eval_laguerre, samples=[(3, 0.4)])
def eval_laguerre(n, x) -> y:
    d[y] = -sp.eval_genlaguerre(n - 1, 1.0, x) * d[x]
