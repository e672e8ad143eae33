"""What loops compute with as a whole, and only the end takes apart: no buffer is filled in each trip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.differentiate.agreeing import is_alike, is_right

A = np.array([[0.2, -0.5, 0.3], [0.1, 0.4, -0.2], [-0.3, 0.6, 0.1]])


def flow(x: Any) -> Any:
    for _ in range(3):
        x = x + 0.1 * (A @ np.tanh(x))
    return x[0] * x[1] + x[2] ** 2


def two_names(x: Any) -> Any:
    y = z = x
    for _ in range(2):
        z = y
        y = y + 0.1 * np.sin(y)
    return y[0] + z[0] * y[1] + np.sum(y)


def a_copy_is_read(x: Any) -> Any:
    y = x
    for _ in range(2):
        y = y * 1.1
    w = y
    s = y[0] * 2.0
    return s + np.sum(w**2) * w[1]


def before_too(x: Any) -> Any:
    a = x[0]
    for _ in range(2):
        x = x * a
    a = a + x[1]
    for _ in range(2):
        x = x + a
    return x[2] * a


def overlapping(x: Any) -> Any:
    y = x
    for _ in range(2):
        y = y * x[0] + x
    return np.dot(y[:2], y[1:]) + x[1]


def one_way_or_the_other(x: Any) -> Any:
    y = x
    for k in range(4):
        y = np.sin(y) + x
        if k == 2:
            break
    s = y[0] if y[0] > 0.0 else y[1] * 2.0
    return s * y[2]


def of_one_array(x: Any) -> Any:
    y = x
    for _ in range(2):
        y = np.cos(y)
    u, v = y, y
    return u[0] * v[0] + np.sum(u) * v[1]


def written_at_last(x: Any) -> Any:
    y = x
    for _ in range(2):
        y = y + 1.0
    y[0] = 3.0 * y[1]
    return y[0] + y[1]


def larger(x: Any) -> Any:
    y = x * 1.0
    for _ in range(2):
        y = y + np.ones((2, 3))
    return y[0, 1] * y[1, 1]


def gathered(x: Any) -> Any:
    y = x
    for i in range(3):
        y = y + x[i] * 0.1
    return y[x > 0.0].sum() + y[[0, 0]].sum()


def no_trip(x: Any) -> Any:
    y = x
    for _ in range(0):
        y = y * 2.0
    return y[0] + x[0] * np.sum(y)


ALL = (
    *(flow, two_names, a_copy_is_read, before_too, overlapping, one_way_or_the_other),
    *(of_one_array, written_at_last, larger, gathered, no_trip),
)


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_the_gradient_is_right(function: Callable[..., Any]) -> None:
    is_right(function)
    is_alike(function)


def test_trips_add_no_parts() -> None:
    _, trips = tl.grad(flow).source.split("for _ in reversed")
    assert "add_at" not in trips and "zeros" not in trips
