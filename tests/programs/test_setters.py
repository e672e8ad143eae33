"""Properties that set: in ``__init__``, in methods, from outside; other descriptors are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check


class Square:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, w):
        self._v = w * w


class Counter(Square):
    def bump(self, w):
        self.v = self.v + w
        self.v += w


class Temperature:
    def __init__(self, c):
        self.celsius = c

    @property
    def fahrenheit(self):
        return self.celsius * 1.8 + 32

    @fahrenheit.setter
    def fahrenheit(self, f):
        self.celsius = (f - 32) / 1.8


class Clamped:
    def __init__(self, x):
        self.x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        if v > 1.0:
            v = 1.0 + (v - 1.0) * 0.1
        self._x = v


class Late:
    def __init__(self, x):
        self._x = 0.0
        self.x = x

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, v):
        self._x = v * v


def from_outside(x):
    p = Square(x)
    p.v = x * 3
    return p.v


def added_to(x):
    p = Square(x)
    p.v += x * 3
    return p.v * x


def in_a_method(x):
    s = Counter(x)
    for k in range(3):
        s.bump(x * k)
    return s.v


def there_and_back(x):
    t = Temperature(x)
    t.fahrenheit = t.fahrenheit * x
    return t.celsius**2


def in_init(x):
    c = Clamped(x)
    d = Clamped(x * 5)
    c.x = c.x * 5
    return c.x * x + d.x


def after_another(x):
    return Late(x * 3).x * x


def under_two_names(x):
    p = Square(x)
    q = p
    q.v = x
    if x > 0:
        p.v = p._v * 2
    return p.v


def in_the_dict(x):
    p = Square(x)
    d = vars(p)
    d["_v"] = x * x
    return p.v


def of_objects_in_a_list(x):
    squares = [Square(v) for v in x]
    for p in squares:
        p.v = p.v * 2
    return sum(p.v for p in squares)


NUMBERS = (
    *(from_outside, added_to, in_a_method, there_and_back, in_init, after_another),
    *(under_two_names, in_the_dict),
)


@pytest.mark.parametrize("f", NUMBERS, ids=lambda f: f.__name__)
def test_of_a_number(f: Any) -> None:
    check(f, 0.7)


def test_of_objects_in_a_list() -> None:
    check(of_objects_in_a_list, np.array([0.4, 1.3, 0.8]))


def test_of_an_argument() -> None:
    def doubled(p, x):
        p.v = x * 2
        return p.v * x

    assert tl.grad(doubled, wrt=1)(Square(1.0), 0.7) == pytest.approx(12 * 0.49)


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, holder, owner=None):
        return getattr(holder, self.name)

    def __set__(self, holder, value):
        setattr(holder, self.name, abs(value))


class Checked:
    x = Positive()

    def __init__(self, x):
        self._x = 0.0
        self.x = x


def test_other_descriptors_are_called() -> None:
    def checked(x):
        return Checked(x)._x * x

    assert tl.grad(checked)(-0.7) == pytest.approx(1.4)


class Raised(Square):
    def raised(self, w):
        Square.v.fset(self, w + 1.0)


def test_a_setter_that_is_called_by_its_class() -> None:
    """It changes what it is given: the derivative without that was wrong."""

    def raises(x):
        d = Raised(x)
        d.raised(x)
        return d.v * x

    expected = (raises(0.7 + 1e-6) - raises(0.7 - 1e-6)) / 2e-6
    assert tl.grad(raises)(0.7) == pytest.approx(expected)
    assert tl.jvp(raises)(0.7, tangent=1.0)[1] == pytest.approx(expected)
