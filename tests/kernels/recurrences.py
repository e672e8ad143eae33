"""Tables, polynomials, networks and transforms that are filled or turned in place."""

from __future__ import annotations

import numpy as np

from tests.kernels.corpus import (
    kernel,
    normal,
    positive,
)


@kernel(x=positive(5), y=normal(5), t=0.4)
def neville(x, y, t):
    x = np.cumsum(x)
    p = y.copy()
    for k in range(1, 5):
        for i in range(5 - k):
            p[i] = ((t - x[i + k]) * p[i] + (x[i] - t) * p[i + 1]) / (x[i] - x[i + k])
    return p[0]


@kernel(x=positive(5), f=normal(5))
def divided_differences(x, f):
    x = np.cumsum(x)
    for k in range(1, 5):
        f[k:] = (f[k:] - f[k - 1 : -1]) / (x[k:] - x[:-k])


@kernel(x=positive(4), b=normal(4))
def vandermonde_solve(x, b):
    """Björck and Pereyra, for the nodes ``cumsum(x)``."""
    x = np.cumsum(x)
    n = len(b)
    for k in range(n - 1):
        for i in range(n - 1, k, -1):
            b[i] = (b[i] - b[i - 1]) / (x[i] - x[i - k - 1])
    for k in range(n - 2, -1, -1):
        for i in range(k, n - 1):
            b[i] -= x[k] * b[i + 1]


@kernel(s=normal(6))
def aitken(s):
    t = np.cumsum(s * s / (1.0 + np.arange(6.0)) ** 2)
    while len(t) > 2:
        d = t[1:] - t[:-1]
        t = t[:-2] - d[:-1] ** 2 / (d[1:] - d[:-1] - 1.0)
    return t


@kernel(x=normal(4), n=4)
def romberg_table(x, n):
    R = np.zeros((n, n))
    h = 1.0
    for i in range(n):
        points = np.arange(1, 2**i + 1) * h - 0.5 * h
        total = 0.0
        for p in points:
            total += np.sum(np.exp(-x * p))
        R[i, 0] = h * total
        h *= 0.5
        for j in range(1, i + 1):
            R[i, j] = R[i, j - 1] + (R[i, j - 1] - R[i - 1, j - 1]) / (4.0**j - 1.0)
    return R


@kernel(p=normal(5), q=normal(3))
def polynomial_division(p, q):
    r = p.copy()
    lead = q[-1] + 3.0
    out = np.zeros(3)
    for k in range(2, -1, -1):
        out[k] = r[k + 2] / lead
        r[k : k + 2] -= out[k] * q[:2]
        r[k + 2] = 0.0
    return out, r


@kernel(c=normal(5))
def horner_derivatives(c):
    b = c * 1.0
    out = np.zeros(5)
    for k in range(5):
        for j in range(3, k - 1, -1):
            b[j] += 0.6 * b[j + 1]
        out[k] = b[k]
    return out


@kernel(K=positive(3, 4), r=positive(3), c=positive(4))
def sinkhorn(K, r, c):
    u, v = np.ones(3), np.ones(4)
    for _ in range(3):
        np.divide(r, K @ v, out=u)
        np.divide(c, K.T @ u, out=v)
    P = K * v
    P *= u[:, None]
    return P


@kernel(C=positive(3, 3), f=normal(3), g=normal(3), inert=("f",))
def log_sinkhorn(C, f, g):
    for _ in range(2):
        for i in range(3):
            m = np.max(g - C[i])
            f[i] = -(m + np.log(np.sum(np.exp(g - C[i] - m))))
        for j in range(3):
            m = np.max(f - C[:, j])
            g[j] = -(m + np.log(np.sum(np.exp(f - C[:, j] - m))))


@kernel(x=normal(8))
def bitonic_sort(x):
    k = 2
    while k <= 8:
        j = k // 2
        while j > 0:
            for i in range(8):
                p = i ^ j
                if p > i:
                    lo, hi = np.minimum(x[i], x[p]), np.maximum(x[i], x[p])
                    if i & k:
                        lo, hi = hi, lo
                    x[i], x[p] = lo, hi
            j //= 2
        k *= 2


@kernel(x=normal(6), w=normal(6))
def odd_even_transposition(x, w):
    for k in range(6):
        i = k % 2
        a, b = x[i:-1:2], x[i + 1 :: 2]
        keep = a <= b
        lo = np.where(keep, a, b)
        x[i + 1 :: 2] = np.where(keep, b, a)
        x[i : i + 2 * len(lo) : 2] = lo
        x *= 1.0 + 0.01 * w


@kernel(a=normal(8))
def hillis_steele(a):
    step = 1
    while step < 8:
        new = a.copy()
        new[step:] += a[:-step] * np.cos(a[step:])
        a[:] = new
        step *= 2


@kernel(re=normal(8), im=normal(8))
def fft_decimation_in_frequency(re, im):
    n = 8
    half = n // 2
    while half >= 1:
        for start in range(0, n, 2 * half):
            for k in range(half):
                i, j = start + k, start + k + half
                angle = -np.pi * k / half
                tr, ti = re[i] - re[j], im[i] - im[j]
                re[i], im[i] = re[i] + re[j], im[i] + im[j]
                re[j] = tr * np.cos(angle) - ti * np.sin(angle)
                im[j] = tr * np.sin(angle) + ti * np.cos(angle)
        half //= 2


@kernel(x=normal(8))
def goertzel(x):
    power = np.zeros(4)
    for k in range(4):
        c = 2.0 * np.cos(2.0 * np.pi * k / 8)
        s = np.zeros(3)
        for v in x:
            s[0] = v + c * s[1] - s[2]
            s[2] = s[1]
            s[1] = s[0]
        power[k] = s[1] * s[1] + s[2] * s[2] - c * s[1] * s[2]
    return power


@kernel(x=normal(8))
def discrete_cosine_by_recurrence(x):
    out = np.zeros(8)
    for k in range(8):
        b = np.zeros(10)
        c = np.cos(np.pi * k / 8)
        for n in range(7, 0, -1):
            b[n] = x[n] + 2.0 * c * b[n + 1] - b[n + 2]
        out[k] = x[0] + c * b[1] - b[2]
    return out
