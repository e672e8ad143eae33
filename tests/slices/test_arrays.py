"""Sums over planes and cubes, and arrays that are exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("PV")
def arr_scalar(A, x):
    n, m = A.shape
    for i in range(n):
        for j in range(m):
            A[i, j] = A[i, j] * x[0] + x[1]
    return np.sum(A * A)


@case("P", slices=False)
def selfscale(A):
    n, m = A.shape
    for i in range(n):
        for j in range(m):
            A[i, j] = A[i, j] / A[0, 0]
    return np.sum(A * A)


@case("P")
def selfscale2(A):
    n, m = A.shape
    for i in range(1, n):
        for j in range(m):
            A[i, j] = A[i, j] - A[0, j] * A[i, 0]
    return np.sum(A * A)


@case("PP")
def kji(A, B):
    n = A.shape[0]
    C = np.zeros((n, n))
    for k in range(n):
        for j in range(n):
            for i in range(n):
                C[i, j] += A[i, k] * B[k, j]
    return np.sum(C * C)


@case("PP")
def abt(A, B):
    n = A.shape[0]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[j, i] += A[i, k] * B[j, k] * 2.0
    return np.sum(C * C)


@case("V", slices=False)
def prodred(x):
    p = 1.0
    for i in range(len(x)):
        p *= 1.0 + 0.1 * x[i]
    return p


@case("VV", value=False)
def negacc(x, y):
    s = 1.0
    for i in range(len(x)):
        s -= x[i] * y[i]
    for i in range(len(x)):
        s = s + x[i]
    for i in range(len(x)):
        s = x[i] + s
    return s * s


@case("VV", slices=False)
def sacc(x, y):
    s = 0.0
    n = len(x)
    for i in range(n):
        s += x[i]
        y[i] = s
    return np.sum(y * y)


@case("PV", value=False)
def nested_acc(A, x):
    n, m = A.shape
    t = 0.0
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += A[i, j] * x[j]
        t += s * s * x[i]
    return t


@case("VT")
def swaparr(x, T):
    n = len(x)
    a = x.copy()
    b = np.zeros(n)
    for t in range(T):
        for i in range(1, n - 1):
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0
        b[0] = a[0]
        b[n - 1] = a[n - 1]
        a, b = b, a
    return np.sum(a * a * a)


@case("VT", slices=False)
def assign_alias(x, T):
    n = len(x)
    a = x.copy()
    b = np.zeros(n)
    for t in range(T):
        for i in range(1, n - 1):
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0
        a = b
    return np.sum(a * a * a)


@case("V")
def rebound(x):
    n = len(x)
    x = x * 2.0
    for i in range(1, n):
        x[i] = x[i] * x[i]
    return np.sum(x)


@case("Q", value=False)
def cube(q):
    a, b, c = q.shape
    s = 0.0
    for i in range(a):
        for j in range(b):
            for k in range(c):
                s += q[i, j, k] ** 2 * (i + j)
    return s


@case("Q")
def mid(q):
    a, b, c = q.shape
    r = np.zeros((a, c))
    for i in range(a):
        for j in range(b):
            for k in range(c):
                r[i, k] += q[i, j, k] * j
    return np.sum(r * r)


@case("P")
def stencil_t(A):
    n, m = A.shape
    B = np.zeros((m, n))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            d = A[i + 1, j] - A[i - 1, j]
            B[j, i] = d * d
    return np.sum(B)


@case("VTN")
def heat1(u, T, c):
    n = len(u)
    v = np.zeros(n)
    for t in range(T):
        for i in range(1, n - 1):
            v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1])
        for i in range(1, n - 1):
            u[i] = v[i]
    return np.sum(u**2)


@case("PVN", value=False)
def added_from_the_left(A, x, c):
    n, m = A.shape
    y = np.zeros(n)
    s = 0.0
    for i in range(n):
        y[i] = c
        for j in range(m):
            y[i] = A[i, j] * x[j] + y[i]
        s = y[i] * y[i] + s
    return s


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
