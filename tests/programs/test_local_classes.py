"""Classes inside of functions."""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import pytest

from tests.programs.strict import case, cases, check, label, normal


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


@case(0.7)
def body_reads(x):
    k = 2.0

    class C:
        w = k * 3
        z = w + 1
        n: float = x

        def f(self, v):
            return v * self.w * k * self.z * self.n

    c, d = C(), C()
    c.w = c.w * x
    d.z += x
    return c.f(x) * d.f(2.0)


@case(normal(4))
def body_holds_an_array(x):
    class C:
        w = x * 2

        def put(self, i, v):
            self.w[i] = v

    a, b = C(), C()
    a.put(0, x[1] * x[2])
    return (a.w * b.w).sum()


@case(normal(4))
def settings(x):
    n = 2

    class Config:
        steps = n + 1
        rate = x[0]

    y = x
    for _ in range(Config.steps):
        y = y - Config.rate * y**2
    return y.sum()


@case(0.7)
def rebound_after_it(x):
    k = x * x

    class C:
        w = k * 2

        def f(self):
            return self.w

    k = x
    return C().f() * k


@case(normal(4))
def counts_its_objects(x):
    """The class is another one in every call."""

    class C:
        n = 0

        def __init__(self, v):
            C.n += 1
            self.v = v * C.n

    return sum(C(v).v for v in x) * C.n


@case(normal(4))
def made_by_namedtuple(x):
    P = namedtuple("P", ["a", "b"], defaults=[2.0])
    Q = namedtuple("Q", "p q")
    q = Q(P(x[0]), P(x[1], x[2]))
    a, b = q.q
    return q.p.b * q.p.a * a * b + q.p._replace(a=x[3]).a


def keeps_a_list(x):
    class Log:
        items = []  # noqa: RUF012

        def add(self, v):
            self.items.append(v)
            return self

    return sum(Log().add(x).add(x * x).items)


def test_a_list_of_the_class_that_changes_is_refused(refused: Any) -> None:
    """It was that of the calls before, too."""
    refused(keeps_a_list, "class Log:", args=(2.0,))


@case(normal(2))
def what_the_body_bound_is_read_of_the_class(x):
    class Scale:
        k = x[0]

        def by(self, v):
            return v * self.k

    scale = Scale()
    return scale.by(x[1]) * Scale.k + Scale().by(Scale.k)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
