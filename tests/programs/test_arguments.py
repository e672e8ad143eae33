"""Calls with any number of arguments, partials, decorators, caches, generators."""

from __future__ import annotations

import functools
from array import array
from collections import defaultdict, deque
from types import MappingProxyType

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


def make(k):
    def g(a):
        return a * k

    return g


def total(*args, scale=1.0, **kw):
    s = 0.0
    for a in args:
        s = s + a
    if "bias" in kw:
        s = s * kw["bias"]
    return s * scale


def three(a, b, c):
    return a * b + c


@case(0.7)
def vararg(x):
    return total(x, 2.0, x * x) * total(x, scale=x, bias=x)


@case(0.7)
def spread(x):
    t = (x, 2.0)
    return three(*t, x) + three(x, *t)


@case(0.7)
def kwspread(x):
    d = {"b": x, "c": 2.0}
    return three(x * x, **d)


@case(np.array([0.3, 0.4, 0.5]))
def arrspread(x):
    return three(*x)


@case([0.3, 0.4, 0.5])
def listspread(x):
    return three(*x)


def logged(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs) * 2.0

    return wrapper


@logged
def helper(x, k=3.0):
    return x**3 * k


@case(0.7)
def wrapped(x):
    return helper(x) + helper(x, k=x)


@functools.lru_cache
def cached(x):
    return x**3


@functools.cache
def binom(n, k):
    return 1 if k in (0, n) else binom(n - 1, k) + binom(n - 1, k - 1)


@case(0.7)
def cache(x):
    return cached(x) * binom(5, 2)


@case(0.7)
def part(x):
    p = functools.partial(three, x, c=x * x)
    return p(2.0) + p(x) + p(x, c=3.0)


gp = functools.partial(three, 2.0, c=3.0)
gp2 = functools.partial(gp, b=1.5)


@case(0.7)
def gpart(x):
    return gp(x) * gp(b=x) * gp2()


@case(0.7)
def gpart2(x):
    return gp(x) * gp(b=x) * gp(x, c=x)


@case(0.7)
def partclosure(x):
    def g(a, b):
        return a * b * x

    return functools.partial(g, x)(2.0) + functools.partial(functools.partial(g, 3.0), x)()


def outer(f, *args, **kwargs):
    return f(*args, **kwargs) * 2


@case(0.7)
def deleg(x):
    return outer(three, x, 2.0, c=x) + outer(lambda *a: a[0] * a[1] * x, x, 2.0)


@case(0.7)
def nested_var(x):
    def g(first, *rest, k=2.0):
        return first * k if not rest else first * k + g(*rest, k=k)

    return g(x, 2.0, x * x, k=x)


@case(0.7)
def posonly(x):
    def g(a, /, b, *, c):
        return a * b * c * x

    return g(x, 2.0, c=x) + g(x, b=x, c=1.0)


def compose_all(*fs):
    def h(x):
        for f in fs:
            x = f(x)
        return x

    return h


@case(0.7)
def comps(x):
    return compose_all(np.sin, lambda v: v * x, make(x))(x)


@case(0.7)
def partlist(x):
    fs = [functools.partial(three, x, k) for k in (1.0, 2.0)]
    s = 0.0
    for f in fs:
        s += f(x)
    return s


def retry(n):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            y = fn(*a, **k)
            for i in range(n):
                y = y * fn(*a, **k)
            return y

        return inner

    return deco


@retry(2)
def sq(x):
    return x * x


@case(0.7)
def decoed(x):
    @retry(1)
    def loc(v):
        return v * x

    return sq(x) * loc(x)


def powers(x, n):
    p = 1.0
    for i in range(n):
        p = p * x
        yield p


def couples(xs):
    yield xs[0], 2.0
    for v in xs:
        yield v, v * v


def chain(x):
    yield x
    yield from powers(x, 2)
    if x > 5:
        return
    yield 3.0


