"""Classes inside of functions."""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

from tests.programs.strict import case, cases, check, label


@case(0.7)
def simple(x):
    class Q:
        scale = 2.0

        def __init__(self, a):
            self.a = a

        def sq(self):
            return self.a * self.a * self.scale

        def __mul__(self, o):
            return Q(self.a * o.a)

    return (Q(x).sq() + Q(2.0).a) * (Q(x) * Q(x * x)).a


@case(0.7)
def data(x):
    @dataclass
    class Pt:
        u: float
        v: float = 2.0

        def dot(self):
            return self.u * self.v

    return Pt(x).dot() * Pt(x, x).dot()


@case(0.7)
def inherit(x):
    class A:
        def f(self):
            return 2.0 * self.k

    class B(A):
        def __init__(self, k):
            self.k = k

        def f(self):
            return super().f() * self.k

    return B(x).f()


@case(0.7)
def nt(x):
    class P2(namedtuple("P2", "a b")):
        def area(self):
            return self.a * self.b

    return P2(x, x * 2).area()


@case(0.7)
def exc(x):
    class Oops(Exception):
        def __init__(self, v):
            self.v = v

    try:
        raise Oops(x * x)
    except Oops as e:
        return e.v


@case(0.7)
def meth(x):
    class Model:
        def __init__(self):
            self.w = 1.0

        def fit(self, v):
            for i in range(3):
                self.w = self.w * v
            return self

    return Model().fit(x).w


@case(0.7)
def shadow(x):
    y = 3.0

    class Q:
        def __init__(self, y):
            self.y = y

        def get(self):
            return self.y * 2

    return Q(x).get() * y


def outer_factory(k):
    class F:
        def __init__(self, v):
            self.v = v

        def call(self):
            return self.v * 2

    return F(k)


@case(0.7)
def factory(x):
    return outer_factory(x).call() * x


@case(0.7)
def captures(x):
    k = x * 2.0

    class Scaled:
        unit = 2.0

        def __init__(self, w):
            self.w, self.uses = w * k, 0

        def of(self, v):
            self.uses += 1
            return math.tanh(self.w * v) + k * self.unit

        def all(self, values):
            return [self.of(v) * x for v in values]

        def again(self):
            return Scaled(self.w)

    s = Scaled(x)
    return sum(s.all([x, 2.0])) * s.uses + s.again().w


@case(0.7)
def captures_without_init(x):
    class Shape:
        def area(self):
            return 0.0

    class Square(Shape):
        def area(self):
            return x * x

    class Corner(Shape):
        def __init__(self, h):
            self.h = h

        def area(self):
            return 0.5 * self.h * x

    return sum(s.area() for s in [Square(), Corner(2.0), Corner(x)])


def captures_what_is_bound_later(x):
    class Scaled:
        def of(self, v):
            return v * n * x

    n = 2.0
    return Scaled().of(2.0)


@case(0.7)
def imports_for_its_methods(x):
    import math as m
    import time

    class Timer:
        def __enter__(self):
            self.begun = time.perf_counter()
            return self

        def __exit__(self, *error):
            self.spent = time.perf_counter() - self.begun

        def of(self, v):
            return m.sin(v)

    with Timer() as timer:
        y = x**3
    return y * timer.of(x)


def chosen(x):
    if x > 0:

        class Pair:
            a = 2.0

    else:

        class Pair:
            a = 3.0

    return Pair().a * x


def test_refused(refused: Any) -> None:
    refused(captures_what_is_bound_later, "class Scaled:", "__init__")
    refused(chosen, "class Pair:", args=(0.7,))


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
