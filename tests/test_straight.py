"""Helpers that loops over numbers call are written out for calls, and give what they gave."""

from __future__ import annotations

import inspect
import math
from typing import Any

import gast
import numpy as np
import pytest

import tangentlite as tl
from tangentlite import frontend, slices, syntax

X = np.array([0.4, 0.7, -0.2])
RATE = 0.3


def rate(u, v, p):
    a, b = p
    return a * u - b * u * v, b * u * v - a * v


def step(x, p):
    return p * math.sin(math.pi * x)


def bump(y, k):
    y[k] = y[k] * 0.5
    return y[k]


def add(s, v):
    s += v
    return s


def slope(f, y, h):
    k1 = f(y)
    k2 = f(y + h * k1)
    return y + h / 2 * (k1 + k2)


def in_tuples(u, v, a, b):
    for _ in range(5):
        du, dv = rate(u, v, (a, b))
        u, v = u + 0.01 * du, v + 0.01 * dv
    return u * v


def appended(x, p):
    path = [x]
    for _ in range(4):
        path.append(step(path[-1], p))
    return sum(path)


def nested(x, k):
    def f(v):
        w = k * v
        return math.sin(w) * v

    for _ in range(4):
        x = 0.5 + f(x) * f(x + 1.0)
    return x


def in_a_lambda(y, k):
    f = lambda v: math.sin(v) - k * v  # noqa: E731
    for _ in range(4):
        y = slope(f, y, 0.1)
    return y


def late(x, k):
    f = lambda v: k * v  # noqa: E731
    for i in range(3):
        k = k + x * i
        x = math.sin(f(x)) + k
    return x


def bound_twice(x, k):
    f = lambda v: k * v  # noqa: E731
    for i in range(3):
        x = math.sin(f(x))
        if i == 1:
            f = lambda v: v / k  # noqa: E731
    return x


def names_meet(v, k):
    def f(w):
        v = w * k
        k_1 = v + w
        return v * k_1

    k_1 = 2.0
    for _ in range(3):
        v = math.sin(f(v)) * k_1 + v
    return v + k_1


def in_an_order(x):
    y = x * 1.0
    s = 0.0
    for k in range(len(x)):
        s = s + y[k] * math.sin(y[k]) + bump(y, k) + y[k]
    return s


def from_the_left(x):
    s = 0.0
    for k in range(len(x)):
        s = add(s, x[k]) * add(s, x[k]) + s
    return s


def of_rows(x, a):
    def f(u, v):
        return u * a + math.sin(v)

    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = f(y[i - 1], x[i]) * 0.5
    return np.sum(y * y)


def deep(x):
    def f(v):
        return v * 0.5 if v < 0.1 else f(v - 0.3) + v

    for _ in range(2):
        x = math.sin(f(x)) + x
    return x


def in_a_comprehension(x, n):
    def f(v):
        return v * x

    s = 0.0
    for k in range(n):
        s = s + sum([f(j + s) for j in range(2)]) * 0.1 + math.sin(f(s))
    return s


def squared_where(x):
    s = 0.0
    for k in range(len(x)):
        v = bump(x, k) * x[k] if x[k] > 0.0 else add(s, x[k])
        s = s + math.sin(v) * x[k]
    return s


def with_a_constant(x):
    for _ in range(3):
        x = math.sin(x) + scaled(x)
    return x


def scaled(x):
    return RATE * x


PROGRAMS: tuple[tuple[Any, ...], ...] = (
    (in_tuples, 1.0, 0.5, 1.1, 0.4),
    (appended, 0.3, 0.9),
    (nested, 0.3, 0.7),
    (in_a_lambda, 0.3, 0.7),
    (late, 0.3, 0.7),
    (bound_twice, 0.3, 0.7),
    (names_meet, 0.3, 0.7),
    (in_an_order, X),
    (from_the_left, X),
    (of_rows, X, 0.7),
    (deep, 0.8),
    (in_a_comprehension, 0.3, 3),
    (squared_where, X),
    (with_a_constant, 0.3),
)
OUT = in_tuples, appended, nested, in_a_lambda, late, names_meet, of_rows, with_a_constant


def copied(args: Any) -> Any:
    return [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]


def lines(df: Any) -> str:
    """The text that the last call ran."""
    return inspect.getsource(df.__func__)


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case[0].__name__)
def test_programs(case: Any) -> None:
    function, *args = case
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    df, value = tl.grad(function, wrt=wrt), tl.value_and_grad(function, wrt=wrt)
    for _ in range(2):
        expected = tl.grad(function, wrt=wrt, optimized=False)(*args)
        own = function(*copied(args))
        for found in (df(*args), value(*copied(args))[1]):
            for a, b in zip(found, expected, strict=True):
                assert type(a) is type(b)
                np.testing.assert_allclose(a, b, rtol=1e-12)
        assert (value(*args)[0], type(value(*args)[0])) == (own, type(own))
        args = [a if isinstance(a, int) else a + 0.125 for a in args]
    assert function not in OUT or "_forward(" in df.source.replace(lines(df), "")
    assert function not in OUT or "_forward(" not in lines(df)
    tl.check_grads(function, args, order=1)


