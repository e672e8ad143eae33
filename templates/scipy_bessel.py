"""``scipy.special``: Hankel's, Struve's, Kelvin's and Airy's functions, integrals and named derivatives of Bessel's.

In: numbers and arrays; orders are constants.
Out: rules.
Next: scipy_distributions.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise


@elementwise(sp.jvp, samples=[(2, 1.3), (2, 1.3, 2)], constant=("n",))
def jvp(v, z, n=1) -> y:
    d[y] = sp.jvp(v, z, n + 1) * d[z]


@elementwise(sp.yvp, samples=[(2, 1.3), (2, 1.3, 2)], constant=("n",))
def yvp(v, z, n=1) -> y:
    d[y] = sp.yvp(v, z, n + 1) * d[z]


@elementwise(sp.ivp, samples=[(2, 1.3), (2, 1.3, 2)], constant=("n",))
def ivp(v, z, n=1) -> y:
    d[y] = sp.ivp(v, z, n + 1) * d[z]


@elementwise(sp.kvp, samples=[(2, 1.3), (2, 1.3, 2)], constant=("n",))
def kvp(v, z, n=1) -> y:
    d[y] = sp.kvp(v, z, n + 1) * d[z]


@elementwise(sp.h1vp, samples=[(2, 1.3), (2, 1.3, 2)], constant=("n",))
def h1vp(v, z, n=1) -> y:
    d[y] = sp.h1vp(v, z, n + 1) * d[z]


@elementwise(sp.h2vp, samples=[(2, 1.3), (2, 1.3, 2)], constant=("n",))
def h2vp(v, z, n=1) -> y:
    d[y] = sp.h2vp(v, z, n + 1) * d[z]


@elementwise(sp.hankel1, samples=[(2, 1.3)])
def hankel1(v, z) -> y:
    d[y] = 0.5 * (sp.hankel1(v - 1, z) - sp.hankel1(v + 1, z)) * d[z]


@elementwise(sp.hankel2, samples=[(2, 1.3)])
def hankel2(v, z) -> y:
    d[y] = 0.5 * (sp.hankel2(v - 1, z) - sp.hankel2(v + 1, z)) * d[z]


@elementwise(sp.hankel1e, samples=[(2, 1.3)])
def hankel1e(v, z) -> y:
    d[y] = (0.5 * (sp.hankel1e(v - 1, z) - sp.hankel1e(v + 1, z)) - 1j * y) * d[z]


@elementwise(sp.hankel2e, samples=[(2, 1.3)])
def hankel2e(v, z) -> y:
    d[y] = (0.5 * (sp.hankel2e(v - 1, z) - sp.hankel2e(v + 1, z)) + 1j * y) * d[z]


# Scaled by the size of the part that grows, which is no smooth function of a complex number.
@elementwise(sp.jve, samples=[(2, 1.3)])
def jve(v, z) -> y:
    slope = 0.5 * (sp.jve(v - 1, z) - sp.jve(v + 1, z))
    side = np.sign(np.imag(z))
    d[y] = slope * d[z] - side * y * np.imag(d[z])
    b[z] += slope * b[y] + 1j * side * np.real(y * b[y])


@elementwise(sp.yve, samples=[(2, 1.3)])
def yve(v, z) -> y:
    slope = 0.5 * (sp.yve(v - 1, z) - sp.yve(v + 1, z))
    side = np.sign(np.imag(z))
    d[y] = slope * d[z] - side * y * np.imag(d[z])
    b[z] += slope * b[y] + 1j * side * np.real(y * b[y])


@elementwise(sp.ive, samples=[(2, 1.3)])
def ive(v, z) -> y:
    slope = 0.5 * (sp.ive(v - 1, z) + sp.ive(v + 1, z))
    side = np.sign(np.real(z))
    d[y] = slope * d[z] - side * y * np.real(d[z])
    b[z] += slope * b[y] - side * np.real(y * b[y])


@elementwise(sp.airye, domain=(0.5, 2.0))
def airye(x) -> (a, a_slope, c, c_slope):
    root, wall = np.sqrt(x), np.sqrt(np.maximum(rt.real_only(x), 0.0))
    d[a] = (a_slope + root * a) * d[x]
    d[a_slope] = (x * a + root * a_slope) * d[x]
    d[c] = (c_slope - wall * c) * d[x]
    d[c_slope] = (x * c - wall * c_slope) * d[x]


@elementwise(sp.itairy)
def itairy(x) -> (a, c, a_back, c_back):
    d[a] = sp.airy(x)[0] * d[x]
    d[c] = sp.airy(x)[2] * d[x]
    d[a_back] = sp.airy(-x)[0] * d[x]
    d[c_back] = sp.airy(-x)[2] * d[x]


# Integrals.
@elementwise(sp.itj0y0, domain=(0.5, 2.0))
def itj0y0(x) -> (first, second):
    d[first] = sp.j0(x) * d[x]
    d[second] = sp.y0(x) * d[x]


@elementwise(sp.iti0k0, domain=(0.5, 2.0))
def iti0k0(x) -> (first, second):
    d[first] = sp.i0(x) * d[x]
    d[second] = sp.k0(x) * d[x]


@elementwise(sp.it2j0y0, domain=(0.5, 2.0))
def it2j0y0(x) -> (first, second):
    d[first] = rt.divided(x, "j0") * d[x]
    d[second] = -sp.y0(x) / x * d[x]


@elementwise(sp.it2i0k0, domain=(0.5, 2.0))
def it2i0k0(x) -> (first, second):
    d[first] = rt.divided(x, "i0") * d[x]
    d[second] = -sp.k0(x) / x * d[x]


@elementwise(sp.itstruve0)
def itstruve0(x) -> y:
    d[y] = sp.struve(0, x) * d[x]


@elementwise(sp.itmodstruve0)
def itmodstruve0(x) -> y:
    d[y] = sp.modstruve(0, x) * d[x]


@elementwise(sp.it2struve0)
def it2struve0(x) -> y:
    d[y] = -rt.divided(x, "struve") * d[x]


@elementwise(rt.divided, samples=[(0.7, "j0"), (2.3, "i0"), (0.4, "struve")], constant=("n",))
def divided(x, kind, n=0) -> y:
    d[y] = rt.divided(x, kind, n + 1) * d[x]


@elementwise(sp.struve, samples=[(2, 1.3), (0, 0.7)])
def struve(v, x) -> y:
    """Of order -1 it is ``2 / pi`` less that of order 1."""
    sign, flat = np.where(v == 0, -1.0, 1.0), np.where(v == 0, 2.0 / math.pi, 0.0)
    lower = sign * sp.struve(np.where(v == 0, 1, v - 1), x) + flat
    power = rt.power(0.5 * x, v) * sp.rgamma(v + 1.5) / math.sqrt(math.pi)
    d[y] = 0.5 * (lower - sp.struve(v + 1, x) + power) * d[x]


@elementwise(sp.modstruve, samples=[(2, 1.3), (0, 0.7)])
def modstruve(v, x) -> y:
    """Of order -1 it is ``2 / pi`` and that of order 1."""
    flat = np.where(v == 0, 2.0 / math.pi, 0.0)
    lower = sp.modstruve(np.where(v == 0, 1, v - 1), x) + flat
    power = rt.power(0.5 * x, v) * sp.rgamma(v + 1.5) / math.sqrt(math.pi)
    d[y] = 0.5 * (lower + sp.modstruve(v + 1, x) + power) * d[x]


@elementwise(sp.besselpoly, samples=[(0.7, 1.0, 2.0)])
def besselpoly(a, lmb, nu) -> y:
    d[y] = (sp.besselpoly(a, lmb + 1.0, nu - 1.0) - sp.besselpoly(a, lmb + 1.0, nu + 1.0)) * d[a]


@elementwise(sp.modfresnelp)
def modfresnelp(x) -> (f, k):
    d[f] = -np.exp(1j * x * x) * d[x]
    d[k] = (-2j * x * k - (1.0 - 1.0j) / math.sqrt(2.0 * math.pi)) * d[x]


@elementwise(sp.modfresnelm)
def modfresnelm(x) -> (f, k):
    d[f] = -np.exp(-1j * x * x) * d[x]
    d[k] = (2j * x * k - (1.0 + 1.0j) / math.sqrt(2.0 * math.pi)) * d[x]


# Kelvin's functions: the first solve ``y'' = 1j y - y' / x``, and are smooth at zero.
@elementwise(sp.kelvin, domain=(0.5, 2.0))
def kelvin(x) -> (be, ke, be_slope, ke_slope):
    d[be] = be_slope * d[x]
    d[ke] = ke_slope * d[x]
    d[be_slope] = (1j * be - 0.5j * sp.hyp0f1(2.0, 0.25j * x * x)) * d[x]
    d[ke_slope] = (1j * ke - ke_slope / x) * d[x]


@elementwise(sp.berp, domain=(0.5, 2.0))
def berp(x) -> y:
    d[y] = (0.5 * np.imag(sp.hyp0f1(2.0, 0.25j * x * x)) - sp.bei(x)) * d[x]


@elementwise(sp.beip, domain=(0.5, 2.0))
def beip(x) -> y:
    d[y] = (sp.ber(x) - 0.5 * np.real(sp.hyp0f1(2.0, 0.25j * x * x))) * d[x]


# Tables by order: as SciPy gives them, with their derivatives.
@elementwise(sp.riccati_jn, samples=[(2, 1.3)])
def riccati_jn(n, x) -> (s, slope):
    k = np.arange(np.shape(s)[0])
    beside = sp.spherical_jn(np.maximum(k - 1, 0), x) + sp.spherical_jn(k + 1, x)
    d[s] = slope * d[x]
    d[slope] = (k * (k + 1.0) / (2.0 * k + 1.0) * beside - s) * d[x]


@elementwise(sp.riccati_yn, samples=[(2, 1.3)])
def riccati_yn(n, x) -> (s, slope):
    k = np.arange(np.shape(s)[0])
    d[s] = slope * d[x]
    d[slope] = (k * (k + 1.0) / (x * x) - 1.0) * s * d[x]


@elementwise(sp.lmbda, samples=[(2, 1.3), (1.3, 0.7)])
def lmbda(v, x) -> (y, slope):
    k = v % 1.0 + np.arange(np.shape(y)[0]) + 1.0
    near, far = sp.hyp0f1(k + 1.0, -0.25 * x * x), sp.hyp0f1(k + 2.0, -0.25 * x * x)
    d[y] = -0.5 * x / k * near * d[x]
    d[slope] = (x * x / (4.0 * k * (k + 1.0)) * far - 0.5 / k * near) * d[x]


# Wright's function, Voigt's profile, Dirichlet's kernel.
@elementwise(sp.wright_bessel, samples=[(0.7, 1.2, 0.4)])
def wright_bessel(a, b_, x) -> y:
    d[y] = sp.wright_bessel(a, a + b_, x) * d[x]


@elementwise(sp.log_wright_bessel, samples=[(0.7, 1.2, 0.4)])
def log_wright_bessel(a, b_, x) -> y:
    d[y] = np.exp(sp.log_wright_bessel(a, a + b_, x) - y) * d[x]


@elementwise(sp.voigt_profile, samples=[(0.7, 1.3, 0.4), (0.7, 0.0, 0.4)])
def voigt_profile(x, sigma, gamma) -> y:
    """It obeys the equation of heat: its slope in ``sigma`` is ``sigma`` times its bend in ``x``."""
    scale = math.sqrt(0.5) / np.maximum(np.abs(sigma), 1e-60)
    z = (x + 1j * gamma) * scale
    steep = rt.wofz_slope(z) * scale * scale / math.sqrt(math.pi)
    bend = np.real(rt.wofz_slope(z, 2)) * scale * scale * scale / math.sqrt(math.pi)
    d[y] = np.real(steep) * d[x] - np.imag(steep) * d[gamma] + bend * sigma * d[sigma]


@elementwise(sp.diric, samples=[(0.7, 5), (0.0, 4)])
def diric(x, n) -> y:
    d[y] = rt.diric_slope(x, n) * d[x]


@elementwise(rt.diric_slope, samples=[(0.7, 5)], constant=("order",))
def diric_slope(x, n, order=1) -> y:
    d[y] = rt.diric_slope(x, n, order + 1) * d[x]
