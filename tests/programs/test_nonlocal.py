"""Variables of the function around that nested functions bind: ``nonlocal``."""

from __future__ import annotations

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label


@case(0.7)
def through_a_lambda(x):
    n = x

    def up(v):
        nonlocal n
        n = n * v
        return n

    g = lambda v: up(v) + n  # noqa: E731
    return g(2.0) * g(x)


@case(0.7)
def in_expr(x):
    n = 1.0

    def up(a):
        nonlocal n
        n = n * a + x
        return n * 2

    return n + up(x) * up(2.0) + n


@case(0.7)
def two_vars(x):
    a = x
    b = 2.0

    def swap():
        nonlocal a, b
        a, b = b * x, a

    swap()
    swap()
    return a * b * b


@case(0.7)
def early(x):
    n = x

    def f(v):
        nonlocal n
        if v > 1:
            n = n * 2
            return v
        n = n * n

    f(2.0)
    f(0.5)
    return n


@case(0.7)
def transitive(x):
    n = 0.0

    def inc(v):
        nonlocal n
        n += v * x

    def twice(v):
        inc(v)
        inc(v * x)

    twice(2.0)
    twice(x)
    return n * n


@case(0.7, second=False)
def recursive(x):
    total = 0.0

    def walk(k):
        nonlocal total
        if k == 0:
            return
        total = total + x**k
        walk(k - 1)
        if k > 1:
            walk(k - 2)

    walk(3)
    return total


@case(0.7)
def in_while(x):
    n = x
    steps = 0

    def step():
        nonlocal n, steps
        steps += 1
        n = np.sin(n) * 2
        return steps

    while step() < 3:
        pass
    return n


@case(0.7, second=False)
def in_comp(x):
    n = x

    def step(v):
        nonlocal n
        n = n * v
        return n

    return sum([step(v) for v in (1.0, x, 2.0)])


@case(0.7)
def param_written(x):
    def sq():
        nonlocal x
        x = x * x

    sq()
    sq()
    return x


@case(np.array([0.3, 0.4]))
def arr(x):
    acc = np.zeros(2)

    def add(v):
        nonlocal acc
        acc = acc + v * x

    for i in range(3):
        add(x * i)
    return np.sum(acc)


@case(np.array([0.3, 0.4]))
def arr_aug(x):
    acc = np.zeros(2)

    def add(v):
        nonlocal acc
        acc += v * x

    for i in range(3):
        add(x * i)
    return np.sum(acc * acc)


@case(0.7)
def lam(x):
    n = x

    def up(v):
        nonlocal n
        n = n * v
        return n

    def g(v):
        return up(v) + n

    return g(2.0) * g(x)


@case(0.7)
def shadowed_nl(x):
    n = x

    def up(n):
        return n * x

    def set(v):
        nonlocal n
        n = v

    set(up(n))
    set(up(2.0) * n)
    return n


@case(0.7)
def of_itself(x):
    n = x

    def up(v, by=1.0):
        nonlocal n
        n = n * v + by
        return n * v

    return up(up(up(x), by=n)) * n


@case(0.7)
def read_by_another(x):
    n = x

    def up(v):
        nonlocal n
        n = n * v + 0.3
        return v

    def times(a, *rest):
        return a * n + sum(rest)

    return times(up(x), n) * times(*[n, up(2.0)])


@case(0.7)
def bound_among_the_arguments(x):
    n = x

    def times(a):
        return a * n

    return times((n := n * n + x)) * n


@case(0.7)
def bound_in_a_cell_among_the_arguments(x):
    n = x

    def up(t):
        nonlocal n
        n = n * t
        return n

    def times(a):
        return a * n

    many = [up(t) for t in (x, 2.0)]
    return times((n := n * n + x)) * many[1] * n


@case(np.array([0.7, -0.4, 1.3]), 0.45)
def declared_and_not_bound(x, s):
    y = x.copy()

    def center():
        nonlocal y, s
        y -= y.mean() * 0.5

    center()
    return np.sum(np.cos(y)) * s


@case(np.array([0.7, -0.4, 1.3]), 0.45)
def declared_and_not_used(x, s):
    y = x * x

    def grown():
        nonlocal y, s

        def inner():
            nonlocal s, y
            s = s * 1.5

        inner()

    grown()
    return np.sum(np.cos(y)) * s


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_nonlocal(f, args, options):
    check(f, *args, **options)
