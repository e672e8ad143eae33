"""A text for Python floats stands before the general one where floats give nothing but floats."""

from __future__ import annotations

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
