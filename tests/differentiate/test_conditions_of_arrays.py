"""Conditions on arrays that no name holds, or a name outside: what is chosen by them is an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

GRID = np.arange(5)


def by_an_array_outside(x, y):
    s = 0.0
    for i in range(3):
        s += np.sum(x[i] * np.where(GRID <= 2, y[i], x[i]))
    return s


def by_an_array_without_a_name(x, y):
    n, s = len(x), 0.0
    for i in range(0, n, 2):
        s += np.sum(0.01 * (x[i] * x[i] * np.where(np.arange(1, n - 1) <= 3, y[i], x[i])))
    return s


def by_no_array(x, y):
    s = 0.0
    for i in range(len(x)):
        c = abs(i - 2) > 0 and not len(x) == i
        s += x[i] * np.where(c, y[i], x[i])
    return s


def by_what_a_helper_makes(x, y):
    def line(n):
        return np.arange(n) * 2

    s = 0.0
    for i in range(4):
        s += np.sum(y[i] * np.where(line(i + 1) > 2, x[i], y[i]) ** 2)
    return s


def by_a_method(x, y):
    s = 0.0
    for i in range(4):
        s += np.sum(y[i] * np.where(GRID.reshape(5, 1) >= i, x[i], y[i]))
    return s


PROGRAMS = [
    by_an_array_outside,
    by_an_array_without_a_name,
    by_no_array,
    by_what_a_helper_makes,
    by_a_method,
]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("optimized", [True, False])
def test_gradients(f: Any, optimized: bool) -> None:
    x, y = np.linspace(0.5, 2.5, 5), np.linspace(1.0, 3.0, 5)
    found = tl.grad(f, wrt=(0, 1), optimized=optimized)(x, y)
    for k, gradient in enumerate(found):
        for i in range(5):
            ends = []
            for step in (1e-6, -1e-6):
                given = [x.copy(), y.copy()]
                given[k][i] += step
                ends.append(f(*given))
            assert gradient[i] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)
