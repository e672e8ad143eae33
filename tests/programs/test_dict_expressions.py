"""Dicts as people write them: comprehensions, ``**``, computed keys, ``dict(…)``, ``get``, ``fromkeys``, views."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label, normal

GIVEN = {"a": 1.5, "b": 0.3}
WEIGHTS = {"w": 2.0, "v": 0.5}


@case(1.5)
def comprehensions(x):
    powers = {k: x**k for k in range(4)}
    named = {n: x * i for i, n in enumerate(["a", "b", "c"]) if i}
    both = {(i, j): x * i + j for i in range(2) for j in range(2)}
    return powers[2] * powers[3] + named["b"] * named["c"] * both[1, 1]


@case(GIVEN)
def comprehensions_over_dicts(d):
    squares = {k: v * v for k, v in d.items()}
    other = {k: squares[k] + d["a"] for k in d}
    return squares["a"] * squares["b"] + other["b"] ** 2


@case({"w": normal(3, 2), "b": normal(3)}, normal(2))
def parameters_after_a_step(params, x):
    slopes = {"w": np.outer(params["b"], x), "b": params["b"] * 2.0}
    new = {name: p - 0.1 * slopes[name] for name, p in params.items()}
    return np.sum((new["w"] @ x + new["b"]) ** 2)


@case(1.5)
def computed_keys(x):
    names = ["u", "v"]
    d = {names[0]: x, names[1]: x * x, "w": 2.0}
    return d["u"] * d["v"] * d["w"]


@case(1.5, 0.3)
def merged_displays(a, b):
    d = {"a": a, "b": b}
    e = {**d, "c": d["a"] * d["b"], "a": 2.0 * d["b"]}
    f = {"a": 1.0, **d}
    return e["a"] * e["b"] * e["c"] + f["a"] * f["b"]


@case(1.5)
def called(x):
    d = dict(a=x, b=x * x)
    e = dict(d, b=3.0, c=x)
    f = dict(zip("ab", [x, x * x]))
    g = dict([("a", x), ("b", 2.0)])
    h = dict()
    h["a"] = x
    return d["a"] * d["b"] * e["c"] + e["b"] * f["a"] * f["b"] * g["a"] * h["a"]


@case(GIVEN)
def gets(d):
    none = d.get("z")
    a = d.get("a") * d.get("b", 2.0) + d.get("c", d["a"]) ** 2
    return a if none is None else none


@case(1.5)
def a_global_with_get(x):
    return WEIGHTS.get("w", 1.0) * x * x + WEIGHTS.get("none", x)


@case(1.5)
def sums_by_get(x):
    counts = {}
    for name in "abcab":
        counts[name] = counts.get(name, 0.0) + x
    return counts["a"] * counts["c"]


@case(1.5)
def one_value_for_all_keys(x):
    d = dict.fromkeys(["a", "b"], x * x)
    e = dict.fromkeys("ab", 0.0)
    for name in e:
        e[name] += x
    return d["a"] * d["b"] * e["a"]


@case(GIVEN)
def views(d):
    values, names = list(d.values()), list(d.keys())
    items = list(d.items())
    total = sum(d.values()) * max(d.values()) + sum(v * v for v in d.values())
    return total * values[0] + d[names[1]] * items[0][1]


@case(GIVEN)
def sorted_views(d):
    s = sum(d[k] ** 2 for k in sorted(d))
    for i, (_, v) in enumerate(sorted(d.items()), 1):
        s += i * v * v
    return s * sorted(d.values())[0]


@case({"a": np.array([0.3, 1.2]), "b": {"c": 2.0, "d": 1.5}})
def poured_in_of_what_is_known_later(p):
    r = {"c": 1.5, **p["b"], "e": 3.0}
    t = {}
    t.update(p["b"])
    return r["c"] * r["e"] + t["d"] ** 2 * p["a"][1]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
