"""Waves, flows, prices and paths that are moved in place."""

from __future__ import annotations

import math

import numpy as np

from tests.kernels.corpus import (
    kernel,
    normal,
    positive,
)

CX = np.array([0, 1, 0, -1, 0])


CY = np.array([0, 0, 1, 0, -1])


WEIGHTS = np.array([1 / 3, 1 / 6, 1 / 6, 1 / 6, 1 / 6])


@kernel(f=positive(5, 3, 4), omega=0.8)
def lattice_boltzmann(f, omega):
    for _ in range(2):
        for k in range(5):
            f[k] = np.roll(f[k], (CX[k], CY[k]), axis=(0, 1))
        rho = np.sum(f, axis=0)
        ux = (f[1] - f[3]) / rho
        uy = (f[2] - f[4]) / rho
        for k in range(5):
            cu = CX[k] * ux + CY[k] * uy
            eq = WEIGHTS[k] * rho * (1.0 + 3.0 * cu)
            f[k] += omega * (eq - f[k])


@kernel(h=positive(6), q=normal(6, scale=0.2), dt=0.05)
def shallow_water_lax_friedrichs(h, q, dt):
    hn, qn = np.empty_like(h), np.empty_like(q)
    for _ in range(3):
        flux = q**2 / h + 4.9 * h**2
        hn[1:-1] = 0.5 * (h[:-2] + h[2:]) - dt * (q[2:] - q[:-2])
        qn[1:-1] = 0.5 * (q[:-2] + q[2:]) - dt * (flux[2:] - flux[:-2])
        hn[0], hn[-1] = hn[1], hn[-2]
        qn[0], qn[-1] = -qn[1], -qn[-2]
        h[:], qn, q[:] = hn, q.copy(), qn


@kernel(u=normal(4, 5), vx=positive(4, 5), vy=positive(4, 5), dt=0.1)
def upwind_2d(u, vx, vy, dt):
    un = u.copy()
    for _ in range(2):
        un[:] = u
        u[1:, 1:] -= dt * (
            vx[1:, 1:] * (un[1:, 1:] - un[:-1, 1:]) + vy[1:, 1:] * (un[1:, 1:] - un[1:, :-1])
        )
        u[0], u[:, 0] = un[0] * 0.9, un[:, 0] * 0.9


@kernel(u=normal(6, scale=0.3), n=4, c=0.4)
def wave_three_buffers(u, n, c):
    old, now, new = u.copy(), u.copy(), np.zeros_like(u)
    for _ in range(n):
        new[1:-1] = 2.0 * now[1:-1] - old[1:-1] + c * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        new[0], new[-1] = new[1] * 0.5, 0.5 * new[-2]
        old, now, new = now, new, old
    u[:] = now
    return old


@kernel(I=normal(5, 5), kappa=0.7, dt=0.2)
def perona_malik(I, kappa, dt):
    for _ in range(2):
        north = np.zeros_like(I)
        south, east, west = np.zeros_like(I), np.zeros_like(I), np.zeros_like(I)
        north[1:] = I[:-1] - I[1:]
        south[:-1] = I[1:] - I[:-1]
        east[:, :-1] = I[:, 1:] - I[:, :-1]
        west[:, 1:] = I[:, :-1] - I[:, 1:]
        for d in (north, south, east, west):
            I += dt * np.exp(-((d / kappa) ** 2)) * d


@kernel(ez=normal(7), hy=normal(6), eps=positive(7), steps=3)
def fdtd_1d(ez, hy, eps, steps):
    for t in range(steps):
        hy += 0.5 * (ez[1:] - ez[:-1])
        ez[1:-1] += 0.5 / eps[1:-1] * (hy[1:] - hy[:-1])
        ez[3] += math.exp(-((t - 1.0) ** 2))
        ez[0] = ez[1]


def implicit_rows(u, r):
    n = u.shape[1]
    c = np.empty(n)
    for row in u:
        c[0] = -r / (1.0 + 2.0 * r)
        row[0] /= 1.0 + 2.0 * r
        for j in range(1, n):
            m = 1.0 + 2.0 * r + r * c[j - 1]
            c[j] = -r / m
            row[j] = (row[j] + r * row[j - 1]) / m
        for j in range(n - 2, -1, -1):
            row[j] -= c[j] * row[j + 1]


@kernel(u=normal(4, 4), r=0.3)
def heat_adi(u, r):
    for _ in range(2):
        implicit_rows(u, r)
        implicit_rows(u.T, r)


@kernel(S=1.1, K=1.0, r=0.05, sigma=0.3, n=5)
def american_put_in_place(S, K, r, sigma, n):
    dt = 1.0 / n
    up = math.exp(sigma * math.sqrt(dt))
    p = (math.exp(r * dt) - 1.0 / up) / (up - 1.0 / up)
    spot = S * up ** (2.0 * np.arange(n + 1) - n)
    value = np.maximum(K - spot, 0.0)
    for i in range(n, 0, -1):
        value[:i] = math.exp(-r * dt) * (p * value[1 : i + 1] + (1.0 - p) * value[:i])
        spot[:i] *= up
        np.maximum(value[:i], K - spot[:i], out=value[:i])
    return value[0]


@kernel(S=1.05, K=1.0, sigma=0.4, m=5, steps=3)
def crank_nicolson_option(S, K, sigma, m, steps):
    grid = S * np.linspace(0.5, 1.5, m)
    v = np.maximum(grid - K, 0.0)
    a = 0.25 * sigma**2 * np.arange(m) ** 2 * 0.1
    low, diag, up = -a, 1.0 + 2.0 * a, -a
    for _ in range(steps):
        d = v.copy()
        d[1:-1] += a[1:-1] * (v[:-2] - 2.0 * v[1:-1] + v[2:])
        cp = np.zeros(m)
        for i in range(1, m - 1):
            w = diag[i] - low[i] * cp[i - 1]
            cp[i] = up[i] / w
            d[i] = (d[i] - low[i] * d[i - 1]) / w
        for i in range(m - 2, 0, -1):
            d[i] -= cp[i] * d[i + 1]
        v[1:-1] = d[1:-1]
    return v


@kernel(z=normal(3, 4), s0=1.0, mu=0.1, vol=0.3)
def paths_by_rows(z, s0, mu, vol):
    paths = np.empty((3, 5))
    paths[:, 0] = s0
    for t in range(4):
        np.multiply(paths[:, t], np.exp(mu + vol * z[:, t]), out=paths[:, t + 1])
    running = paths.copy()
    for t in range(1, 5):
        running[:, t] = np.maximum(running[:, t], running[:, t - 1])
    return running[:, -1] - paths[:, -1]
