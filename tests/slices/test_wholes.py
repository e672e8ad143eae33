"""Arrays that are computed as a whole before loops go over their places."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("VN", value=False)
def density(x, h):
    grid = np.linspace(-2.0, 2.0, 50)
    s = 0.0
    for i in range(len(grid)):
        p = 0.0
        for j in range(len(x)):
            p += math.exp(-0.5 * ((grid[i] - x[j]) / h) ** 2)
        s += p**2
    return s


@case("V", value=False)
def grid_of_arguments(x):
    t = np.linspace(x[1], x[0], 30)
    s = 0.0
    for i in range(30):
        for j in range(len(x)):
            s += np.exp(-((t[i] - x[j]) ** 2))
    return s


@case("VV", value=False)
def changes(x, w):
    y = np.exp(x) * 2.0
    s = 0.0
    for i in range(1, len(y)):
        s += (y[i] - y[i - 1]) ** 2 * w[i]
    return s


@case("V")
def mirrored(x):
    u = np.sqrt(np.abs(x)) / 2.0
    v = u / (1.0 + u)
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = v[i] * u[len(x) - 1 - i]
    return np.sum(out**2)


@case("V", value=False)
def written_then(x):
    y = -x
    y[0] = 3.0
    s = 0.0
    for i in range(1, len(y)):
        s += y[i] * y[i - 1] * x[i]
    return s


@case("V")
def under_two_names(x):
    y = x + 0.0
    z = y
    for i in range(1, len(y)):
        y[i] = x[i - 1] * 2.0
    return np.sum(z * y)


@case("R", slices=False)
def a_view_is_no_array_of_its_own(a):
    b = a.T
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = 2.0 * a[i, j]
            s += b[j, i] * a[i, j]
    return s


@case("RV", slices=False)
def of_unlike_shapes(a, b):
    c = a * b[: a.shape[1]]
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += c[i, j] ** 2
    return s


@pytest.mark.parametrize("function", cases(globals()))
def test_it_is_what_the_loops_give(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(function, monkeypatch)
