"""Managers of the user: what they hand over, what they keep, what they swallow."""

from __future__ import annotations

import contextlib
import math
import time
import warnings
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


class Rec:
    def __init__(self):
        self.items = []
        self.total = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.total = sum(self.items)

    def add(self, v):
        self.items.append(v)


@case(0.7)
def recorder(x):
    with Rec() as r:
        r.add(x * x)
        r.add(x)
    return r.total * x


class Timer:
    def __enter__(self):
        self.t0 = time.perf_counter()
        return self

    def __exit__(self, *a):
        self.elapsed = time.perf_counter() - self.t0


@case(0.7)
def timer(x):
    with Timer() as t:
        y = x * x
    return y * x + 0 * t.elapsed


class M:
    def __init__(self, k):
        self.k = k

    def f(self, v):
        return self.k * v

    @contextlib.contextmanager
    def scaled(self, c):
        old = self.k
        self.k = self.k * c
        yield self.k
        self.k = old


@contextlib.contextmanager
def temp(obj, k):
    old = obj.k
    obj.k = k
    try:
        yield obj
    finally:
        obj.k = old


@case(0.7)
def temporary(x):
    m = M(x)
    with temp(m, x * x):
        a = m.f(2.0)
    return a * m.f(x)


@case(0.7)
def method_cm(x):
    m = M(x)
    with m.scaled(3.0) as k:
        a = m.f(x) * k
    return a + m.f(x)


@case(0.7)
def early_return(x):
    m = M(x)

    def g():
        with temp(m, x * x) as q:
            if q.k > 0:
                return q.f(x)
        return 1.0

    return g() * m.f(x)


@case(0.7)
def loop_break(x):
    m = M(x)
    t = 0.0
    for i in range(5):
        with temp(m, x * i) as q:
            if i == 3:
                break
            if i == 1:
                continue
            t += q.f(x)
    return t * m.f(1.0)


@case(0.7)
def raising(x):
    m = M(x)
    t = 0.0
    try:
        with temp(m, x * x) as q:
            t += q.f(x)
            raise ValueError("x")
    except ValueError:
        t += m.f(x)
    return t


@contextlib.contextmanager
def swallow(x):
    try:
        yield x * 2
    except ZeroDivisionError:
        pass


@case(0.7)
def swallows(x):
    y = x
    with swallow(x) as v:
        y = y * v
        z = 1 / 0
        y = y * 100
    return y


class Supp:
    def __init__(self, *types):
        self.types = types

    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        return t is not None and issubclass(t, self.types)


@case(0.7)
def supp(x):
    y = x
    with Supp(ValueError):
        y = y * x
        if x > 0:
            raise ValueError("a")
        y = y * x
    return y


@case(0.7)
def two_items(x):
    m = M(x)
    n = M(2.0)
    with temp(m, x * x) as a, temp(n, x) as b:
        y = a.f(b.k)
    return y + m.k * n.k


@case(0.7)
def errst(x):
    @contextlib.contextmanager
    def local(k):
        yield k * x

    with local(3.0) as v:
        y = v * x
    return y


@contextlib.contextmanager
def quiet():
    with np.errstate(all="ignore"):
        yield


@case(0.7)
def quiet_cm(x):
    with quiet():
        y = math.sqrt(x) * x
    return y


@contextlib.contextmanager
def quietv(x):
    with np.errstate(all="ignore"):
        yield np.sqrt(x)


@case(0.7)
def quiet_v(x):
    with quietv(x) as s:
        y = s * x
    return y


@case(0.7)
def nested_cm(x):
    with swallow(x) as a:
        with swallow(a) as b:
            y = a * b
    return y


@case(0.7)
def namedm(x):
    r = Rec()
    with r:
        r.add(x * x)
    with r as q:
        q.add(x)
    return r.total


class Base:
    def __enter__(self):
        return self.value()

    def __exit__(self, *a):
        return None


class Sub(Base):
    def __init__(self, v):
        self.v = v

    def value(self):
        return self.v**2


@case(0.7)
def inherit(x):
    with Sub(x) as s:
        return s * x


@case(0.7)
def nullc(x):
    with contextlib.nullcontext(x * x) as v:
        y = v * x
    return y


@contextlib.contextmanager
def tryfin(log, x):
    log.append(x)
    try:
        yield x * 2
    finally:
        log.append(x * x)


@case(0.7)
def ctx_finally(x):
    log = []
    with tryfin(log, x) as y:
        z = y * y
    return z + sum(log)


class CM:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x * self.x

    def __exit__(self, *a):
        self.x = 0.0


@case(0.7)
def ctx_class(x):
    with CM(x) as y:
        z = y * x
    return z


class CM2:
    def __init__(self, x):
        self.x = x
        self.closed = False

    def __enter__(self):
        self.y = self.x * 3
        return self

    def __exit__(self, t, v, tb):
        self.closed = True
        self.y = self.y * self.x
        return False


@case(0.7)
def ctx_self(x):
    with CM2(x) as c:
        c.x = c.x * 2
        z = c.y
    return z + c.y


class Tx:
    def __init__(self, acc):
        self.acc = acc

    def __enter__(self):
        self.old = self.acc.k
        return self.acc

    def __exit__(self, t, v, tb):
        if t is not None:
            self.acc.k = self.old
        return t is not None


@case(0.7, second=False)
def tx(x):
    m = M(x)
    with Tx(m) as a:
        a.k = a.k * 3
    with Tx(m) as b:
        b.k = b.k * 5
        raise RuntimeError("rollback")
    return m.f(x)


@case(np.array([0.3, 0.8, -0.4, 1.2]))
def made_inside_with_an_array_that_changes(x):
    @contextlib.contextmanager
    def scaled(a, factor):
        a *= factor
        try:
            yield a[1:]
        finally:
            a /= factor

    b = x * 1.0
    with scaled(b, 2.0) as tail:
        tail[0] += b[0] * b[3]
        total = np.sum(tail**2)
    return total + b[1]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def entropies_in_a_loop(x):
    u, total = x * 1.0, 0.0
    for i in range(3):
        u[i] = u[i] * 0.5
        with np.errstate(all="ignore"):
            p = np.where(u > 0.2, u, 0.0)
            t = p * np.log(p)
            t[p == 0] = 0
        total = total + t.sum()
    return total


def test_what_a_manager_puts_aside_is_not_said_by_the_backward_sweep() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tl.grad(entropies_in_a_loop)(np.array([0.31, 0.72, 0.9]))
    half = 0.5 * (np.log(np.array([0.36, 0.45])) + 1)
    assert found[0] == 0.0
    np.testing.assert_allclose(found[1], np.log(0.72) + 1 + 2 * half[0])
    np.testing.assert_allclose(found[2], 2 * (np.log(0.9) + 1) + half[1])
