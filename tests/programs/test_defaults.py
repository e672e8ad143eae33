"""Parameters with defaults: optional ones, functions, containers; given, left away, given otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


def squared(a):
    return a * a


def damped(x, scale=None):
    if scale is not None:
        x = x * scale
    return x * x


@case(0.5)
@case(0.5, None)
@case(0.5, 2.0)
@case(normal(3), normal(3, seed=1))
def optional_scale(x, scale=None):
    if scale is None:
        scale = 3.0
    return np.sum(x * scale * x)


@case(normal(3))
@case(normal(3), None, 0.5)
@case(normal(3), 2.0, None)
@case(normal(3), 2.0, 0.5)
def optional_factors(x, left=None, right=None):
    y = x
    if left is not None and right is not None:
        y = y * left * right
    elif left is not None:
        y = left - y
    if right:
        y = y + right
    return np.sum(y * y)


@case(normal(3))
@case(normal(3), None)
@case(normal(3), 2.0)
@case(normal(3), normal(3, seed=2))
def optional_with_a_store(x, scale=None):
    y = x.copy()
    y[0] = 2.0 * y[1]
    if scale is not None:
        y = y * scale
    return np.sum(y * y)


@case(0.7)
@case(0.7, np.sin)
@case(0.7, squared)
def function_with_a_default(x, act=np.tanh):
    return act(x) * x


@case(0.7)
@case(0.7, np.sin)
@case(0.7, squared)
def optional_function(x, act=None):
    return x * x if act is None else act(x)


@case(0.7)
@case(0.7, np.cos)
def function_or_another(x, act=None):
    act = act or np.sin
    return act(x) * x


@case(normal(3))
@case(normal(3), None)
@case(normal(3), [normal(3, seed=1)])
def optional_list(x, seen=None):
    seen = [] if seen is None else seen
    seen.append(x * 2.0)
    seen[-1][1] = x[0] ** 2
    return np.sum(seen[0] * seen[-1] * x)


@case(normal(3))
@case(normal(3), {})
@case(normal(3), {"square": normal(3, seed=1)})
def optional_memo(x, memo=None):
    if memo is None:
        memo = {}
    if "square" not in memo:
        memo["square"] = x * x
    memo["last"] = memo["square"] * x
    return np.sum(memo["square"] + memo["last"])


@case(0.7, (1.0, 2.0))
@case(0.7, (1.0, 2.0, 3.0))
@case(0.7, [1.0, 2.0, 3.0])
@case(0.7, normal(4))
def containers_with_defaults(x, ws=(1.0, 2.0)):
    both = ws + ws
    total = 0.0
    for w in both:
        total = total + x * w
    return total * x


@case(0.7, (np.sin, 2.0), second=False)
@case(0.7, (np.exp, 1.0), second=False)
def function_in_a_default(x, options=(np.sin, 2.0)):
    return options[0](x) * options[1]


@case(0.7)
def helper_without_its_option(x):
    return damped(x) * x


@case(0.7)
def helper_with_and_without(x):
    return damped(x) + damped(x, 2.0) * damped(x, scale=x)


@case(normal(4))
def behind_any_number_of_arguments(x):
    def f(a, b=x[1], *c, k=x[2], **options):
        return a * b * k + sum(c) + options.get("z", 0.0)

    y = (lambda a, *c, k=x[2]: a * k + sum(c))(x[0], x[0], x[1])
    return y + f(x[0], x[3], x[0], x[1]) + f(x[0]) + f(x[1], k=x[3], z=x[0])


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def test_the_text_says_what_it_was_written_for() -> None:
    df = tl.grad(function_with_a_default)
    assert "rt.alike(act, default_act)" in df.source
    with pytest.raises(TypeError, match="written for <ufunc 'tanh'>, not for <ufunc 'sin'>"):
        df.function(0.5, np.sin)


def test_what_was_pickled_says_so_too() -> None:
    import pickle

    def local(x, act=np.tanh):
        return act(x) * x

    df = tl.grad(local)
    arrived = pickle.loads(pickle.dumps(df))
    assert arrived(0.5) == df(0.5)
    with pytest.raises(tl.DerivativeError, match="before it is sent"):
        arrived(0.5, np.sin)
    assert df(0.5, np.sin) == pickle.loads(pickle.dumps(df))(0.5, np.sin)


def test_an_option_may_be_left_away_and_given_in_turn() -> None:
    df = tl.grad(optional_function)
    assert "act is None" in df.source
    for _ in range(2):
        assert df(0.5) == 1.0
        assert df(0.5, np.sin) == pytest.approx(np.cos(0.5))
        assert df(0.5, act=squared) == 1.0


def test_none_where_a_number_is_needed() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        tl.grad(lambda x, y: x * y)(1.0, None)


def table(x, n):
    values = [0.0] * (n + 1)
    values[0] = x
    for k in range(n):
        values[k + 1] = values[k] * x + np.sin(values[k])
    return values[n]


def applied(x, act):
    return act(x) * x


def knapsack(values, sizes, capacity):
    best = [0.0] * (capacity + 1)
    for value, size in zip(values, sizes):
        for room in range(capacity, size - 1, -1):
            best[room] = max(best[room], best[room - size] + value)
    return best[capacity]


@pytest.mark.parametrize(
    ("function", "args"),
    (
        (table, (0.5, 4)),
        (table, (0.5, 0)),
        (knapsack, ([1.0, 2.5, 0.7, 3.1], [2, 3, 1, 4], 6)),
        (applied, (0.5, np.sin)),
        (applied, (0.5, squared)),
    ),
    ids=label,
)
def test_programs_that_are_written_when_they_are_called(function: Any, args: Any) -> None:
    check(function, *args, second=False)


def test_second_order_of_what_is_written_when_it_is_called() -> None:
    expected = 2.0 * np.cos(0.5) - 0.5 * np.sin(0.5)
    assert tl.grad(tl.grad(applied))(0.5, np.sin) == pytest.approx(expected)
    assert tl.hvp(applied)(0.5, 2.0, np.sin) == pytest.approx(2.0 * expected)


def test_a_list_times_an_array_is_an_array_as_in_numpy() -> None:
    for f in (table, tl.grad(table)):
        with pytest.raises(TypeError, match="only integer scalar arrays"):
            f(0.5, np.array([1.0, 2.0]))
