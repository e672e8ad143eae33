"""``defaultdict`` and ``Counter`` made in a function: what is missing is there when it is read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check

X = np.array([0.4, 1.3, 0.8])


def sums(x):
    d = defaultdict(float)
    for k, v in zip("aba", x):
        d[k] += v * v
    return d["a"] * d["b"]


def missing(x):
    d = defaultdict(float)
    d["a"] = x[0] * x[1]
    d["b"] += x[2]
    return d["a"] * d["b"] + d["c"] * x[0] + len(d)


def counted(x):
    c = Counter()
    for k, v in zip("aba", x):
        c[k] += v * v
    z = c["z"]
    return (c["a"] + z) * len(c) + sum(c.values())


def products(x):
    d = defaultdict(lambda: 1.0)
    for k, v in zip("aba", x):
        d[k] *= v
    return d["a"] + d["b"] * d["z"]


def pairs_as_keys(x):
    d = defaultdict(float)
    for i in range(3):
        if i > 0 and x[i] > 0.5:
            d[i, "u"] += x[i] * x[i - 1]
    s = 0.0
    for (i, _), v in d.items():
        s += v * i
    return s


def neighbors(x):
    graph = defaultdict(list)
    for a, b in [(0, 1), (1, 2), (0, 2)]:
        graph[a].append(b)
    s = 0.0
    for a in range(3):
        for b in graph[a]:
            s += x[a] * x[b]
    return s


def handed(d):
    return d["a"] * 2


def of_integers(x):
    d = defaultdict(int)
    for w in "abca":
        d[w] += 1
    return handed(d) * x[0]


PROGRAMS = (sums, missing, counted, products, pairs_as_keys, neighbors, of_integers)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check(f, X)


def lists_of_values(x):
    d = defaultdict(list)
    for k, v in zip("aba", x):
        d[k].append(v)
    return sum(d["a"]) * d["b"][0]


def test_lists_in_first_order() -> None:
    check(lists_of_values, X, second=False)


def arrays_by_key(x):
    n = 2
    d = defaultdict(lambda: np.zeros(n))
    for k in range(3):
        d[k % 2][0] += x[k]
        n = 3
    d["z"][2] = x[0]
    return d[0][0] * d[1][0] ** 2 + d["z"][2] * len(d[1])


def made_of_what_is_differentiated(x):
    d = defaultdict(lambda: [0.0, x[0]])
    d["a"][0] += x[1]
    d["b"][1] *= x[2]
    return d["a"][0] * d["a"][1] + d["b"][1] * d["c"][1]


def read_by_what_is_done_at_once(x):
    d = defaultdict(list)
    for k in range(3):
        d[k % 2].append(x[k])
    return sum(d[0]) * sum(v * v for v in d[1]) + (d[2] or [x[0]])[0] + sum(d[3]) * len(d)


@pytest.mark.parametrize(
    "f", [arrays_by_key, made_of_what_is_differentiated, read_by_what_is_done_at_once]
)
def test_what_is_missing_is_made(f: Any) -> None:
    check(f, X)


def handed_on(x):
    d = defaultdict(float)
    d["a"] = x[0]
    return handed(d)


def captured(x):
    d = defaultdict(float)

    def add(k, v):
        d[k] += v

    add("a", x[0])
    return d["a"]


def said_twice(x):
    d = defaultdict(lambda: 2.0)
    while len(d) < 2:
        d[len(d)] *= x[0]
    return d[0] * d[1]


def element_of_one_that_is_handed_on(x):
    d = defaultdict(lambda: np.zeros(2))
    d["a"][0] += x[0]
    return handed(d)[0]


def keys_that_are_computed(x):
    d = defaultdict(float)
    for word, v in zip("the dog The".split(), x):
        d[word.lower()] += v
        d["long" if len(word) > 3 else "short"] += v * v
        d[str(int(v > 1.0))] += v * d[str(int(v > 2.0))] + 1.0
    return sum(v * v for v in d.values())


def lists_by_computed_keys(x):
    d = defaultdict(list)
    for i, v in enumerate(x):
        d[min(i, 1)].append(v * v)
        d[f"size {len(d)}"].append(v)
        d[abs(1 - i)].append(i * v)
    return sum(v * (k + 1) for k, vs in enumerate(d.values()) for v in vs)


@pytest.mark.parametrize("f", [said_twice, keys_that_are_computed, lists_by_computed_keys])
def test_keys_are_computed_once(f: Any) -> None:
    check(f, X)


REFUSED = [handed_on, captured, element_of_one_that_is_handed_on]


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_refused(f: Any) -> None:
    for derivative in (tl.grad, tl.jvp):
        with pytest.raises(tl.UnsupportedSyntaxError, match="Use a dict"):
            derivative(f)(X)
