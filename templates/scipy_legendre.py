"""``scipy.special``: Legendre's functions, spherical harmonics, tables of them, polynomials of Chebyshev and Jacobi.

In: numbers and arrays; orders and degrees are constants.
Out: rules.
Next: scipy_linalg.
"""

from __future__ import annotations

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, inactive, rule

inactive(rt.degrees, rt.orders)


@elementwise(sp.lpmv, samples=[(1, 2, 0.4), (0, 1.5, -0.3)])
def lpmv(m, v, x) -> y:
    d[y] = rt.legendre(x, m, v) * d[x]


@elementwise(rt.legendre, samples=[(0.4, 1, 2), (0.4, 2, 3.5, 2)], constant=("n",))
def legendre(x, m, v, n=1) -> y:
    d[y] = rt.legendre(x, m, v, n + 1) * d[x]


# Functions that count derivatives along a first axis.
if hasattr(sp, "legendre_p"):

    @rule(sp.legendre_p, samples=[(3, 0.4)])
    def legendre_p(n, z) -> y:
        d[y] = rt.broadcast(rt.legendre(z, 0, n) * d[z], y)
        b[z] += rt.unbroadcast(rt.legendre(z, 0, n) * b[y], z)

    @rule(sp.legendre_p_all, samples=[(3, 0.4)])
    def legendre_p_all(n, z) -> y:
        slope = rt.legendre(z, 0, rt.degrees(n, z))
        d[y] = rt.broadcast(slope * d[z], y)
        b[z] += rt.unbroadcast(slope * b[y], z)

    @rule(sp.assoc_legendre_p, samples=[(3, 1, 0.4)])
    def assoc_legendre_p(n, m, z, *, branch_cut=2, norm=False) -> y:
        slope = rt.associated(n, m, z, branch_cut, norm)
        d[y] = rt.broadcast(slope * d[z], y)
        b[z] += rt.unbroadcast(slope * b[y], z)

    @rule(sp.assoc_legendre_p_all, samples=[(3, 1, 0.4)])
    def assoc_legendre_p_all(n, m, z, *, branch_cut=2, norm=False) -> y:
        slope = rt.associated(rt.degrees(n, z, 2), rt.orders(m, z), z, branch_cut, norm)
        d[y] = rt.broadcast(slope * d[z], y)
        b[z] += rt.unbroadcast(slope * b[y], z)

    @rule(rt.associated, samples=[(3, 1, 0.4)], constant=("k",))
    def associated(n, m, z, cut=2, norm=False, k=1) -> y:
        slope = rt.associated(n, m, z, cut, norm, k + 1)
        d[y] = rt.broadcast(slope * d[z], y)
        b[z] += rt.unbroadcast(slope * b[y], z)

    @rule(sp.sph_legendre_p, samples=[(3, 1, 0.4)])
    def sph_legendre_p(n, m, theta) -> y:
        slope = rt.sphere_slope(n, m, theta)
        d[y] = rt.broadcast(slope * d[theta], y)
        b[theta] += rt.unbroadcast(slope * b[y], theta)

    @rule(sp.sph_legendre_p_all, samples=[(3, 1, 0.4)])
    def sph_legendre_p_all(n, m, theta) -> y:
        slope = rt.sphere_slope(rt.degrees(n, theta, 2), rt.orders(m, theta), theta)
        d[y] = rt.broadcast(slope * d[theta], y)
        b[theta] += rt.unbroadcast(slope * b[y], theta)

    @rule(rt.sphere_slope, samples=[(3, 1, 0.4)], constant=("k",))
    def sphere_slope(n, m, theta, k=1) -> y:
        slope = rt.sphere_slope(n, m, theta, k + 1)
        d[y] = rt.broadcast(slope * d[theta], y)
        b[theta] += rt.unbroadcast(slope * b[y], theta)

    @elementwise(sp.sph_harm_y, samples=[(3, 1, 0.4, 0.7)])
    def sph_harm_y(n, m, theta, phi) -> y:
        d[y] = rt.harmonic(n, m, theta, phi, 1) * d[theta] + 1j * m * y * d[phi]

    @rule(sp.sph_harm_y_all, samples=[(3, 1, 0.4, 0.7)])
    def sph_harm_y_all(n, m, theta, phi) -> y:
        rows, columns = rt.degrees(n, theta + phi, 2), rt.orders(m, theta + phi)
        slope = rt.harmonic(rows, columns, theta, phi, 1)
        d[y] = rt.broadcast(slope * d[theta] + 1j * columns * y * d[phi], y)
        b[theta] += rt.unbroadcast(np.real(slope * b[y]), theta)
        b[phi] += rt.unbroadcast(np.real(1j * columns * y * b[y]), phi)

    @rule(rt.harmonic, samples=[(3, 1, 0.4, 0.7, 1)], constant=("k",))
    def harmonic(n, m, theta, phi, k) -> y:
        slope = rt.harmonic(n, m, theta, phi, k + 1)
        d[y] = rt.broadcast(slope * d[theta] + 1j * m * y * d[phi], y)
        b[theta] += rt.unbroadcast(np.real(slope * b[y]), theta)
        b[phi] += rt.unbroadcast(np.real(1j * m * y * b[y]), phi)


