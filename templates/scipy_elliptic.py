"""``scipy.special``: elliptic integrals and functions, the mean of arithmetic and geometry.

In: real numbers and arrays; Carlson's integrals of complex ones, too.
Out: rules.
Next: scipy_functions.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as sp

from tangentlite import runtime as rt
from tangentlite.rules.notation import d, elementwise


@elementwise(sp.agm, samples=[(1.3, 0.7), (1.0, 1.0)])
def agm(x, y) -> m:
    """``m`` is ``pi / 2 / elliprf(0, x * x, y * y)``."""
    size = 2.0 / (3.0 * math.pi) * m * m
    left = size * np.abs(x) * sp.elliprd(0.0, y * y, x * x)
    d[m] = left * d[x] + size * np.abs(y) * sp.elliprd(0.0, x * x, y * y) * d[y]


@elementwise(sp.ellipkm1, domain=(0.2, 0.8))
def ellipkm1(p) -> y:
    d[y] = -sp.elliprd(0.0, 1.0, p) / 6.0 * d[p]


@elementwise(sp.ellipkinc, samples=[(0.7, 0.4), (4.0, -0.3)])
def ellipkinc(phi, m) -> y:
    turn = 1.0 / np.sqrt(1.0 - m * np.sin(phi) * np.sin(phi))
    d[y] = turn * d[phi] + 0.5 * rt.elliptic(phi, m) * d[m]


@elementwise(sp.ellipeinc, samples=[(0.7, 0.4), (4.0, -0.3)])
def ellipeinc(phi, m) -> y:
    turn = np.sqrt(1.0 - m * np.sin(phi) * np.sin(phi))
    d[y] = turn * d[phi] - 0.5 * rt.elliptic(phi, m, 1, 0) * d[m]


@elementwise(rt.elliptic, samples=[(0.7, 0.4), (4.0, -0.3, 1, 0)], constant=("i", "j"))
def elliptic(phi, m, i=1, j=1) -> y:
    square = np.sin(phi) * np.sin(phi)
    turn = square**i * (1.0 - m * square) ** (-0.5 - j)
    d[y] = turn * d[phi] + (0.5 + j) * rt.elliptic(phi, m, i + 1, j + 1) * d[m]


@elementwise(sp.ellipj, samples=[(0.7, 0.4), (3.0, 0.9)])
def ellipj(u, m) -> (sn, cn, dn, phi):
    """The amplitude ``phi`` is what ``ellipkinc`` takes to ``u``."""
    turned = dn * (d[u] - 0.5 * rt.elliptic(phi, m) * d[m])
    d[phi] = turned
    d[sn] = cn * turned
    d[cn] = -sn * turned
    d[dn] = -(sn * sn * d[m] + 2.0 * m * sn * cn * turned) / (2.0 * dn)


# Carlson's integrals.
@elementwise(sp.elliprf, samples=[(0.3, 0.7, 1.9)])
def elliprf(x, y, z) -> r:
    left = sp.elliprd(y, z, x) * d[x] + sp.elliprd(x, z, y) * d[y]
    d[r] = -(left + sp.elliprd(x, y, z) * d[z]) / 6.0


@elementwise(sp.elliprc, samples=[(0.3, 0.7), (0.7, 0.7), (0.7, -0.3)])
def elliprc(x, y) -> r:
    """Below zero ``y`` gives a principal value."""
    apart = (np.real(y) < 0.0) & (np.imag(y) == 0.0)
    near, gap = np.where(apart, 1.0, y), np.where(apart, y - x, -1.0)
    steep = -0.25 * rt.carlson(x, near, 1.0, 1.0, 1.5, 1.0, 0.0, 0.0)
    left = np.where(apart, 0.5 * (r - 1.0 / np.sqrt(x)) / gap, steep)
    other = -0.5 * rt.carlson(x, near, 1.0, 1.0, 0.5, 2.0, 0.0, 0.0)
    d[r] = left * d[x] + np.where(apart, -(0.5 * r + x * left) / y, other) * d[y]


@elementwise(sp.elliprg, samples=[(0.3, 0.7, 1.9)])
def elliprg(x, y, z) -> r:
    whole = 0.25 * sp.elliprf(x, y, z)
    left = (whole - rt.times(x, sp.elliprd(y, z, x)) / 12.0) * d[x]
    middle = (whole - rt.times(y, sp.elliprd(x, z, y)) / 12.0) * d[y]
    d[r] = left + middle + (whole - rt.times(z, sp.elliprd(x, y, z)) / 12.0) * d[z]


@elementwise(sp.elliprd, samples=[(0.3, 0.7, 1.9), (0.7, 0.7, 0.7)])
def elliprd(x, y, z) -> r:
    left = rt.carlson(x, y, z, 1.0, 1.5, 0.5, 1.5, 0.0) * d[x]
    middle = rt.carlson(x, y, z, 1.0, 0.5, 1.5, 1.5, 0.0) * d[y]
    d[r] = -0.75 * (left + middle) - 2.25 * rt.carlson(x, y, z, 1.0, 0.5, 0.5, 2.5, 0.0) * d[z]


@elementwise(sp.elliprj, samples=[(0.3, 0.7, 1.9, 0.4), (0.7, 0.7, 0.7, 0.7)])
def elliprj(x, y, z, p) -> r:
    left = rt.carlson(x, y, z, p, 1.5, 0.5, 0.5, 1.0) * d[x]
    middle = rt.carlson(x, y, z, p, 0.5, 1.5, 0.5, 1.0) * d[y]
    right = rt.carlson(x, y, z, p, 0.5, 0.5, 1.5, 1.0) * d[z]
    last = rt.carlson(x, y, z, p, 0.5, 0.5, 0.5, 2.0) * d[p]
    d[r] = -0.75 * (left + middle + right) - 1.5 * last


@elementwise(
    rt.carlson, samples=[(0.3, 0.7, 1.9, 0.4, 0.5, 0.5, 1.5, 1.0)], constant=("i", "j", "k", "m")
)
def carlson(x, y, z, p, i, j, k, m) -> r:
    left = i * rt.carlson(x, y, z, p, i + 1.0, j, k, m) * d[x]
    middle = j * rt.carlson(x, y, z, p, i, j + 1.0, k, m) * d[y]
    right = k * rt.carlson(x, y, z, p, i, j, k + 1.0, m) * d[z]
    d[r] = -(left + middle + right + m * rt.carlson(x, y, z, p, i, j, k, m + 1.0) * d[p])
