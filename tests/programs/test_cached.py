"""Nested functions with caches."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label


@case(0.7)
def one_call_each(x):
    @functools.lru_cache(None)
    def f(n):
        return x if n == 0 else math.sin(f(n - 1)) * x

    return f(6)


@case(0.7, second=False)
def two_calls_each(x):
    """Without a cache this makes a quarter of a million calls."""

    @functools.lru_cache(maxsize=None)
    def f(n):
        if n < 2:
            return x ** (n + 1)
        return f(n - 1) * x + f(n - 2)

    return f(25)


@case(0.7, second=False)
def two_arguments(x):
    @functools.cache
    def choose(n, k):
        if k == 0 or k == n:
            return x
        return choose(n - 1, k - 1) + choose(n - 1, k)

    return choose(6, 3)


@case(0.7, 0.7)
def equal_arguments_that_differ(x, y):
    @functools.cache
    def g(v):
        return v * v * x

    return g(x) + g(y) * g(2.0)


@case(0.7)
def branching_on_numbers(x):
    @functools.cache
    def f(v):
        return v if v < 0.2 else f(v / 2) * f(v / 3) + x

    return f(x * 2)


@case(0.7)
def in_a_branch(x):
    z = x
    if x > 0:

        @functools.lru_cache
        def g(y):
            return y * x

        z = g(x)
    return z


def counts_its_calls(x):
    calls = []

    @functools.cache
    def g(y):
        calls.append(1)
        return y * x

    return g(x) + g(x) * len(calls)


def captures_what_changes(x):
    k = x

    @functools.cache
    def f(n):
        return k if n == 0 else f(n - 1) * k

    a = f(2)
    k = k * 3
    return a + f(3)


def test_refused(refused: Any) -> None:
    refused(counts_its_calls, "g(x) + g(x)", args=(0.7,))
    refused(captures_what_changes, "def f(n):")


class Side:
    def __init__(self, s):
        self.s = s


@functools.cache
def area(side):
    return side.s**2


def changed_between(x):
    side = Side(x)
    before = area(side)
    side.s = 3.0 * x
    return before * area(side)


def test_a_cache_that_knows_objects_that_change(refused):
    refused(changed_between, "area(side)", error=tl.MissingRuleError, args=(0.7,))


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_programs(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
