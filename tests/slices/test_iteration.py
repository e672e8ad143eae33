"""Loops over vectors, conditions around loops, and numbers outside."""

from __future__ import annotations

import math
from math import sin as sinus
from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check

G = 2.5
N = 30


@case("V", value=False)
def en(x):
    s = 0.0
    for i, v in enumerate(x):
        s += v * v * i
    return s


@case("VV", value=False)
def zi(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b + np.sin(a)
    return s


@case("VV", slices=False)
def zshort(x, y):
    z = y[:5]
    s = 0.0
    for a, b in zip(x, z):
        s += a * b
    for i in range(len(x)):
        s += x[i]
    return s


@case("V", value=False)
def direct(x):
    s = 0.0
    for v in x:
        s += math.exp(v) * sinus(v)
    return s


@case("B")
def ov(big):
    s = 0.0
    y = np.zeros(len(big))
    for i in range(len(big)):
        y[i] = 1.0 / (1.0 + np.exp(big[i]))
    return np.sum(y)


@case("V", slices=False)
def written_v(x):
    s = 0.0
    for i, v in enumerate(x):
        x[i] = v * 2.0
        s += v
    return s + np.sum(x)


@case("V")
def dt64(x):
    n = len(x)
    y = np.zeros(n, dtype=float)
    z = np.empty(n, dtype=np.float64)
    for i in range(n):
        y[i] = abs(x[i]) ** 1.5 + G
        z[i] = y[i] * x[i]
    return np.sum(z)


@case("V", slices=False)
def intdt(x):
    n = len(x)
    y = np.zeros(n, dtype=int)
    for i in range(n):
        y[i] = x[i] * 3.0
    return np.sum(y * x)


@case("V", value=False)
def glob(x):
    s = 0.0
    for i in range(N):
        s += x[i] * G
    return s


@case("V", value=False)
def mathlast(x):
    v = 1.0
    for v in x:
        pass
    s = 0.0
    for w in x:
        s += w * math.cos(w)
    return s * v


@case("VV")
def two(x, y):
    n = len(x)
    e = np.zeros(n)
    for i, (a, b) in enumerate(zip(x, y)):
        d = a - b
        e[i] = d * d
    return np.sum(e)


@case("VV", value=False)
def comp(x, y):
    n = len(x)
    e = np.zeros(n)
    for i in range(n):
        e[i] = sum([x[i] * k for k in range(3)])
    return np.sum(e)


@case("VT")
def condi(x, T):
    n = len(x)
    e = np.zeros(n)
    for t in range(T):
        if t % 2 == 0:
            for i in range(n):
                e[i] += x[i] * t
        else:
            for i in range(1, n):
                e[i] -= x[i - 1]
    return np.sum(e * e)


@case("V", slices=False)
def brk(x):
    n = len(x)
    s = 0.0
    for k in range(3):
        for i in range(n):
            s += x[i] ** 2
        if s > 1e3:
            break
    return s


@case("V")
def ret(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] ** 3
    if y[0] > 1e3:
        return y[0]
    return np.sum(y)


@case("V", slices=False)
def lam(x):
    n = len(x)
    t = 0.0
    y = np.zeros(n)
    f = lambda z: z + t
    for i in range(n):
        t = x[i] * 2.0
        y[i] = t * t
    return f(np.sum(y))


@case("VT", slices=False)
def tern(x, T):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * (2.0 if T > 1 else 3.0)
    return np.sum(y)


@case("V", value=False)
def powi(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] ** 2 * i**2 + 2.0**i * 1e-9
    return np.sum(y)


@case("RVk", value=False)
def squares_of_rows(X, y, w):
    s = 0.0
    for xi, yi in zip(X, y):
        s += (xi @ w - yi) ** 2
    return s


@case("RVk", value=False)
def log_likelihood(X, y, w):
    s = 0.0
    for i, xi in enumerate(X):
        z = np.dot(xi, w)
        s += np.log(1.0 + np.exp(-z * y[i]))
    return s


@case("RV")
def rows_are_views(X, w):
    for row in X:
        row *= 2.0
    for i in range(len(w)):
        w[i] = w[i] ** 2
    return np.sum(X) + np.sum(w)


@case("R", value=False)
def lengths_of_rows(X):
    out = np.zeros(len(X))
    for i, row in enumerate(X):
        out[i] = np.linalg.norm(row)
    return np.sum(out**2 * out)


@case("R", value=False)
def products_of_rows(X):
    n = len(X)
    G = np.zeros((n, n))
    for i, a in enumerate(X):
        for j, b in enumerate(X):
            G[i, j] = a @ b
    return np.sum(G * G)


@case("RV", value=False)
def weighted_rows(X, w):
    t = np.zeros(X.shape[1])
    for row, wi in zip(X, w):
        t += wi * row
    return np.sum(t * t)


@case("RV")
def last_row_that_was_counted(X, w):
    for row in X:
        s = np.sum(row)
    for i in range(len(w)):
        w[i] = w[i] ** 2
    return s + np.sum(row) + np.sum(w)


@case("RV", slices=False)
def rows_under_the_loop(X, w):
    s = 0.0
    for i, row in enumerate(X):
        X[i] = row * 2.0
        s += row[0] * w[i]
    return s


@case("RVk", slices=False)
def condition_on_a_product(X, y, w):
    s = 0.0
    for xi, yi in zip(X, y):
        m = 1.0 - yi * (xi @ w)
        if m > 0:
            s += m
    return s


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
