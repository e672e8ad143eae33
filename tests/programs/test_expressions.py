"""Expressions and names as people write them: rebound builtins, ``|`` of dicts and sets, generators with names, dunders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal

ITEMS = [0.5, 1.3, 0.9, 0.2]
FACTOR = 3.0


@case(ITEMS)
def rebound_builtins(xs):
    len, min, list, tuple, dict, set = 1.0, 2.0, 3.0, 0.5, 2.0, 1.5
    s = 0.0
    for v, w in zip(xs, xs[1:]):
        s += v * w * len
    a, *b = xs
    t = (*xs, min)
    e = {**{"a": a}, "b": b[0]}
    return s * a * b[1] * t[-1] * list * tuple + e["a"] * e["b"] * dict * set * (2 in {1, 2})


@case(np.array(ITEMS))
def results_that_are_dropped(x):
    a = x * x
    np.sin(a)
    a.sum()
    a[1:].copy()
    np.linalg.norm(a, axis=0)
    max(a), abs(a), list(a)
    a[0] = x[1] * x[2]
    np.sum(a)
    return np.sum(a * x)


@case(ITEMS, 2.0)
def parameters_like_builtins(xs, len):
    return sum(x * len for x in xs)


@case(1.5)
def joined_dicts(x):
    a = {"u": x, "v": 2.0}
    b = {"v": x * x}
    c = a | b
    d = {"u": 2.0, "w": 0.5} | a | {"v": 3.0 * x}
    return c["u"] * c["v"] * a["v"] + d["u"] * d["v"] * d["w"]


@case(1.5)
def updated_dicts(x):
    a = {"u": x}
    b = a
    a |= {"u": x * x, "v": x}
    e = {}
    for k in range(3):
        e |= {k: x**k}
    return b["u"] * b["v"] + e[2] * e[1]


@case({"u": 1.5, "v": 0.3}, second=False)
def an_updated_argument(d):
    d |= {"v": d["u"] * d["v"]}
    return d["u"] * d["v"]


@case(ITEMS)
def updated_sets(xs):
    a = {1}
    b = a
    a |= {2}
    c = {0, 1, 2}
    c &= {1, 2, 3}
    c -= {1}
    c ^= {0}
    return sum(xs[k] ** 2 for k in b) * sum(xs[k] for k in c)


@case(1.5)
def a_global_that_is_read(x):
    global FACTOR
    return FACTOR * x * x


@case(ITEMS)
def generators_with_names(xs):
    g = (x * x for x in xs if x > 0.3)
    h = map(lambda v: v + 1.0, xs)
    z = zip(xs, xs[1:])
    s = 0.0
    for a, b in z:
        s += a * b
    for v in g:
        s += v
    return s + max(h)


@case(normal(3, 3))
def methods_for_operators(a):
    s = np.sum(a.__mul__(a)) + a.__getitem__((0, 1)) ** 2 * a.__len__()
    return s + a.item(3) * a.item((1, 1)) * a.item(0, 2)


@case(1.5)
def walrus_and_chains(x):
    y = x * x if 1.0 < (z := x * 2.0) < 4.0 else z
    return y * z + (x if x > 2.0 else x * x if x > 1.0 else -x)


@case(1.5)
def text(x):
    s = ""
    for k in range(3):
        s += str(k)
    s = s * 2 + "a"
    parts = ", ".join(f"{k:>{4}}" for k in range(3))
    y = x * x * len(s) * int(s[1]) + x * float("1" + "0")
    return y * len(parts.split(",")) if "2" in parts and s.startswith("0") else y


@case(1.5)
def bits_and_signs(x):
    k = (5 & 3) | (1 << 2) ^ 6
    k <<= 1
    return x ** (k % 4) + x * ~k + (+x) * -x * (k >> 1) + x**-2 * (7 // 2)


@case(1.5, 0.3)
def powers(x, y):
    return x**y + 2.0**y + x ** (y * x) + pow(x, 3) + pow(2.0, x) + x**0 + (-x) ** 3


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def written_global(x):
    global FACTOR
    FACTOR = x
    return x * x


def walked_twice(xs):
    g = (x * x for x in xs)
    return sum(g) + sum(g)


def walked_in_a_loop(xs):
    g = (x * x for x in xs)
    s = 0.0
    for _ in range(2):
        s += sum(g)
    return s


def rebound_between(xs):
    k = 2.0
    g = (x * k for x in xs)
    k = xs[0]
    return sum(g)


def test_a_name_that_is_bound_between(confirm: Any) -> None:
    confirm(rebound_between, np.array([0.4, 1.3, -0.6]))


def asked_for_one(xs):
    g = (x * x for x in xs)
    return next(g)


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (written_global, "global FACTOR"),
        (walked_twice, "(x * x"),
        (walked_in_a_loop, "(x * x"),
        (asked_for_one, "(x * x"),
    ],
)
def test_what_is_refused(function: Any, line: str, refused: Any) -> None:
    refused(function, line)


def other_keywords(xs):
    return sum(a * b for a, b in zip(xs, xs[1:], strict=True))


def test_errors_of_python_stay() -> None:
    with pytest.raises(ValueError, match="zip"):
        tl.grad(other_keywords)([1.0, 2.0])
