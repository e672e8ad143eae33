"""Chains and trees of tuples, lists and dicts, each of which holds one of its own kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

VECTOR = np.array([0.3, 0.8, -0.4, 1.2])


def weighted(chain):
    total, k = 0.0, 1
    while chain is not None:
        v, chain = chain
        total += k * v * v
        k += 1
    return total


def summed(chain):
    return 0.0 if chain is None else chain[0] ** 2 + 0.5 * summed(chain[1])


@case(VECTOR)
def built_in_a_loop(x):
    chain = None
    for v in x:
        chain = (v, chain)
    return weighted(chain)


@case(VECTOR)
def turned_around(x):
    chain = turned = None
    for v in x:
        chain = (v * v, chain)
    while chain:
        v, chain = chain
        turned = (v * x[0], turned)
    return weighted(turned)


@case(VECTOR)
def one_made_of_another(x):
    a = b = None
    for i in range(4):
        if i % 2:
            a = (x[i], a)
        else:
            b = (x[i] ** 2, a)
    return weighted(b)


@case(VECTOR)
def walked_by_recursion(x):
    chain = None
    for v in x:
        chain = (v, chain)
    return summed(chain)


@case(VECTOR)
def made_by_recursion(x):
    def split(v, n):
        if n == 0:
            return v, None
        found, rest = split(v * x[n], n - 1)
        return found, (v, rest)

    found, chain = split(x[0], 3)
    return found + weighted(chain)


@case(VECTOR)
def arrays_in_a_chain(x):
    chain = None
    for i in range(3):
        chain = (x * float(i + 1), i, chain)
    total = 0.0
    while chain is not None:
        a, i, chain = chain
        total += np.sum(np.sin(a)) * (i + 1)
    return total


@case(VECTOR)
def one_tail_of_two(x):
    tail = (x[0], None)
    return summed((x[1], tail)) * summed((x[2], tail))


@case(VECTOR)
def no_trips(x):
    chain = None
    for i in range(int(x[2] > 0)):
        chain = (x[i], chain)
    return x[0] ** 2 + weighted(chain)


@case(VECTOR)
def parts_of_a_chain(x):
    chain = None
    for v in x:
        chain = (v, v * v, chain)
    start = chain[:2] + (1.0,)
    first, *rest = chain
    return start[0] * start[1] * start[2] + rest[0] * first + chain[-1][0]


@case(VECTOR)
def chained_dicts(x):
    d = None
    for v in x:
        d = {"v": v, "next": d}
    total = 0.0
    while d is not None:
        total = total * x[1] + d["v"] ** 2
        d = d["next"]
    return total


@case(VECTOR, second=False)
def chained_dicts_that_change(x):
    d = None
    for v in x:
        d = {"v": v, "next": d}
    d["v"] = d["v"] * x[0]
    d["next"]["v"] = 2.0 * d["next"]["v"] ** 2
    total = 0.0
    while d is not None:
        total = total * x[1] + d["v"] ** 2
        d = d["next"]
    return total


@case(VECTOR)
def arrays_that_change_in_chained_dicts(x):
    d = None
    for i in range(3):
        d = {"a": x * float(i + 1), "next": d}
    e = d["next"]
    e["a"][1:] *= x[:-1]
    e["a"] += 1.0
    total = 0.0
    while d is not None:
        total += np.sum(d["a"] ** 2)
        d = d["next"]
    return total


@case(VECTOR)
def branches_in_lists(x):
    def build(v, k):
        if k == 0:
            return (v, [])
        below = []
        for j in range(2):
            below.append(build(v * x[j] + 0.1 * j, k - 1))
        return (v * v, below)

    def total(node):
        found = node[0]
        for child in node[1]:
            found = found + total(child) * node[0]
        return found

    return total(build(x[3], 2))


class Settings:
    def __init__(self, weights=None, act=None, shifts=None):
        self.weights, self.act, self.shifts = weights, act, shifts

    def run(self, v):
        if self.weights is not None:
            v = v * self.weights[0]
        if self.act is not None:
            v = self.act(v)
        if self.shifts:
            v = v + self.shifts["a"]
        return v


@case(VECTOR)
def what_is_none_is_not_used(x):
    plain = Settings().run(x[0]) + Settings(weights=[x[1], 2.0]).run(x[0])
    return plain * Settings(act=np.sin).run(x[2]) + Settings(shifts={"a": x[3]}).run(x[0])


@case(VECTOR)
def a_list_from_none(x):
    found = None
    for v in x:
        found = [v] if found is None else found + [v * found[-1]]
    return sum(found)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
