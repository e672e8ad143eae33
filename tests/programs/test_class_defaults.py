"""What a class has, its objects have until it is set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


class Meter:
    total = 0.0
    uses = 0

    def add(self, v):
        self.total += v * v
        self.uses += 1


class Weighted(Meter):
    last = 1.0

    def __init__(self, w):
        self.w = 2.0 * w

    def add(self, v):
        super().add(v)
        self.total = self.total + self.w * self.last
        self.last = v


class Plain:
    level = 1.0
    unit = "m"


@dataclass
class Series:
    w: float
    state = 1.0

    def step(self, v):
        self.state = self.state * v + self.w
        return self.state


class Own:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def put(self, v):
        self.level = v


class Log:
    last = None

    def note(self, k):
        self.last = k


def raised(o, v):
    o.level = o.level + v * v


@case(normal(3))
def methods_that_add(x):
    m = Meter()
    for v in x:
        m.add(v)
    return m.total * m.uses


@case(0.7)
def inherited_beside_init(x):
    m = Weighted(x)
    m.add(x)
    m.add(x * x)
    return m.total


@case(0.7)
def helpers_that_set(x):
    o = Plain()
    raised(o, x)
    o.unit = "s"
    raised(o, x * x)
    return o.level


@case(0.7)
def objects_apart(x):
    o, p = Plain(), Plain()
    o.level = x
    return o.level * p.level + p.level * x


@case(0.7)
def perhaps_set(x):
    m = Meter()
    if x > 1:
        m.add(x)
    return m.total + x * m.total + x


@case(0.7)
def in_a_list(x):
    ms = [Meter(), Meter()]
    for k in range(4):
        ms[k % 2].add(k * x)
    return ms[0].total * ms[1].total


@case(normal(3))
def dataclasses(x):
    d = Series(x[0])
    return d.step(x[1]) * d.step(x[2])


@case(0.7)
def captured(x):
    m = Meter()

    def add(v):
        m.add(v)

    for k in range(3):
        add(k * x)
    return m.total


@case(0.7)
def own_setter(x):
    a = Own()
    a.put(x)
    return a.level * x


def array_of_the_class(x):
    a = Buffer()
    a.add(x)
    return np.sum(a.w)


class Buffer:
    w = np.zeros(3)

    def add(self, v):
        self.w = self.w + v


class Spring:
    k = 2.0

    def __init__(self, s):
        self.s = s

    def force(self):
        return self.s * self.k


@case(0.7, 1.2)
def set_at_once_to_an_argument(a, b):
    spring = Spring(a)
    spring.k = b
    return spring.force()


@case(0.7, 1.2)
def set_at_once_in_a_loop(a, b):
    total = 0.0
    for n in range(3):
        spring = Spring(a)
        spring.k = a if n else b
        other = Spring(b)
        other.s = a
        total += spring.force() * other.force()
    return total


class Sum(Spring):
    def __add__(self, other):
        return Sum(self.s + other.s)


def of_the_class_or_its_own(a, b):
    spring = Sum(a) + Sum(b)
    if a > 1.0:
        spring = Sum(b)
        spring.k = b
    return spring.k * a + spring.s


def test_what_some_objects_have_of_their_class_is_refused_in_words() -> None:
    np.testing.assert_allclose(tl.grad(of_the_class_or_its_own)(1.5, 1.2), 1.2)
    with pytest.raises(tl.DerivativeError, match="of their class only"):
        tl.grad(of_the_class_or_its_own)(0.7, 1.2)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_class_defaults(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def test_what_setting_does_is_not_lost_in_a_method(refused):
    """The gradient was zero."""
    refused(array_of_the_class, "a.add(x)")


def test_a_class_that_changes_is_noticed():
    df = tl.grad(perhaps_squared)
    assert df(0.5) == 1.5 * 2.0 * 0.5
    Scaled.rate = 2.5
    try:
        assert df(0.5) == 2.5 * 2.0 * 0.5
    finally:
        Scaled.rate = 1.5


class Scaled:
    rate = 1.5

    def double(self):
        self.rate = self.rate * 2.0


def perhaps_squared(x):
    s = Scaled()
    y = s.rate * x * x
    if x > 1:
        s.double()
    return y


def with_a_log(log, x):
    log.note(3)
    return x * x * log.last if log.last is not None else x


def test_what_has_no_derivative_may_be_set():
    assert tl.grad(with_a_log, wrt=1)(Log(), 0.5) == 3.0


class Named:
    def __init__(self, level, *, names=()):
        self.level = level
        self.names = names

    def scaled(self, k):
        return self.level * k


def test_a_default_that_is_an_empty_tuple():
    def scaled(x, k):
        named = Named(x)
        return named.scaled(k) * named.level

    assert tl.grad(scaled)(0.7, 2.0) == pytest.approx(2.8)


class Counted:
    made = 0
    uses = 0

    def __init__(self, w):
        self.w = w
        Counted.made += 1

    def used(self):
        self.uses += 1
        return self


class Other(Counted):
    @classmethod
    def marked(cls):
        cls.uses = 4


def sets_before(x):
    Counted.uses = 5
    return Counted(x).used().uses * x


def sets_between(x):
    c = Counted(x)
    Counted.uses = 7
    return x * c.uses


def sets_in_a_helper(x):
    resets()
    return Counted(x).used().uses * x


def resets():
    setattr(Counted, "uses", 3)  # noqa: B010


def sets_in_a_class_method(x):
    Other.marked()
    return Other(x).used().uses * x


@pytest.mark.parametrize(
    "function", (sets_before, sets_between, sets_in_a_helper, sets_in_a_class_method)
)
def test_what_the_class_and_its_objects_set_is_refused(function):
    with pytest.raises(tl.UnsupportedSyntaxError, match="is set of the class") as caught:
        tl.grad(function)(2.0)
    assert "`uses`" in caught.value.message


def counts(x):
    return Counted(x).w * x


def test_a_class_that_counts_is_written_once():
    derivative = tl.grad(counts)
    before = Counted.made
    assert [derivative(2.0) for _ in range(3)] == [4.0, 4.0, 4.0]
    assert Counted.made == before + 3
    units = derivative._units
    assert [derivative(2.0) for _ in range(3)] == [4.0, 4.0, 4.0]
    assert derivative._units is units


class Amplified:
    scale = 2.0

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x * self.scale


def amplified(x):
    return Amplified(x)(x)


def test_what_a_class_holds_may_become_a_property():
    derivative = tl.grad(amplified)
    try:
        assert derivative(2.0) == 8.0
        Amplified.scale = 3.0
        assert derivative(2.0) == 12.0
        Amplified.scale = property(lambda self: self.w)
        assert derivative(2.0) == 12.0  # of x ** 3
        Amplified.scale = 3
        assert derivative(2.0) == 12.0
    finally:
        Amplified.scale = 2.0
