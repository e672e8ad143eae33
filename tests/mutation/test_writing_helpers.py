"""Helpers that write, called where only their result is asked for: none of what they do is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

W = np.array([1.0, 2.0, 3.0])
X = np.array([0.3, 0.9, 0.5])


def copies(y):
    np.copyto(y, W)
    return 1.0


def puts(y):
    np.put(y, [0], 5.0)
    return 1.0


def adds(y):
    np.add.at(y, [0], 5.0)
    return 1.0


def fills(y):
    np.fill_diagonal(y.reshape(1, 3), 4.0)
    return 1.0


def doubles(y):
    np.multiply(y, 2.0, out=y)
    return 1.0


def triples(y):
    np.multiply(y, 3.0, y)
    return 1.0


def sorts(y):
    y.sort()
    return 1.0


def places(y):
    np.place(y, y > 0, [3.0])
    return 1.0


def along(y):
    np.put_along_axis(y, np.array([1]), 7.0, axis=0)
    return 1.0


def through(y):
    return doubles(y) + copies(y[1:2].reshape(1)[:0].reshape(0)) if y.size == 0 else doubles(y)


HELPERS = [copies, puts, adds, fills, doubles, triples, sorts, places, along, through]


def programs(write: Callable[[Any], float]) -> list[Callable[[Any], Any]]:
    def ternary(x):
        y = x * 2.0
        t = write(y) if np.sum(W) > 0 else 0.0
        return np.sum(y * W) * t

    def conjunction(x):
        y = x * 2.0
        if write(y) > 0.5 and True:
            y = y * 1.5
        return np.sum(y * W)

    def disjunction(x):
        y = x * 2.0
        t = write(y) or 3.0
        return np.sum(y * W) * t

    def loop(x):
        y, n = x * 2.0, 2
        while n > 0 and write(y) > 0.5:
            n -= 1
        return np.sum(y * W)

    def negation(x):
        y = x * 2.0
        s = 0.5 if not write(y) else 2.0
        return np.sum(y * W) * s

    def comprehension(x):
        y = x * 2.0
        parts = [write(y) for _ in range(2)]
        return np.sum(y * W) * parts[0]

    return [ternary, conjunction, disjunction, loop, negation, comprehension]


CASES = [pytest.param(f, id=f"{w.__name__}-{f.__name__}") for w in HELPERS for f in programs(w)]


@pytest.mark.parametrize("function", CASES)
def test_what_a_helper_writes_is_not_lost(function: Callable[[Any], Any]) -> None:
    step = 1e-6
    expected = [(function(X + step * e) - function(X - step * e)) / (2 * step) for e in np.eye(3)]
    np.testing.assert_allclose(tl.grad(function)(X.copy()), expected, atol=1e-6)
    tangent = tl.jvp(function)(X.copy(), tangent=np.ones(3))[1]
    np.testing.assert_allclose(tangent, np.sum(expected), atol=1e-6)


COUNTS = [1.0, 2.0]


def lengthens():
    if len(COUNTS) < 4:
        COUNTS.append(2.0)


def walks_what_grows(x):
    total = 0.0
    for count in COUNTS:
        total += count * x
        lengthens()
    return total


def test_a_list_outside_that_a_helper_lengthens_is_refused() -> None:
    with pytest.raises(tl.DerivativeError, match="grew or shrank"):
        tl.grad(walks_what_grows)(1.3)
    del COUNTS[2:]
