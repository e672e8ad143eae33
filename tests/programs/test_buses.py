"""Functions that are registered under names, and called by them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


class Bus:
    def __init__(self):
        self.handlers = defaultdict(list)
        self.fired = 0

    def on(self, name, function):
        self.handlers[name].append(function)
        return self

    def emit(self, name, *args):
        self.fired += 1
        for function in self.handlers[name]:
            function(*args)

    def ask(self, name, *args):
        return [function(*args) for function in self.handlers[name]]


class Account:
    def __init__(self, balance):
        self.balance, self.deposits = balance, 0

    def deposit(self, amount):
        self.balance += amount

    def interest(self, rate):
        self.balance *= 1.0 + rate

    def count(self, _):
        self.deposits += 1


@case(1.2, 0.7, second=False, long=True)
def methods_under_names(x, y):
    bus, account = Bus(), Account(x)
    bus.on("deposit", account.deposit).on("deposit", account.count)
    bus.on("interest", account.interest)
    bus.emit("deposit", y)
    bus.emit("interest", 0.1 * y)
    bus.emit("nothing", x)
    return account.balance * account.deposits * bus.fired + len(bus.handlers)


@case(1.2, 0.7, second=False)
def answers_of_all(x, y):
    bus = Bus()
    bus.on("f", np.sin)
    bus.on("f", lambda v: v * x)
    bus.on("g", np.exp)
    return sum(bus.ask("f", y)) * sum(bus.ask("g", x)) + sum(bus.ask("h", x))


REGISTERED = {}


def command(name):
    def registered(function):
        REGISTERED[name] = function
        return function

    return registered


@command("push")
def push(stack, value):
    stack.append(value)


@command("add")
def add(stack):
    b = stack.pop()
    a = stack.pop()
    stack.append(a + b)


@command("multiply")
def multiply(stack):
    b, a = stack.pop(), stack.pop()
    stack.append(a * b)


@case(1.2, 0.7, long=True)
def commands_on_a_stack(x, y):
    program = [("push", x), ("push", y), ("multiply",), ("push", x), ("add",), ("push", 2.0)]
    stack = []
    for name, *args in [*program, ("multiply",)]:
        REGISTERED[name](stack, *args)
    return stack[0] ** 2


@pytest.mark.parametrize("function, args, options", cases(__name__), ids=label)
def test_bus(function, args, options):
    check(function, *args, **options)


def borrows(x):
    bus = Bus()
    handlers = bus.handlers
    handlers["a"].append(np.sin)
    return x


def test_another_name_of_the_attribute_is_refused():
    with pytest.raises(tl.UnsupportedSyntaxError, match=r"handed on, or read"):
        tl.grad(borrows)(1.0)


class Table:
    """Its attribute is no `defaultdict` in all objects."""

    def __init__(self):
        self.rows = defaultdict(float)

    def reset(self):
        self.rows = {"a": 1.0}


def reset(x):
    table = Table()
    table.rows["b"] += x
    return table.rows["b"]


def test_what_is_bound_to_something_else_later_is_refused():
    with pytest.raises(tl.UnsupportedSyntaxError, match=r"handed on, or read"):
        tl.grad(reset)(1.0)
