"""Literals, and numbers such as ``np.pi``, are said where they are read."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

config = types.ModuleType("config")
config.rate = 1.5  # type: ignore[attr-defined]


def weighed(x: Any, n: int) -> Any:
    c = 0.5
    k = 2
    m = 3
    if n > 1:
        m = 4
    out = np.zeros(3)
    for i in range(n):
        c = c * 0.5
        out[i] = x**k * c * m
    c = 2.5
    w = np.pi
    return np.sum(out) * c * x * w


def scaled(x: Any) -> Any:
    return weighed(x, 2) * 3.0


def area(d: Any) -> Any:
    return np.pi * d * d / 4.0


def turns(x: Any) -> Any:
    total = 0.0
    for _ in range(3):
        x = x * math.pi / math.tau
        total = total + x**math.e + math.inf**0.0
    return total


def shadowed(x: Any) -> Any:
    np = Point(x)
    return np.pi * np.pi


def changing(x: Any) -> Any:
    y = x * config.rate  # type: ignore[attr-defined]
    return y * y * config.rate  # type: ignore[attr-defined]


class Point:
    def __init__(self, pi: Any) -> None:
        self.pi = pi


@pytest.mark.parametrize("f", [scaled, area, turns, shadowed, changing])
def test_the_gradient_is_right(f: Callable[[Any], Any]) -> None:
    x, step = 1.3, 1e-6
    slope = (f(x + step) - f(x - step)) / (2.0 * step)
    for found in (
        tl.grad(f)(x),
        tl.grad(f, optimized=False)(x),
        tl.jvp(f)(x, tangent=1.0)[1],
        tl.vjp(f)(x)[1](1.0),
        tl.grad(f)(np.array(x)),
    ):
        assert found == pytest.approx(slope, rel=1e-6)


def test_a_record_holds_no_literals() -> None:
    backward = tl.grad(scaled).source.partition("def weighed_backward")[2]
    assert "m, n, out" in backward
    assert "w = np.pi" in backward
    record = backward.partition("= saved")[0].split("\n")[1]
    assert {"c", "k", "w"}.isdisjoint(record.replace(" ", "").split(","))


def test_numbers_of_modules_have_no_names() -> None:
    source = tl.grad(area).source
    assert "= np.pi\n" not in source
    assert "* np.pi" in source
    assert "type(d) is not float" in source  # np.pi is a float as others are


def test_a_number_of_another_module_is_read_once_in_a_call() -> None:
    gradient = tl.grad(changing)
    assert gradient(2.0) == pytest.approx(2.0 * 1.5**3 * 2.0)
    config.rate = 2.0  # type: ignore[attr-defined]
    try:
        assert gradient(2.0) == pytest.approx(2.0 * 2.0**3 * 2.0)
    finally:
        config.rate = 1.5  # type: ignore[attr-defined]


def in_a_loop(x: Any, n: int) -> Any:
    s = 0.0
    for _ in range(n):
        c = 0.5
        k = np.pi
        if x > 1.0:
            c = 0.25
        x = np.sin(x * c) * k * np.e
        s = s + x**math.e * c
    return s


def test_a_tape_holds_no_literals() -> None:
    gradient, step = tl.grad(in_a_loop), 1e-6
    slope = (in_a_loop(1.2 + step, 3) - in_a_loop(1.2 - step, 3)) / (2.0 * step)
    assert gradient(1.2, 3) == pytest.approx(slope, rel=1e-6)
    assert "tape.append((c, t1, x))" in gradient.source
