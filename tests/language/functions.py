"""Functions: nested, captured, handed about, recursive; derivatives inside."""

from __future__ import annotations

import decimal
import functools
import itertools
import operator

import numpy as np

import tangentlite as tl
from tests.language.rows import Section

SECTION = Section("Functions")
DERIVATIVES = Section("Derivatives inside")
X = np.array([0.4, 1.3, 0.7])


@SECTION.works("nested `def`s that capture variables", 0.7, 0.4)
def captures(x, y):
    z = x * y

    def inner(a):
        return a * z + x

    return inner(y) * inner(x)


@SECTION.works("`nonlocal`: captured variables that change", X)
def accumulates(x):
    total = x[0]

    def add(v):
        nonlocal total
        total = total * v + v

    for v in x:
        add(v)
    return total


def factory(k):
    return lambda v: np.sin(k * v) * v


@SECTION.works("several closures of one factory", 0.7)
def makes_closures(x):
    f, g = factory(x), factory(2.0)
    return f(x * x) * g(x) + f(1.0)


@SECTION.works("functions as arguments", 0.7)
def takes_a_function(x):
    def twice(f, v):
        return f(f(v))

    return twice(np.sin, x) + twice(lambda v: v * x, x)


@SECTION.works("functions in lists and dicts", 0.7)
def keeps_functions(x):
    table = {"a": np.sin, "b": lambda v: v * v}
    y = x
    for f in [np.cos, lambda v: v * x]:
        y = f(y)
    return table["a"](y) * table["b"](x)


@SECTION.works("functions composed by `reduce`", 0.7)
def composes(x):
    def compose(*fs):
        return functools.reduce(lambda f, g: lambda v: f(g(v)), fs)

    return compose(np.sin, np.exp, lambda v: v * x)(x)


@functools.lru_cache(maxsize=None)
def cached(v):
    return v * v


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return wrapper


@doubled
def decorated(v, n=2):
    return v**n


@SECTION.works(
    "helpers that choose by a text, a flag or what is left out, and give another kind of value then",
    0.7,
)
def helpers_choose(x):
    def root(x, method="newton", full_output=False, guess=None):
        if guess is None:
            guess = x
        if method.lower() not in ("newton", "exact"):
            raise ValueError(method)
        found = 0.5 * (guess + x / guess) if method == "newton" else np.sqrt(x)
        return (found, found * found - x) if full_output else found

    found, residual = root(x, full_output=True)
    return root(x, "exact") * root(x, guess=2.0) + found * residual


@SECTION.works("decorated helpers: `lru_cache`, `wraps`", 0.7)
def calls_decorated(x):
    return cached(x) * decorated(x, n=3)


def by_default(v, scale=2.0, *, shift=0.5):
    return v * scale + shift


@SECTION.works("defaults, keyword-only and positional-only parameters", 0.7)
def uses_defaults(x):
    return by_default(x) * by_default(x, x, shift=x * x)


def remembers(v, seen=[]):  # noqa: B006
    seen.append(1)
    return v * v


@SECTION.works("mutable defaults, which live on", 0.7)
def uses_a_mutable_default(x):
    return remembers(x) + remembers(x * 2.0)


def variadic(*args, scale=1.0, **kwargs):
    return sum(args) * scale + kwargs["b"] * args[0]


@SECTION.works("`*args`, `**kwargs`", 0.7)
def uses_stars(x):
    return variadic(x, x * x, scale=x, b=3.0 * x) + variadic(*np.array([x, 2.0]), b=x)


@SECTION.works("`operator.itemgetter` and its kin, `np.vectorize`", X)
def made_of_names(x):
    scaled = np.vectorize(lambda v: v * x[0] if v > 0.5 else v)
    return operator.itemgetter(1)(x) * np.sum(scaled(x))


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


@SECTION.works("recursion", 0.7)
def recursive(x):
    return power(x, 4) + x


def even(x, n):
    return x if n == 0 else odd(x * 1.5, n - 1)


def odd(x, n):
    return x * x if n == 0 else even(np.sin(x), n - 1)


@SECTION.works("mutual recursion", 0.7)
def mutual(x):
    return even(x, 3) * x


def squares(x):
    for v in x:
        yield v * v


@SECTION.works("generator functions that are consumed where they are called", X)
def consumes(x):
    return sum(squares(x)) * x[0]


def powers(x):
    y = x
    while True:
        yield y
        y = y * x


def pieces(x):
    yield from [x[0], x[1] ** 2]
    yield from (v * v for v in x if v < 1.0)


@SECTION.works("`yield from`: lists, other generators, generator expressions", X)
def yields_from(x):
    return sum(v * (k + 1) for k, v in enumerate(pieces(x))) * max(pieces(x))


def stretched(value, by=2.0, shift=1.0):
    return value * by**2 + shift


@SECTION.works("`f(*xs)` where f has defaults, for any length of `xs`", X)
def stars_and_defaults(x):
    return stretched(*x[:1]) + stretched(*x[:2]) * stretched(*x[:3])


@SECTION.works(
    "generators that run for ever: loops that are left, `next`, `islice`, `takewhile`, `zip`", 0.7
)
def follows(x):
    total = 0.0
    for v in powers(x):
        if v < 0.2:
            break
        total += v * v
    p = powers(total)
    return next(p) * next(p) + sum(itertools.islice(powers(x), 3))


def averager():
    total, n, mean = 0.0, 0, 0.0
    while True:
        v = yield mean
        total += v
        n += 1
        mean = total / n


