"""Helpers that are called in loops, or loop themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


def _sig(z):
    return 1.0 / (1.0 + np.exp(-z))


def _swish(z, b=1.0):
    s = _sig(b * z)
    return z * s


def _lap(u, i, j):
    return u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]


def _sweep(a, b, c):
    n, m = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            b[i, j] = a[i, j] + c * _lap(a, i, j)


def _copy(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = b[i, j]


def _dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


def _flux(a, b):
    f = 0.5 * (a * a + b * b)
    d = b - a
    return f - 0.1 * d


def _rebinds(z):
    z = z * 2.0
    z += 1.0
    return z


def _early(z):
    if z > 0:
        return z
    return 0.1 * z


@case("V")
def act(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _swish(x[i], b=1.5) + _sig(x[i] * 2.0)
    return np.sum(y)


@case("PTN")
def heat(A, T, c):
    B = A.copy()
    for t in range(T):
        _sweep(A, B, c)
        _copy(A, B)
    return np.sum(A * A)


@case("VV", value=False)
def angle(x, y):
    return _dot(x, y) / np.sqrt(_dot(x, x) * _dot(y, y))


@case("VTN")
def burgers(u, T, dt):
    n = len(u)
    f = np.zeros(n + 1)
    for t in range(T):
        for i in range(1, n):
            f[i] = _flux(u[i - 1], u[i])
        for i in range(n):
            u[i] = u[i] - dt * (f[i + 1] - f[i])
    return np.sum(u * u)


@case("V")
def rebinding(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _rebinds(x[i])
    return np.sum(y * x)


@case("V", slices=False)
def leaky(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _early(x[i])
    return np.sum(y * x)


@case("V")
def shadowing(x):
    z = 3.0
    s = 5.0
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _swish(x[i]) * z * s
    return np.sum(y) * s


def _keeps(z, seen):
    seen.append(1)
    return z * z


@case("V", slices=False)
def counting(x):
    seen = []
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _keeps(x[i], seen)
    return np.sum(y) * len(seen)


def _axpy(a, x, y=2.0, *, shift=0.0):
    return a * x + y + shift


def _weigh(a, x, y=2.0):
    return a * x + y


@case("V")
def defaults_and_keywords(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _weigh(2.0, y=x[i], x=x[i]) + _weigh(x[i], 3.0)
    return np.sum(y * y)


@case("V", slices=False)
def keyword_only(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = _axpy(2.0, x[i], shift=1.0)
    return np.sum(y * y)


def _both(a, b):
    return a + b, a * b


@case("VV")
def two_values(x, y):
    s = np.zeros(len(x))
    for i in range(len(x)):
        p, q = _both(x[i], y[i])
        s[i] = p * q
    return np.sum(s)


def _down(x, n):
    for i in range(1, n):
        x[i] = x[i] - 0.5 * x[i - 1] if n < 0 else x[i] * 2.0


@case("V", slices=False)
def one_of_two(x):
    _down(x, len(x))
    return np.sum(x * x)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
