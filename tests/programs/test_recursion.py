"""Recursion whose results are lists, tuples and dicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label, normal


def sorted_by_parts(xs):
    if len(xs) <= 1:
        return xs
    p = xs[0]
    low = [v for v in xs[1:] if v < p]
    high = [v for v in xs[1:] if v >= p]
    return sorted_by_parts(low) + [p] + sorted_by_parts(high)


def merged(xs):
    if len(xs) < 2:
        return list(xs)
    a, b = merged(xs[: len(xs) // 2]), merged(xs[len(xs) // 2 :])
    found = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            found.append(a[i])
            i += 1
        else:
            found.append(b[j])
            j += 1
    return found + a[i:] + b[j:]


def leaves(n, x):
    if n == 0:
        return [x]
    return leaves(n - 1, x * 0.5) + leaves(n - 1, x * x)


def pair(n, x):
    if n > 0:
        a, b = pair(n - 1, x)
        return b, a * b
    return x, np.sin(x)


def table(n, x):
    if n > 0:
        d = table(n - 1, x)
        return {"a": d["b"], "b": d["a"] * d["b"]}
    return {"a": x, "b": np.sin(x)}


def orders(xs):
    if len(xs) == 0:
        return [[]]
    found = []
    for i in range(len(xs)):
        for rest in orders(xs[:i] + xs[i + 1 :]):
            found.append([xs[i]] + rest)
    return found


def evens(xs):
    return [] if len(xs) == 0 else [xs[0] * xs[0]] + odds(xs[1:])


def odds(xs):
    return [] if len(xs) == 0 else evens(xs[1:])


def halved(x):
    return halved(x * 0.5) if x > 0.1 else squared(x)


def squared(x):
    return x * x


@case(normal(4), second=False)
def quicksort(x):
    r = sorted_by_parts(list(x))
    return r[0] * r[1] ** 2 * r[2] ** 3


@case(normal(4), second=False)
def mergesort(x):
    r = merged(list(x))
    return r[0] * r[1] ** 2 * r[2] ** 3


@case(0.7)
def a_tree_of_leaves(x):
    return sum(v * (k + 1) for k, v in enumerate(leaves(3, x)))


@case(0.7)
def tuples(x):
    a, b = pair(4, x)
    return a + b


@case(0.7)
def dicts(x):
    d = table(3, x)
    return d["a"] + d["b"]


@case(normal(3), second=False)
def permutations(x):
    return sum(sum(v * k**2 for k, v in enumerate(p)) for p in orders(list(x)))


@case(normal(4), second=False)
def in_circles(x):
    return sum(v * (k + 1) for k, v in enumerate(evens(list(x))))


@case(0.7)
def numbers(x):
    return halved(x)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
