"""What `operator`, `functools` and `np.vectorize` make of names and functions; constructors of any number of arguments."""

from __future__ import annotations

import functools
import math
import operator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label, normal


class Vector:
    def __init__(self, *a):
        self.a = a

    def dot(self, other):
        return sum(p * q for p, q in zip(self.a, other.a))


class Options:
    def __init__(self, first, *rest, scale=2.0, **named):
        self.first, self.rest, self.scale, self.named = first, rest, scale, named

    def total(self):
        return self.first * self.scale + sum(self.rest) * self.named["w"]


@functools.singledispatch
def area(o):
    return o * o


@area.register
def _(o: list):
    return sum(o)


@area.register(Vector)
def _(o):
    return o.a[0] * 3.0


module_getter = operator.itemgetter("b")
floats = np.vectorize(lambda v: 0 if v < 0.5 else v**3, otypes=[float])
sines = np.vectorize(math.sin, otypes=[np.float64])
truncated = np.vectorize(lambda v: 0 if v < 0.5 else v**3)  # whole numbers, as the first one is
module_vectorized = np.vectorize(lambda v, w: v * w + math.sin(v))


@case(normal(3))
def items(x):
    one = operator.itemgetter(1)
    a, b = operator.itemgetter(0, 2)(x)
    ends = operator.itemgetter(0, -1)
    first, last = ends(x)
    rows = sorted(zip([2, 1, 3], x), key=operator.itemgetter(0))
    return one(x) * a * b * first * last + rows[0][1] * module_getter({"a": 1.0, "b": x[1]})


@case(normal(3))
def attributes_and_methods(x):
    p = SimpleNamespace(a=x[0], inner=SimpleNamespace(b=x[1]))
    a, b = operator.attrgetter("a", "inner.b")(p)
    return a * b * operator.methodcaller("sum")(x)


@case(normal(3))
def operators(x):
    s = operator.mul(x[0], x[1]) + operator.truediv(x[1], 2.0) + operator.neg(x[0])
    return s + sum(map(operator.mul, x, x[1:])) + functools.reduce(operator.add, x) ** 2


@case(normal(3))
def vectorized_floats(x):
    f = np.vectorize(lambda v: 0 if v < 0.5 else v * v * x[0], otypes=[float])
    g = np.vectorize(lambda v, w: v * w if v > w else 1, otypes="d")
    return np.sum(f(x) * x) + np.sum(floats(x) * x) + np.sum(g(x, x[::-1] ** 2) * x) + sines(x) @ x


@case(normal(4))
def vectorized_whole_numbers(x):
    y = np.concatenate([np.array([0.1]), x * x + 0.7])
    return np.sum(truncated(y) * y)


@case(normal(3))
def vectorized_inside(x):
    k = x[2]
    f = np.vectorize(lambda v: v * v * k if v > 0.5 else 3 * v)
    g = np.vectorize(math.sin)
    return np.sum(f(x)) + np.sum(g(x)) + np.sum(module_vectorized(x, x[::-1]))


@case(normal(3))
def dispatched(x):
    return area(x[0]) * area(list(x)) + area(Vector(x[1]))


@case(normal(3))
def any_number_of_arguments(x):
    v = Vector(x[0], x[1], x[2])
    return v.dot(Vector(x[0], 1.0, x[2] ** 2)) + Options(x[0], x[1], x[2], w=x[0]).total()


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
