"""Objects that change: their attributes are set, their arrays and lists written, by methods and from outside."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

CASES: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = []


def case(arguments: Callable[[], tuple[Any, ...]]) -> Callable[..., Any]:
    def add(f: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append((f, arguments))
        return f

    return add


class Kalman:
    def __init__(self, x, P, F, H, Q, R):
        self.x = x
        self.P = P
        self.F = F
        self.H = H
        self.Q = Q
        self.R = R

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        y = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ y
        self.P = self.P - K @ self.H @ self.P
        return y


def kf():
    return Kalman(
        np.array([0.1, 0.2]),
        np.eye(2),
        np.array([[1.0, 0.1], [0.0, 1.0]]),
        np.array([[1.0, 0.0]]),
        0.01 * np.eye(2),
        np.array([[0.5]]),
    )


@case(lambda: (kf(), np.array([0.5, 0.6, 0.9])))
def kalman(k, zs):
    s = 0.0
    for i in range(3):
        k.predict()
        y = k.update(zs[i : i + 1])
        s = s + y @ y
    return s + np.sum(k.x)


class Counter:
    def __init__(self, total):
        self.total = total
        self.count = 0

    def add(self, x):
        self.total += x
        self.count += 1
        return self.total


@case(lambda: (Counter(1.0), 0.5))
def counter(c, x):
    c.add(x)
    c.add(x * x)
    return c.total * c.count + c.add(2 * x)


@case(lambda: (0.5,))
def localcounter(x):
    c = Counter(x)
    c.add(x * x)
    return c.total**2


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def kick(self, f, dt):
        self.v = self.v + f * dt

    def drift(self, dt):
        self.x = self.x + self.v * dt


@case(lambda: ([Particle(0.1, 0.2), Particle(0.5, -0.3)], 0.1))
def particles(ps, dt):
    for i in range(3):
        for p in ps:
            p.kick(-p.x, dt)
        for p in ps:
            p.drift(dt)
    e = 0.0
    for p in ps:
        e = e + p.x * p.x + 0.5 * p.v * p.v
    return e


@case(lambda: (0.3, 0.1))
def particles2(x0, dt):
    ps = [Particle(x0, 1.0), Particle(2 * x0, -1.0)]
    for p in ps:
        p.drift(dt)
    return ps[0].x * ps[1].x


class Cache:
    def __init__(self):
        self.d = {}

    def keep(self, k, v):
        self.d[k] = v


@case(lambda: (0.7,))
def cache(x):
    c = Cache()
    c.keep("a", x * x)
    c.keep("b", x)
    return c.d["a"] * c.d["b"]


class Buf:
    def __init__(self, w):
        self.w = w


@case(lambda: (Buf(np.array([1.0, 2.0, 3.0])), 0.5))
def inplace(b, x):
    b.w[1] = x * b.w[0]
    b.w[0] += x
    return np.sum(b.w**2)


class Account:
    def __init__(self, balance, rate):
        self.balance = balance
        self.rate = rate
        self.log = []

    def deposit(self, a):
        self.balance += a
        self.log.append(a)

    def accrue(self):
        self.balance *= 1.0 + self.rate


@case(lambda: (Account(1.0, 0.05), 0.5))
def account(a, d):
    for k in range(3):
        a.deposit(d * k)
        a.accrue()
    return a.balance + a.log[1] * a.log[2]


class Cell:
    def __init__(self, v):
        self.v = v


@case(lambda: (Cell(1.0), Cell(2.0)))
def alias(a, b):
    c = a
    c.v = c.v * b.v
    return a.v + c.v * b.v


@case(lambda: (0.5,))
def aliaslocal(x):
    a = Cell(x)
    l = [a, a]
    l[0].v = x * x
    return l[1].v * a.v


@dataclass
class Acc:
    hist: list = field(default_factory=list)
    s: float = 0.0

    def push(self, v):
        self.hist.append(v)
        self.s += v


@case(lambda: (0.4,))
def dcfactory(x):
    a = Acc()
    a.push(x)
    a.push(x * x)
    return a.s * a.hist[0]


@dataclass
class Post:
    a: float
    b: float = field(init=False)

    def __post_init__(self):
        self.b = self.a**2


@case(lambda: (0.4,))
def postinit(x):
    return Post(x).b


class Plain:
    """Something that is given attributes."""


def level_of(plain):
    return plain.level


@case(lambda: (0.7,))
def asked_several_times_before_it_is_written(x):
    plain = Plain()
    plain.level = x
    plain.cube = level_of(plain) * level_of(plain) * level_of(plain)
    return plain.cube


@case(lambda: (0.7,))
def written_between_and_asked_again(x):
    plain = Plain()
    plain.level = x
    plain.level = level_of(plain) * x
    plain.square = level_of(plain) * level_of(plain)
    return plain.square


@pytest.mark.parametrize(("f", "arguments"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_program(f, arguments, confirm):
    confirm(f, *arguments(), second=f is not account)  # its second derivative is refused


@pytest.mark.parametrize(("f", "arguments"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_the_objects_are_as_after_the_plain_call(f, arguments):
    plain, given = arguments(), arguments()
    f(*plain)
    last = len(given) - 1
    for derivative in (tl.grad(f, wrt=last), lambda *args: tl.vjp(f, wrt=last)(*args)):
        once = copy.deepcopy(given)
        derivative(*once)
        assert [shown(x) for x in once] == [shown(x) for x in plain]
        once = copy.deepcopy(given)
        tl.jvp(f, wrt=last)(*once, tangent=copy.deepcopy(given[last]))
        assert [shown(x) for x in once] == [shown(x) for x in plain]


def shown(x):
    """What an object holds, as text; arrays that are differentiated are no objects."""
    if isinstance(x, list):
        return [shown(part) for part in x]
    return {n: repr(shown(v)) for n, v in vars(x).items()} if hasattr(x, "__dict__") else ""
