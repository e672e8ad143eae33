"""Classes that say themselves what it means to set an attribute: `__setattr__`, frozen dataclasses."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal


@dataclass(frozen=True)
class Doubled:
    a: float

    def __post_init__(self):
        object.__setattr__(self, "c", self.a * 2)


@dataclass(frozen=True)
class Shares:
    w: Any
    first: float = field(init=False)

    def __post_init__(self):
        w = self.w / self.w.sum()
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "first", len(w) * w[0])

    def scaled(self, k):
        return replace(self, w=self.w * np.arange(1, 5) ** k)


@dataclass(frozen=True, slots=True)
class Squared:
    a: float
    b: float = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "b", self.a**2)

    def plus(self, other):
        return Squared(self.a + other.a)


class Scaled:
    def __init__(self, v):
        self.v = v
        self.n = 0.0

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2 if name == "v" else value)


class Positive:
    def __init__(self, v):
        self.v = v

    def __setattr__(self, name, value):
        if name == "v" and value < 0:
            raise ValueError("negative")
        object.__setattr__(self, name, value)


class InDict:
    def __init__(self):
        self.__dict__["held"] = {}

    def __setattr__(self, name, value):
        self.held[name] = value

    def __getattr__(self, name):
        return self.held[name]


class Both:
    __slots__ = ("__dict__", "v", "w")

    def __init__(self, a, b):
        self.v, self.w = a, b

    def __setattr__(self, name, value):
        if name == "w":
            value = value * 3
        object.__setattr__(self, name, value)


class Tracked:
    def __init__(self):
        object.__setattr__(self, "log", [])
        self.a = 1.0

    def __setattr__(self, name, value):
        self.log.append(value)
        object.__setattr__(self, name, value)


class ByHand:
    __slots__ = ("x",)

    def __init__(self, x):
        object.__setattr__(self, "x", x)

    def __setattr__(self, *a):
        raise TypeError("immutable")

    def moved(self, x):
        new = object.__new__(type(self))
        object.__setattr__(new, "x", x)
        return new


class Forwarding:
    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)


class Loud:
    def __init__(self, x):
        self.x = x

    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        return value * 2 if name == "x" else value


@dataclass
class Base:
    a: float
    total: float = field(init=False, default=0.0)

    def __post_init__(self):
        self.total = self.a * self.a


@dataclass
class Derived(Base):
    b: float = 2.0
    seen: list = field(default_factory=list)
    scale: InitVar[float] = 1.0

    def __post_init__(self, scale):
        super().__post_init__()
        self.total += self.b * scale
        self.seen.append(self.total)


@dataclass(kw_only=True)
class Named:
    a: float
    b: float = 1.0
    _: KW_ONLY
    c: float = 3.0


@case(0.7)
def frozen(x):
    return Doubled(x).c * Doubled(x).a


@case(normal(4))
def frozen_arrays(x):
    a = Shares(x + 5.0)
    b = a.scaled(2.0)
    return a.first * b.first + (a.w * b.w).sum()


@case(normal(4))
def frozen_slots(x):
    s = Squared(x[0])
    for v in x[1:]:
        s = s.plus(Squared(v))
    return s.b


@case(normal(4))
def frozen_raises(x):
    f = Doubled(x[0])
    try:
        f.a = x[1]
    except dataclasses.FrozenInstanceError:
        return f.a * x[2]
    return f.a


@case(normal(4))
def what_is_set_is_scaled(x):
    a = Scaled(x[0])
    a.v = a.v * x[1]
    a.n += a.v
    a.v += 1.0
    return a.v * a.n


@case(normal(4))
def what_is_set_is_checked(x):
    a = Positive(abs(x[0]))
    for v in x:
        a.v = a.v * abs(v)
    try:
        a.v = -1.0 - a.v
    except ValueError:
        a.v = a.v + 1.0
    return a.v


@case(normal(4))
def kept_in_a_dict(x):
    a = InDict()
    a.u = x[0]
    a.v = x[1]
    a.u = a.u * a.v
    return a.u * a.v


@case(normal(4))
def several_targets(x):
    b = Both(x[0], x[1])
    b.v, (b.w, b.z) = b.w, (b.v, x[2])
    for b.w in x:
        b.v += b.w
    return b.v * b.w * b.z


@case(normal(4))
def set_by_name(x):
    b = Both(x[0], x[1])
    setattr(b, "w", x[2])  # noqa: B010
    n = "v"
    setattr(b, n, x[3] * b.w)
    for k in ("w", "q"):
        setattr(b, k, b.v)
    return b.v * b.w * b.q


@case(normal(4))
def past_the_class(x):
    b = Scaled(x[0])
    table = vars(b)
    table["v"] = x[1]
    b.v = table["v"] * 2
    table["n"] = b.v
    b.__dict__["k"] = x[2]
    return b.v * b.n * b.k


@case(normal(4))
def every_value_is_kept(x):
    t = Tracked()
    other = t
    for v in x:
        other.a = v * t.a
    return sum(u * (i + 1) for i, u in enumerate(t.log))


def raised(o, v):
    o.v = v * o.v
    return o.v


@case(normal(4))
def in_a_list_by_a_helper(x):
    b = Scaled(x[0])
    items = [b, Scaled(x[1])]
    for o in items:
        raised(o, x[2])
    return b.v * items[1].v + items[0].v


@case(normal(4))
def made_by_object(x):
    a = ByHand(x[0])
    b = a.moved(x[1] * a.x)
    return a.x * b.x


@case(normal(4))
def forwarded(x):
    return Forwarding(Scaled(x[0])).v * x[1]


@case(normal(4))
def post_init_is_inherited(x):
    d = Derived(x[0], b=x[1], scale=x[2])
    e = replace(d, a=x[3], scale=2.0)
    e.seen.append(1.0)
    return d.total * e.total * sum(d.seen) + len(d.seen)


@case(normal(4))
def only_by_keyword(x):
    k = Named(b=x[0], a=x[1])
    k.c *= x[2]
    return k.a * k.b * k.c


@case(normal(4), 0)
def zero_trips(x, n):
    b = Scaled(x[0])
    for i in range(n):
        b.v = x[i]
    return b.v * x[1]


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_set(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    check(f, *args, **options)


def moved(p, x):
    p.v = p.v * x
    return p.v


def test_arguments_are_set_as_their_class_says() -> None:
    p = Scaled(1.5)
    gradient = tl.grad(moved, wrt="p")(p, 4.0)
    assert (p.v, gradient.v) == (24.0, 8.0)


def read(x):
    return Loud(x).x * x


def test_what_answers_for_every_attribute_is_refused() -> None:
    """The gradient was that of the attribute itself."""
    with pytest.raises(tl.DerivativeError, match="`Loud`, whose `__getattribute__`"):
        tl.grad(read)(2.0)
    assert math.isclose(read(2.0), 8.0)


def deleted(x):
    s = Scaled(x)
    delattr(s, "n")
    return s.v


def test_names_are_written_down(refused: Any) -> None:
    refused(deleted, 'delattr(s, "n")', error=tl.MissingRuleError)
