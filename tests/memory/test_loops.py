"""Loops over ``tl.checkpoint_loop`` have the derivatives of plain loops, bit for bit."""

from __future__ import annotations

import inspect
import linecache
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.memory import programs
from tests.memory.programs import PROGRAMS, arguments

FILE = "<plain twins of tests/memory/programs.py>"
# A second derivative of what is kept of lists, and of what may be a number, is refused.
FIRST = ("grows", "conditional_written")


def plain() -> dict[str, Any]:
    """The programs with plain loops."""
    text = re.sub(
        r"tl\.checkpoint_loop\((.*), (?:slots=)?[\w+ ]+\):", r"\1:", inspect.getsource(programs)
    )
    assert "checkpoint_loop(" not in text
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    space: dict[str, Any] = {"__name__": "tests.memory.plain"}
    exec(compile(text, FILE, "exec"), space)
    return space


PLAIN = plain()
each = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)


def same(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(found, expected)
    assert type(found) is type(expected)


@each
def test_the_call_itself(program: Callable[..., Any]) -> None:
    same(program(*arguments(program)), PLAIN[program.__name__](*arguments(program)))


@each
@pytest.mark.parametrize("optimized", [True, False])
def test_gradient(program: Callable[..., Any], optimized: bool) -> None:
    found = tl.grad(program, optimized=optimized)
    expected = tl.grad(PLAIN[program.__name__], optimized=optimized)
    assert optimized or ("rt.stops(" in found.source) == (
        program.__name__ not in ("unused", "zero")
    )
    same(found(*arguments(program)), expected(*arguments(program)))


@each
def test_value_and_pullback_twice(program: Callable[..., Any]) -> None:
    value, pullback = tl.vjp(program)(*arguments(program))
    expected, plain_pullback = tl.vjp(PLAIN[program.__name__])(*arguments(program))
    same(value, expected)
    for seed in (1.0, 2.0, 1.0):
        same(pullback(seed), plain_pullback(seed))


@each
def test_forward_mode_is_that_of_a_plain_loop(program: Callable[..., Any]) -> None:
    first = arguments(program)[0]
    tangent = np.cos(first) if isinstance(first, np.ndarray) else 1.0
    found = tl.jvp(program)(*arguments(program), tangent=tangent)
    expected = tl.jvp(PLAIN[program.__name__])(*arguments(program), tangent=tangent)
    for f, e in zip(found, expected):
        np.testing.assert_array_equal(f, e)


@each
def test_second_derivative(program: Callable[..., Any]) -> None:
    first = arguments(program)[0]
    direction = np.cos(first) if isinstance(first, np.ndarray) else 1.0
    gradient = tl.grad(program)
    if program.__name__ in FIRST:
        with pytest.raises(tl.DerivativeError, match="second derivative"):
            tl.jvp(gradient)(*arguments(program), tangent=direction)
        return
    plain_gradient = tl.grad(PLAIN[program.__name__])
    found = tl.jvp(gradient)(*arguments(program), tangent=direction)[1]
    expected = tl.jvp(plain_gradient)(*arguments(program), tangent=direction)[1]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("slots", range(1, 8))
@pytest.mark.parametrize("n", range(10))
def test_any_number_of_trips_and_slots(n: int, slots: int) -> None:
    def f(x: Any, n: int, slots: int) -> Any:
        u = x.copy()
        y = 1.0
        for t in tl.checkpoint_loop(range(n), slots=slots):
            u[0] = np.sin(u[0]) * u[1] + y
            y = y * u[2] * 0.5 + u[0] * t
        return y * np.sum(u)

    def plain(x: Any, n: int) -> Any:
        u = x.copy()
        y = 1.0
        for t in range(n):
            u[0] = np.sin(u[0]) * u[1] + y
            y = y * u[2] * 0.5 + u[0] * t
        return y * np.sum(u)

    x = 0.3 * programs.W
    same(tl.grad(f)(x, n, slots), tl.grad(plain)(x, n))
    same(x, 0.3 * programs.W)


def test_what_is_printed_in_the_loop_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: float) -> Any:
        y = x
        for t in tl.checkpoint_loop(range(3), slots=2):
            print("trip", t)
            y = np.sin(y) * x
        return y

    tl.grad(f)(0.7)
    assert capsys.readouterr().out == "trip 0\ntrip 1\ntrip 2\n"


def test_an_error_of_the_user_passes() -> None:
    def f(x: float) -> Any:
        y = x
        for t in tl.checkpoint_loop(range(9), slots=2):
            y = np.sin(y) * x
            if t == 4:
                raise ValueError("four")
        return y

    with pytest.raises(ValueError, match="four"):
        tl.grad(f)(0.7)


@pytest.mark.parametrize(
    ("slots", "error"), [(0, ValueError), (-1, ValueError), (2.0, TypeError), ("a", TypeError)]
)
def test_slots_are_at_least_one(slots: Any, error: type[Exception]) -> None:
    def f(x: float, slots: Any) -> Any:
        for _ in tl.checkpoint_loop(range(3), slots=slots):
            x = np.sin(x)
        return x

    with pytest.raises(error, match="slots must be"):
        f(0.7, slots)
    with pytest.raises(error, match="slots must be"):
        tl.grad(f)(0.7, slots)
    with pytest.raises(error, match="slots must be"):
        tl.checkpoint_loop(range(3), slots)


def test_without_it_nothing_runs_again() -> None:
    def f(x: float) -> Any:
        y = x
        for _ in range(3):
            y = np.sin(y) * np.exp(y)
        return y

    assert tl.grad(f).source.count("np.exp(y)") <= 3
    assert "stops" not in tl.grad(f).source
