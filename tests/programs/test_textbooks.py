"""Algorithms of textbooks in loops over numbers: simulations, factorizations, tables of dynamic programming."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

SIX = np.array([0.31, -0.42, 0.87, -0.15, 0.64, 0.23])
PLANE = np.array(
    [[0.3, -0.2, 0.7, 0.1], [0.5, 0.9, -0.4, 0.2], [-0.6, 0.8, 0.35, -0.1], [0.15, 0.45, -0.3, 0.6]]
)
DT = 0.01
G = 9.81


@case(0.5, 0.1, 50)
def pendulum(theta, omega, n):
    for i in range(n):
        omega = omega - DT * G * np.sin(theta)
        theta = theta + DT * omega
    return theta


@case(1.0, 1.0, 1.0, 10.0, 28.0, 8 / 3)
def lorenz(x, y, z, s, r, b):
    for i in range(200):
        dx = s * (y - x)
        dy = x * (r - z) - y
        dz = x * y - b * z
        x, y, z = x + DT * dx, y + DT * dy, z + DT * dz
    return x * x + y * y + z * z


@case(2.0)
def newton(a):
    x = 1.0
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x


@case(100.0, 101.0, 0.05, 0.2, 1.0, 9)
def binomial_tree(S, K, r, sigma, T, n):
    dt = T / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1.0 / u
    p = (np.exp(r * dt) - d) / (u - d)
    v = np.zeros(n + 1)
    for i in range(n + 1):
        v[i] = max(S * u ** (n - i) * d**i - K, 0.0)
    for j in range(n - 1, -1, -1):
        for i in range(j + 1):
            v[i] = np.exp(-r * dt) * (p * v[i] + (1.0 - p) * v[i + 1])
    return v[0]


@case(PLANE, PLANE[:3] + 0.1)
def viterbi_soft(logA, logB):
    T, K = logB.shape
    a = logB[0].copy()
    for t in range(1, T):
        new = np.zeros(K)
        for k in range(K):
            m = a[0] + logA[0, k]
            for j in range(1, K):
                m = np.logaddexp(m, a[j] + logA[j, k])
            new[k] = m + logB[t, k]
        a = new
    s = a[0]
    for k in range(1, K):
        s = np.logaddexp(s, a[k])
    return s


@case(SIX, 0.5, 0.2)
def ema_cross(p, a, b):
    f = p[0]
    s = p[0]
    pnl = 0.0
    pos = 0.0
    for i in range(1, len(p)):
        pnl += pos * (p[i] - p[i - 1])
        f = a * p[i] + (1 - a) * f
        s = b * p[i] + (1 - b) * s
        pos = np.tanh(10 * (f - s))
    return pnl


@case(PLANE[:, :2].copy(), PLANE[:, 2:].copy())
def nbody(q, v):
    n = q.shape[0]
    for t in range(3):
        f = np.zeros((n, 2))
        for i in range(n):
            for j in range(n):
                if i != j:
                    dx = q[j, 0] - q[i, 0]
                    dy = q[j, 1] - q[i, 1]
                    r2 = dx * dx + dy * dy + 0.1
                    w = r2**-1.5
                    f[i, 0] += dx * w
                    f[i, 1] += dy * w
        v = v + DT * f
        q = q + DT * v
    return np.sum(q * q)


@case(0.1, 0.2, 0.3, SIX)
def garch(w, a, b, r):
    n = len(r)
    h = np.empty(n)
    h[0] = np.var(r)
    for t in range(1, n):
        h[t] = w + a * r[t - 1] ** 2 + b * h[t - 1]
    return 0.5 * np.sum(np.log(h) + r**2 / h)


@case(SIX, 0.7)
def horner(c, x):
    s = 0.0
    for k in range(len(c) - 1, -1, -1):
        s = s * x + c[k]
    return s


@case(SIX[:4].copy(), PLANE, np.array([0.0, 1.0, 1.0, 0.0]))
def logistic_sgd(w, X, y):
    n, d = X.shape
    w = w.copy()
    for i in range(n):
        z = 0.0
        for j in range(d):
            z += w[j] * X[i, j]
        p = 1.0 / (1.0 + np.exp(-z))
        for j in range(d):
            w[j] -= 0.1 * (p - y[i]) * X[i, j]
    return np.sum(w**2)


@case(SIX, SIX[:3].copy())
def conv(x, k):
    n, m = len(x), len(k)
    y = np.zeros(n - m + 1)
    for i in range(n - m + 1):
        s = 0.0
        for j in range(m):
            s += x[i + j] * k[j]
        y[i] = s
    return np.sum(np.tanh(y))


@case(SIX[:4].copy(), SIX[1:])
def edit(x, y):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), 0.0)
    for i in range(1, n + 1):
        D[i, 0] = i
    for j in range(1, m + 1):
        D[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            c = abs(x[i - 1] - y[j - 1])
            D[i, j] = min(D[i - 1, j] + 1.0, D[i, j - 1] + 1.0, D[i - 1, j - 1] + c)
    return D[n, m]


@case(SIX)
def welford(x):
    m, s, n = 0.0, 0.0, 0
    for v in x:
        n += 1
        d = v - m
        m += d / n
        s += d * (v - m)
    return np.sqrt(s / (n - 1))


@case(SIX, 0.2)
def heat(u, a):
    u = u.copy()
    n = len(u)
    for t in range(5):
        un = u.copy()
        for i in range(1, n - 1):
            u[i] = un[i] + a * (un[i + 1] - 2 * un[i] + un[i - 1])
    return np.sum(u**2)


@case(PLANE + 4.0 * np.eye(4), SIX[:4].copy())
def gs(A, b):
    n = len(b)
    x = np.zeros(n)
    for k in range(5):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= A[i, j] * x[j]
            x[i] = s / A[i, i]
    return np.sum(x * x)


@case(PLANE @ PLANE.T + np.eye(4))
def cholesky(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += L[i, k] * L[j, k]
            if i == j:
                L[i, j] = np.sqrt(A[i, i] - s)
            else:
                L[i, j] = (A[i, j] - s) / L[j, j]
    t = 0.0
    for i in range(n):
        t += np.log(L[i, i])
    return t


@case(np.abs(PLANE))
def floyd(D):
    D = D.copy()
    n = len(D)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                D[i, j] = min(D[i, j], D[i, k] + D[k, j])
    return np.sum(D)


@case(SIX, 0.9 * SIX[::-1] + 0.1)
def queue(a, s):
    w = 0.0
    total = 0.0
    for i in range(len(a)):
        w = max(0.0, w + s[i] - a[i])
        total += w
    return total / len(a)


@case(np.array([-3.0, 0.2]), np.array([1.0, 0.0]), 50)
def ray(o, d, n):
    t = 0.0
    for i in range(n):
        px = o[0] + t * d[0]
        py = o[1] + t * d[1]
        dist = math.sqrt(px * px + py * py) - 1.0
        if dist < 1e-6:
            break
        t += dist
    return t


@case(SIX)
def clipped(x):
    s = 0.0
    for i in range(len(x)):
        s += np.clip(x[i], -0.3, 0.4) * x[i]
    return s


@case(SIX[:5], 6)
def mixed_in(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i % len(x)] ** 2 / (i + 1)
    z = y.reshape(2, -1)
    for i in range(2):
        for j in range(z.shape[1]):
            z[i, j] *= 2.0
    return np.sum(y * z.ravel())


@case(SIX)
def fill_view(x):
    n = len(x)
    y = np.zeros((n, 2))
    c = y[:, 0]
    for i in range(n):
        c[i] = x[i] * 2.0
        y[i, 1] = y[i, 0] * x[i]
    return np.sum(y)


@case(SIX)
def two_names(x):
    a = x.copy()
    b = a
    for i in range(1, len(x)):
        a[i] = a[i] * b[i - 1]
    return np.sum(b)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(function, *args, **options)
