"""Random numbers that are drawn for parameters: the draw is fixed, the parameters move and scale it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


@case(0.7, 1.3)
def a_generator(m, s):
    rng = np.random.default_rng(0)
    first = rng.normal(m, s) + np.sum(rng.normal(m, s, size=4) ** 2) * rng.uniform(m, s)
    return first + np.sum(rng.uniform(low=m, size=(2, 2)) ** 2) * rng.exponential(s)


@case(0.7, 1.3)
def of_several_kinds(m, s):
    rng = np.random.RandomState(3)
    first = rng.lognormal(m, s, 3) * rng.laplace(m, s, 3) - rng.logistic(scale=s, size=3)
    return np.sum(first * rng.gumbel(m, s, 3)) + rng.standard_normal() * m * s


@case(normal(3), normal(3) ** 2 + 1.0)
def parameters_that_are_arrays(m, s):
    rng = np.random.default_rng(1)
    return np.sum(rng.normal(m, s) ** 2) + np.sum(rng.normal(m[:, None], s) * rng.uniform(m, m + s))


@case(0.7, 1.3)
def the_module(m, s):
    np.random.seed(5)
    return np.random.normal(m, s) ** 2 * np.random.uniform(m, s) + np.random.exponential(m * s)


@case(0.7, 1.3)
def the_standard_library(m, s):
    rng = random.Random(4)
    first = rng.gauss(m, s) ** 2 * rng.uniform(m, s) + rng.normalvariate(m, s)
    random.seed(2)
    return first * rng.expovariate(s) + rng.lognormvariate(m, s) + random.gauss(m, s) * m


@case(0.7, 1.3)
def a_path(drift, sigma):
    rng = np.random.default_rng(7)
    price, prices = 1.0, []
    for _ in range(5):
        price = price * rng.lognormal(drift * 0.1, sigma * 0.3)
        prices.append(price)
    return max(sum(prices) / 5 - 0.5, 0.0) + rng.choice(prices) ** 2 + rng.permutation(prices)[1]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(function, *args, **options)


def test_the_numbers_are_those_that_numpy_draws() -> None:
    for function in (a_generator, of_several_kinds, the_module, the_standard_library, a_path):
        assert tl.value_and_grad(function)(0.7, 1.3)[0] == pytest.approx(function(0.7, 1.3), 1e-14)


def test_a_negative_scale_is_an_error_as_before() -> None:
    def drawn(m, s):
        rng = np.random.default_rng(0)
        try:
            return rng.normal(m, s) * m
        except ValueError:
            return m * m

    assert tl.grad(drawn)(2.0, -1.0) == 4.0
    with pytest.raises(ValueError, match="scale < 0"):
        tl.grad(lambda s: np.random.default_rng(0).exponential(s))(-1.0)
    with pytest.raises(ValueError, match="sigma < 0"):
        tl.grad(lambda s: np.random.default_rng(0).lognormal(0.0, s))(-1.0)


def test_numbers_for_fixed_parameters_are_drawn_as_they_are_written() -> None:
    def drawn(x):
        rng = np.random.default_rng(0)
        return np.sum(x * rng.normal(0.0, 2.0, 3))

    assert "rng.normal(0.0, 2.0, 3)" in tl.grad(drawn).source
