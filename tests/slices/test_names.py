"""Numbers with names in loops, which are arrays if the loop is done at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("V", value=False)
def shadow(x):
    n = len(x)
    s = 0.0
    for i in range(n):
        for i in range(n):
            s += x[i]
    return s


@case("V")
def reuse(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(1, n):
        t = x[i] - x[i - 1]
        y[i] = t
    for j in range(1, n):
        t = y[j] * x[j]
        y[j] = t * t
    return np.sum(y)


@case("P")
def inner_temp(A):
    n, m = A.shape
    y = np.zeros(n)
    for i in range(n):
        m1 = A[i, 0] * 2.0
        for j in range(m):
            d = A[i, j] - m1
            y[i] += d * d
    return np.sum(y * y)


@case("P")
def inner_last(A):
    n, m = A.shape
    y = np.zeros(n)
    for i in range(n):
        d = 0.0
        for j in range(m):
            d = A[i, j] * 3.0
        y[i] = d
    return np.sum(y * y)


@case("P")
def running(A):
    n, m = A.shape
    B = np.zeros((n, m))
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += A[i, j]
            B[i, j] = s
    return np.sum(B * B)


@case("Q")
def volume(q):
    a, b, c = q.shape
    r = np.zeros((a, b, c))
    for i in range(1, a - 1):
        for j in range(1, b - 1):
            for k in range(1, c - 1):
                r[i, j, k] = (
                    q[i - 1, j, k]
                    + q[i + 1, j, k]
                    + q[i, j - 1, k]
                    + q[i, j + 1, k]
                    + q[i, j, k - 1]
                    + q[i, j, k + 1]
                    - 6.0 * q[i, j, k]
                )
    return np.sum(r * r)


@case("Q")
def volume_t(q):
    a, b, c = q.shape
    r = np.zeros((c, a, b))
    for i in range(a):
        for j in range(b):
            for k in range(c):
                r[k, i, j] = q[i, j, k] * (i + 2 * j - k)
    return np.sum(r * r)


@case("PVV")
def outer_temp(A, x, y):
    n, m = A.shape
    for i in range(n):
        u = x[i] * 2.0
        for j in range(m):
            A[i, j] += u * y[j]
    return np.sum(A * A)


@case("PVV")
def outer_col(A, x, y):
    n, m = A.shape
    for j in range(m):
        u = y[j] * 2.0
        for i in range(n):
            A[i, j] += u * x[i]
    return np.sum(A * A)


@case("VN")
def scaled(x, h):
    n = len(x)
    y = np.zeros(n)
    for i in range(1, n - 1):
        y[i] = (x[i + 1] - 2.0 * x[i] + x[i - 1]) / h**2 + np.exp(-(x[i] ** 2)) * i**2
    return np.sum(y)


@case("V", slices=False)
def steps3(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(0, n - 2, 3):
        y[i] = x[i] + x[i + 1] * x[i + 2]
    for i in range(n - 1, -1, -1):
        y[i] *= i
    return np.sum(y)


@case("V")
def stage(x):
    n = len(x)
    f = np.zeros(n)
    g = np.zeros(n)
    for i in range(1, n):
        f[i] = x[i] * x[i - 1]
        g[i] = f[i] - f[i - 1]
    return np.sum(g * g)


@case("V", slices=False)
def stage_bad(x):
    n = len(x)
    f = np.zeros(n)
    g = np.zeros(n)
    for i in range(1, n - 1):
        f[i] = x[i] * x[i - 1]
        g[i] = f[i] - f[i + 1]
    return np.sum(g * g)


@case("V", slices=False)
def back(x):
    n = len(x)
    f = np.zeros(n)
    g = np.zeros(n)
    for i in range(1, n):
        g[i] = f[i - 1] * 2.0
        f[i] = x[i] * x[i - 1]
    return np.sum(g * g)


@case("V", slices=False)
def swaps(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n // 2):
        t = x[i]
        x[i] = x[n - 1 - i]
        x[n - 1 - i] = t
        y[i] = t
    return np.sum(x * x * x) + np.sum(y)


@case("P", value=False)
def rows(A):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += A[i][j] * A[i][0]
    return s


@case("VVT")
def chained(x, y, T):
    n = len(x)
    for t in range(T):
        for i in range(n):
            j = n - 1 - i
            x[i] = x[i] + 0.1 * y[j] * t
            y[j] = y[j] - 0.1 * x[i]
    return np.sum(x * y)


@case("VT")
def mix(x, T):
    n = len(x)
    for t in range(T):
        if t > 0:
            for i in range(n):
                x[i] = np.sin(x[i])
        else:
            for i in range(n):
                x[i] *= 2.0
    return np.sum(x)


@case("V")
def ends(x):
    n = len(x)
    y = np.zeros(n + 2)
    for i in range(n):
        y[i + 1] = x[i]
    y[0] = y[n]
    y[n + 1] = y[1]
    s = 0.0
    for i in range(1, n + 1):
        s += (y[i + 1] - y[i - 1]) ** 2
    return s


@case("VT", slices=False)
def whilem(x, T):
    t = 0
    while t < T:
        for i in range(1, len(x) - 1):
            x[i] = 0.5 * x[i] + 0.25 * (x[i - 1] * x[i + 1])
        t += 1
    return np.sum(x)


@case("PV")
def matvec(A, x):
    n, m = A.shape
    y = np.zeros(n)
    for i in range(n):
        for j in range(m):
            y[i] = y[i] + A[i, j] * x[j]
    return np.sum(y * y)


@case("PV")
def matvec_t(A, x):
    n, m = A.shape
    y = np.zeros(m)
    for i in range(n):
        for j in range(m):
            y[j] += A[i, j] * x[i]
    return np.sum(y * y)


@case("P", value=False)
def gram(A):
    n, m = A.shape
    C = np.zeros((m, m))
    for i in range(m):
        for j in range(i, m):
            s = 0.0
            for k in range(n):
                s += A[k, i] * A[k, j]
            C[i, j] = s
            C[j, i] = s
    return np.sum(C * C)


@case("P")
def logsum(A):
    n, m = A.shape
    y = np.zeros(n)
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += np.exp(A[i, j])
        y[i] = np.log(s)
    return np.sum(y)


@case("PPV", value=False)
def weighted3(A, B, x):
    n = len(x)
    s = 0.0
    for i in range(n):
        for j in range(n):
            s += A[i, j] * B[j, i] * x[i] * x[j]
    return s


@case("VP", slices=False)
def counters_that_inner_loops_take_over(x, A):
    n = len(x)
    for i in range(n):
        for i in range(3):
            x[i] = x[i] + x[i - 1]
        for j in range(1, n):
            A[j, i] = A[j, i] * x[j] * A[0, 0]
            A[0, 0] = x[i]
    return np.sum(A)


@case("P")
def sides_by_other_words(A):
    n = k = A.shape[0]
    m = A.shape[-1]
    B = np.zeros((n, m))
    for i in range(k):
        for j in range(A.shape[1]):
            B[i, j] = A[i, j] * A[i, j]
    return np.sum(B)


@case("VVP", value=False)
def no_array_of_that_size(x, y, A):
    n = len(x)
    s = 0.0
    for i in range(1, n):
        for j in range(n):
            for k in range(i, n):
                s += np.sin(x[j] * y[k])
        s += A[i, 0]
    return s


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
