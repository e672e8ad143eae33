"""Objects of classes that somebody wrote."""

from __future__ import annotations

import enum
import functools
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

import tangentlite as tl
from tests.language.rows import Section

SECTION = Section("Objects")
X = np.array([0.4, 1.3, 0.7])
Point = namedtuple("Point", "a b")


class Model:
    made = 0

    def __init__(self, w):
        self.w, self.uses = w, 0

    def layer(self, x):
        self.uses += 1
        return np.tanh(self.w * x)

    @property
    def norm(self):
        return np.sum(self.w * self.w)

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def doubled(cls, w):
        return cls(2.0 * w)

    def __call__(self, x):
        return self.layer(x) * x

    def __mul__(self, other):
        return Model(self.w * other)

    def __getitem__(self, k):
        return self.w[k] * 2.0


class Squared:
    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side * self.side

    @area.setter
    def area(self, value):
        self.side = np.sqrt(value)


class Meter:
    total, uses = 0.0, 0

    def add(self, v):
        self.total += v * v
        self.uses += 1


class Deep(Model):
    def layer(self, x):
        return super().layer(x) + self.w


@dataclass
class Pair:
    a: float
    b: float = 2.0

    def product(self):
        return self.a * self.b


@SECTION.works("properties that set", 0.7)
def sets_a_property(x):
    square = Squared(x)
    square.area = square.area * x
    square.area += x
    return square.side


class Slots:
    __slots__ = ("n", "total")

    def __init__(self):
        self.n, self.total = 0, 0.0

    def add(self, v):
        self.n += 1
        self.total += v * v


@SECTION.works("`__slots__`", X)
def slots(x):
    s = Slots()
    for v in x:
        s.add(v)
    return s.total / s.n


@dataclass(frozen=True)
class Frozen:
    a: float

    def __post_init__(self):
        object.__setattr__(self, "b", self.a * self.a)


class Scaling:
    def __setattr__(self, name, value):
        super().__setattr__(name, 2.0 * value)


@SECTION.works(
    'frozen dataclasses, `object.__setattr__(self, "b", v)`, classes with a `__setattr__`', 0.7
)
def sets_in_its_own_way(x):
    s = Scaling()
    s.v = Frozen(x).b
    return s.v * x


class Checked:
    def __set_name__(self, owner, name):
        self.private = "_" + name

    def __get__(self, obj, kind=None):
        return getattr(obj, self.private)

    def __set__(self, obj, value):
        if value < 0:
            raise ValueError("negative")
        setattr(obj, self.private, value)


class Reservoir:
    level = Checked()

    @functools.cached_property
    def squared(self):
        return self.level * self.level


@SECTION.works("descriptors (`__get__`, `__set__`), `functools.cached_property`", 0.7)
def has_descriptors(x):
    t = Reservoir()
    t.level = x
    t.level *= x
    return t.squared * t.squared


@SECTION.works("attributes, read and written", X)
def attributes(x):
    m = Model(x)
    m.w = m.w * x
    m.bias = x[0]
    return np.sum(m.w) * m.bias


@SECTION.works("methods, which may change attributes", X)
def methods(x):
    m = Model(x)
    return np.sum(m.layer(x) * m.layer(2.0 * x)) * m.uses


@SECTION.works("attributes of the class, until the object has its own", X)
def class_defaults(x):
    m = Meter()
    for v in x:
        m.add(v)
    return m.total * m.uses


@SECTION.works("properties, static and class methods", X)
def properties(x):
    return Model(x).norm * Model.square(x[0]) * np.sum(Model.doubled(x).w)


@SECTION.works("inheritance, `super()`", X)
def inherits(x):
    return np.sum(Deep(x).layer(x))


@SECTION.works("`__call__`, operators, `__getitem__`", X)
def special_methods(x):
    m = Model(x) * 3.0
    return np.sum(m(x)) * m[1]


@SECTION.works("dataclasses, namedtuples, `SimpleNamespace`", 0.7)
def records(x):
    p, q, r = Pair(x), Point(x, b=x * x), SimpleNamespace(a=x)
    return p.product() * q.b + q.a * r.a


@SECTION.works("objects in lists and dicts", X)
def objects_in_lists(x):
    layers = [Model(x), Deep(x * x)]
    y = x
    for layer in layers:
        y = layer.layer(y)
    return np.sum(y) * {"a": layers[0]}["a"].norm


@SECTION.works("attributes of classes that count", 0.7)
def counts(x):
    Model.made += 1
    return x * x


class Numbered:
    made = 0

    def __init__(self, value):
        type(self).made += 1
        self.value = value


@SECTION.works("`type(self).n += 1` in a class that nothing is derived from", 0.7)
def counts_in_its_own_class(x):
    start = Numbered.made
    first, second = Numbered(x), Numbered(x * x)
    return first.value * second.value * (second.made - start)


@SECTION.refused("active values kept in classes", 0.7, error=tl.DerivativeError)
def keeps_in_a_class(x):
    Model.best = x
    return x * x


