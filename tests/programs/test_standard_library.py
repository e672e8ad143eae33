"""What people take from the standard library: orders, draws, merges, managers, classes made by a call."""

from __future__ import annotations

import collections
import contextlib
import functools
import heapq
import itertools
import operator
import random
import statistics
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, 2.1, 0.4])


def by_second(a, b):
    if a[1] < b[1]:
        return -1
    return 1 if a[1] > b[1] else 0


@case(X)
def compares_two(x):
    pairs = [(v, int(i % 2)) for i, v in enumerate(x)]
    pairs.sort(key=functools.cmp_to_key(by_second))
    back = sorted(pairs, key=functools.cmp_to_key(by_second), reverse=True)
    first = sum(v * (i + 1) for i, (v, _) in enumerate(pairs))
    second = sum(v * v * (i + 1) for i, (v, _) in enumerate(back))
    return first + second + max(pairs, key=functools.cmp_to_key(by_second))[0] ** 3


@case(X)
def compares_by_what_is_captured(x):
    k = x[0]
    items = sorted(list(x), key=functools.cmp_to_key(lambda a, b: -1 if a * k > b * k else 1))
    return sum(v * (i + 1) * k for i, v in enumerate(items)) + sum(
        sorted([], key=functools.cmp_to_key(lambda a, b: 0))
    )


@case(X)
def merges(x):
    a, b = sorted(x[:2]), sorted(x[2:])
    return sum(v * (i + 1) for i, v in enumerate(heapq.merge(a, b))) * next(
        iter(heapq.merge(b[::-1], a[::-1], key=lambda v: -v))
    )


@case(X)
def shuffles_a_list(x):
    random.seed(1)
    items = list(x)
    random.shuffle(items)
    return items[0] * random.choice(items) + random.gauss(0, 1) * items[1]


@case(X)
def fits_a_line(x):
    line = statistics.linear_regression([1.0, 2.0, 3.0, 4.0], list(x))
    return line.slope * line.intercept + statistics.correlation([1.0, 2.0, 3.0, 4.0], list(x))


@case(X)
def lists_of_a_matrix(x):
    rows = x.reshape(2, 2).tolist()
    whole = (x[:, None] * x).tolist()
    rows[0][0] = 3.0
    return sum(r[0] * r[1] ** 2 for r in rows) + whole[1][2] * x.sum().tolist()


@case(X)
def classes_made_by_a_call(x):
    Point = collections.namedtuple("Point", "a b c", defaults=[2.0])
    p = Point(x[0], x[1])
    q = p._replace(a=x[2])
    a, b, c = q
    points = [Point(v, v * v, 1.0) for v in x]
    return a * b * c * p.a + sum(map(operator.attrgetter("b"), points)) * len(Point._fields)


class Resource:
    def __init__(self, v):
        self.v = v

    def close(self):
        self.v = self.v * 2


@case(X)
def closes_what_it_opened(x):
    with contextlib.closing(Resource(x[0])) as r:
        y = r.v**2
    return y * r.v


class Scaled:
    def __init__(self, v):
        self.v, self.s = v, 0.0

    def __enter__(self):
        self.s = self.v * 2
        return self

    def __exit__(self, *error):
        self.s = self.s * 3


@case(0.7)
def enters_a_stack(x):
    out = []
    with contextlib.ExitStack() as stack:
        a = stack.enter_context(Scaled(x))
        b = stack.enter_context(Scaled(a.s))
        stack.callback(out.append, a.s * b.s)
        y = a.s * b.s * x
    return y * out[0] + a.s * b.s


@case(0.7)
def leaves_a_stack_early(x):
    def f():
        with contextlib.ExitStack() as stack:
            m = stack.enter_context(Scaled(x))
            if x > 0.5:
                return m.s * x
        return x

    return f()


@case(0.7)
def calls_with_what_was_then(x):
    k = x
    out = []
    with contextlib.ExitStack() as stack:
        stack.callback(out.append, k * 2)
        k = x * x
        stack.callback(out.append, k)
    return out[0] ** 2 * out[1]


@case(X)
def tees(x):
    a, b = itertools.tee(x)
    next(b)
    c, d = itertools.tee(v * v for v in x)
    return sum(u * v for u, v in zip(a, b)) + sum(c) * max(d)


@case(X)
def counts_letters(x):
    c = collections.Counter("abcabb")
    c.update("ca")
    c.subtract({"b": 1})
    return sum(x[i] * n for i, (_, n) in enumerate(c.most_common(2))) + x[3] * c["z"]


@case(X)
def counts_what_is_active(x):
    c = collections.Counter(a=x[0], b=x[1])
    c.update(a=x[2])
    c.update({"b": x[3] * x[3]})
    (_, most), *_ = c.most_common()
    return c["a"] * c["b"] * most + sum(c.values())


class Base:
    def __init__(self, v):
        self.v = v


class Derived(Base):
    pass


@case(X)
def dispatches_inside(x):
    @functools.singledispatch
    def h(v, k):
        return v * k

    @h.register(Base)
    def _(v, k):
        return v.v * k * x[3]

    @h.register(Derived)
    def _(v, k):
        return v.v**2 * k

    @h.register(list)
    @h.register(tuple)
    def _(items, k):
        return items[0] * items[1] * k

    objects = h(Base(x[0]), 2.0) + h(Derived(x[1]), x[2])
    return objects + h([x[0], x[1]], x[2]) * h((x[1], x[2]), 2) + h(x[0], x[3])


class Scale:
    def __init__(self, w):
        self.w = w

    def by(self, v, k):
        return v * k * self.w

    double = functools.partialmethod(by, k=2.0)

    @functools.singledispatchmethod
    def of(self, v):
        return v * self.w

    @of.register(list)
    def _(self, v):
        return v[0] ** 2 * self.w


@case(X)
def methods_made_of_methods(x):
    s = Scale(x[0])
    return s.double(x[1]) + s.of(x[2]) * s.of([x[3]])


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
