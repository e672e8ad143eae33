"""Recursion whose results are lists, tuples and dicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
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


@pytest.mark.parametrize("function", [quicksort, mergesort, permutations, in_circles])
def test_second_derivatives_in_forward_mode(function: Any) -> None:
    x = np.array([0.4, 1.3, -0.8, 0.9])[: 3 if function is permutations else None]
    v = np.cos(np.arange(len(x)))
    found = tl.jvp(tl.grad(function))(x, tangent=v)[1]
    step = 1e-5 * v
    after, before = tl.grad(function)(x + step), tl.grad(function)(x - step)
    np.testing.assert_allclose(found, (after - before) / 2e-5, rtol=1e-7, atol=1e-8)


def tree(x, k):
    if k == 0:
        return None
    return tree(x, k - 1), x[k] * x[0], tree(x, k - 1)


def worth(node):
    if node is None:
        return 1.0
    left, value, right = node
    return worth(left) * value + worth(right) * np.sin(value)


@case(normal(4))
def a_tree_of_tuples(x):
    return worth(tree(x, 3))


@case(normal(4))
def parts_swept_in_place(x):
    def sweep(a, low, high):
        if high - low < 2:
            return
        middle = (low + high) // 2
        sweep(a, low, middle)
        sweep(a, middle, high)
        a[low:high] = np.sin(a[low:high]) * a[low]

    a = x.copy()
    sweep(a, 0, len(a))
    return np.sum(a**2)


@case(normal(4))
def eliminated_in_views(x):
    def eliminate(a):
        if len(a) == 1:
            return
        a[1:, 0] /= a[0, 0]
        a[1:, 1:] -= np.outer(a[1:, 0], a[0, 1:])
        eliminate(a[1:, 1:])

    a = np.outer(x, x) + 3.0 * np.eye(4)
    eliminate(a)
    return np.sum(np.log(np.diag(a)))


class Remembered:
    def __init__(self, f):
        self.f, self.known = f, {}

    def __call__(self, k):
        if k not in self.known:
            self.known[k] = self.f(self, k)
        return self.known[k]


@case(0.7, second=False)
def remembered_by_an_object(x):
    f = Remembered(lambda f, k: x if k < 2 else f(k - 1) + x * f(k - 2))
    return f(5)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def power(x: Any, *more: Any, n: int = 3, **options: Any) -> Any:
    if n == 0:
        return options.get("scale", 1.0)
    return x * power(x, *more, n=n - 1, **options)


def powers(x: Any) -> Any:
    return power(x, 1.0, n=2, scale=2.0) + power(x)


def test_arguments_that_are_collected_and_handed_on() -> None:
    """A function that calls itself with them (a KeyError of the compiler before)."""
    for derive in (tl.grad, lambda f: tl.grad(f, optimized=False)):
        np.testing.assert_allclose(derive(powers)(1.1), 4.0 * 1.1 + 3.0 * 1.1**2)
    assert tl.jvp(powers)(1.0, tangent=1.0) == (3.0, 7.0)
