"""Calls with stars: displays, iterables for functions that tell how many they take, transposed lists, lengths."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal

ITEMS = [0.5, 1.3, 0.9, 0.2]


def two(a, b):
    return a * b * a


def three(a, b=2.0, *, c=1.0):
    return a * b * b * c


def vec(v, w):
    return np.sum(v * w)


@case(1.5, 0.3)
def displays(x, y):
    args = (x, y)
    return two(*args) + two(*[y, x]) + two(x, *(y,)) + two(**{"a": x, "b": y})


def ends(*items):
    return items[0] * items[-1] ** 2


@case([1.5, 0.3, 0.7])
def what_is_made_lazily(p):
    named = dict(zip("abc", p))
    total = ends(*map(math.sin, p)) + ends(*map(operator.mul, p, p)) + ends(*named.values())
    total += ends(*filter(lambda v: v < 1.0, p)) + ends(*reversed(p)) + ends(*itertools.chain(p, p))
    total += np.hypot(*map(np.sin, p[:2])) + three(*(v * v for v in p[:2]))
    return total + sum(a * b for a, b in zip(*map(sorted, [p, p]))) + Row(*map(abs, p[1:])).b


@case([1.5, 0.3])
def a_list_for_all_parameters(p):
    return two(*p)


@case((1.5, 0.3))
def a_tuple_and_keywords(p):
    return two(*p) + three(p[0], **{"c": p[1]})


@case({"a": 1.5, "b": 0.3})
def a_dict_for_all_parameters(d):
    return two(**d)


@case(normal(4))
def slices_and_extremes(x):
    return two(*x[:2]) + max(*x) + min(*x[1:])


@case(normal(4))
def more_slices(x):
    return math.hypot(*x[:2]) + max(*[v * v for v in x])


@case([normal(3, 3), normal(3, 3, seed=1)])
def arguments_of_numpy(ms):
    return np.sum(np.dot(*ms))


@case(normal(4))
def shapes(x):
    a = (4,)
    z = np.zeros(*a) if False else np.zeros((2, 2))
    y = np.reshape(x, (2, 2))
    return np.sum(x.reshape(*z.shape) * y) + np.sum(np.ones((*y.shape, 2)))


@case(ITEMS)
def columns_of_pairs(xs):
    pairs = [(x, x * x) for x in xs]
    a, b = zip(*pairs)
    return a[0] * b[1] + sum(a)


@case(ITEMS)
def transposed_lists(xs):
    m = [xs[:2], xs[2:]]
    t = list(zip(*m))
    s = 0.0
    for p, q in zip(*m):
        s += p * q * q
    return t[0][0] * t[1][1] + s


@case(ITEMS)
def pairs_in_a_generator(xs):
    return sum(two(*p) for p in zip(xs, xs[1:]))


@case(ITEMS)
def arguments_in_a_loop(xs):
    s = 0.0
    for args in [(xs[0], xs[1]), (xs[2], xs[3])]:
        s += two(*args)
    return s


@case((1.5, 0.3, 2.0), 0.7)
def parameters_of_a_model(theta, t):
    def_ = theta
    return model(t, *theta)


def model(t, a, b, c):
    return a * math.exp(-b * t) + c * t


@case(normal(4), 0.7)
def parameters_in_an_array(theta, t):
    return model(t, *theta[:3])


@case([1.5, 0.3, 2.0], 0.7)
def parameters_in_a_list(theta, t):
    a, b, c = theta
    return model(t, *theta) * model(*(t, a), *(b, c))


@case(ITEMS)
def lengths(xs):
    return (
        math.hypot(*xs)
        + math.dist(xs, xs[::-1])
        + math.hypot(xs[0], xs[1], xs[2])
        + math.hypot(xs[1])
    )


@case(ITEMS)
def operands_of_einsum(xs):
    shapes = np.array([xs])
    return np.sum(np.einsum("ij,kj->ik", *(shapes, shapes)))


@case(ITEMS)
def joined_lists(xs):
    return np.sum(np.stack([*xs, *xs]) ** 2)


@case(ITEMS)
def in_a_lambda(xs):
    return sum(map(lambda p: two(*p), zip(xs, xs)))


@case(ITEMS)
def printed(xs):
    print(*xs, sep="", end="", file=SINK)
    return xs[0] * xs[1]


def squares(*a):
    return a[0] * a[1] + sum(v * v for v in a)


def first(a, *rest):
    return a * sum(rest) + len(rest)


def named(a, *rest, k=2.0, **more):
    return a * sum(rest) * k + sum(more.values())


def doubled(f):
    def inner(*args, **named):
        return f(*args, **named) * 2

    return inner


first_doubled = doubled(first)


@case(normal(3))
def arrays_into_any_number_of_arguments(x):
    return squares(*x) + squares(*(x * 2), 3.0) + squares(1.0, *list(x))


@case(normal(3))
def arrays_into_some_arguments(x):
    return first(*x) + first(x[0], *x[1:]) + first(*x, *x) + first(*x.tolist())


@case(normal(3))
def arrays_beside_keywords(x):
    return named(*x, k=x[0], q=x[1]) + np.sum(first(*np.outer(x, x)))


@case(normal(3))
def handed_on(x):
    return first_doubled(*x) + first_doubled(x[0], x[1])


@case(normal(3))
def of_nested_functions(x):
    def inner(*vs):
        return sum(v * x[0] for v in vs)

    return inner(*x) + (lambda *vs: vs[0] * len(vs))(*x)


class Vec:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def dot(self, other):
        return self.a * other.a + self.b * other.b


class Row(NamedTuple):
    a: float
    b: float


@case(normal(3))
def objects_of_slices(x):
    v = Vec(*x[1:])
    return v.dot(v) * Vec(*x[:2]).dot(Vec(*[x[2], 1.0])) + Row(*x[:2]).b


class Sink:
    def write(self, text):
        return len(text)


SINK = Sink()


def weighted(a, b=2.0, c=1.0, *, d=1.0):
    return a * b**2 * c * d


class Pair(NamedTuple):
    first: float
    second: float = 3.0


@case(np.array([0.7, 1.3, -0.4, 0.9]))
def defaults_left_away(x):
    return weighted(*x[:2]) + weighted(x[0], *x[1:3]) + weighted(*x[1:], d=x[0])


@case(np.array([0.7, 1.3, -0.4, 0.9]))
def rows_of_unlike_lengths(x):
    rows = [(x[0],), (x[1], x[2]), (x[0], x[1], x[3])]
    return sum(weighted(*row) for row in rows) * Pair(*x[2:]).second


@case(np.array([0.7, 1.3, -0.4, 0.9]))
def too_many_for_the_defaults(x):
    try:
        return weighted(*x)
    except TypeError:
        return x[0] ** 2


def named_too(a, /, b, *, c=2.0, **rest):
    return a * b * c + rest.get("z", 1.0)


@case(np.array([0.7, 1.3, -0.4, 0.9]))
def what_is_named_is_no_place(x):
    return named_too(*x[:2]) * named_too(x[3], *x[1:2], c=x[2]) + named_too(*x[2:], z=x[0])


def scaled(x, w, b, slope: float = 0.5, offset=None):
    return np.sinh(x * slope) * w + (b if offset is None else offset)


def layer(x, first, second, *, power=1.0):
    x = x + scaled(scaled(x, **first), **second)
    return x * power


PARTS = {"w": np.array([0.4, -0.3]), "b": np.array([0.2, 0.6])}


@case({"w": np.array([0.4, -0.3]), "b": np.array([0.2, 0.6])}, np.array([0.7, 1.3]))
def a_dict_for_some_of_the_parameters(parts, x):
    return np.sum(scaled(x, **parts) ** 2) + np.sum(scaled(x, **parts, slope=2.0))


@case(
    [{"first": PARTS, "second": PARTS}, {"first": PARTS, "second": PARTS}],
    PARTS["b"],
)
def dicts_for_layers(layers, x):
    for parts in layers:
        x = layer(x, **parts, power=1.5)
    return np.sum(x**2)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


@pytest.mark.parametrize("items", [[1.0], [1.0, 2.0, 3.0]])
def test_another_number_of_arguments_is_an_error(items: Any) -> None:
    with pytest.raises(ValueError, match="values to unpack"):
        tl.grad(a_list_for_all_parameters)(items)
    with pytest.raises(TypeError, match="keyword"):
        tl.grad(a_dict_for_all_parameters)({"a": 1.0, "z": 2.0})


AXES = (1, 0)


def axes_of_outside(x):
    return np.sum(np.trace(x, 0, *AXES) * x)


def axes_of_its_own(x, axes=AXES):
    return np.sum(np.trace(x, 0, *axes) * x)


def limits(x, given):
    return np.sum(np.clip(x, *given) * x)


@pytest.mark.parametrize(
    ("f", "given"),
    [
        (axes_of_outside, ()),
        (axes_of_its_own, ()),
        (axes_of_its_own, (AXES,)),
        (limits, ((0.2, 1.1),)),
    ],
)
def test_the_library_may_be_given_more_than_it_must(f: Any, given: tuple[Any, ...]) -> None:
    tl.check_grads(f, (np.array([[0.3, -0.7], [1.4, 0.9]]), *given), order=1)


def test_what_may_be_of_any_length_is_refused_where_arguments_may_be_left_out() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="one by one"):
        tl.grad(limits)(np.ones((2, 2)), [0.2, 1.1])


def middle(a: Any, b: Any) -> Any:
    return 0.5 * (a + b), int(2 - np.log10(abs(a - b)))


def from_the_middle(x: Any, a: Any, b: Any) -> Any:
    return abs(x - round(*middle(a, b))) * np.float64(np.clip(*(2.0, 0.0, 1.0)))


def test_functions_without_derivatives() -> None:
    """They are given as many as there are (none before: an error of the unpacking)."""
    for optimized in (True, False):
        df = tl.grad(from_the_middle, wrt=(0, 1, 2), optimized=optimized)
        assert df(2.7, 1.234, 3.1) == (1.0, 0.0, 0.0)
    assert tl.jvp(from_the_middle)(2.7, 1.234, 3.1, tangent=1.0)[1] == 1.0
