"""Branches in loops: values that are chosen place by place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("L")
def relu(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = max(0.0, x[i]) + min(x[i], 0.5) + max(x[i], -0.2)
    return np.sum(y * y)


@case("L")
def leaky(x):
    for i in range(len(x)):
        if x[i] < 0.0:
            x[i] = 0.1 * x[i]
    return np.sum(x * x)


@case("LN", value=False)
def huber(x, c):
    s = 0.0
    for i in range(len(x)):
        a = abs(x[i])
        if a <= c:
            s += 0.5 * a * a
        else:
            s += c * (a - 0.5 * c)
    return s


@case("LN")
def huber2(x, c):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = 0.5 * x[i] ** 2 if -c < x[i] < c else c * (abs(x[i]) - 0.5 * c)
    return np.sum(y)


@case("LLTN")
def upwind(u, v, T, dt):
    n = len(u)
    for t in range(T):
        w = u.copy()
        for i in range(1, n - 1):
            if v[i] > 0.0:
                f = v[i] * (w[i] - w[i - 1])
            else:
                f = v[i] * (w[i + 1] - w[i])
            u[i] = w[i] - dt * f
    return np.sum(u * u)


@case("L")
def minmod(u):
    n = len(u)
    s = np.zeros(n)
    for i in range(1, n - 1):
        a = u[i] - u[i - 1]
        b = u[i + 1] - u[i]
        if a * b <= 0.0:
            s[i] = 0.0
        elif abs(a) < abs(b):
            s[i] = a
        else:
            s[i] = b
    return np.sum(s * s)


@case("L", value=False)
def logs(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s += np.log(x[i])
    return s


@case("L", value=False)
def roots(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = np.sqrt(x[i]) if x[i] > 0.0 else 0.0
    return np.sum(y)


@case("LL")
def both(x, v):
    y = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > 0.0 and not v[i] > 0.5 or x[i] < -1.0:
            y[i] += x[i] * v[i]
        else:
            y[i] -= v[i]
    return np.sum(y * x)


@case("L")
def counts(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        if i > 4:
            y[i] = x[i]
        if i == 7:
            y[i] *= 2.0
    return np.sum(y * y)


@case("L")
def edge(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        if i > 0:
            y[i] = x[i - 1]
    return np.sum(y * y)


@case("LN", slices=False)
def cond_modified(x, c):
    s = 0.0
    for i in range(len(x)):
        if x[i] > c:
            x[i] = x[i] - c
            s += x[i]
    return s + np.sum(x)


@case("LL", slices=False)
def swapsort(x, v):
    for i in range(len(x)):
        if x[i] > v[i]:
            t = x[i]
            x[i] = v[i]
            v[i] = t
    return np.sum(x * 2.0 + v)


@case("LT")
def fixed(x, T):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * 2.0 if T > 2 else x[i] * 3.0
        if T == 3:
            y[i] += 1.0
    return np.sum(y * y)


@case("PN", value=False)
def plane(A, c):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        for j in range(m):
            if A[i, j] > c:
                s += (A[i, j] - c) ** 2
            elif i == j:
                s += A[i, j]
    return s


@case("LL", slices=False)
def bothvar(x, v):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = max(x[i], v[i])
    return np.sum(y * y)


@case("L", slices=False)
def sumcond(x):
    s = 0.0
    k = 0.0
    for i in range(len(x)):
        s += x[i]
    if s > 0.0:
        for i in range(len(x)):
            k += x[i] * x[i]
    return k


@case("L")
def clipped(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        t = x[i]
        if t > 1.0:
            t = 1.0
        if t < -1.0:
            t = -1.0
        y[i] = t * x[i]
    return np.sum(y)


@case("PVT", value=False)
def one_number_or_a_column(A, y, T):
    s = 0.0
    for i in range(len(y)):
        for k in range(1, len(y)):
            s += y[i] if T > 2 else A[k, i]
    return s * s


@case("PVN", value=False)
def one_number_or_a_row(A, y, c):
    B = np.zeros_like(A)
    s = 0.0
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            t = y[i] if y[i] > c else A[i, k]
            B[i, k] = t * t
            s += t
    return np.sum(B) * s


@case("L", slices=False)
def undefined_elsewhere(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        if x[i] > -50.0:
            t = x[i]
        y[i] = t * x[i]
    return np.sum(y)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
