"""Namedtuples with operators of their own; lists, tuples and numbers of classes that do other things than lists do."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


class Normal(NamedTuple):
    mean: float
    var: float

    def __mul__(self, other):
        var = 1.0 / (1.0 / self.var + 1.0 / other.var)
        return Normal(var * (self.mean / self.var + other.mean / other.var), var)

    def __add__(self, other):
        return self._replace(mean=self.mean + other.mean, var=self.var + other.var)


class Vector(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other[0], self.y + other[1])

    __radd__ = __add__

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return (
            self.x * k.x + self.y * k.y if isinstance(k, Vector) else Vector(self.x * k, self.y * k)
        )

    def __rmul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __neg__(self):
        return -1.0 * self

    def __abs__(self):
        return np.sqrt(self * self)


class Pair(namedtuple("Pair", "a b")):
    __slots__ = ()

    def __add__(self, other):
        return Pair(self.a * other.a, self.b + other.b)


@case(np.array([0.4, 1.3, 0.8]), 0.3, 0.5)
def filtered(z, q, r):
    x = Normal(0.0, 2.0)
    for v in z:
        x = (x + Normal(0.0, q)) * Normal(v, r)
    return x.mean**2 + x.var


@case(0.7)
def all_operators(x):
    a, b = Vector(x, 2.0 * x), Vector(1.0, x * x)
    c = 2.0 * a + b * 3.0 - (-b)
    return abs(c) * (c * a) + c.x


@case(0.7)
def augmented(x):
    a = Vector(x, x * x)
    a += Vector(x, 1.0)
    a *= x
    return a.x * a.y


@case(0.7)
def beside_plain_tuples(x):
    a = (x, 2.0) + Vector(x, x * x)
    b = Vector(x, 1.0) + (x * x, x)
    return a.x * a.y * b.x * b.y


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_it(function, args, options):
    check(function, *args, **options)


LENGTH = np.hypot(0.7, 1.1)


def given(v, k):
    w = v * k + v
    return abs(w) * w.x


def with_itself(p):
    q = p + p
    return q.a * q.b


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (
            given,
            (Vector(0.7, 1.1), 0.4),
            Vector(1.96 * (LENGTH + 0.49 / LENGTH), 1.96 * 0.77 / LENGTH),
        ),
        (with_itself, (Pair(0.7, 1.1),), Pair(4 * 0.7 * 1.1, 2 * 0.7**2)),
    ],
    ids=label,
)
def test_they_may_be_arguments(function, args, expected):
    found = tl.grad(function)(*args)
    assert type(found) is type(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-4)
    direction = type(expected)(0.3, -0.8)
    along = tl.jvp(function)(*args, tangent=direction)[1]
    np.testing.assert_allclose(along, np.dot(expected, direction), rtol=1e-4)


class Tripled(NamedTuple):
    a: float
    b: float

    def __getitem__(self, i):
        return 3.0 * tuple.__getitem__(self, i)


class Halved(namedtuple("Halved", "a b")):
    def __new__(cls, a, b=1.0):
        return super().__new__(cls, a / 2, b)


class Walked(NamedTuple):
    a: float
    b: float

    def __iter__(self):
        return iter((self.a * 3.0, self.b))


class Scaled(list):
    def __getitem__(self, i):
        return 10.0 * list.__getitem__(self, i)


class Elementwise(list):
    def __add__(self, other):
        return Elementwise([a + b for a, b in zip(self, other)])


class Collected(list):
    def append(self, v):
        super().append(2.0 * v)


class Angle(float):
    def __add__(self, other):
        return Angle((float(self) + float(other)) % 1.0)


def indexed(x):
    return Tripled(x, 2.0 * x)[0]


def made_otherwise(x):
    return Halved(x).a * x


def summed(x):
    return sum(Walked(x, x * x))


@pytest.mark.parametrize("function", [indexed, made_otherwise, summed], ids=label)
def test_tuples_that_are_others_are_refused(function):
    """They were taken for plain tuples: wrong gradients."""
    for derivative in (tl.grad, tl.jvp):
        with pytest.raises(tl.DerivativeError):
            found = derivative(function)
            found(0.7) if derivative is tl.grad else found(0.7, tangent=1.0)


def first(v):
    return v[0] ** 2


def joined(v):
    return (v + v)[1] ** 2


def appended(v):
    v.append(v[0])
    return v[-1] ** 2


@pytest.mark.parametrize("function", [first, joined, appended], ids=label)
@pytest.mark.parametrize("owner", [Scaled, Elementwise, Collected, lambda v: Tripled(*v)])
def test_lists_that_are_others_are_refused(function: Any, owner: Any) -> None:
    """Also where the derivative knows lists already, and where they lie in something."""
    df = tl.grad(function)
    df([0.7, 1.1])
    with pytest.raises(tl.DerivativeError, match="holds an object of type"):
        df(owner([0.7, 1.1]))
    with pytest.raises(tl.DerivativeError, match="holds an object of type"):
        tl.grad(lambda d: function(d["v"]))({"v": owner([0.7, 1.1])})


class Named(list):
    """A list with a name does what lists do."""

    def __init__(self, items=(), name=""):
        super().__init__(items)
        self.name = name

    def __repr__(self):
        return f"Named({list(self)}, {self.name!r})"


def test_lists_that_only_tell_more_are_lists():
    assert list(tl.grad(first)(Named([0.7, 1.1]))) == [1.4, 0.0]


def test_numbers_with_arithmetic_of_their_own_are_refused():
    df = tl.grad(lambda x: x + x)
    assert df(0.7) == 2.0
    with pytest.raises(TypeError, match=r"Angle is not differentiated; pass float\(x\)"):
        df(Angle(0.7))
