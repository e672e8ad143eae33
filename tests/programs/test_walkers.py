"""Objects with `__next__`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, 0.4])


class Countdown:
    def __init__(self, x, n):
        self.x = x
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        self.x = self.x * 1.5
        return self.x


@case(0.7)
def it_for(x):
    t = 0.0
    for v in Countdown(x, 3):
        t += v * v
    return t


@case(0.7)
def it_break(x):
    t = 0.0
    c = Countdown(x, 8)
    for v in c:
        if v > 3:
            break
        if v < 1.2:
            continue
        t += v * v
    return t * c.x


class Newton:
    def __init__(self, a, tol=1e-6):
        self.a = a
        self.y = a
        self.tol = tol
        self.old = None

    def __iter__(self):
        return self

    def __next__(self):
        if self.old is not None and abs(self.y - self.old) < self.tol:
            raise StopIteration()
        self.old = self.y
        self.y = 0.5 * (self.y + self.a / self.y)
        return self.y


@case(0.7)
def it_newton(x):
    for y in Newton(x):
        pass
    return y * x


class Forever:
    def __init__(self, x):
        self.x = x
        self.k = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.k += 1
        return self.x**self.k


@case(0.7)
def it_forever(x):
    t = 0.0
    for v in Forever(x):
        t += v
        if v < 0.1:
            break
    return t


@case(0.7)
def it_twice(x):
    c = Countdown(x, 4)
    t = 0.0
    for v in c:
        t += v
        if t > 2:
            break
    for v in c:
        t += v * v
    return t


@case(0.7)
def it_next(x):
    c = Countdown(x, 3)
    a = next(c)
    b = next(c)
    return a * b * c.n


@case(0.7)
def it_sum(x):
    return sum(Countdown(x, 3)) * x


@case(0.7)
def it_list(x):
    l = list(Countdown(x, 3))
    return l[0] * l[2]


@case(0.7)
def it_comp(x):
    return sum(v * v for v in Countdown(x, 3))


@case(0.7)
def it_enum(x):
    t = 0.0
    for k, v in enumerate(Countdown(x, 3)):
        t += k * v
    return t


@case(0.7)
def it_inner(x):
    t = 0.0
    for a in (x, 2.0):
        for v in Countdown(a, 2):
            for w in Countdown(v, 2):
                if w > 3:
                    break
                t += w * a
    return t


class Rows:
    def __init__(self, m):
        self.m = m
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= len(self.m):
            raise StopIteration
        r = self.m[self.i]
        self.i += 1
        return r


@case(X)
def it_rows(x):
    m = np.outer(x, x)
    t = 0.0
    for r in Rows(m):
        t = t * x[0] + np.sum(r * x)
    return t


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
