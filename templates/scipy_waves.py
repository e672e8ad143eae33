"""``scipy.special``: solutions of equations of waves: parabolic cylinders, Mathieu's, spheroidal functions.

They come with their first derivative; the second is what the equation says.

In: numbers and arrays; orders are constants.
Out: rules.
Next: indexing.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import b, d, elementwise, rule


# Parabolic cylinders.
@elementwise(sp.pbdv, samples=[(1.3, 0.4)])
def pbdv(v, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (0.25 * x * x - v - 0.5) * y * d[x]


@elementwise(sp.pbvv, samples=[(1.3, 0.4)])
def pbvv(v, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (0.25 * x * x - v - 0.5) * y * d[x]


@elementwise(sp.pbwa, samples=[(1.3, 0.4)])
def pbwa(a, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (a - 0.25 * x * x) * y * d[x]


@elementwise(sp.pbdv_seq, samples=[(2.3, 0.4)])
def pbdv_seq(v, x) -> (y, slope):
    order = v % 1.0 + np.arange(np.shape(y)[0])
    d[y] = sp.pbdv(order, x)[1] * d[x]
    d[slope] = (0.25 * x * x - order - 0.5) * y * d[x]


@elementwise(sp.pbvv_seq, samples=[(2.3, 0.4)])
def pbvv_seq(v, x) -> (y, slope):
    order = v % 1.0 + np.arange(np.shape(y)[0])
    d[y] = sp.pbvv(order, x)[1] * d[x]
    d[slope] = (0.25 * x * x - order - 0.5) * y * d[x]


@elementwise(sp.pbdn_seq, samples=[(2, 0.4)])
def pbdn_seq(n, z) -> (y, slope):
    """Of a real number: SciPy gives no analytic function of a complex one."""
    order = np.arange(np.shape(y)[0])
    d[y] = slope * d[z]
    d[slope] = (0.25 * rt.real_only(z) * z - order - 0.5) * y * d[z]


# Mathieu's functions: of degrees, the modified ones of radians.
@elementwise(sp.mathieu_a, samples=[(2, 1.3)])
def mathieu_a(m, q) -> y:
    d[y] = rt.mathieu_value(m, q, False, 1) * d[q]


@elementwise(sp.mathieu_b, samples=[(2, 1.3)])
def mathieu_b(m, q) -> y:
    d[y] = rt.mathieu_value(m, q, True, 1) * d[q]


@elementwise(rt.mathieu_value, samples=[(2, 1.3), (1, 0.7, True)], constant=("n",))
def mathieu_value(m, q, odd=False, n=0) -> y:
    d[y] = rt.mathieu_value(m, q, odd, n + 1) * d[q]


@rule(sp.mathieu_even_coef, samples=[(2, 1.3)])
def mathieu_even_coef(m, q) -> y:
    slope = rt.mathieu_row(m, q, np.shape(y)[0], False, 1)
    d[y] = slope * d[q]
    b[q] += np.sum(slope * b[y])


@rule(sp.mathieu_odd_coef, samples=[(2, 1.3)])
def mathieu_odd_coef(m, q) -> y:
    slope = rt.mathieu_row(m, q, np.shape(y)[0], True, 1)
    d[y] = slope * d[q]
    b[q] += np.sum(slope * b[y])


@rule(rt.mathieu_row, samples=[(2, 1.3, 4)], constant=("count", "n"))
def mathieu_row(m, q, count, odd=False, n=0) -> y:
    slope = rt.mathieu_row(m, q, count, odd, n + 1)
    d[y] = slope * d[q]
    b[q] += np.sum(slope * b[y])


@elementwise(sp.mathieu_cem, samples=[(2, 1.3, 30.0)])
def mathieu_cem(m, q, x) -> (y, slope):
    wave = 2.0 * q * np.cos(2.0 * np.radians(x)) - sp.mathieu_a(m, q)
    d[y] = math.pi / 180.0 * slope * d[x] + rt.mathieu(m, q, x, False, 1) * d[q]
    d[slope] = math.pi / 180.0 * wave * y * d[x] + rt.mathieu(m, q, x, False, 1, 1) * d[q]


@elementwise(sp.mathieu_sem, samples=[(2, 1.3, 30.0)])
def mathieu_sem(m, q, x) -> (y, slope):
    wave = 2.0 * q * np.cos(2.0 * np.radians(x)) - sp.mathieu_b(m, q)
    d[y] = math.pi / 180.0 * slope * d[x] + rt.mathieu(m, q, x, True, 1) * d[q]
    d[slope] = math.pi / 180.0 * wave * y * d[x] + rt.mathieu(m, q, x, True, 1, 1) * d[q]


@elementwise(rt.mathieu, samples=[(2, 1.3, 30.0)], constant=("i", "j"))
def mathieu(m, q, x, odd=False, i=0, j=0) -> y:
    along = math.pi / 180.0 * rt.mathieu(m, q, x, odd, i, j + 1) * d[x]
    d[y] = along + rt.mathieu(m, q, x, odd, i + 1, j) * d[q]


@elementwise(sp.mathieu_modcem1, samples=[(2, 1.3, 0.7)])
def mathieu_modcem1(m, q, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (sp.mathieu_a(m, q) - 2.0 * q * np.cosh(2.0 * x)) * y * d[x]


@elementwise(sp.mathieu_modcem2, samples=[(2, 1.3, 0.7)])
def mathieu_modcem2(m, q, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (sp.mathieu_a(m, q) - 2.0 * q * np.cosh(2.0 * x)) * y * d[x]


@elementwise(sp.mathieu_modsem1, samples=[(2, 1.3, 0.7)])
def mathieu_modsem1(m, q, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (sp.mathieu_b(m, q) - 2.0 * q * np.cosh(2.0 * x)) * y * d[x]


@elementwise(sp.mathieu_modsem2, samples=[(2, 1.3, 0.7)])
def mathieu_modsem2(m, q, x) -> (y, slope):
    d[y] = slope * d[x]
    d[slope] = (sp.mathieu_b(m, q) - 2.0 * q * np.cosh(2.0 * x)) * y * d[x]


# Spheroidal functions.
@elementwise(sp.pro_cv, samples=[(1, 2, 1.3)])
def pro_cv(m, n, c) -> y:
    d[y] = rt.spheroidal_value(m, n, c, False, 1) * d[c]


@elementwise(sp.obl_cv, samples=[(1, 2, 1.3)])
def obl_cv(m, n, c) -> y:
    d[y] = rt.spheroidal_value(m, n, c, True, 1) * d[c]


@rule(sp.pro_cv_seq, samples=[(1, 3, 1.3)])
def pro_cv_seq(m, n, c) -> y:
    slope = rt.spheroidal_value(m, np.arange(m, n + 1), c, False, 1)
    d[y] = slope * d[c]
    b[c] += np.sum(slope * b[y])


@rule(sp.obl_cv_seq, samples=[(1, 3, 1.3)])
def obl_cv_seq(m, n, c) -> y:
    slope = rt.spheroidal_value(m, np.arange(m, n + 1), c, True, 1)
    d[y] = slope * d[c]
    b[c] += np.sum(slope * b[y])


@rule(rt.spheroidal_value, samples=[(1, 2, 1.3)], constant=("order",))
def spheroidal_value(m, n, c, oblate=False, order=0) -> y:
    slope = rt.spheroidal_value(m, n, c, oblate, order + 1)
    d[y] = rt.broadcast(slope * d[c], y)
    b[c] += rt.unbroadcast(slope * b[y], c)


@elementwise(sp.pro_ang1, sp.pro_rad1, sp.pro_rad2, samples=[(1, 2, 1.3, 0.4)])
def prolate(m, n, c, x) -> (y, slope):
    wall = 1.0 - x * x
    bend = sp.pro_cv(m, n, c) - c * c * x * x - m * m / wall
    d[y] = slope * d[x]
    d[slope] = (2.0 * x * slope - bend * y) / wall * d[x]


@elementwise(
    sp.pro_ang1_cv,
    sp.pro_rad1_cv,
    sp.pro_rad2_cv,
    samples=[(1, 2, 1.3, float(sp.pro_cv(1, 2, 1.3)), 0.4)],
)
def prolate_of_value(m, n, c, cv, x) -> (y, slope):
    wall = 1.0 - x * x
    bend = cv - c * c * x * x - m * m / wall
    d[y] = slope * d[x]
    d[slope] = (2.0 * x * slope - bend * y) / wall * d[x]


@elementwise(sp.obl_ang1, samples=[(1, 2, 1.3, 0.4)])
def obl_ang1(m, n, c, x) -> (y, slope):
    wall = 1.0 - x * x
    bend = sp.obl_cv(m, n, c) + c * c * x * x - m * m / wall
    d[y] = slope * d[x]
    d[slope] = (2.0 * x * slope - bend * y) / wall * d[x]


@elementwise(sp.obl_ang1_cv, samples=[(1, 2, 1.3, float(sp.obl_cv(1, 2, 1.3)), 0.4)])
def obl_ang1_cv(m, n, c, cv, x) -> (y, slope):
    wall = 1.0 - x * x
    bend = cv + c * c * x * x - m * m / wall
    d[y] = slope * d[x]
    d[slope] = (2.0 * x * slope - bend * y) / wall * d[x]


@elementwise(sp.obl_rad1, sp.obl_rad2, samples=[(0, 1, 2.0, 4.0)])
def oblate(m, n, c, x) -> (y, slope):
    wall = 1.0 + x * x
    bend = sp.obl_cv(m, n, c) - c * c * x * x - m * m / wall
    d[y] = slope * d[x]
    d[slope] = (bend * y - 2.0 * x * slope) / wall * d[x]


@elementwise(
    sp.obl_rad1_cv, sp.obl_rad2_cv, samples=[(0, 1, 2.0, float(sp.obl_cv(0, 1, 2.0)), 4.0)]
)
def oblate_of_value(m, n, c, cv, x) -> (y, slope):
    wall = 1.0 + x * x
    bend = cv - c * c * x * x - m * m / wall
    d[y] = slope * d[x]
    d[slope] = (bend * y - 2.0 * x * slope) / wall * d[x]