def forever(x):
    while True:
        yield x


@case(0.7, 3, second=False)
def loop(x, n):
    s = 0.0
    for i, p in enumerate(powers(x, n)):
        s = s + p * (i + 1)
    return s


@case(0.7, second=False)
def added(x):
    return sum(powers(x, 3)) * np.sum(np.array(list(chain(x))))


@case(np.array([0.3, 0.4]), second=False)
def pp(x):
    s = 0.0
    for a, b in couples(x):
        s = s + a * b
    return s


@case(0.7, second=False)
def local(x):
    def g(n):
        for i in range(n):
            yield x * i

    return sum(v * v for v in g(3)) + sum(g(2))


@case(0.7, second=False)
def empty(x):
    s = x
    for v in powers(x, 0):
        s = s * v
    return s


@case(0.7, second=False)
def comp(x):
    return sum([v * x for v in powers(x, 2)])


@case(0.7, second=False)
def zipped(x):
    s = 0.0
    for a, b in zip(powers(x, 3), chain(x)):
        s = s + a * b
    return s


def endless(x):
    s = 0.0
    for v in forever(x):
        s = s + v
    return s


@case(0.7)
def one_by_one(x):
    g = powers(x, 3)
    return next(g) * next(g)


def shifted(a):
    for i in range(len(a) - 1):
        yield a[i]


@case(np.array([0.7, 1.3, 0.4]))
def written_meanwhile(a):
    s = 0.0
    i = 0
    for v in shifted(a):
        a[i + 1] = v * 2
        i = i + 1
        s = s + v
    return s


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_arguments(f, args, options):
    check(f, *args, **options)


@pytest.mark.parametrize(
    ("f", "line", "x"),
    [
        (endless, "forever(x)", 0.7),
    ],
)
def test_refused(f, line, x):
    with pytest.raises(tl.UnsupportedSyntaxError, match="yield"):
        tl.grad(f)(x)


def polynomial(x, *coefficients):
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def optional(x, *, k=2.0, **others):
    return x * k + (others["b"] * x if "b" in others else 0.0)


def test_derivatives_of_functions_that_take_any_number_of_arguments():
    df = tl.grad(polynomial)
    assert df(2.0) == 0.0
    assert df(2.0, 3.0, 1.0) == 3.0
    assert df(2.0, 1.0, 3.0, 1.0) == 7.0
    assert df(2.0, 1.0, 3.0, 1.0, adjoint=2.0) == 14.0
    assert tl.grad(df)(2.0, 1.0, 3.0, 1.0) == 2.0
    assert tl.grad(polynomial, wrt="coefficients")(2.0, 1.0, 3.0) == (2.0, 1.0)
    assert tl.jvp(polynomial)(2.0, 3.0, 1.0, tangent=1.0) == (7.0, 3.0)
    value, pullback = tl.vjp(polynomial)(2.0, 3.0, 1.0)
    assert (value, pullback(2.0)) == (7.0, 6.0)
    with pytest.raises(ValueError, match="coefficients"):
        tl.grad(polynomial, wrt=1)
    dg = tl.grad(optional)
    assert [dg(2.0), dg(2.0, k=3.0), dg(2.0, b=3.0), dg(2.0, k=1.0, b=2.0)] == [2.0, 3.0, 5.0, 3.0]


@pytest.mark.parametrize(
    ("argument", "plain"),
    [
        (defaultdict(float, w=1.0), r"Pass `dict\(p\)`"),
        (MappingProxyType({"w": 1.0}), r"Pass `dict\(p\)`"),
        (deque([1.0]), r"Pass `list\(p\)`"),
        (array("d", [1.0]), "Pass its numbers and arrays"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_to_pass_in_place_of_other_containers(argument, plain):
    def f(p, x):
        return p["w"] * x

    with pytest.raises(tl.UnsupportedSyntaxError, match=plain):
        tl.grad(f, wrt="x")(argument, 2.0)
