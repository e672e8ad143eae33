"""Python's ``sum`` of arrays and of generators, and loops over parts of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("L", value=False)
def of_an_array(x):
    return sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


@case("L", value=False)
def of_a_generator(x):
    return sum(100 * (b - a**2) ** 2 + (1 - a) ** 2 for a, b in zip(x[:-1], x[1:]))


@case("LL", value=False)
def of_two_arrays(x, y):
    return 2.0 * sum([a * b for a, b in zip(x, y)]) - sum(x) / len(x)


@case("PV", value=False)
def of_each_row(A, x):
    y = np.zeros(len(A))
    for i in range(len(A)):
        y[i] = sum(A[i, j] * x[j] for j in range(len(x)))
    return np.sum(y * y)


@case("LL", value=False)
def of_parts_of_two_arrays(x, y):
    s = 0.0
    for a, b, c in zip(x[:-2], x[1:-1], y[2:]):
        s += a * b - np.sin(c)
    return s


@case("LL", slices=False)
def with_numbers(x, y):
    y = y.copy()
    for i, v in enumerate(x[3:]):
        y[i] = v * y[i + 1]
    return sum(v * k for k, v in enumerate(y))


@case("L", slices=False)
def in_a_condition(x):
    s = 0.0
    for v in x:
        s += v * v if sum(x) > 1.0 else v
    return s


@case("L", slices=False)
def with_effects(x):
    seen = [1.0]
    s = seen.pop() * sum(v * v for v in x)
    for v in x:
        s = s * 0.5 + np.sin(s)
    return s


@case("L", value=False)
def names_that_are_used_again(x):
    v = x[0]
    s = sum(v * v for v in x[1:])
    return s + v * sum(w * w for w in x)


@case("L", slices=False)
def with_conditions(x):
    return sum(v * v for v in x if v > 0)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
