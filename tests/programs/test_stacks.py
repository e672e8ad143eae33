"""Lists that grow and shrink: bound anew while elements are left, popped by helpers that also read them."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, -0.4, 0.9])


@case(X)
def begun_anew(x):
    kept = []
    for v in x:
        kept.append(v * v)
    a = kept.pop()
    kept = []
    for v in x:
        kept.append(v)
    return a * kept.pop()


@case(X)
def begun_with_what_was_taken(x):
    kept = [x[0], x[1] * x[0]]
    y = kept.pop()
    kept = [y]
    kept.append(x[2])
    while kept:
        y = y * kept.pop()
    return y


@case(X)
def begun_in_each_trip(x):
    y = 0.0
    for k in range(2):
        kept = []
        for v in x:
            kept.append(v * v)
        y = y + kept.pop() * x[k]
    return y


def last_of(items):
    return items.pop()


def first_of(items):
    last = items.pop()
    first = items[0]
    items[0] = last
    return first


def append_to(items, value):
    items.append(value)


@case(X)
def popped_by_a_helper(x):
    items = list(x)
    a = last_of(items)
    items.append(a * a)
    return items[0] * items[3]


@case(X)
def popped_by_helpers(x):
    items = list(x)
    a = first_of(items)
    append_to(items, a * a)
    b = first_of(items)
    return a * b * items[0] + items[2]


@case(X)
def appended_then_popped_by_a_helper(x):
    items = list(x)
    items.append(x[0] * x[1])
    return first_of(items) * items[1]


@case(X)
def heap(x):
    items = list(x)
    heapq.heapify(items)
    a = heapq.heappop(items)
    heapq.heappush(items, a * a)
    return heapq.heappop(items) + 2.0 * heapq.heappop(items)


@case(X)
def heap_appended(x):
    items = list(x)
    heapq.heapify(items)
    a = heapq.heappop(items)
    items.append(a * a)
    return items[0] * items[3]


def sum_of_squares(items):
    total = 0.0
    for value in items:
        total = total + value * value
    return total


@case(X)
def appended_by_one_helper_and_read_by_another(x):
    items, others = [x[0], x[2]], [x[1]]
    append_to(items, others[-1])
    return sum_of_squares(items)


@case(X)
def two_lists_appended_by_one_helper(x):
    items, others = [x[0]], [x[1]]
    append_to(others, items[0])
    append_to(items, x[3])
    return sum_of_squares(items) * 0.3 + sum_of_squares(others)


class Store:
    def __init__(self, value):
        self.items = [value]


@case(X)
def taken_out_of_an_object(x):
    items, store = [x[0], x[2]], Store(x[1])
    append_to(items, store.items[-1])
    return sum_of_squares(items)


def by_sign(x):
    above, below = [], []
    for v in x:
        (above if v > 0 else below).append(v * v)
    return above, below


@case(X)
def one_of_two_lists_grows(x):
    above, below = by_sign(x)
    return sum(above) * sum(below) + above[0] * below[0]


def by_parity(x):
    groups = {}
    for i, v in enumerate(x):
        groups.setdefault(i % 2, []).append(v * v)
    return groups


@case(X)
def lists_in_a_dict_grow(x):
    groups = by_parity(x)
    return sum(groups[0]) * groups[1][0] + groups[1][1] ** 2


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
