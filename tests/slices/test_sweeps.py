"""Sweeps through planes and cubes, of which one direction is done at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("PPPT")
def fdtd(ex, ey, hz, T):
    nx, ny = hz.shape
    for t in range(T):
        for j in range(ny):
            ey[0, j] = 0.1 * t
        for i in range(1, nx):
            for j in range(ny):
                ey[i, j] = ey[i, j] - 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(nx):
            for j in range(1, ny):
                ex[i, j] = ex[i, j] - 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(nx - 1):
            for j in range(ny - 1):
                hz[i, j] = hz[i, j] - 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])
    return np.sum(hz * hz)


@case("PT")
def adi(u, T):
    n = u.shape[0]
    v = np.zeros((n, n))
    p = np.zeros((n, n))
    q = np.zeros((n, n))
    a = -0.3
    b = 1.6
    c = -0.3
    d = -0.2
    f = -0.2
    for t in range(T):
        for i in range(1, n - 1):
            v[0, i] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = v[0, i]
            for j in range(1, n - 1):
                p[i, j] = -c / (a * p[i, j - 1] + b)
                q[i, j] = (
                    -d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - f * u[j, i + 1] - a * q[i, j - 1]
                ) / (a * p[i, j - 1] + b)
            v[n - 1, i] = 1.0
            for j in range(n - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        for i in range(1, n - 1):
            u[i, 0] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = u[i, 0]
            for j in range(1, n - 1):
                p[i, j] = -f / (d * p[i, j - 1] + 1.4)
                q[i, j] = (
                    -a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - c * v[i + 1, j] - d * q[i, j - 1]
                ) / (d * p[i, j - 1] + 1.4)
            u[i, n - 1] = 1.0
            for j in range(n - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]
    return np.sum(u * u)


@case("PN")
def deriche(imgIn, a):
    w, h = imgIn.shape
    y1 = np.zeros((w, h))
    out = np.zeros((w, h))
    for i in range(w):
        ym1 = 0.0
        ym2 = 0.0
        xm1 = 0.0
        for j in range(h):
            y1[i, j] = a * imgIn[i, j] + 0.3 * xm1 + 0.2 * ym1 + 0.1 * ym2
            xm1 = imgIn[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for i in range(w):
        for j in range(h):
            out[i, j] = y1[i, j] * imgIn[i, j]
    return np.sum(out * out)


@case("QT")
def heat3(Q3, T):
    B = Q3.copy()
    n, m, o = Q3.shape
    for t in range(T):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                for k in range(1, o - 1):
                    B[i, j, k] = (
                        0.125 * (Q3[i + 1, j, k] - 2.0 * Q3[i, j, k] + Q3[i - 1, j, k])
                        + 0.125 * (Q3[i, j + 1, k] - 2.0 * Q3[i, j, k] + Q3[i, j - 1, k])
                        + 0.125 * (Q3[i, j, k + 1] - 2.0 * Q3[i, j, k] + Q3[i, j, k - 1])
                        + Q3[i, j, k]
                    )
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                for k in range(1, o - 1):
                    Q3[i, j, k] = B[i, j, k]
    return np.sum(Q3 * Q3)


@case("SPP")
def vadv(A, B, C):
    n, m = A.shape
    for j in range(m):
        C[0, j] = C[0, j] / B[0, j]
        for k in range(1, n):
            s = 1.0 / (B[k, j] + 3.0 - A[k, j] * C[k - 1, j])
            C[k, j] = C[k, j] * s
    return np.sum(C * C)


@case("SPP")
def vadv2(A, B, C):
    n, m = A.shape
    for k in range(1, n):
        for j in range(m):
            s = 1.0 / (B[k, j] + 3.0 - A[k, j] * C[k - 1, j])
            C[k, j] = C[k, j] * s
    for k in range(n - 2, -1, -1):
        for j in range(m):
            C[k, j] = C[k, j] - A[k, j] * C[k + 1, j]
    return np.sum(C * C)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
