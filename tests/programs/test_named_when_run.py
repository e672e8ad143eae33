"""What is named when the program runs: attributes, members of enumerations, functions of a table with a list of arguments."""

from __future__ import annotations

import bisect
import enum
import math
import operator
from collections import namedtuple
from typing import Any

import pytest

from tests.programs.strict import case, cases, check, label

OPS = {
    "+": lambda a, b: a + b,
    "max": max,
    "sin": math.sin,
    "neg": lambda a: -a,
    "*": lambda a, b: a * b,
}
Point = namedtuple("Point", "x y")


class Tank:
    def __init__(self, rate):
        self.rate, self.level, self.log, self.faults = rate, 0.0, [], 0

    def on_fill(self, amount):
        self.level += self.rate * amount
        self.log.append(self.level)

    def on_drain(self, amount):
        if amount > 10.0:
            raise ValueError(amount)
        self.level -= amount * self.level

    def handle(self, kind, amount):
        getattr(self, "on_" + kind)(amount)

    def perhaps(self, kind, amount):
        handler = getattr(self, f"on_{kind}", None)
        if handler is None:
            self.faults += 1
        else:
            handler(amount)


@case(0.7)
def handlers_of_a_class(x):
    t = Tank(x)
    for kind, amount in [("fill", 1.0), ("drain", 0.3), ("fill", 2.0)]:
        t.handle(kind, amount)
    return t.level**2 + sum(t.log)


@case(0.7)
def handlers_that_may_be_missing(x):
    t = Tank(x)
    for kind, amount in [("fill", 1.0), ("stop", 0.3), ("drain", 0.5), ("stop", 1.0)]:
        t.perhaps(kind, amount)
    return t.level**2 * t.faults


@case(0.7, long=True)
def what_handlers_raise(x):
    t = Tank(x)
    for kind, amount in [("fill", 1.0), ("drain", 50.0), ("other", 1.0), ("drain", 0.5)]:
        try:
            t.handle(kind, amount)
        except ValueError:
            t.faults += 1
        except AttributeError:
            t.faults += 3
    return t.level**2 * t.faults


@case(0.7)
def a_queue_of_events(x):
    t, queue, n = Tank(x), [("fill", 1.0)], 0
    while queue:
        kind, amount = queue.pop(0)
        n += 1
        try:
            getattr(t, "on_" + kind)(amount)
        except ValueError:
            break
        queue.append(("drain", 0.2 * n if n < 4 else 20.0))
    return t.level**2 * n


class Settings:
    def __init__(self, **given):
        for key, value in given.items():
            setattr(self, key, value)


@case(0.7)
def attributes_by_keywords(x):
    s = Settings(rate=x, scale=x * x, steps=2)
    return s.rate * s.scale**s.steps


class Fallback:
    def __init__(self, w):
        self.w = w

    def __getattr__(self, name):
        if name == "double":
            return self.w * 2.0
        raise AttributeError(name)


@case(0.7)
def attributes_that_are_made(x):
    return Fallback(x).double * x


class Value:
    def __init__(self, a):
        self.a = a

    def twice(self):
        return type(self)(self.a * 2.0)

    def thrice(self):
        return self.__class__(self.a * 3.0)

    def kind(self):
        return type(self).__name__


class Other(Value):
    pass


@case(0.7)
def the_class_of_an_object(x):
    total = Value(x).twice().a * Other(x).thrice().a
    for v in (Value(x), Other(x * x)):
        total += 3.0 * v.a if v.kind() == "Other" else v.a
    return total


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    @property
    def weight(self):
        return self.value * 1.5

    def scaled(self, v):
        return v * self.value

    @classmethod
    def usual(cls):
        return cls.BLUE


@case(0.7)
def members_of_an_enumeration(x):
    total = Color.usual().value * x
    for c in Color:
        total += c.scaled(x) * c.weight * len(c.name)
    for name in ("RED", "BLUE", "RED"):
        total = total * x + Color[name].value
    return total * Color(2).scaled(x) + Color.BLUE.scaled(x)


@case(0.7)
def a_state_that_is_a_member(x):
    mode = Color.RED
    for _ in range(3):
        if mode is Color.RED:
            x, mode = x * 2.0, Color.BLUE
        else:
            x, mode = x * x + mode.value, Color.RED
    match mode:
        case Color.RED:
            return x
        case Color.BLUE:
            return x * x


@case(0.7)
def keys_that_are_members(x):
    sums = dict.fromkeys(Color, 0.0)
    table = {Color.RED: x, Color.BLUE: x * x}
    return table[Color.RED] * table[Color.BLUE] + len(sums)


class Sized:
    def __init__(self, n):
        self.n = n

    @property
    def twice(self):
        return self.n * 2


SIZED = Sized(3)


@case(0.7)
def properties_of_an_object_outside(x):
    return x**2 * SIZED.twice


def evaluate(tree, names):
    if isinstance(tree, str):
        return names[tree]
    if isinstance(tree, float):
        return tree
    op, *rest = tree
    return OPS[op](*[evaluate(r, names) for r in rest])


@case(0.7, second=False)
def a_table_called_with_a_list(x):
    return evaluate(("+", ("*", "x", ("sin", "x")), ("neg", ("max", "x", 0.2))), {"x": x})


@case(0.7)
def a_table_called_with_rows(x):
    total = 0.0
    for op, args in [("+", [x, 2.0]), ("sin", [x]), ("*", [x, x]), ("max", [x, 0.1])]:
        total += OPS[op](*args)
    return total


def collects(x, *more, **named):
    named.setdefault("scale", x)
    named["scale"] = named["scale"] * 2.0
    return sum([x, *more]) * named["scale"]


@case(0.7)
def what_is_left_out_is_new_in_each_call(x):
    return collects(x) + collects(x, x) + collects(x, scale=x * x) + collects(x)


@case(0.7)
def tuples_with_names(x):
    p = Point(x, x * x)
    return p._asdict()["y"] * Point._make([x, x * 2.0]).y


@case(0.7)
def functions_that_change(x):
    values = [0.1, 0.9]
    bisect.insort(values, x)
    operator.setitem(values, 0, x * x)
    place = bisect.bisect_left(values, 0.8)
    return operator.imul(values[1], 3.0) * place + values[0]


class Short(Exception):
    def __init__(self, missing):
        super().__init__(f"{missing} is missing")
        self.missing = missing


class Account:
    def __init__(self, balance=0.0):
        self.balance = balance

    def take(self, amount):
        if amount > self.balance:
            raise Short(amount - self.balance)
        self.balance -= amount


def moved(a, b, amount):
    a.take(amount)
    b.balance += amount


@case(0.7)
def exceptions_of_methods(x):
    a, b = Account(x), Account()
    penalty = 0.0
    for amount in (0.2, 0.3, 1.5):
        try:
            moved(a, b, amount * x)
            b.take(0.1)
        except Short as fault:
            penalty += fault.missing**2
    return a.balance * b.balance + penalty


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
