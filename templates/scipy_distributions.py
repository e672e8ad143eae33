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
