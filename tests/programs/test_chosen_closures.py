"""Functions that are chosen by name and capture different things; tables that are filled by decorators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, -0.4, 0.9])
EVENTS = [(0.5, "a", 0), (1.0, "d", 1), (2.0, "a", 2)]


@case(X, second=False)
def one_captures_a_list(x):
    queue = [(0.5, "a", 0), (1.0, "d", 1), (2.0, "a", 2)]

    def arrive(t, i):
        if i < 1:
            queue.append((t + 0.3, "d", i + 1))
        return x[i] * t

    def depart(t, i):
        return x[i] ** 2 * t

    handlers, cost = {"a": arrive, "d": depart}, 0.0
    while queue:
        t, k, i = queue.pop(0)
        cost += handlers[k](t, i)
    return cost * x[3]


@case(X)
def a_list_a_dict_and_a_number(x):
    log, total, rate = [], {"v": 0.0}, x[1] * x[2]

    def kept(v):
        log.append(v * v)
        return v

    def counted(v):
        total["v"] += v * x[0]
        return v * v

    def scaled(v):
        return v * rate

    table = [kept, counted, scaled, math.sin]
    y = 0.0
    for k, v in enumerate([x[0], x[1], x[2], x[3]]):
        y = y + table[k](v) * table[(k + 1) % 4](v)
    return y * total["v"] + sum(log)


@case(X, second=False)
def a_variable_that_is_bound_again(x):
    cost, queue = 0.0, [(0.5, "a", 0), (1.0, "d", 1), (2.0, "a", 2)]

    def arrive(t, i):
        nonlocal cost
        cost += x[i] * t
        if i < 1:
            queue.append((t + 0.3, "d", i + 1))

    def depart(t, i):
        nonlocal cost
        cost += x[i] ** 2 * t

    handlers = {"a": arrive, "d": depart}
    while queue:
        t, k, i = queue.pop(0)
        handlers[k](t, i)
    return cost * x[3]


@case(X, second=False)
def a_table_that_a_decorator_fills(x):
    handlers = {}

    def handle(kind):
        def keep(f):
            handlers[kind] = f
            return f

        return keep

    @handle("a")
    def arrive(t, i):
        return x[i] * t

    @handle("d")
    def depart(t, i):
        return x[i] ** 2 * t

    cost = handlers["a"](x[0], 1) + handlers["d"](x[3], 2)
    for t, k, i in EVENTS:
        cost += handlers[k](t, i)
    return cost * x[3]


@case(X, second=False)
def a_table_that_a_function_fills(x):
    handlers = {}

    def register(kind, f):
        handlers[kind] = f

    register("a", lambda t, i: x[i] * t)
    register("d", lambda t, i: x[i] ** 2 * t)
    return sum(handlers[k](t, i) for t, k, i in EVENTS)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def test_second_order_in_forward_mode() -> None:
    gradient, v, h = tl.grad(one_captures_a_list), np.array([0.3, -0.2, 0.5, 0.1]), 1e-5
    wanted = (gradient(X + h * v) - gradient(X - h * v)) / (2 * h)
    np.testing.assert_allclose(tl.jvp(gradient)(X, tangent=v)[1], wanted, rtol=1e-6)