@SECTION.works("bound methods as values, in tables, too", X)
def methods_by_name(x):
    m = Model(x)
    table = {"layer": m.layer, "tanh": np.tanh}
    return sum(np.sum(table[name](x)) for name in ("layer", "tanh")) * m.uses


@SECTION.works("attributes and elements as targets of loops", X)
def target_of_a_loop(x):
    m = Model(x)
    for m.uses in range(3):
        m.w = m.w * x
    return np.sum(m.w) * m.uses


@SECTION.works(
    "`getattr` and `setattr` with names that are written out, also in loops over them", X
)
def by_name(x):
    m = Model(getattr(Model(x), "w"))  # noqa: B009
    for name, value in (("w", x * x), ("uses", 3)):
        setattr(m, name, value)
    return sum(np.sum(getattr(m, name)) for name in ("w", "uses")) * m.uses


class Halves:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return self

    def __next__(self):
        if self.x < 0.1:
            raise StopIteration
        self.x = self.x / 2
        return self.x


@SECTION.works(
    "`__iter__` and `__next__`: loops, `next`, `sum`, `list` and comprehensions over objects", 0.7
)
def walks_over_an_object(x):
    total = 0.0
    for v in Halves(x):
        if v < 0.2:
            break
        total += v * v
    h = Halves(x + total)
    return next(h) * next(h) + sum(Halves(x)) * h.x


@SECTION.works("classes inside a function", 0.7)
def has_a_class(x):
    @dataclass
    class Pair:
        a: float
        b: float = 2.0

        def product(self):
            return self.a * self.b

    return Pair(x).product() * Pair(x, x).product()


@SECTION.works("classes inside a function whose methods read its variables", 0.7)
def has_a_class_that_captures(x):
    class Scaled:
        def of(self, v):
            return v * x

    return Scaled().of(2.0)


@SECTION.works("class bodies that read variables of the function", 0.7)
def has_a_class_that_keeps(x):
    class Scale:
        factor = x

        def of(self, v):
            return v * self.factor

    return Scale().of(x)


@SECTION.refused(
    "such classes that read a variable that is bound later, or change a list of their own", 0.7
)
def has_a_class_that_reads_late(x):
    class Scale:
        def of(self, v):
            return v * late

    late = x * x
    return Scale().of(x)


class Tank:
    def __init__(self, rate, **more):
        self.rate, self.level = rate, 0.0
        for key, value in more.items():
            setattr(self, key, value)

    def on_fill(self, amount):
        self.level += self.rate * amount

    def on_drain(self, amount):
        self.level -= self.share * amount * self.level


@SECTION.works('`getattr(self, "on_" + kind)`: methods named when the program runs', 0.7)
def calls_by_name(x):
    t = Tank(x, share=x * x)
    for kind, amount in [("fill", 1.0), ("drain", 0.3), ("fill", 2.0)]:
        getattr(t, "on_" + kind)(amount)
    return t.level


class Mode(enum.Enum):
    SLOW = 1
    FAST = 3

    @property
    def rate(self):
        return 0.5 * self.value

    def scaled(self, v):
        return v * self.value


@SECTION.works("`Enum` classes: members, values, methods, walks", 0.7)
def enumerations(x):
    total = Mode["SLOW"].scaled(x)
    for mode in Mode:
        total += mode.rate * x if mode is Mode.FAST else mode.value * x * x
    return total * Mode(3).value


class Named:
    def __init__(self, w):
        self.w = w

    def __getattr__(self, name):
        if name == "double":
            return self.w * 2.0
        raise AttributeError(name)

    def again(self):
        return type(self)(self.w * self.double)


@SECTION.works("`__getattr__`, `type(self)(…)`, `self.__class__`", 0.7)
def looks_attributes_up(x):
    return Named(x).again().double * x


@SECTION.refused("`del` of attributes", X)
def deletes(x):
    m = Model(x)
    del m.uses
    return np.sum(m.w)


class Shelf:
    def __init__(self, **given):
        self.items = []
        self.__dict__.update(given)

    def sort(self):
        self.items.sort()

    def get(self, k, default=0.0):
        return self.items[k] if k < len(self.items) else default


def tidy(shelf):
    shelf.sort()
    return shelf.get(0) * shelf.get(9, shelf.scale)


@SECTION.works(
    "methods that are called as those of arrays and dicts are; `self.__dict__`", X, second=False
)
def shelves(x):
    shelf = Shelf(scale=x[2])
    shelf.items.append(x[1])
    shelf.items.append(x[0])
    return tidy(shelf) * shelf.items[1]


SECTION.shown(
    "gradients of objects: dataclasses and namedtuples of their own type, else `tl.Gradient`",
    "tests.test_methods::test_the_object_by_its_name",
)
SECTION.shown(
    "`tl.grad` of bound methods, of objects that can be called, as a decorator in a class",
    "tests.test_methods::test_every_door",
)
