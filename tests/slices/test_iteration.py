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


@case("VV", value=False)
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


@case("VV", slices=False)
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


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
