"""What numbers of Python do otherwise than those of arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("V", slices=False)
def bigint(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * (i * i * i * i * 1000000000000)
    return np.sum(y)


@case("V", slices=False)
def quart(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * i**4 + x[i] * (i * i)
    return np.sum(y)


@case("V", slices=False)
def zerod(x):
    y = np.zeros(len(x))
    try:
        for i in range(len(x)):
            y[i] = x[i] + 1.0 / i
    except ZeroDivisionError:
        return np.sum(x * 3.0)
    return np.sum(y)


@case("VN", value=False)
def zerod2(x, h):
    y = np.zeros(len(x))
    for i in range(len(x)):
        t = i * h
        y[i] = x[i] + 1.0 / (t + 1.0)
    return np.sum(y)


@case("VN", value=False)
def cplx(x, h):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * (i * h + 0.5) ** 0.5
    return np.sum(y)


@case("V", value=False)
def mexp(x):
    s = 0.0
    for i in range(len(x)):
        s += math.exp(x[i])
    return math.log(s)


@case("VNN")
def the_same_in_all_trips(x, h, dt):
    for i in range(1, len(x)):
        x[i] = x[i] * (dt / h) ** 0.5
    return np.sum(x)


@case("VN")
def of_numpy(x, h):
    y = np.zeros(len(x))
    for i in range(len(x)):
        d = x[i] * x[i]
        w = 1.0 / (h + d) ** 1.5
        y[i] = w / d
    return np.sum(y)


@case("VN", value=False)
def an_inverse_that_may_fail(x, h):
    y = np.zeros(len(x))
    for i in range(len(x)):
        d = h + i
        y[i] = x[i] * (1.0 / d)
    return np.sum(y)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