def test_helpers_that_change_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    df = tl.grad(with_a_constant)
    before = df(0.3)
    monkeypatch.setitem(globals(), "RATE", 0.7)
    assert (
        df(0.3)
        == pytest.approx(tl.grad(with_a_constant, optimized=False)(0.3), rel=1e-12)
        != before
    )
    monkeypatch.setitem(globals(), "scaled", lambda x: x * x)
    assert df(0.3) == pytest.approx(tl.grad(with_a_constant, optimized=False)(0.3), rel=1e-12)


def outer(x: Any) -> Any:
    """What parameters and local names of helpers below are called, too."""
    return x * 100.0


def root_of(outer: Any, slope: Any, x: Any, n: int = 10) -> Any:
    for _ in range(n):
        x = x - outer(x) / slope(x)
    return x


def root(a: Any) -> Any:
    return root_of(lambda x: x * x - a, lambda x: 2.0 * x, a)


def asks_outside(x: Any) -> Any:
    s = x
    for _ in range(2):
        s = s + outer(x) * 0.01
    return s


def binds_inside(x: Any) -> Any:
    outer = 0.5 * x
    for _ in range(2):
        outer = outer * x
    return outer


def both(x: Any) -> Any:
    return asks_outside(x) * binds_inside(x) + asks_outside(2.0 * x)


def both_in_a_loop(x: Any) -> Any:
    s = 0.0
    for k in range(3):
        s = s + binds_inside(x) * k
        s = s + asks_outside(x)
    return s


@pytest.mark.parametrize("function", [root, both, both_in_a_loop])
def test_names_of_helpers_that_mean_something_outside(function: Any) -> None:
    h = 1e-6
    expected = (function(1.2 + h) - function(1.2 - h)) / (2 * h)
    for optimized in (True, False):
        value, slope = tl.value_and_grad(function, optimized=optimized)(1.2)
        assert value == pytest.approx(function(1.2))
        assert slope == pytest.approx(expected, rel=1e-6)


def midpoints(f: Any, a: Any, b: Any, n: int) -> Any:
    h = (b - a) / n
    s = 0.0
    for i in range(n):
        s = s + f(a + (i + 0.5) * h) * h
    return s


def area(w: Any, a: Any) -> Any:
    return midpoints(lambda t: math.sin(w * t), 0.0, a, 8)


def areas(w: Any, a: Any) -> Any:
    s = 0.0
    for k in range(3):
        w = w * 1.1
        s = s + midpoints(
            lambda t: w * t * t + k * root_of(lambda s: s * s - w, double, 1.0), 0.0, a, 4
        )
    return s


def double(x: Any) -> Any:
    return 2.0 * x


def test_lambdas_that_are_handed_on_are_written_out() -> None:
    found = slices.inlined(frontend.read(area), frontend.read, {}, procedures=False)
    (loop,) = [s for s in found.body if isinstance(s, gast.For)]
    assert syntax.unparse(loop.body[-1]) == "s = s + math.sin(w * t_1) * h"


@pytest.mark.parametrize("function", [area, areas])
def test_lambdas_that_are_handed_on(function: Any) -> None:
    h = 1e-6
    value, slopes = tl.value_and_grad(function, wrt=(0, 1))(1.2, 0.7)
    assert value == pytest.approx(function(1.2, 0.7))
    assert slopes[0] == pytest.approx((function(1.2 + h, 0.7) - function(1.2 - h, 0.7)) / (2 * h))
    assert slopes[1] == pytest.approx((function(1.2, 0.7 + h) - function(1.2, 0.7 - h)) / (2 * h))
    assert slopes == pytest.approx(tl.grad(function, wrt=(0, 1), optimized=False)(1.2, 0.7))


def there(x: Any, n: int) -> Any:
    s = x
    for _ in range(n - 1):
        s = s + back(x * 0.5, n - 1)
    return s


def back(x: Any, n: int) -> Any:
    s = x * x
    for _ in range(n - 1):
        s = s + there(x, n - 1)
    return s


def itself(x: Any, n: int) -> Any:
    s = x
    for _ in range(n):
        s = s + math.sin(itself(x * 0.5, n - 1))
    return s


def each_other(x: Any) -> Any:
    return there(x, 3) * back(x, 2)


def again_and_again(x: Any) -> Any:
    return itself(x, 2) * itself(2.0 * x, 1)


@pytest.mark.parametrize("function", [each_other, again_and_again])
def test_helpers_that_call_themselves_are_not_written_out(function: Any) -> None:
    h = 1e-6
    value, slope = tl.value_and_grad(function)(1.3)
    assert value == pytest.approx(function(1.3))
    assert slope == pytest.approx((function(1.3 + h) - function(1.3 - h)) / (2 * h))
