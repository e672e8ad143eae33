"""Lists of numbers that a function makes and fills run in Python's floats, and their adjoints are such lists."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

KEPT: list[Any] = []
Program = tuple[Callable[..., Any], tuple[Any, ...]]
PLAIN: dict[str, Program] = {}
CAREFUL: dict[str, Program] = {}


def plain(*args: Any) -> Callable[[Any], Any]:
    return lambda f: PLAIN.setdefault(f.__name__, (f, args))[0]


def careful(*args: Any) -> Callable[[Any], Any]:
    return lambda f: CAREFUL.setdefault(f.__name__, (f, args))[0]


@plain(0.3, 3.2, 20)
def logistic(x, r, n):
    xs = [x]
    for _ in range(n):
        xs.append(xs[-1] * r * (1 - xs[-1]))
    return xs[-1]


@plain(0.3, 0.5, 9)
def summed(x, c, n):
    a = [x, x * x]
    for i in range(2, n):
        a.append(c * a[i - 1] + math.sin(a[i - 2]))
    return sum(a) / len(a)


@plain(np.array([0.3, -0.2, 0.9]), 0.5)
def walked(x, c):
    ys = [0.0]
    for v in x:
        ys.append(c * ys[-1] + math.sin(v))
    return ys[-1] ** 2 + ys[1]


def step(x, p):
    return p * math.sin(math.pi * x)


@plain(0.3, 0.9)
def by_a_helper(x, p):
    path = [x]
    for _ in range(6):
        path.append(step(path[-1], p))
    return sum(path) / len(path)


@plain(0.2, 0.4, 0.9)
def two_lists(q, p, k):
    qs, ps = [q], [p]
    for _ in range(7):
        half = ps[-1] - 0.05 * k * math.sin(qs[-1])
        qs.append(qs[-1] + 0.1 * half)
        ps.append(half - 0.05 * k * math.sin(qs[-1]))
    return 0.5 * ps[-1] ** 2 + qs[-1] * qs[2]


@careful(0.4, 0.6)
def as_long_as_needed(x, c):
    xs = [x]
    while xs[-1] > 1e-2:
        xs.append(xs[-1] * c)
    return np.sum(xs) + xs[len(xs) // 2]


@plain(0.4, 0.6)
def whole_numbers_first(x, c):
    xs = [1, x]
    for i in range(2, 8):
        xs.append(c * xs[i - 1] + xs[i - 2])
    return xs[-1] * xs[0]


@plain(np.array([0.3, -0.2, 0.9]), 0.5)
def places_in_a_list(x, c):
    places, s = [0], 0.0
    for _ in range(5):
        places.append((places[-1] + 2) % 3)
        s = s * c + math.sin(x[places[-1]])
    return s


@careful(0.4, 0.6)
def another_name(x, c):
    xs = [x]
    ys = xs
    for _ in range(3):
        ys.append(math.sin(xs[-1]) * c)
    return xs[-1] * ys[0]


@plain(0.4, np.array([0.6, -0.3, 0.2]))
def a_pair_in_a_tuple(x, c):
    state = (x, 1.0)
    for v in c:
        p, q = state
        state = (p + np.sin(v) * q, q * math.cos(p))
    return state[0] ** 2 + state[1]


@plain(0.4, 0.6)
def a_list_in_each_trip(x, c):
    s = 0.0
    for _ in range(3):
        xs = [x]
        for _ in range(2):
            xs.append(math.sin(xs[-1]) * c)
        s = s + xs[-1] * xs[0]
        x = x * c
    return s


@careful(0.4, 0.6, 5)
def one_of_two(x, c, n):
    if n > 3:
        xs = [x]
    else:
        xs = [c, x]
    for _ in range(n):
        xs.append(math.sin(xs[-1]) * c)
    return xs[-1] * xs[0]


@careful(0.4, 0.6)
def a_state_in_a_tuple(x, c):
    state = (x, 0.0, c)
    for _ in range(4):
        p, q, r = state
        state = (p + 0.1 * q, q - math.sin(p) * r, r * 0.9)
    return state[0] ** 2 + state[1]


@careful(np.array([0.4, -0.3]), 0.6)
def arrays_in_a_tuple(x, c):
    state = (x, 0.0 * x)
    for _ in range(4):
        p, q = state
        state = (p + 0.1 * q, q - np.sin(p) * c)
    return np.sum(state[0] * state[1])


@careful(np.array([0.4, -0.3]), 0.6)
def a_row_that_is_unpacked(x, c):
    for _ in range(4):
        p, q = x
        x = np.array([p + 0.1 * q, q - np.sin(p) * c])
    return np.sum(x * x)


@careful(0.4, 0.6)
def a_tuple_in_a_tuple(x, c):
    state = ((x, c), 1.0)
    for _ in range(3):
        (p, q), r = state
        state = ((math.sin(p) * q, p), r * c)
    return state[0][0] + state[0][1] * state[1]


@careful(0.4, np.array([0.6, -0.3, 0.2]))
def floats_and_numbers_of_numpy(x, c):
    state = (x, 1.0)
    for v in c:
        state = (state[0] * math.cos(x), state[1] + np.sin(v) * state[0])
    return state[0] * 2.0


@careful(0.4, 0.6)
def trading_places(x, c):
    a, b = [x], [c]
    for _ in range(4):
        a.append(math.sin(b[-1]) * a[-1])
        a, b = b, a
    return a[-1] * b[-1] + a[0]


@careful(0.4, 0.6)
def taken_off(x, c):
    xs = [x, c]
    for _ in range(3):
        v = xs.pop()
        xs.append(math.sin(v) * xs[-1])
    return xs[-1]


@careful(0.4, 0.6)
def queue(x, c):
    xs = [x, c, x * c]
    for _ in range(4):
        v = xs.pop(0)
        xs.append(math.sin(v) * xs[-1])
    return xs[-1] * xs[0]


@careful(0.4, 0.6)
def stored(x, c):
    xs = [x, c]
    for i in range(4):
        xs[i % 2] = math.sin(xs[0]) * xs[1]
    return xs[0] + xs[1]


@careful(0.4, 0.6)
def as_often(x, c):
    xs = [x] * 3
    for i in range(4):
        xs.append(math.sin(xs[i]) * c)
    return xs[-1] + xs[1]


@careful(0.4, 0.6)
def sliced(x, c):
    xs = [x, c]
    for _ in range(4):
        xs.append(math.sin(xs[-1]) * c)
    return sum(xs[1:-1]) * xs[-1]


@careful(np.array([0.4, -0.3]), 0.6)
def arrays_in_a_list(x, c):
    xs = [x]
    for _ in range(4):
        xs.append(np.sin(xs[-1]) * c)
    return np.sum(xs[-1] * xs[0])


@careful(np.array([0.4, -0.3]), 0.6)
def an_array_of_a_list(x, c):
    xs = [x[0]]
    for _ in range(4):
        xs.append(math.sin(xs[-1]) * c + x[1])
    return np.sum(np.array(xs) ** 2)


@careful(0.4, 0.6)
def lists_in_a_list(x, c):
    xs = [[x, c]]
    for _ in range(3):
        a, b = xs[-1]
        xs.append([math.sin(a) * b, a])
    return xs[-1][0] + xs[-1][1]


@careful(0.4, 0.6)
def filled_by_a_helper(x, c):
    xs = [x]
    for _ in range(3):
        put(xs, math.sin(xs[-1]) * c)
    return xs[-1] * xs[1]


def put(xs, v):
    xs.append(v * v)


@careful(0.4, 0.6)
def largest(x, c):
    xs = [x]
    for _ in range(3):
        xs.append(math.sin(xs[-1]) * c)
    return max(xs) * xs[-1]


@careful(0.4, 0.6)
def nothing_is_left(x, c):
    xs = [x]
    for _ in range(3):
        xs.append(0.0 * xs[-1] / (xs[-1] - x))
    return xs[0] * c


@careful(0.4, 0.6)
def roots_of_what_is_less_than_nothing(x, c):
    xs = [x]
    for _ in range(2):
        xs.append((xs[-1] - 0.5) ** 2.0 * c)
    return xs[-1] * abs((xs[-1] - 1.0) ** 1.5)


def both(f: Any, args: Any) -> tuple[Any, Any]:
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    df, expected = tl.grad(f, wrt=wrt), tl.grad(f, wrt=wrt, optimized=False)
    for a, b in zip(df(*args), expected(*args)):
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
    again = [args[0] * 0.75, *args[1:]]
    for a, b in zip(df(*again), expected(*again)):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14)
    return df, expected


@pytest.mark.parametrize("name", PLAIN)
def test_adjoints_are_lists_of_floats(name: str) -> None:
    f, args = PLAIN[name]
    df, _ = both(f, args)
    said = inspect.getsource(df.__func__)
    assert "rt.zeros" not in said and "rt.add_at" not in said
    tl.check_grads(f, args, wrt=0, modes=("reverse",), order=1)


@pytest.mark.parametrize("name", [n for n in CAREFUL if n != "nothing_is_left"])
def test_lists_with_which_more_is_done(name: str) -> None:
    f, args = CAREFUL[name]
    both(f, args)
    tl.check_grads(f, args, wrt=0, modes=("reverse",), order=1)


@pytest.mark.parametrize("name", [*PLAIN, *(n for n in CAREFUL if "nothing" not in n)])
def test_values_are_the_functions_own(name: str) -> None:
    f, args = {**PLAIN, **CAREFUL}[name]
    value, expected = tl.value_and_grad(f)(*args)[0], f(*args)
    exact = sys.version_info < (3, 12) or "sum" not in f.__code__.co_names  # it compensates since
    assert value == (expected if exact else pytest.approx(expected, rel=1e-15))
    assert type(value) is type(expected)


@pytest.mark.parametrize("name", ["logistic", "two_lists", "summed"])
def test_other_numbers(name: str) -> None:
    f, args = PLAIN[name]
    df, slow = tl.grad(f), tl.grad(f, optimized=False)
    for x in (np.float64(0.2), np.float32(0.2), 1, np.array(0.2), np.array([0.2])[0]):
        a, b = df(x, *args[1:]), slow(x, *args[1:])
        assert type(a) is type(b)
        np.testing.assert_allclose(a, b, rtol=1e-5)
    if name == "logistic":
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(df(np.inf, *args[1:]), slow(np.inf, *args[1:]))
            np.testing.assert_array_equal(df(1e200, *args[1:]), slow(1e200, *args[1:]))


def test_what_python_raises_is_raised() -> None:
    f, args = CAREFUL["nothing_is_left"]
    with pytest.raises(ZeroDivisionError):
        tl.grad(f)(*args)
    with pytest.raises(IndexError, match="list index out of range"):
        tl.grad(beyond)(0.5)
    with pytest.raises(IndexError, match="pop from empty list"):
        tl.grad(emptied)(0.5)


def beyond(x):
    xs = [x]
    for _ in range(3):
        xs.append(math.sin(xs[-1]))
    return xs[4]


def emptied(x):
    xs = [x]
    for _ in range(2):
        xs.append(math.sin(xs[-1]))
    for _ in range(4):
        v = xs.pop()
    return v


def test_lists_that_live_on_are_not_filled_twice() -> None:
    KEPT.clear()
    with np.errstate(all="ignore"):
        tl.grad(remembering)(0.0)
    assert KEPT == [1, 2, 3]


def remembering(x):
    xs = [x]
    for i in range(3):
        xs.append(np.sqrt(xs[-1]) + x)
        KEPT.append(i + 1)
    return xs[-1]


@pytest.mark.parametrize(
    "name", ["a_state_in_a_tuple", "logistic", "arrays_in_a_tuple", "a_tuple_in_a_tuple"]
)
def test_second_derivatives(name: str) -> None:
    f, args = {**PLAIN, **CAREFUL}[name]
    tl.check_grads(f, args, wrt=0, order=2)
