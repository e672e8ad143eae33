"""Arrays that trips of loops keep for the other sweep are rows of one array, where their lengths and the trips are known."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import V, W, agree


def steps(x, w, n):
    for k in range(n):
        a = np.sin(x)
        x[1:] = a[1:] * w[:-1] + a[:-1] * x[1:]
    return np.sum(x * w)


def steps_down(x, w, n):
    for k in range(n, 0, -1):
        x[1:] = np.sin(x[1:]) * w[:-1] + k * x[:-1] * x[1:]
    return np.sum(x * w)


def within_loops(x, w, n):
    for i in range(n):
        for j in range(2, n + 1):
            x *= np.cos(x) * w
        x += 0.1 * i * x[::-1]
    return np.sum(x * w)


def trips_that_differ(x, w, n):
    for i in range(n):
        for j in range(i):
            x *= np.cos(x) * w
        x += 0.1 * i
    return np.sum(x * w)


def lengths_that_differ(x, w, n):
    for i in range(n):
        x[i:] *= np.cos(x[i:]) * w[i:]
    return np.sum(x * w)


def left_early(x, w, n):
    for i in range(1000000000 * n):
        x *= np.cos(x) * w
        if x[0] < 0.5:
            break
    return np.sum(x * w)


def skipped(x, w, n):
    for i in range(n):
        if i % 2 == 0:
            continue
        x *= np.cos(x) * w
    return np.sum(x * w)


def until(x, w, n):
    k = 0
    while k < n:
        x *= np.cos(x) * w
        k += 1
    return np.sum(x * w)


def written_once_it_is_kept(x, w, n):
    total = 0.0
    for _ in range(n):
        a = np.sin(x)
        x *= a * w
        a *= 2.0
        total += np.sum(a * a * w)
    return total


def last_one_is_read(x, w, n):
    a = x
    for _ in range(n):
        a = np.sin(x) * w
        x *= a
    return np.sum(a * x)


def whole_numbers(x, w, n):
    places = np.arange(len(x))
    for _ in range(n):
        places = (places * 5 + 1) % len(x)
        x *= np.cos(x[places]) * w
    return np.sum(x * w)


def pulled(t):
    t[1:] *= np.cos(t[:-1])


def procedure(x, w, n):
    for _ in range(n):
        pulled(x)
        pulled(w)
    return np.sum(x * w)


def fields(x, w, n):
    u = np.zeros((len(x), len(w)))
    for _ in range(n):
        u += np.outer(x, w) * np.cos(u)
        u[0] *= u[1]
    return np.sum(u * u)


def swapped(x, w, n):
    other = np.empty_like(x)
    for _ in range(n):
        other[1:-1] = x[1:-1] + w[1:-1] * x[:-2] * x[2:]
        other[0], other[-1] = other[1], other[-2]
        x, other = other, x
    return np.sum(x * w)


ROWS = [steps, steps_down, within_loops, trips_that_differ, procedure, fields, swapped]
LISTS = [lengths_that_differ, left_early, skipped, until]
OTHERS = [written_once_it_is_kept, last_one_is_read, whole_numbers]


@pytest.mark.parametrize("function", [*ROWS, *LISTS, *OTHERS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [3, 1])
def test_every_form(function, n) -> None:
    made = agree(function, V.copy(), W.copy(), n)
    assert ("_rows" in made.kernels) >= (function in ROWS)
    assert "_rows" not in made.kernels or function not in LISTS


@pytest.mark.parametrize("function", ROWS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, -2])
def test_no_trip(function, n) -> None:
    agree(function, V.copy(), W.copy(), n)


def test_a_list_of_nothing_else_is_gone() -> None:
    made = agree(within_loops, V.copy(), W.copy(), 2)
    assert "append" not in made.kernels and "tape" not in made.kernels


def test_what_is_kept_twice_or_read_no_more_is_kept_once() -> None:
    made = agree(swapped, V.copy(), W.copy(), 4)
    (put,) = [line for line in made.kernels.splitlines() if "append" in line]
    parts = put.partition("((")[2].rstrip(")").split(", ")
    assert len(parts) == len(set(parts)), put


def test_a_pullback_may_be_called_again() -> None:
    made = tl.grad(steps, wrt=(0, 1), compile="numba")
    first = made(V.copy(), W.copy(), 3)
    again = made(V.copy(), W.copy(), 5)
    for mine, other in zip(made(V.copy(), W.copy(), 3), first, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert not np.allclose(first[0], again[0])