def parted(x):
    a = yield from squares_and_sum(x[:2])
    yield a * x[0]


def squares_and_sum(x):
    for v in x:
        yield v * v
    return sum(x)


@SECTION.works(
    "generators that are driven by hand: `x = yield v` and `send`, `close`, `a = yield from g()`", X
)
def sends(x):
    a = averager()
    next(a)
    s = 0.0
    for v in x:
        s = s * 0.5 + a.send(v * v)
    a.close()
    return s + sum(parted(x))


@SECTION.works("`functools.singledispatch`, `partialmethod`, `cmp_to_key`", X)
def dispatches(x):
    @functools.singledispatch
    def h(v):
        return v * 2.0

    @h.register(list)
    def _(v):
        return v[0] ** 2

    last = sorted(x, key=functools.cmp_to_key(lambda a, b: 1 if a > b else -1))[-1]
    return h(x[0]) * h([x[1]]) + last


@SECTION.works(
    "`functools.cache` and `lru_cache` on nested functions that only compute", 0.7, second=False
)
def caches(x):
    @functools.lru_cache(None)
    def f(n):
        return x ** (n + 1) if n < 2 else f(n - 1) * x + f(n - 2)

    return f(9)


@SECTION.works("chains of any length, of tuples or dicts: `t = (x, t)` in a loop", 0.7)
def chains(x):
    t = (x, None)
    while x < 10.0:
        x = x * 2.0
        t = (x * x, t)
    s = 0.0
    while t is not None:
        v, t = t
        s = s * 0.5 + v
    return s


def scaled(x, factor=None, act=None):
    y = x if factor is None else x * factor[0]
    return y if act is None else act(y)


@SECTION.works("lists, tuples, dicts, objects and functions that may be None, handed on", X)
def may_be_none(x):
    factor = [x[0], x[1]] if x[2] > x[1] else None
    act = np.sin if x[0] > 0.0 else None
    return scaled(x[1], factor, act) * scaled(x[2]) + scaled(x[2], act=np.tanh)


@SECTION.refused("differentiating a generator function", X)
def yields(x):
    yield x[0] * x[0]


@SECTION.works("functions chosen at run time among known ones", X)
def chooses(x):
    f = np.sin if x[0] > 0.0 else np.cos
    s = 0.0
    for k, g in enumerate([np.tanh, np.exp, f]):
        s = s + g(x[k])
    return s


@SECTION.refused("functions of libraries that have no rule", 0.7, error=tl.MissingRuleError)
def without_a_rule(x):
    return float(decimal.Decimal(x)) * x


SECTION.shown(
    "`tl.grad` of partials, decorated and cached functions, static methods",
    "tests.test_wrappers::test_against_differences",
)
SECTION.shown(
    "recursion that is too deep: RecursionError, as the function itself",
    "tests.semantics.test_next_call::test_recursion_that_is_too_deep",
)


@DERIVATIVES.works("`tl.grad` inside, over variables of the function around", 0.7)
def inner_gradient(x):
    def potential(y):
        return y * y * x + np.sin(y)

    return tl.grad(potential)(x * 2.0) * x


@DERIVATIVES.works("gradient descent inside", 0.7)
def descends(x):
    def loss(y):
        return (y - x) ** 2 + y**4

    y = 0.5
    for _ in range(3):
        y = y - 0.1 * tl.grad(loss)(y)
    return y * x


@DERIVATIVES.works("`tl.jvp`, `tl.vjp`, `tl.value_and_grad` inside", 0.7)
def inner_products(x):
    def f(y):
        return y * y * x

    value, slope = tl.value_and_grad(f)(x)
    _, along = tl.jvp(f)(x, tangent=x)
    _, pullback = tl.vjp(f)(x * x)
    return value * slope + along * pullback(1.0)


def cube(x):
    return x * x * x


SLOPE = tl.grad(cube)


@DERIVATIVES.works("derivative objects made outside", 0.7)
def uses_a_derivative(x):
    return SLOPE(x) * x


class Well:
    def __init__(self, w):
        self.w = w

    def potential(self, x):
        return self.w * x**4


WELL = Well(2.0)


@DERIVATIVES.works("`tl.grad` of a method of an object outside", 0.7)
def force(x):
    return tl.grad(WELL.potential)(x) * x


@DERIVATIVES.works("`tl.grad` of a method of an object made inside", 0.7)
def force_inside(x):
    well = Well(x)
    return tl.grad(well.potential)(x)


@DERIVATIVES.works("`tl.hessian`, `tl.jacobian` inside", X)
def inner_hessian(x):
    def f(y):
        return np.sum(y * y * y * x)

    return np.sum(tl.hessian(f)(x)[0] * x)


DEFAULTS = {"rate": 0.1, "steps": 2}


@SECTION.works("options: `{**DEFAULTS, **options}`, `options.setdefault(…)`, `options.pop(…)`", X)
def options(x):
    def descend(v, **options):
        scale = options.pop("scale", 1.0)
        options.setdefault("steps", 3)
        known = {**DEFAULTS, **options}
        for _ in range(known["steps"]):
            v = v - known["rate"] * v * v
        return v * scale

    return descend(x[0]) + descend(x[1], rate=x[2]) + descend(x[2], scale=x[0], steps=1)


@SECTION.works("a method with a name of its own: `push = items.append`", X)
def method_by_name(x):
    items = []
    push = items.append
    for v in x:
        push(v * v)
    return sum(items) * items[0]
