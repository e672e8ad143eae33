"""Loops whose trips need each other, and loops that only look so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("V")
def wrap(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i - 1] * x[i]
    return np.sum(y)


@case("V")
def wrap2(x):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i - 2] * 2.0 + x[-1]
    return np.sum(y * x)


@case("V", slices=False)
def carried(x):
    for i in range(1, len(x)):
        x[i] = x[i] + 0.5 * x[i - 1]
    return np.sum(x * x)


@case("V")
def anti(x):
    for i in range(len(x) - 1):
        x[i] = x[i + 1] * 2.0
    return np.sum(x * x)


@case("V", slices=False)
def anti_down(x):
    for i in range(len(x) - 2, -1, -1):
        x[i] = x[i + 1] * 0.9
    return np.sum(x * x)


@case("V", slices=False)
def two_back(x):
    for i in range(2, len(x)):
        x[i] = x[i - 2] * 0.9 + x[i]
    return np.sum(x * x)


@case("V", slices=False)
def evenodd(x):
    n = len(x)
    for i in range(n // 2):
        x[2 * i] = x[2 * i + 1] * 0.5
    return np.sum(x * x)


@case("V", slices=False)
def mirror(x):
    n = len(x)
    for i in range(n):
        x[i] = x[n - 1 - i] * 0.5
    return np.sum(x * x)


@case("V", slices=False)
def half_mirror(x):
    n = len(x)
    for i in range(n // 2):
        x[i] = x[n - 1 - i] * 0.5
    return np.sum(x * x)


@case("V", slices=False)
def last_kept(x):
    t = 0.0
    y = np.zeros(len(x))
    for i in range(len(x)):
        t = x[i] * 2.0
        y[i] = t * t
    return np.sum(y) + t


@case("V", slices=False)
def counter_after(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * 2.0
    return np.sum(y) * i


@case("V", slices=False)
def prev_t(x):
    t = 0.0
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = t
        t = x[i] * 2.0
    return np.sum(y * x)


@case("V", slices=False)
def alias(x):
    y = np.zeros(len(x))
    z = y
    for i in range(1, len(x)):
        y[i] = x[i] + z[i - 1]
    return np.sum(y * y)


@case("V", slices=False)
def view(x):
    y = np.zeros(len(x) + 1)
    z = y[1:]
    for i in range(len(x)):
        z[i] = x[i] + y[i]
    return np.sum(y * y)


@case("V", slices=False)
def writes_same(x):
    y = np.zeros(3)
    for i in range(len(x)):
        y[0] = x[i]
    return np.sum(y * y)


@case("V", value=False)
def adds_same(x):
    y = np.zeros(3)
    for i in range(len(x)):
        y[1] += x[i] * x[i]
    return np.sum(y * y)


@case("VT", slices=False)
def zero_trip(x, k):
    y = np.zeros(len(x))
    for i in range(k, 2):
        y[i] = x[i]
    for i in range(len(x), 0):
        y[i] = x[i] / 0.0
    return np.sum(y + x)


@case("P", slices=False)
def diag(A):
    n = A.shape[0]
    s = 0.0
    for i in range(n):
        A[i, i] += 1.0
        s += A[i, i] ** 2
    return s


@case("P", slices=False)
def tri(A):
    n = A.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            A[i, j] = A[j, i] * 2.0
    return np.sum(A * A)


@case("P", slices=False)
def tri2(A):
    n = A.shape[0]
    for i in range(n):
        for j in range(n):
            A[i, j] = A[j, i] * 2.0
    return np.sum(A * A)


@case("P")
def shift2(A):
    n, m = A.shape
    for i in range(1, n):
        for j in range(1, m):
            A[i, j] += A[i - 1, j - 1]
    return np.sum(A * A)


@case("P")
def rowdep(A):
    n, m = A.shape
    for i in range(1, n):
        for j in range(m):
            A[i, j] += 0.1 * A[i - 1, j]
    return np.sum(A * A)


@case("P")
def coldep(A):
    n, m = A.shape
    for i in range(n):
        for j in range(1, m):
            A[i, j] += 0.1 * A[i, j - 1]
    return np.sum(A * A)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
