"""``scipy.special``: distributions, angles in degrees, functions of Kelvin, and what has no derivative.

In: real numbers and arrays; shapes of distributions are constants.
Out: rules.
Next: indexing.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite.rules.notation import d, elementwise, inactive


# Angles in degrees, distributions.
@elementwise(sp.sindg)
def sindg(x) -> y:
    d[y] = math.pi / 180.0 * sp.cosdg(x) * d[x]


@elementwise(sp.cosdg)
def cosdg(x) -> y:
    d[y] = -math.pi / 180.0 * sp.sindg(x) * d[x]


@elementwise(sp.tandg)
def tandg(x) -> y:
    d[y] = math.pi / 180.0 * (1.0 + y * y) * d[x]


@elementwise(sp.cotdg, domain=(0.5, 2.0))
def cotdg(x) -> y:
    d[y] = -math.pi / 180.0 * (1.0 + y * y) * d[x]


@elementwise(sp.radian)
def radian(degrees, minutes, seconds) -> y:
    d[y] = math.pi / 180.0 * (d[degrees] + d[minutes] / 60.0 + d[seconds] / 3600.0)


@elementwise(sp.powm1, domain=(0.5, 2.0))
def powm1(x, y) -> z:
    d[z] = y * x ** (y - 1.0) * d[x] + (z + 1.0) * np.log(x) * d[y]


@elementwise(sp.wrightomega, domain=(0.5, 2.0))
def wrightomega(x) -> y:
    d[y] = y / (1.0 + y) * d[x]


@elementwise(sp.betaincc, samples=[(1.3, 0.7, 0.4)])
def betaincc(a, b_, x) -> y:
    d[y] = -rt.beta_density(x, a, b_) * d[x]


@elementwise(sp.betaincinv, samples=[(1.3, 0.7, 0.4)])
def betaincinv(a, b_, y) -> x:
    d[x] = np.exp(sp.betaln(a, b_) - sp.xlogy(a - 1.0, x) - sp.xlog1py(b_ - 1.0, -x)) * d[y]


@elementwise(sp.gammainccinv, samples=[(1.3, 0.4)])
def gammainccinv(a, y) -> x:
    d[x] = -np.exp(sp.gammaln(a) + x - sp.xlogy(a - 1.0, x)) * d[y]


@elementwise(sp.chdtr, samples=[(2.6, 1.4)])
def chdtr(v, x) -> y:
    d[y] = 0.5 * rt.gamma_density(0.5 * x, 0.5 * v) * d[x]


@elementwise(sp.chdtrc, samples=[(2.6, 1.4)])
def chdtrc(v, x) -> y:
    d[y] = -0.5 * rt.gamma_density(0.5 * x, 0.5 * v) * d[x]


@elementwise(sp.gdtr, samples=[(0.8, 1.3, 0.7)])
def gdtr(a, b_, x) -> y:
    inner = np.exp(sp.xlogy(b_ - 1.0, a * x) - a * x - sp.gammaln(b_))
    d[y] = inner * (a * d[x] + x * d[a])


@elementwise(sp.gdtrc, samples=[(0.8, 1.3, 0.7)])
def gdtrc(a, b_, x) -> y:
    inner = -np.exp(sp.xlogy(b_ - 1.0, a * x) - a * x - sp.gammaln(b_))
    d[y] = inner * (a * d[x] + x * d[a])


@elementwise(sp.pdtr, samples=[(2.0, 1.3)])
def pdtr(k, m) -> y:
    d[y] = -np.exp(sp.xlogy(k, m) - m - sp.gammaln(k + 1.0)) * d[m]


@elementwise(sp.pdtrc, samples=[(2.0, 1.3)])
def pdtrc(k, m) -> y:
    d[y] = np.exp(sp.xlogy(k, m) - m - sp.gammaln(k + 1.0)) * d[m]


@elementwise(sp.stdtr, samples=[(2.6, 0.7)])
def stdtr(df, t) -> y:
    power = -0.5 * (df + 1.0)
    d[y] = (1.0 + t * t / df) ** power / (np.sqrt(df) * sp.beta(0.5, 0.5 * df)) * d[t]


if hasattr(sp, "softplus"):

    @elementwise(sp.softplus)
    def softplus(x) -> y:
        d[y] = sp.expit(x) * d[x]


# The functions of Kelvin and the derivatives that they are named with.
@elementwise(sp.ber, domain=(0.5, 2.0))
def ber(x) -> y:
    d[y] = sp.berp(x) * d[x]


@elementwise(sp.bei, domain=(0.5, 2.0))
def bei(x) -> y:
    d[y] = sp.beip(x) * d[x]


@elementwise(sp.ker, domain=(0.5, 2.0))
def ker(x) -> y:
    d[y] = sp.kerp(x) * d[x]


@elementwise(sp.kei, domain=(0.5, 2.0))
def kei(x) -> y:
    d[y] = sp.keip(x) * d[x]


@elementwise(sp.berp, domain=(0.5, 2.0))
def berp(x) -> y:
    d[y] = -(sp.bei(x) + y / x) * d[x]


@elementwise(sp.beip, domain=(0.5, 2.0))
def beip(x) -> y:
    d[y] = (sp.ber(x) - y / x) * d[x]


@elementwise(sp.kerp, domain=(0.5, 2.0))
def kerp(x) -> y:
    d[y] = -(sp.kei(x) + y / x) * d[x]


@elementwise(sp.keip, domain=(0.5, 2.0))
def keip(x) -> y:
    d[y] = (sp.ker(x) - y / x) * d[x]


@elementwise(sp.eval_sh_legendre, samples=[(3, 0.4)])
def eval_sh_legendre(n, x) -> y:
    d[y] = (n + 1.0) * sp.eval_jacobi(n - 1, 1.0, 1.0, 2.0 * x - 1.0) * d[x]


@elementwise(sp.eval_sh_chebyt, samples=[(3, 0.4)])
def eval_sh_chebyt(n, x) -> y:
    d[y] = 2.0 * n * sp.eval_chebyu(n - 1, 2.0 * x - 1.0) * d[x]


@elementwise(sp.eval_sh_chebyu, samples=[(3, 0.4)])
def eval_sh_chebyu(n, x) -> y:
    d[y] = 4.0 * sp.eval_gegenbauer(n - 1, 2.0, 2.0 * x - 1.0) * d[x]


# Counts, orders and what handles settings.
inactive(sp.gammasgn, sp.round, sp.bernoulli, sp.euler, sp.stirling2)
inactive(*{getattr(sp, n) for n in dir(sp) if n.endswith(("_zeros", "_roots")) or "roots_" in n})
inactive(sp.SpecialFunctionError, sp.SpecialFunctionWarning, sp.errstate, sp.geterr)
inactive(sp.seterr, sp.test, pure=False)