# Tables by order and degree, with their derivatives.
@elementwise(sp.lqn, samples=[(3, 0.4), (2, 1.7)])
def lqn(n, z) -> (q, slope):
    k = rt.degrees(n, z)
    d[q] = slope * d[z]
    d[slope] = (2.0 * z * slope - k * (k + 1) * q) / (1.0 - z * z) * d[z]


@elementwise(sp.lqmn, samples=[(2, 3, 0.4), (1, 2, 1.7)])
def lqmn(m, n, z) -> (q, slope):
    k, wall = np.arange(n + 1), 1.0 - z * z
    bend = k * (k + 1) - rt.degrees(m, z, 2) ** 2 / wall
    d[q] = slope * d[z]
    d[slope] = (2.0 * z * slope - bend * q) / wall * d[z]


# Polynomials, in their argument.
@elementwise(sp.eval_chebyc, samples=[(3, 0.4)])
def eval_chebyc(n, x) -> y:
    d[y] = n * sp.eval_chebys(n - 1, x) * d[x]


@elementwise(sp.eval_chebys, samples=[(3, 0.4)])
def eval_chebys(n, x) -> y:
    d[y] = sp.eval_gegenbauer(n - 1, 2.0, 0.5 * x) * d[x]


@elementwise(sp.eval_sh_jacobi, samples=[(3, 2.5, 1.5, 0.4)])
def eval_sh_jacobi(n, p, q, x) -> y:
    lower = sp.eval_jacobi(n - 1, p - q + 1.0, q, 2.0 * x - 1.0)
    d[y] = (n + p) * lower / sp.binom(2.0 * n + p - 1.0, n) * d[x]


@elementwise(sp.assoc_laguerre, samples=[(0.4, 3), (0.4, 3, 1.5)])
def assoc_laguerre(x, n, k=0.0) -> y:
    d[y] = -sp.eval_genlaguerre(n - 1, k + 1.0, x) * d[x]


# Polynomials as objects: nothing flows from a count into them, and what flows from a shape is not followed.
inactive(sp.chebyc, sp.chebys, sp.chebyt, sp.chebyu, sp.hermite, sp.hermitenorm, sp.laguerre)
inactive(sp.legendre, sp.sh_chebyt, sp.sh_chebyu, sp.sh_legendre)


@rule(sp.gegenbauer, sp.genlaguerre, constant=("n", "monic"))
def of_one_shape(n, alpha, monic=False) -> p:
    """Say ``eval_gegenbauer`` or ``eval_genlaguerre``."""


@rule(sp.jacobi, sp.sh_jacobi, constant=("n", "monic"))
def of_two_shapes(n, alpha, beta, monic=False) -> p:
    """Say ``eval_jacobi`` or ``eval_sh_jacobi``."""
