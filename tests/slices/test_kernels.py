"""Kernels as they are written in C: loops over places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("PPT")
def jac(a, b, T):
    n, m = a.shape
    for t in range(T):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i - 1, j] + a[i + 1, j])
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = b[i, j]
    return np.sum(a)


@case("SPSN")
def gemm(A, B, C, alpha):
    n, m = C.shape
    for i in range(n):
        for j in range(m):
            for k in range(A.shape[1]):
                C[i, j] += alpha * A[i, k] * B[k, j]
    return np.sum(C * C)


@case("SP")
def gemm2(A, B):
    n, m = A.shape[0], B.shape[1]
    C = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s = 0.0
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s
    return np.sum(C * C)


@case("SVV", slices=False)
def trisolv(L, x, b):
    n = len(x)
    for i in range(n):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] = x[i] / L[i, i]
    return np.sum(x * x)


@case("SPSP", slices=False)
def sylvester(A, B, C, w):
    n, m = C.shape
    X = np.zeros((n, m))
    for j in range(m):
        for i in range(n - 1, -1, -1):
            s = C[i, j]
            for k in range(i + 1, n):
                s -= A[i, k] * X[k, j]
            for k in range(j):
                s -= X[i, k] * B[k, j]
            X[i, j] = s / (A[i, i] + B[j, j])
    return np.sum(X * w)


@case("PVV", slices=False)
def linrec(b, w, v):
    n = len(w)
    for i in range(1, n):
        w[i] = 0.01
        for k in range(i):
            w[i] += b[k, i] * w[i - k - 1]
    return np.sum(w * v)


@case("ST", slices=False)
def seidel(A, T):
    n = A.shape[0]
    for t in range(T):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                A[i, j] = (
                    A[i - 1, j - 1]
                    + A[i - 1, j]
                    + A[i - 1, j + 1]
                    + A[i, j - 1]
                    + A[i, j]
                    + A[i, j + 1]
                    + A[i + 1, j - 1]
                    + A[i + 1, j]
                    + A[i + 1, j + 1]
                ) / 9.0
    return np.sum(A)


@case("V", value=False)
def rosen(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s


@case("VTN")
def pingpong(u, T, c):
    n = len(u)
    cur = u.copy()
    nxt = np.zeros_like(u)
    for t in range(T):
        for i in range(1, n - 1):
            nxt[i] = cur[i] + c * (cur[i + 1] - 2.0 * cur[i] + cur[i - 1])
        nxt[0] = cur[1]
        nxt[n - 1] = cur[n - 2]
        cur, nxt = nxt, cur
    return np.sum(cur * cur)


@case("VTN", slices=False)
def pingpong_with_what_is_given(u, T, c):
    nxt = np.zeros_like(u)
    for t in range(T):
        for i in range(1, len(u) - 1):
            nxt[i] = u[i] + c * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        u, nxt = nxt, u
    return np.sum(u * u)


@case("VT", slices=False)
def redblack(u, T):
    n = len(u)
    for t in range(T):
        for i in range(1, n - 1, 2):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
        for i in range(2, n - 1, 2):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
    return np.sum(u * u)


@case("V", slices=False)
def durbin(r):
    n = len(r)
    y = np.zeros(n)
    z = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        s = 0.0
        for i in range(k):
            s += r[k - i - 1] * y[i]
        alpha = -(r[k] + s) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return np.sum(y * y)


@case("S", slices=False)
def chol(A):
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] * A[i, k]
        A[i, i] = np.sqrt(A[i, i])
    return np.sum(A)


@case("S")
def lu(A):
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    return np.sum(A * A)


@case("SSNN", value=False)
def syrk(A, C, alpha, beta):
    n, m = A.shape
    for i in range(n):
        for j in range(i + 1):
            C[i, j] *= beta
        for k in range(m):
            for j in range(i + 1):
                C[i, j] += alpha * A[i, k] * A[j, k]
    return np.sum(C * C)


@case("PW")
def conv(x, w):
    n, m = x.shape
    p, q = w.shape
    y = np.zeros((n - p + 1, m - q + 1))
    for i in range(n - p + 1):
        for j in range(m - q + 1):
            s = 0.0
            for a in range(p):
                for b in range(q):
                    s += x[i + a, j + b] * w[a, b]
            y[i, j] = s
    return np.sum(y * y)


@case("VN")
def fluxes(u, dt):
    n = len(u)
    f = np.zeros(n + 1)
    for i in range(1, n):
        f[i] = 0.5 * (u[i - 1] ** 2 + u[i] ** 2)
        v = f[i] - f[i - 1]
        u[i - 1] -= dt * v
    return np.sum(u * u)


@case("P")
def mean_var(x):
    n, m = x.shape
    y = np.zeros((n, m))
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += x[i, j]
        s = s / m
        for j in range(m):
            y[i, j] = x[i, j] - s
    return np.sum(y**3)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
