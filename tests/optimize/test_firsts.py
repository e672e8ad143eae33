"""States that begin with numbers of arrays, and sums of lists, are computed in Python's floats, and give what they gave."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.doors import floating

X = np.random.default_rng(7).normal(size=30)


@pytest.fixture(autouse=True)
def _strictly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floating, "strict", True)


def state(x, a):
    y = x[0]
    for i in range(1, len(x)):
        y = a * y + np.sin(x[i])
    return y * y


def first_alone(x, a):
    y = x[0]
    for _ in range(3):
        y = y * a
    return y


def nothing_done(x, a):
    y = x[0]
    for _ in range(0):
        y = y * a
    return y


def in_a_list(x, a):
    y = [x[0], x[1] * 2.0]
    for i in range(2, len(x)):
        y.append(a * y[i - 1] + y[i - 2] * 0.1 + np.sin(x[i]))
    return sum(y)


def summed_twice(x, a):
    y = [x[0]]
    for i in range(1, len(x)):
        y.append(a * y[i - 1] + x[i])
    return sum(y) * a + sum(y)


def summed_and_read(x, a):
    y = [x[0]]
    for i in range(1, len(x)):
        y.append(a * y[i - 1] + x[i])
    return sum(y) * y[-1] + y[3]


def summed_in_part(x, a):
    y = [0.5]
    for i in range(len(x)):
        y.append(a * y[i] + x[i])
    y.pop()
    return sum(y)


def divided(x, a):
    y = x[0] * 0.0
    for i in range(3):
        y = a / y + x[i]
    return y


def first_zero(x, a):
    y = x[0]
    for i in range(1, 4):
        y = x[i] / y
    return y * a


def powers(x, a):
    y = x[0]
    for i in range(1, 4):
        y = y**1.5 + a
    return y


def large(x, a):
    y = x[0]
    for _ in range(20):
        y = y * y * 1e30 + a
    return y


def columns(x, a):
    y = np.reshape(x, (10, 3))
    u, v = y[0, 0], y[0, 1]
    for i in range(1, 10):
        u, v = a * u + y[i, 0], u - v * y[i, 1]
    return u * v


PROGRAMS = (state, first_alone, nothing_done, in_a_list, summed_twice, summed_and_read)
PROGRAMS += (summed_in_part, divided, first_zero, powers, large, columns)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("first", [0.4, -0.4, 0.0, math.inf])
@pytest.mark.parametrize("dtype", [float, np.float32])
@np.errstate(all="ignore")
def test_programs(function: Any, first: float, dtype: Any) -> None:
    x = X.astype(dtype)
    x[0] = first
    made = [tl.grad(function, wrt=(0, 1), optimized=flag) for flag in (False, True)]
    both = tl.value_and_grad(function, wrt=(0, 1))
    for a in (0.9, -1.1):
        (expected, slope), own = made[0](x, a), function(x, a)
        value, pair = both(x, a)
        assert type(value) is type(own)
        np.testing.assert_array_equal(value, own)
        for found in (made[1](x, a), pair):
            assert found[0].dtype == expected.dtype
            assert type(found[1]) is type(slope)
            near = 1e-12 if dtype is float else 1e-4
            np.testing.assert_allclose(found[0], expected, rtol=near, atol=near)
            np.testing.assert_allclose(found[1], slope, rtol=near, atol=near)


def test_what_is_written() -> None:
    derivative = tl.grad(in_a_list)
    derivative(X, 0.9)
    text = inspect.getsource(derivative.__func__)
    assert "float(x[0])" in text
    assert "zip(" not in text
