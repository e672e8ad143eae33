"""Attributes by names that are written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label


class Conf:
    def __init__(self, a=1.0, b=2.0, c=3.0):
        self.a = a
        self.b = b
        self.c = c

    def area(self):
        return self.a * self.b

    def peri(self):
        return self.a + self.b


@case(0.7)
def lit(x):
    c = Conf(x)
    return getattr(c, "a") * c.b  # noqa: B009


@case(0.7)
def loop(x):
    c = Conf(x, x * x)
    t = 0.0
    for n in ["a", "b", "c"]:
        t += getattr(c, n) ** 2
    return t * x


@case(0.7)
def gen(x):
    c = Conf(x, x * x)
    return sum(getattr(c, n) for n in ("a", "b"))


@case(0.7)
def comp(x):
    c = Conf(x, x * x)
    return np.prod([getattr(c, n) * x for n in ("a", "b", "c")])


@case(0.7)
def meths(x):
    c = Conf(x, x * x)
    t = 0.0
    for n in ["area", "peri"]:
        t += getattr(c, n)() * x
    return t


@case(0.7)
def setting(x):
    c = Conf()
    for n in ("a", "b"):
        setattr(c, n, getattr(c, n) * x)
    return c.a * c.b * c.c


@case(0.7)
def pairs(x):
    c = Conf()
    y = x * x
    for n, v in [("a", x), ("c", y)]:
        setattr(c, n, v)
    return c.a * c.b * c.c


@case(0.7)
def dictc(x):
    c = Conf(x)
    d = {n: getattr(c, n) for n in ("a", "b")}
    return d["a"] * d["b"]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
