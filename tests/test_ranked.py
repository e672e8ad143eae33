"""Calls of functions with loops, and with lists and dicts: the text for known ranks gives what the general one does."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.errors import DerivativeError


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
