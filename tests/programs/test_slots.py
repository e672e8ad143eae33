"""Objects whose attributes have places of their own (`__slots__`), and which are written."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.runtime.containers.fields import vars_of
from tests.programs.strict import case, cases, check, label, normal


class Acc:
    __slots__ = ("n", "s")

    def __init__(self):
        self.s = 0.0
        self.n = 0

    def push(self, v):
        self.s += v * v
        self.n += 1
        return self


class Scaled(Acc):
    __slots__ = ("k",)

    def __init__(self, k):
        super().__init__()
        self.k = k

    def push(self, v):
        super().push(v * self.k)
        self.k = self.k * 1.1
        return self


class Loose(Acc):
    def push(self, v):
        super().push(v)
        self.last = v
        return self


class Private:
    __slots__ = ("__v", "_w")

    def __init__(self, v):
        self.__v = v
        self._w = v * v

    def step(self):
        self.__v *= self._w
        self._w += self.__v

    @property
    def v(self):
        return self.__v

    @v.setter
    def v(self, new):
        self.__v = new


@dataclass(slots=True)
class Cell:
    a: float
    b: float = 0.0
    seen: list = field(default_factory=list)

    def bump(self, v):
        self.b += v * self.a
        self.seen.append(v)
        return self


class Node:
    __slots__ = ("following", "value")

    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class Grid:
    __slots__ = "a"

    def __init__(self, a):
        self.a = a

    def mul(self, k):
        self.a *= k
        return self

    def rebind(self, k):
        self.a = self.a * k


def helped(a, v):
    a.push(v)
    if v > 1:
        a.s += v
    return a.s


@case(normal(4))
def chained(x):
    a = Acc().push(x[0]).push(x[1])
    return a.s / a.n


@case(normal(4))
def with_subclass(x):
    a = Scaled(x[0])
    for v in x:
        a.push(v)
    return a.s * a.k / a.n


@case(normal(4))
def with_a_dict_as_well(x):
    a = Loose()
    for v in x:
        a.push(v)
    return a.s * a.last


@case(normal(4))
def private_names(x):
    p = Private(x[0])
    p.step()
    p.v = p.v * x[1]
    p.v += x[2]
    p.step()
    return p.v


@case(normal(4))
def two_names(x):
    a = Acc()
    b = a
    b.push(x[0])
    a.push(x[1])
    b.s *= x[2]
    return a.s + b.s**2


@case(normal(4))
def in_list_and_dict(x):
    a = Acc()
    items = [a, Acc()]
    table = {"k": a}
    items[0].push(x[0])
    table["k"].push(x[1])
    items[1].push(x[2])
    a.s *= x[3]
    return items[0].s * table["k"].s + items[1].s * a.s


@case(normal(4), 0)
@case(normal(4), 3)
def zero_trips(x, n):
    a = Acc()
    a.push(x[0])
    for i in range(n):
        a.push(x[i])
    return a.s


@case(normal(4))
def neighbours(x):
    cells = [Cell(v) for v in x]
    for p, q in zip(cells, cells[1:]):
        q.bump(p.a)
        p.b = q.b * p.a
        q.a *= p.b
    return sum(p.a * p.b + sum(p.seen) for p in cells)


@case(normal(4))
def one_of_two(x):
    a, b = Acc(), Acc()
    for i, v in enumerate(x):
        c = a if i % 2 else b
        c.push(v)
        if v > 1:
            c.s = c.s * v
    return a.s * b.s


@case(normal(4))
def arrays_shared(x):
    a = Grid(x.copy())
    b = Grid(a.a)
    a.mul(x[0])
    b.rebind(x[1])
    a.mul(2.0)
    c = b
    c.a[1] = x[0] * 3
    b.a[2:] *= c.a[:2]
    return (a.a * b.a).sum()


@case(normal(3), second=False)
def linked(x):
    head = None
    for v in x:
        head = Node(v, head)
    s = 0.0
    n = head
    while n is not None:
        s = s * n.value + n.value
        n.value = s
        n = n.following
    return s + head.value


@case(normal(4))
def by_helper(x):
    a, s = Acc(), 0.0
    for v in x:
        s += helped(a, v)
    return s * a.s


@case(normal(4))
def copied(x):
    a = Acc()
    a.push(x[0])
    b = copy.copy(a)
    b.push(x[1])
    c = copy.deepcopy(b)
    c.push(x[2])
    return a.s * b.s * c.s


@case(normal(4))
def named_when_run(x):
    a = Acc()
    for n in ("s", "n"):
        setattr(a, n, x[0] * (2 if n == "s" else 3))
    return getattr(a, "s") * a.n  # noqa: B009


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_written(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(f, *args, **options)


def moved(p, v):
    p.a = p.a * p.b
    p.seen.append(v)
    return p.a**2 * p.seen[-1]


def test_arguments_are_written_and_have_gradients() -> None:
    p = Cell(2.0, 3.0)
    gradient = tl.grad(moved)(p, 0.5)
    assert (p.a, p.b, p.seen) == (6.0, 3.0, [0.5])
    assert type(gradient) is Cell
    assert (gradient.a, gradient.b) == (2 * 6.0 * 3.0 * 0.5, 2 * 6.0 * 2.0 * 0.5)
    tangent = tl.jvp(moved)(Cell(2.0, 3.0), 0.5, tangent=Cell(1.0, 0.0))[1]
    assert math.isclose(tangent, gradient.a)


def shared_twice(pair):
    one, two = pair
    one.s = one.s * 2.0
    two.s = two.s * one.s
    return two.s


def test_the_same_object_twice_in_an_argument() -> None:
    a = Acc()
    a.s = 3.0
    value, (one, two) = tl.value_and_grad(shared_twice)([a, a])
    assert value == a.s == 36.0
    assert one.s == two.s == 2 * 4 * 3.0


class Unset:
    __slots__ = ("w",)

    def put(self, v):
        self.w = v


def set_late(x):
    u = Unset()
    u.put(x * x)
    return u.w


def never_set(x):
    return Unset().w * x


def no_such_place(x):
    u = Unset()
    u.other = x
    return x


def test_places_that_are_empty_or_missing() -> None:
    assert tl.grad(set_late)(3.0) == 6.0
    with pytest.raises(tl.DerivativeError, match="no object of class `Unset` here has"):
        tl.grad(never_set)(3.0)
    with pytest.raises(tl.DerivativeError, match="setting `'other'` of a `Unset`"):
        tl.grad(no_such_place)(3.0)


def test_the_fields_of_an_object_are_a_dict() -> None:
    a = Loose()
    fields = vars_of(a)
    fields["last"] = 2.0
    fields.update(s=1.0)
    assert dict(fields) == {"n": 0, "s": 1.0, "last": 2.0} == fields | {}
    assert {**fields} == fields == vars_of(a)
    del fields["s"]
    assert "s" not in fields
    assert not hasattr(a, "s")
    assert fields.pop("last") == 2.0
    assert len(fields) == 1
    assert np.all(list(fields.values()) == [0])


class Answers:
    """Has no dict, but an answer to every name."""

    __slots__ = ("w",)

    def __init__(self, w: float) -> None:
        self.w = w

    def __getattr__(self, name: str) -> Any:
        return len


ANSWERS = Answers(3.0)


def weighed(x, by):
    return by.w * x**2


def test_an_object_without_dict_that_answers_every_name(confirm: Any) -> None:
    confirm(lambda x: weighed(x, ANSWERS), 1.3)
