"""Descriptors of one's own, and cached properties."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


class Doubled:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, kind=None):
        return getattr(obj, self.name) * 2

    def __set__(self, obj, value):
        setattr(obj, self.name, value + 1)


class Holder:
    z = Doubled()

    def __init__(self, z):
        self.z = z


class Positive:
    def __set_name__(self, owner, name):
        self.private = "_" + name

    def __get__(self, obj, kind=None):
        if obj is None:
            return self
        return getattr(obj, self.private)

    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError("must be positive")
        setattr(obj, self.private, value)


class Body:
    mass = Positive()
    radius = Positive()

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    def density(self):
        return self.mass / self.radius**3

    def grow(self, k):
        self.radius *= k
        return self


class InDict:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, obj, kind=None):
        return obj.__dict__[self.name]

    def __set__(self, obj, value):
        obj.__dict__[self.name] = float(value) if isinstance(value, int) else value


class Point:
    x = InDict()
    y = InDict()

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def squared(self):
        return self.x**2 + self.y**2


class Bounded:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.key = "_bounded_" + name

    def __get__(self, obj, kind=None):
        return obj.__dict__.get(self.key, self.low)

    def __set__(self, obj, value):
        obj.__dict__[self.key] = min(max(value, self.low), self.high)


class Knob:
    a = Bounded(0.0, 1.0)
    b = Bounded(-1.0, 5.0)

    def turn(self, v):
        self.a = self.a + v
        self.b = self.b * v + v
        return self.a * self.b


class Computed:
    def __init__(self, function):
        self.function = function

    def __get__(self, obj, kind=None):
        return self.function(obj)


class Square:
    def __init__(self, side):
        self.side = side

    @Computed
    def area(self):
        return self.side**2


class Unit:
    def __init__(self, factor):
        self.factor = factor

    def __get__(self, obj, kind=None):
        return obj.base * self.factor

    def __set__(self, obj, value):
        obj.base = value / self.factor


class Length:
    m = Unit(1.0)
    km = Unit(1e-3)
    cm = Unit(100.0)

    def __init__(self, m):
        self.base = m


class Once:
    def __init__(self, v):
        self.v = v
        self.calls = 0

    @functools.cached_property
    def square(self):
        self.calls += 1
        return self.v**2

    def twice(self):
        return self.square * self.square

    @functools.cached_property
    def cube(self):
        return self.square * self.v


class Wave:
    def __init__(self, angle):
        self.angle = angle

    @functools.cached_property
    def sine(self):
        return np.sin(self.angle)


@case(0.7)
def set_and_got(x):
    return Holder(x).z ** 2


@case(normal(4))
def validated(x):
    x = np.abs(x) + 0.5
    b = Body(x[0], x[1])
    b.grow(x[2])
    b.mass += x[3]
    try:
        b.mass = -1.0
    except ValueError:
        b.mass = b.mass * 2
    return b.density()


@case(normal(4))
def by_two_names_and_in_a_list(x):
    x = np.abs(x) + 0.5
    b = Body(x[0], x[1])
    items = [b, Body(x[2], x[3])]
    c = b
    c.mass = c.mass * x[2]
    for item in items:
        item.radius *= item.mass
    return b.density() + items[1].density() * b.mass


@case(normal(4))
def in_the_dict(x):
    p = Point(x[0], 3)
    p.y = p.y * x[1]
    p.x += p.y
    return p.squared()


@case(np.array([0.4, 0.3, 0.9, 0.2]), second=False)
def bounded(x):
    k, s = Knob(), 0.0
    for v in x:
        s += k.turn(v * 0.3)
    return s + k.a


@case(normal(4))
def computed(x):
    s = Square(x[0])
    s.side *= x[1]
    return s.area * s.side


@case(normal(4))
def units(x):
    length = Length(x[0])
    length.cm = length.cm + x[1] * 10
    length.km *= x[2]
    return length.m**2 + length.cm


@case(normal(4), 0)
def zero_trips(x, n):
    k = Holder(x[0])
    for i in range(n):
        k.z = x[i]
    return k.z * x[1]


@case(normal(4))
def cached_before_a_change(x):
    c = Once(x[0])
    s = c.square
    c.v = x[1]
    return s * c.square * c.v * c.calls + c.cube


@case(normal(4))
def cached_in_a_branch(x):
    c = Once(x[0])
    a = c.square if x[1] < 1 else 1.0
    c.v = x[2]
    return a * c.square * c.twice()


@case(normal(4))
def cached_arrays(x):
    c = Wave(x * 2)
    y = c.sine
    c.angle = x
    return (c.sine * y).sum()


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_described(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(f, *args, **options)


def heavier(body, k):
    body.mass = body.mass * k
    return body.mass


def at(point):
    point.x = point.x * point.y
    return point.x


def test_arguments_are_set_through_descriptors() -> None:
    body = Body(2.0, 3.0)
    gradient = tl.grad(heavier)(body, 5.0)
    assert (body.mass, gradient._mass) == (10.0, 5.0)
    point = Point(2.0, 3.0)
    assert tl.grad(at)(point).x == 3.0
    assert vars(point) == {"x": 6.0, "y": 3.0}
