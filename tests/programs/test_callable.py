"""Functions or matrices: ``callable`` and ``hasattr`` tell which, and what cannot be is left out."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.1, 0.7])
M = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 3.0]])


def solved(a, b, steps, watch=None):
    x = np.zeros_like(b)
    r = b - a(x) if callable(a) else b - a @ x
    for _ in range(steps):
        ar = a(r) if callable(a) else a @ r
        x = x + r @ r / (r @ ar) * r
        r = b - (a(x) if callable(a) else a @ x)
        if callable(watch):
            watch(x)
    return x


class Operator:
    def __init__(self, diagonal):
        self.diagonal = diagonal

    def __call__(self, v):
        return self.diagonal * v


class Weights:
    def __init__(self, w):
        self.w = w


@case(X, 1.0 + X)
def with_a_closure(b, d):
    x = solved(lambda v: d * v, b, 2)
    return x @ x


@case(X, M)
def with_a_matrix(b, a):
    x = solved(a, b, 2)
    return x @ x


@case(X, 1.0 + X)
def with_an_object(b, d):
    seen = []
    x = solved(Operator(d), b, 2, watch=lambda now: seen.append(now))
    return x @ seen[0]


@case(X, M)
def with_a_partial(b, a):
    return np.sum(solved(functools.partial(np.dot, a), b, 1) ** 2)


@case(X)
def in_the_same_function(x):
    g = np.sin
    if not callable(g):
        g = g * x
    y = g(x) if callable(g) else g @ x
    w = Weights(x)
    if callable(w) or callable(x) or callable([x]):
        return w(y)
    return np.sum(y * w.w)


@case(X)
def of_either_kind(x):
    total = 0.0
    for part in (x * x, np.cos):
        total += np.sum(part(x)) if callable(part) else np.sum(part)
    return total


@case(X)
def what_a_library_offers(x):
    integrate = np.trapezoid if hasattr(np, "trapezoid") else np.trapz
    return integrate(x * x) if hasattr(np, "sin") and not hasattr(np, "no_such_name") else x[0]


@case(X)
def what_a_library_may_offer(x):
    integrate = getattr(np, "trapezoid", None) or np.trapz
    other = getattr(np, "no_such_name", np.sin)
    return integrate(other(x) * x)


@case(X)
def where_a_library_has_nothing(x):
    if hasattr(itertools, "no_such_name"):
        pairs = list(itertools.no_such_name(x))
    else:
        pairs = list(zip(x[:-1], x[1:]))
    return sum(a * b for a, b in pairs)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_it(function, args, options):
    check(function, *args, **options)
