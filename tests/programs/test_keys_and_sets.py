"""Keys of dicts, which may be numbers, and sets."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

ITEMS = [0.5, 1.3, 0.9, 0.2]


@case(1.5)
def whole_keys(x):
    d = {0: 1.0, 2: x, 3: x * x}
    return sum(c * x**k for k, c in d.items()) + sum(k * d[k] for k in d)


@case({1: 1.5, 2: 0.3}, second=False)
def whole_keys_of_an_argument(d):
    return sum(c**k for k, c in d.items()) + sum(k * d[k] for k in sorted(d))


@case(1.5)
def whole_keys_made_in_a_loop(x):
    d = {k: x**k for k in range(4)}
    pairs = {(i, j): x**i * j for i in range(3) for j in range(3)}
    s = sum(k * v for k, v in d.items())
    return (
        s + sum(i * j * v for (i, j), v in pairs.items()) + sum(k[0] * v for k, v in pairs.items())
    )


@case(ITEMS)
def whole_keys_that_are_chosen(xs):
    d, pairs = {}, {}
    for i, v in enumerate(xs):
        d[min(i, 2)] = v
        d[abs(2 - i) + 10] = v * v
        pairs[round(i / 2), max(i, 1)] = np.array([v, v**3])[1]
    return sum(k * v * v for k, v in d.items()) + sum(i * j * v for (i, j), v in pairs.items())


@case(np.array([[0.5, 1.5], [2.2, 0.1], [0.7, 1.9]]))
def cells_of_points(points):
    cells = {}
    for k, p in enumerate(points):
        cells.setdefault(tuple(np.floor(p).astype(int)), []).append(k)
    energy = 0.0
    for (i, j), members in cells.items():
        for k in members:
            energy += points[k, 0] ** 2 * (1 + i) + points[k, 1] * j
    return energy


@case(np.array([0.6, 1.7, 1.2]))
def places_in_a_list(x):
    places = list((x * 2.0).astype(int))
    table = {places[1]: x[0] ** 2}
    return sum(v * k for k, v in table.items()) * x[places[0]]


@case(1.5)
def keys_with_a_name_that_a_list_takes_in(x):
    d = {1.0: x, 2.0: x * 2}
    w, xs = d.keys(), [x]
    xs += w
    kept = xs
    d[3.0] = x
    xs += w
    return xs[0] * xs[1] * kept[-1] * sum(xs) * len(w)


@case(1.5)
def other_keys(x):
    names = {"a": x, "bb": x * x}
    points = {0.5: x, 1.5: x * x}
    mixed = {"a": x, 1: x * x, (1, 2): 2.0}
    s = sum(len(k) * v for k, v in names.items()) + sum(k * v for k, v in points.items())
    return s + sum(mixed[k] for k in mixed) * len(mixed)


@case(ITEMS)
def sparse(xs):
    weights = {}
    for i, v in enumerate(xs):
        if v > 0.3:
            weights[i] = v * v
    dense = np.zeros(4)
    for i, v in weights.items():
        dense[i] = v * i
    return np.sum(dense**2)


@case(ITEMS)
def a_graph(xs):
    edges = {0: [1, 2], 1: [3], 2: [3], 3: []}
    cost = {0: 0.0}
    for u in edges:
        for v in edges[u]:
            c = cost[u] + xs[u] * xs[v]
            if v not in cost or c < cost[v]:
                cost[v] = c
    return cost[3]


@case(ITEMS)
def counts(xs):
    found = {}
    for k in [1, 2, 1]:
        found[k] = found.get(k, 0) + 1
    return sum(xs[k] * n for k, n in found.items())


@case(ITEMS)
def sets_of_whole_numbers(xs):
    a = {1, 2}
    a.add(3)
    a = a | {0}
    s = sum(xs[k] * k for k in a) + sum(xs[k] for k in sorted({1, 3} - {1})) + xs[0] * (2 in a)
    return s * xs[max({1, 2})] * sum({1, 2})


@case(ITEMS)
def combined_sets(xs):
    a, b = set(range(3)), set([1, 2, 3])
    s = sum(xs[k] for k in a & b) + sum(xs[k] for k in a.union(b)) * xs[len(a | b) - 1]
    return (
        s
        + sum(xs[k] ** 2 for k in frozenset([1, 2]))
        + sum(xs[k] for k in {i % 3 for i in range(7)})
    )


@case(ITEMS)
def sets_of_pairs_and_names(xs):
    seen = set()
    for i in range(3):
        seen.add((i, i + 1))
    names = {"a", "b"}
    s = sum(x * x for x, n in zip(xs, "abc") if n in names)
    return s + sum(xs[i] * xs[j] for i, j in sorted(seen))


@case(ITEMS)
def sets_that_are_asked(xs):
    seen = set()
    s = 0.0
    for v in xs:
        if v not in seen:
            s += v * v
        seen.add(v)
    return s * len(seen) * len(set(xs))


@case(0.7)
def how_many_keys_there_are(x):
    ones, twos = {}, dict.fromkeys("abc", 0)
    for key in "abca":
        ones[key] = 1
    many = {key: 2 for key in "ab"}
    if len(many) > 1:
        x = x * len(ones)
    return x * x * len(twos)


def grown(given, keys):
    for key in keys:
        given[key] = 1
    return len(given)


@case(0.7)
def how_many_keys_a_helper_leaves(x):
    given = {"a": 2}
    return x ** grown(given, "bc") * len(given)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def active_keys(x):
    d = {x: 1.0, x * x: 2.0}
    return sum(k * v for k, v in d.items())


def active_members(x):
    return max({x, x * x})


def added_members(x):
    s = set()
    s.add(x * x)
    return sum(s)


def members_of_members(x):
    s = set([1.0])
    s.update([x, 2.0])
    t = s
    return max(v for v in t)


@pytest.mark.parametrize(
    "function", [active_keys, active_members, added_members, members_of_members]
)
def test_what_a_derivative_would_flow_through_is_refused(function: Any) -> None:
    for derivative in (tl.grad, tl.jvp):
        with pytest.raises(tl.UnsupportedSyntaxError, match="a derivative may flow") as caught:
            derivative(function)
        assert "list" in caught.value.hint


class Registry(dict):  # type: ignore[type-arg]
    """As decorators fill it."""

    scale = 2.0

    def register(self, name):
        def put(function):
            self[name] = function
            return function

        return put


KNOWN = Registry()
ORDERED: Any = OrderedDict(half=0.5, double=lambda x: 2.0 * x)


@KNOWN.register("square")
def square(x):
    return x * x


@KNOWN.register("sine")
def sine(x):
    return np.sin(x)


def registered(x):
    for name in ("square", "sine"):
        x = KNOWN[name](x)
    return x * len(KNOWN) * KNOWN.scale


def walked(x):
    return sum(function(x) for function in KNOWN.values()) * ORDERED["half"]


def ordered(x):
    return ORDERED["double"](x) ** 2 if "double" in ORDERED else x


@pytest.mark.parametrize("f", [registered, walked, ordered], ids=lambda f: f.__name__)
def test_dicts_of_other_classes(confirm, f):
    confirm(f, 0.7)


def test_an_attribute_of_a_dict_is_not_lost():
    def f(x):
        KNOWN.last = x * 2.0  # type: ignore[attr-defined]
        return KNOWN.last * x  # type: ignore[attr-defined]

    def g(x):
        KNOWN["last"] = x * 2.0
        return KNOWN["last"] * x

    def h(d, x):
        d.last = x * 2.0
        return d.last * x

    for function in (f, g):
        with pytest.raises(tl.DerivativeError):
            tl.grad(function)(1.0)
    with pytest.raises(tl.DerivativeError):
        tl.grad(h, wrt=1)(Registry(a=1.0), 1.0)
