"""Variables that the trip before has bound, and that the first trip does not read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([0.3, 0.7, 0.9, -0.4])


@case(X)
def a_number(x):
    for i in range(4):
        if i == 0:
            now = x[0]
        else:
            now = x[i] * before + np.sin(before)
        before = now
    return now


@case(X)
def asked_behind_a_condition(x):
    total = 0.0
    for i, v in enumerate(x):
        if i > 0 and v > before:
            total += v * before
        before = v
    return total + before**2


@case(X)
def in_a_while(x):
    i = 0
    while i < len(x):
        if i:
            last *= x[i]
            best = max(best, last)
        else:
            last = best = x[i] * 2
        i += 1
    return best + last**2


@case(X, second=False)
def a_dict_of_probabilities(x):
    for i, seen in enumerate([0, 1, 0, 1]):
        now = {}
        for state in range(2):
            if i == 0:
                now[state] = x[state]
            else:
                now[state] = sum(before[k] * x[k + state] for k in range(2)) * x[seen]
        before = now
    return sum(now.values())


@case(X, second=False)
def a_list_that_is_walked(x):
    total = 0.0
    for i in range(4):
        row = [x[i] * k for k in range(3)]
        if i > 0:
            for a, b in zip(row, before):
                total += a * b
        before = row
    return total


@case(X)
def an_array_that_is_written(x):
    total = 0.0
    for i in range(4):
        new = x * (i + 1)
        if i > 0:
            old[0] = new[1] * total + np.sum(old)
            total += old[0]
        old = new
    return total


@case(X)
def two_loops(x):
    for a in range(2):
        for b in range(3):
            if a == 0 and b == 0:
                z = x[0]
            else:
                z = half * x[a] + (x[b] if b else whole)
            half = z * 0.5
        whole = half * x[3]
    return z + whole


@case(X)
def two_that_are_exchanged(x):
    for k in range(4):
        if k == 0:
            h, c = x[0], x[1]
        else:
            h, c = c * x[k], h + c
    return h * c


class Scale:
    def __init__(self, x):
        self.x = x

    def times(self, other):
        return Scale(self.x * other.x)


@case(X)
def objects(x):
    for k in range(3):
        if k == 0:
            p = Scale(x[k])
        else:
            p = q.times(Scale(x[k])).times(p)
        q = p
    return q.x


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def never_bound(x):
    for _ in range(3):
        now = x * before
        before = now
    return now


def bound_too_late(x):
    for i in range(3):
        if i == 1:
            before = x
        now = x * before
    return now


def bound_in_no_trip(x):
    for i in range(3):
        if i > 0:
            x = x * before
        if i > 5:
            before = x
    return x


@pytest.mark.parametrize("f", [never_bound, bound_too_late, bound_in_no_trip])
def test_what_has_no_value_is_an_error_as_in_the_function(f: Any) -> None:
    for run in (f, tl.grad(f), tl.grad(f, optimized=False), lambda x: tl.jvp(f)(x, tangent=1.0)):
        with pytest.raises(UnboundLocalError, match="before"):
            run(2.0)


def never_asked(x, n):
    for _ in range(n):
        if x > 100:
            x = x * before
        if x > 50:
            before = x
        x = x * 2
    return x


def caught(x, n):
    for _ in range(n):
        try:
            now = x * before
        except UnboundLocalError:
            return x * 5
        before = now
    return x


@pytest.mark.parametrize("f", [never_asked, caught])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_what_is_not_read_needs_no_value(f: Any, n: int) -> None:
    value, gradient = tl.value_and_grad(f)(2.0, n)
    assert value == f(2.0, n)
    assert gradient == pytest.approx((f(2.5, n) - f(1.5, n)) / 1.0, rel=1e-12)
    assert tl.jvp(f)(2.0, n, tangent=1.0) == pytest.approx((value, gradient))
