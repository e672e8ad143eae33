"""Calls of functions with loops, and with lists and dicts: the text for known ranks gives what the general one does."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import twins
from tangentlite.errors import AliasError, DerivativeError


def prey(a, b, n):
    x = 1.0
    y = 0.5
    for _ in range(n):
        dx = a * x - x * y
        dy = x * y - b * y
        x = x + 0.01 * dx
        y = y + 0.01 * dy
    return np.sum(x + y)


def network(layers, x):
    for w, b in layers:
        x = np.tanh(x @ w + b)
    return np.sum(x**2)


ROW = np.array([0.4, 1.1, -0.3])
ARGS = (
    (1.1, 0.9, 20),
    (np.float64(1.1), 0.9, 20),
    (ROW, 0.9, 20),
    (ROW, ROW[:, None], 5),
    (ROW.astype(np.float32), np.float32(0.9), 5),
    (np.array(1.1), 2, 5),
    (True, 2, 5),
)


@pytest.mark.parametrize("order", (1, -1))
def test_every_call_gives_what_the_general_text_gives(order: int) -> None:
    derivative = tl.grad(prey, wrt=(0, 1))
    general = tl.grad(prey, wrt=(0, 1)).function
    for args in 2 * ARGS[::order]:
        for mine, other in zip(derivative(*args), general(*args), strict=True):
            assert type(mine) is type(other)
            np.testing.assert_allclose(mine, other, rtol=1e-5 if args is ARGS[4] else 1e-12)


def fresh(function: Any) -> Any:
    """The function once more, of which no derivative was asked for yet."""
    twins._twins.clear()
    return FunctionType(function.__code__, globals(), function.__name__)


def texts(derivative: Any) -> list[str]:
    """What was written for known ranks."""
    return [unit.source for unit, _ in derivative._variants.values()]


def test_nothing_is_asked_for_in_loops_over_numbers() -> None:
    derivative = tl.grad(fresh(prey), wrt=(0, 1))
    derivative(1.1, 0.9, 5)
    (text,) = texts(derivative)
    assert derivative.source.count("def ") == 1
    assert "unbroadcast" not in text
    assert "seed" not in text


def test_lists_of_matrices() -> None:
    derivative = tl.grad(fresh(network))
    layers = [(np.outer(ROW, ROW), ROW), (np.diag(ROW), 0.5 * ROW)]
    x = np.array([ROW, 2.0 * ROW])
    tl.check_grads(network, (layers, x))
    derivative(layers, x)
    (text,) = texts(derivative)
    assert "matmul" not in text
    vectors = [(np.outer(ROW, ROW), ROW)]
    (found,) = derivative(vectors, ROW)
    (expected,) = tl.grad(network, optimized=False)(vectors, ROW)
    np.testing.assert_allclose(found[0], expected[0])


def test_a_text_that_cannot_be_written_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tl.grad(prey)(1.1, 0.9, 5)
    other = tl.grad(fresh(prey))

    def refuse(*args: Any) -> Any:
        raise DerivativeError("not for these", None, "")

    monkeypatch.setattr(type(other), "_variant", refuse)
    assert other(1.1, 0.9, 5) == pytest.approx(expected)


def helper(x):
    return x * x


def looped(x):
    for _ in range(2):
        x = helper(x)
    return x


def test_a_helper_that_is_bound_anew_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    derivative = tl.grad(looped)
    assert derivative(2.0) == pytest.approx(32.0)
    monkeypatch.setitem(globals(), "helper", triple)
    assert derivative(2.0) == pytest.approx(9.0)


def triple(x):
    return 3.0 * x


def test_a_seed_in_any_spelling() -> None:
    derivative = tl.grad(looped)
    assert derivative(2.0, adjoint=2.0) == pytest.approx(64.0)
    assert derivative(x=2.0) == pytest.approx(32.0)
    with pytest.raises(TypeError):
        derivative(ROW)


def scaled(parts, x):
    x[0] = x[0] * parts[0][0]
    return np.sum(x * parts[1]) + parts[0][1]


def test_lists_beside_an_array_that_is_written() -> None:
    derivative, apart = tl.grad(scaled), np.array([3.0, 2.0])
    for _ in range(2):  # the second call finds the text of the first one
        (slope, shift), row = derivative([(2.0, 0.5), ROW[:2]], apart)
        assert (slope, shift) == (1.2000000000000002, 1.0)
        np.testing.assert_allclose(row, [6.0, 2.0])
        with pytest.raises(AliasError, match="`parts` and `x` share memory"):
            derivative([(2.0, 0.5), apart], apart)
    np.testing.assert_array_equal(apart, [3.0, 2.0])


@pytest.mark.parametrize("like", (list, tuple, lambda parts: dict(enumerate(parts))))
def test_gradients_in_a_nest_are_arrays_of_their_own(like: Any) -> None:
    def product(parts, x):
        return np.sum((parts[0] + parts[1]) * x)

    found = tl.grad(product)(like([ROW, ROW, 3, "name"]), ROW)
    assert type(found) is type(like([])) and found[2] is None and found[3] is None
    np.testing.assert_array_equal(found[0], ROW)
    assert not np.shares_memory(found[0], found[1]) and not np.shares_memory(found[1], ROW)


@pytest.mark.parametrize("seed", (1.0, np.float64(2.0)))
def test_shares_of_an_exponential_near_and_far(seed: Any) -> None:
    def loss(z, y):
        return np.sum(np.logaddexp(y, z) * ROW)

    for z in (ROW, 400.0 * ROW, np.array([np.inf, -np.inf, 0.0]), ROW.astype(np.float32)):
        with np.errstate(over="ignore", invalid="ignore"):
            found = tl.grad(loss)(z, 0, adjoint=seed)
            assert found.dtype == z.dtype
            np.testing.assert_allclose(found, seed * ROW / (1.0 + np.exp(-z)), rtol=1e-6)


def test_the_text_that_ran_is_shown_first() -> None:
    def product(xs):
        return xs[0] * xs[1]

    derivative = tl.grad(product)
    assert "rt.numbers(xs)" in derivative.source
    assert derivative([2.0, 3.0]) == [3.0, 2.0]
    first, second = derivative.source.split("\n\n\n")
    assert "rt.numbers(xs)" in second and "rt.numbers(xs)" not in first


def energy(x, w):
    d = x - w
    return 100 * (d @ d) + w @ x


def test_a_result_of_products_is_a_number_where_ranks_say_so() -> None:
    for args in ((ROW, 2.0 * ROW), (ROW.astype("f"), ROW), (ROW, ROW), (ROW[:0], ROW[:0])):
        derivative = tl.grad(fresh(energy), wrt=(0, 1))
        for _ in range(2):
            expected = tl.grad(energy, wrt=(0, 1), optimized=False)(*args)
            for mine, other in zip(derivative(*args), expected, strict=True):
                assert mine.dtype == other.dtype
                np.testing.assert_allclose(mine, other, rtol=1e-5)
        (text,) = texts(derivative)
        assert "seed" not in text and "matmul" not in text
    square = np.outer(ROW, ROW)
    for args in ((square, square), (ROW, square)):
        with pytest.raises(TypeError, match="scalar|number"):
            tl.grad(energy)(*args)
    with pytest.raises(TypeError):
        derivative(np.ma.masked_array(ROW), ROW)
    assert derivative(list(ROW), ROW)[0] == pytest.approx(list(derivative(ROW, ROW)[0]))
    for bad in (ROW.astype(object), ROW.astype("M8[s]")):
        with pytest.raises(TypeError):
            derivative(bad, ROW)
        with pytest.raises(TypeError):
            derivative(ROW, bad)


def leaky(W, x):
    for _ in range(2):
        h = np.where(x > 0, x, 0.1 * x)
        x = (h * (h > -0.5)) @ W
        x[x[:, 0] > 2.0] = 0.5
    return np.sum(x[x < 1.0])


def test_comparisons_of_arrays_have_the_rank_of_the_arrays(confirm: Any) -> None:
    W, x = np.cos(np.arange(9.0)).reshape(3, 3), np.sin(np.arange(1.0, 13.0)).reshape(4, 3)
    derivative = tl.grad(leaky, wrt=(0, 1))
    expected = tl.grad(leaky, wrt=(0, 1), optimized=False)(W, x)
    for mine, other in zip(derivative(W, x), expected, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)
    assert "matmul_" not in texts(derivative)[0]
    confirm(leaky, W, x)
