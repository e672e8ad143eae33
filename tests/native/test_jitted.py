"""Functions that Numba has compiled are differentiated as the Python functions inside."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

import numba  # noqa: E402
from numba import njit, prange  # noqa: E402

import tangentlite as tl  # noqa: E402

RATE = 2.0


@njit
def wave(x):
    return x * math.sin(x)


@numba.jit(nopython=True)
def weighted(x, n):
    s = 0.0
    for i in range(n):
        s += x * i * wave(x)
    return s


@njit
def in_parallel(x):
    s = 0.0
    for i in prange(len(x)):
        s += math.sin(x[i]) * x[i] * RATE
    return s


@njit
def by_name(x):
    return sum([x[i] * x[i] for i in numba.prange(2)])


@njit
def in_place(u, dt):
    for i in range(1, len(u)):
        u[i] += dt * u[i - 1] * RATE


@njit
def again(x, n):
    return x if n == 0 else again(x * x, n - 1) * wave(x)


class Wave:
    def __init__(self, x):
        self.x = wave(x)

    def go(self):
        return wave(self.x)


def steps(x, dt):
    w = x.copy()
    in_place(w, dt)
    return w.sum() + in_parallel(w) + again(dt, 2)


def of_objects(x):
    return Wave(x).go() * wave(x)


def handed_on(x):
    return (lambda f: f(x) + f(2.0 * x))(wave) + sum(map(wave, [x, 1.0]))


def filled_in(x):
    part = partial(weighted, n=3)
    return part(x)


@pytest.mark.parametrize("program", (wave, of_objects, handed_on, filled_in))
def test_numbers(program: Any, confirm: Any) -> None:
    confirm(program, 0.7)


def test_arrays(confirm: Any) -> None:
    confirm(in_parallel, np.array([0.3, 0.8]))
    confirm(by_name, np.array([0.3, 0.8]))
    confirm(steps, np.array([0.3, 0.8, -0.2]), 0.4)
    confirm(weighted, 0.7, 3)


def test_the_derivative_may_be_compiled() -> None:
    x = np.array([0.3, 0.8, -0.2])
    wanted = tl.grad(steps)(x, 0.4)
    np.testing.assert_allclose(tl.grad(steps, compile="numba")(x, 0.4), wanted, rtol=1e-12)


def test_the_text_is_that_of_the_function_inside() -> None:
    assert "math.sin" in tl.grad(wave).source
    assert tl.grad(wave)(0.7) == tl.grad(wave.py_func)(0.7)
    assert isinstance(tl.value_and_grad(wave)(0.7), tuple)


def test_integers_are_left_to_what_is_compiled() -> None:
    @njit
    def index(n):
        return n * 2

    def picks(x, n):
        return x[index(n)] ** 2

    slope = tl.grad(picks)
    np.testing.assert_array_equal(slope(np.arange(4.0), 1), [0.0, 0.0, 4.0, 0.0])
