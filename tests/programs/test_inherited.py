"""What `super()` gives: properties, attributes of classes, methods as values and those that operators stand for."""

from __future__ import annotations

import builtins
import math
from enum import Enum, IntEnum

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


class Base:
    k = 3.0
    table = (1.0, 2.0)

    def __init__(self, a):
        self.a = a

    @property
    def p(self):
        return self.a**2

    def f(self, x=1.0):
        return self.a * 2.0 * x

    def __getitem__(self, i):
        return self.a * i

    def __len__(self):
        return 3

    def dot(self, v):
        return self.a * v

    def __add__(self, other):
        return self.a * other.a

    @staticmethod
    def s(x):
        return x * 6.0


class Derived(Base):
    k = 7.0

    @property
    def p(self):
        return super().p * self.a

    def of_the_class(self):
        return super().k * self.a + self.k * super().table[1] * self.a

    def as_a_value(self):
        g = super().f
        return g(3.0) * sum([g(v) for v in (1.0, 2.0)])

    def __getitem__(self, i):
        return super().__getitem__(i) * 2.0

    def __len__(self):
        return super().__len__() + 1

    def dot(self, v):
        return super().dot(v) * 2.0

    def __add__(self, other):
        return super().__add__(other) + self.a

    def by_name(self):
        return super(Derived, self).p + super().s(self.a)

    def kept(self):
        above = super()
        return above.p * above.f()


class Third(Derived):
    @property
    def p(self):
        return super().p + super(Derived, self).p


@case(0.7)
def properties(x):
    return Derived(x).p + Third(x).p


@case(0.7)
def attributes_of_classes(x):
    return Derived(x).of_the_class()


@case(0.7)
def methods_as_values(x):
    return Derived(x).as_a_value()


@case(0.7)
def elements(x):
    return Derived(x)[3] * len(Derived(x))


@case(0.7)
def operators_and_names_of_arrays(x):
    return (Derived(x) + Base(x * x)) * Derived(x).dot(x)


@case(0.7)
def by_name_and_kept(x):
    return Derived(x).by_name() + Derived(x).kept()


class Rounded:
    def __init__(self, v):
        self.v = v

    def __round__(self, n=0):
        return self.v * 3.0

    def __floor__(self):
        return self.v * 5.0

    def __abs__(self):
        return self.v**3


@case(0.7)
def functions_of_modules(x):
    r = Rounded(x)
    return builtins.round(r) * math.floor(r) + round(r) * builtins.abs(r)


class Weight(IntEnum):
    ONE = 2

    def __mul__(self, other):
        return 10.0 * other


class Rate(float, Enum):
    SLOW = 2.0

    def __mul__(self, other):
        return 10.0 * other * other


@case(0.7)
def members_with_operators(x):
    slow = Rate.SLOW
    return Weight.ONE * x + Rate.SLOW * x + slow * x


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_it(function, args, options):
    check(function, *args, **options)


class Turned:
    def __init__(self, a):
        self.a = a

    def __iter__(self):
        return iter([self.a, self.a**2])

    def __reversed__(self):
        return iter([self.a * 5.0])


def backwards(x):
    return sum(v for v in reversed(Turned(x)))


class Answering:
    def __init__(self, v):
        self.v, self.size = v, v * 2.0

    def rint(self):
        return self.v * 3.0

    def round(self, decimals=0, out=None):
        return self.v * 4.0


def rounded_by_numpy(x):
    return np.rint(Answering(x)) + np.round(Answering(x))


def counted_by_numpy(x):
    return np.size(Answering(x)) * x


class Pooled:
    def __new__(cls, v):
        made = object.__new__(cls)
        made.k = v
        return made

    def __mul__(self, other):
        return self.k * other**2


class Angle(float):
    def __mul__(self, other):
        return 100.0 * float(other) ** 2

    __rmul__ = __mul__


RIGHT = Angle(90.0)


class Scale:
    unit = RIGHT


def of_a_class_that_makes_its_own(x):
    return Pooled(2.0) * x


def numbers_made_inside(x):
    return x * Angle(2.0)


def a_global_number(x):
    return RIGHT * x


def a_number_of_a_class(x):
    return Scale.unit * x


def masked(x):
    return (np.ma.masked_array([1.0, 2.0], mask=[0, 1]) * x).sum()


def a_matrix(x):
    return np.sum(np.asmatrix(np.ones((2, 2))) * np.array([[x], [1.0]]))


def sparse(x):
    from scipy.sparse import diags

    return np.sum(diags([1.0, 2.0]) * np.array([x, x]))


@pytest.mark.parametrize(
    "function",
    [
        *(of_a_class_that_makes_its_own, numbers_made_inside, a_global_number),
        *(a_number_of_a_class, masked, a_matrix, sparse, backwards),
        *(rounded_by_numpy, counted_by_numpy),
    ],
    ids=label,
)
def test_what_has_its_own_products_is_no_number(function):
    """They were taken for numbers and arrays, `__reversed__` for `__iter__` backwards: wrong gradients."""
    if function is sparse:
        pytest.importorskip("scipy")
    for derivative in (tl.grad, tl.jvp):
        with pytest.raises(tl.DerivativeError):
            found = derivative(function)
            found(0.7) if derivative is tl.grad else found(0.7, tangent=1.0)
