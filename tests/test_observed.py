"""What debuggers and profilers find in a derivative: the code that its calls run."""

from __future__ import annotations

import functools
import linecache
import sys
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def plain(x):
    return np.sin(x) * x


def stored(x):
    y = np.zeros(2)
    for i in range(2):
        y[i] = x[i] ** 2
    return np.sum(y)


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(np.tanh(self.w * x))


X = np.array([0.5, -1.0])
DERIVATIVES = {
    "plain": lambda: tl.grad(lambda x: np.sin(x) * x),
    "value": lambda: tl.value_and_grad(stored),
    "forward": lambda: tl.jvp(plain),
    "stored": lambda: tl.grad(stored),
    "method": lambda: tl.grad(Model(2.0).loss),
    "second": lambda: tl.grad(tl.grad(lambda x: np.sin(x) * x)),
}


def codes_run(call: Any, *args: Any, **kwargs: Any) -> set[Any]:
    """The code objects that a call enters."""
    met = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, arg: met.add(frame.f_code) if event == "call" else None)
    try:
        call(*args, **kwargs)
    finally:
        sys.setprofile(before)
    return met


@pytest.mark.parametrize("name", DERIVATIVES)
def test_the_function_that_runs(name: str) -> None:
    derivative = DERIVATIVES[name]()
    args: tuple[Any, ...] = (0.5,) if name in ("plain", "second", "forward") else (X,)
    more = {"tangent": 1.0} if name == "forward" else {}
    derivative(*args, **more)
    assert derivative.__code__ in codes_run(derivative, *args, **more)
    assert derivative.__func__.__code__ is derivative.__code__
    assert derivative.__code__.co_filename.startswith("<generated: tangentlite")


def test_before_the_first_call() -> None:
    derivative = tl.grad(lambda x: np.cos(x) * x)
    assert isinstance(derivative.func, FunctionType)
    assert derivative.__code__ in codes_run(derivative, 0.5)


@pytest.mark.parametrize("name", ["plain", "stored", "method"])
def test_taken_apart_and_put_together(name: str) -> None:
    """As profilers do with partials: the same kind, round a function of theirs."""
    derivative = DERIVATIVES[name]()
    x = 0.5 if name == "plain" else X
    calls = []

    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        return derivative.func(*args, **kwargs)

    made = type(derivative)(counted, *derivative.args, **derivative.keywords)
    assert type(made) is functools.partial
    np.testing.assert_array_equal(made(x), derivative(x))
    assert len(calls) == 1


def test_the_text_comes_back() -> None:
    derivative = tl.grad(plain)
    derivative(0.5)
    file = derivative.__code__.co_filename
    linecache.cache.pop(file)
    assert linecache.getlines(file) == []
    assert derivative.__func__
    assert linecache.getline(file, 1).startswith("def dplain_dx(x,")
    linecache.cache.pop(file)
    assert derivative.function
    assert linecache.getline(file, 1).startswith("def dplain_dx(x,")


def test_stages_of_a_derivative_are_of_its_text() -> None:
    assert tl.stages(tl.grad(plain))["source"] == tl.stages(tl.grad(plain).function)["source"]
