"""Calls that write and give None, where their value is asked for; what functions are called; first values that are whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

VECTOR = np.array([0.4, 1.3, 0.8])


def keep(items, item):
    return items.append(item)


def note(table, value):
    return table.update(last=value)


def scatter(buffer, value):
    return np.add.at(buffer, np.array([0, 0]), value)


def bind(holder, value):
    return setattr(holder, "value", value)


class Holder:
    def __init__(self):
        self.value = 0.0


@case(0.7)
def appended_by_a_helper(x):
    items = []
    keep(items, x)
    nothing = keep(items, x * x)
    return items[0] * items[1] if nothing is None else x


@case(0.7)
def updated_by_a_helper(x):
    table = {}
    note(table, x * x)
    note(table, table["last"] * x)
    return table["last"]


@case(VECTOR)
def scattered_by_a_helper(x):
    buffer = x * 1.0
    scatter(buffer, x[0] ** 2)
    return np.sum(buffer * x)


@case(VECTOR)
def bound_to_a_name(x):
    buffer = x * 1.0
    nothing = np.add.at(buffer, [0, 0], x[0] ** 2)
    other = np.copyto(buffer[1:], x[:2]) or 2.0
    return np.sum(buffer * x) * other if nothing is None else x[0]


@case(0.7)
def set_by_a_helper(x):
    holder = Holder()
    bind(holder, x * x)
    return holder.value * x


@case(VECTOR, second=False)
def seen_by_a_callback(x):
    def steps(state, report):
        for k in range(2):
            state = state * x[0] + k
            report(k, state)
        return state

    seen = []
    last = steps(x, lambda k, state: seen.append(state[k]))
    return np.sum(last) * max(seen)


@case(VECTOR)
def put_one_after_the_other(x):
    buffer = x * 1.0
    [np.put(buffer, k, v * v) for k, v in enumerate(x)]
    return np.sum(buffer * x)


def reversed_polynomial(coefficients, t):
    total = 0
    for c in coefficients[::-1]:
        total = total * t + c
    return total


@case(0.7)
def begins_with_a_whole_number(x):
    return reversed_polynomial([1.0, x, 3.0], x)


@case(0.7, second=False)
def kept_by_their_names(x):
    registry = {}

    def command(function):
        registry[function.__name__] = function
        return function

    @command
    def double(v):
        return 2 * v * x

    def square(v):
        return v * v

    command(square)
    return registry["double"](x) * registry["square"](x) + len(double.__name__)


class Activation:
    functions = {"tanh": np.tanh, "relu": lambda v: np.maximum(v, 0.0)}  # noqa: RUF012
    squared = lambda self, v: v * v  # noqa: E731
    halved = staticmethod(lambda v: v / 2)

    def __init__(self, name):
        self.name = name

    def forward(self, v):
        return self.functions[self.name](v)


@case(VECTOR)
def lambdas_of_a_class(x):
    a = Activation("relu")
    return np.sum(a.forward(x)) + np.sum(a.squared(x)) + np.sum(Activation.halved(x))


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(function, *args, **options)
