"""An exception in either sweep leaves nothing behind: the next call is right, settings and arguments are as they were."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

GOOD, BAD = np.array([0.4, 1.3, 0.7]), np.array([0.4, 1.3, -0.7])


def trouble(v):
    if v < 0.0:
        raise ValueError("negative")
    return v


def in_a_loop(x):
    s = 0.0
    for v in x:
        s = s + np.sin(trouble(v)) * v
    return s


def into_an_array(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] * x[0]
        y[:i] *= trouble(x[i])
    return np.sum(y * y)


def into_the_argument(x):
    for i in range(1, 3):
        x[i] = x[i - 1] * trouble(x[i])
    return np.sum(x * x)


def onto_a_stack(x):
    stack = [x[0]]
    for v in x:
        stack.append(stack[-1] * trouble(v))
    s = stack.pop()
    while stack:
        s = s * (1.0 + stack.pop())
    return s


def into_a_dict(x):
    table = {"a": x[0], "b": x[1]}
    for v in x:
        table["a"] = table["a"] * v * v
        table["b"] = trouble(v) * table["a"]
    return table["b"] * table["a"]


def under_errstate(x):
    with np.errstate(all="raise"):
        y = np.sqrt(x)
    return np.sum(y * x)


def powers(x, n):
    return x if n == 0 else powers(x * trouble(x), n - 1) * x


def by_recursion(x):
    return powers(x[0], 3) + powers(x[2], 2)


def by_a_closure(x):
    total = x[0]

    def add(v):
        nonlocal total
        total = total * trouble(v)

    for v in x:
        add(v)
    return total


def handled_once(x):
    s = x[0]
    for k in range(3):
        try:
            s = s * trouble(x[k] - 0.5)
        except ValueError:
            s = s + x[k]
        s = s * trouble(x[k])
    return s


PROGRAMS = [
    in_a_loop,
    into_an_array,
    into_the_argument,
    onto_a_stack,
    into_a_dict,
    under_errstate,
    by_recursion,
    by_a_closure,
    handled_once,
]


def split(f: Any) -> Callable[[Any], Any]:
    pull = tl.vjp(f)
    return lambda x: pull(x)[1](1.0)


def along(push: Any) -> Callable[[Any], Any]:
    return lambda x: push(x, tangent=np.ones(3))


WAYS: dict[str, Callable[[Any], Callable[[Any], Any]]] = {
    "reverse": tl.value_and_grad,
    "split": split,
    "forward": lambda f: along(tl.jvp(f)),
    "second": lambda f: along(tl.jvp(tl.grad(f))),
}


def settings() -> tuple[Any, ...]:
    return np.geterr(), sys.getrecursionlimit(), gc.isenabled()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_after_the_forward_sweep_failed(f: Any, way: str) -> None:
    call, before = WAYS[way](f), settings()
    expected = call(GOOD.copy())
    for _ in range(2):
        bad = BAD.copy()
        with pytest.raises((ValueError, FloatingPointError)):
            call(bad)
        assert np.array_equal(bad, BAD)
        assert settings() == before
        np.testing.assert_equal(call(GOOD.copy()), expected)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_after_the_first_call_failed(f: Any) -> None:
    expected = tl.grad(f)(GOOD.copy())
    df = tl.grad(f)
    with pytest.raises((ValueError, FloatingPointError)):
        df(BAD.copy())
    np.testing.assert_equal(df(GOOD.copy()), expected)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_after_the_backward_sweep_failed(f: Any) -> None:
    before, x = settings(), GOOD.copy()
    expected = tl.grad(f)(x.copy())
    _, pullback = tl.vjp(f)(x)
    for wrong in ("one", None, np.ones(7)):
        with pytest.raises((TypeError, ValueError)):
            pullback(wrong)
        assert settings() == before
        np.testing.assert_array_equal(pullback(1.0), expected)
        np.testing.assert_array_equal(pullback(2.0), 2.0 * expected)
    assert np.array_equal(x, GOOD)


def grows(x):
    y = x.copy()
    for _ in range(4):
        y[1:] = y[1:] * x[:-1]
    return np.sum(y * x)


def test_after_an_overflow_in_the_backward_sweep() -> None:
    large = np.full(3, 1e4)
    df, (_, pullback) = tl.grad(grows), tl.vjp(grows)(large)
    expected = tl.grad(grows)(large)
    for _ in range(2):
        with np.errstate(all="raise"):
            for call in (lambda: df(large, adjoint=1e295), lambda: pullback(1e295)):
                with pytest.raises(FloatingPointError):
                    call()
        np.testing.assert_array_equal(pullback(1.0), expected)
        np.testing.assert_array_equal(df(large), expected)
    assert np.array_equal(large, np.full(3, 1e4))


def descends(x, n):
    return x if n == 0 else descends(np.sin(x), n - 1) * x


def there(x, n):
    return x if n == 0 else back(x, n - 1) * 1.001


def back(x, n):
    return 2.0 * x if n == 0 else there(x * x, n - 1)


def inside(x, n):
    def go(y, k):
        return y if k == 0 else go(y * x, k - 1)

    return go(x, n)


def without_end(x, n):
    return without_end(x * 0.5, n) + x


@pytest.mark.parametrize("f", [descends, there, inside], ids=lambda f: f.__name__)
def test_recursion_that_is_too_deep(f: Any) -> None:
    limit = sys.getrecursionlimit()
    for way in WAYS.values():
        call = way(lambda x, n=3: f(x[0], n) + f(x[1], 2))
        deep = way(lambda x: f(x[0], 10**6))
        expected = call(GOOD)
        with pytest.raises(RecursionError):
            deep(GOOD)
        assert sys.getrecursionlimit() == limit
        np.testing.assert_equal(call(GOOD), expected)


@pytest.mark.parametrize("way", [tl.grad, tl.vjp, tl.value_and_grad])
def test_recursion_without_end(way: Any) -> None:
    with pytest.raises(RecursionError):
        way(without_end)(1.0, 2)
    with pytest.raises(RecursionError):
        tl.jvp(without_end)(1.0, 2, tangent=1.0)


def test_a_recursion_error_that_is_caught() -> None:
    def f(x, n):
        try:
            y = descends(x, n)
        except RecursionError:
            y = 3.0 * x
        return y * x

    assert tl.grad(f)(0.5, 10**6) == 3.0
    assert tl.jvp(f)(0.5, 10**6, tangent=1.0)[1] == 3.0
    assert tl.grad(f)(0.5, 0) == 1.0
