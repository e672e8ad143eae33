"""A text for Python floats stands before the general one where floats give nothing but floats."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def energy(x, y):
    r = x * x + y * y
    return math.exp(-r) * math.sin(x) + x / (1.0 + r)


def shaped(x, y):
    return np.sin(x) * y


def of_type(x):
    type = x * x
    return type * x


def of_float(x, float=2.0):
    return x * float


def long(x):
    a = x * x + 1.0
    b = a * x - a
    c = b * a + x
    d = c * b - a * x
    return d * c + b * x


@pytest.mark.parametrize(("function", "twin"), [(energy, True), (shaped, False), (long, False)])
def test_who_has_one(function: Any, twin: bool) -> None:
    source = tl.grad(function).source
    assert ("is not float" in source or "is float" in source) is twin


def test_nothing_is_asked_of_floats() -> None:
    floats = tl.grad(energy, wrt=(0, 1)).source.split("def ")[1]
    assert "unbroadcast" not in floats and "rt.like" not in floats


@pytest.mark.parametrize("wrt", (0, 1, (0, 1)))
def test_both_give_the_same(wrt: Any, confirm: Any) -> None:
    confirm(energy, 0.7, -0.4)
    given, arrays = tl.grad(energy, wrt=wrt)(0.7, -0.4), (np.float64(0.7), np.array(-0.4))
    np.testing.assert_allclose(tl.grad(energy, wrt=wrt)(*arrays), given, rtol=1e-14)
    kinds = given if isinstance(given, tuple) else (given,)
    assert [type(g) for g in kinds] == [float] * len(kinds)


@pytest.mark.parametrize("function", (of_type, of_float))
def test_names_of_builtins_may_be_taken(function: Any, confirm: Any) -> None:
    confirm(function, 1.3)


class Doubled:
    """A context that keeps a number."""

    def __init__(self, v):
        self.v, self.s = v, 0.0

    def __enter__(self):
        self.s = self.v * 2
        return self

    def __exit__(self, *error):
        self.s = self.s * 3


def through_an_object(x):
    def inside():
        with contextlib.ExitStack() as stack:
            held = stack.enter_context(Doubled(x))
            if x > 0.5:
                return held.s * x
        return x

    return inside()


def test_floats_that_a_helper_keeps_in_objects():
    df = tl.grad(through_an_object)
    for derivative in (df, tl.specialize(df, 0.7)):
        assert derivative(0.7) == pytest.approx(2.8)
        assert type(derivative(0.7)) is float
