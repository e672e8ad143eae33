"""``min`` and ``max`` of objects: in lists, several, with one comparison only, with a key."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check

X = np.array([0.4, 1.3, 0.8])


class Both:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v

    def __gt__(self, other):
        return self.v > other.v


class Less:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v < other.v


def of_a_list(x):
    return min([Both(v * v) for v in x]).v * max([Both(x[0]), Both(x[1])]).v


def of_several(x):
    return min(Both(x[0] * 3), Both(x[1] * x[2])).v * max(Less(x[0]), Less(x[1]), Less(x[2])).v


def by_a_key(x):
    return min([Both(x[0]), Both(x[1])], key=lambda p: -p.v).v * x[2]


@pytest.mark.parametrize("f", [of_a_list, of_several, by_a_key], ids=lambda f: f.__name__)
def test_objects(f: Any) -> None:
    check(f, X)


def test_none_at_all() -> None:
    def of_nothing(x):
        return max([Both(v) for v in x]).v

    with pytest.raises(ValueError, match="empty"):
        tl.grad(of_nothing)(np.zeros(0))


def least_pair(x):
    pairs = [(v * v, v) for v in x]
    a, b = min(pairs)
    c, d = max([(v, k) for k, v in enumerate(x)])
    return a * b + c**2 * d


def drawn_from_a_list(x):
    left, total = [(abs(v - 0.5), v) for v in x], 0.0
    while left:
        nearest = min(left)
        left.remove(nearest)
        total = total * 0.5 + nearest[1] ** 2
    return total


def least_of_others(x):
    lists = [[v, k] for k, v in enumerate(x)]
    lists.append([x[0] * x[1], 9])
    first = min((v, k) for k, v in enumerate(x))
    return max(lists)[0] * min(zip(x, x[::-1]))[1] * first[0]


def popped_twice(x):
    heap = []
    for i, v in enumerate(x):
        heapq.heappush(heap, (v, i))
    a, i = heapq.heappop(heap)
    heapq.heappush(heap, (a * a, 9))
    b, j = heapq.heapreplace(heap, (x[0], 1))
    return a * b * (i + 1) + j * heap[0][0] ** 2


@pytest.mark.parametrize("f", [least_pair, drawn_from_a_list, least_of_others, popped_twice])
def test_tuples_are_compared(f, confirm):
    confirm(f, np.array([0.3, -0.7, 1.2, 0.9]))


def counted_and_taken(x):
    pairs = []
    for i, v in enumerate(x):
        j = i
        pairs.append((v, j))
    pairs.reverse()
    a, i = pairs[0]
    pairs[1] = (a * a, 9)
    b, j = pairs[1]
    pairs[0] = (b, 4)
    return a * b * i * pairs[0][0]


def test_the_index_of_a_loop_names_a_part_later(confirm):
    confirm(counted_and_taken, np.array([0.3, -0.7, 1.2]))
