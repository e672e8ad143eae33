"""A list that grows under another name while a loop walks over it is refused when it does."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.4, 1.1, -0.7])


def by_another_name(x):
    xs = [x[0]]
    other, total = xs, 0.0
    for v in xs:
        if len(other) < 4:
            other.append(v * x[1])
        total += v
    return total


def added(xs, v):
    if len(xs) < 4:
        xs.append(v * 2.0)


def by_a_helper(x):
    xs, total = [x[0]], 0.0
    for v in xs:
        added(xs, v)
        total += v
    return total


class Queue:
    def __init__(self, v):
        self.items = [v]

    def add(self, v):
        self.items.append(v)


def by_a_method(x):
    queue, total = Queue(x[0]), 0.0
    for v in queue.items:
        if len(queue.items) < 4:
            queue.add(v * x[1])
        total += v
    return total


def by_a_closure(x):
    xs = [x[0], x[1]]

    def doubled(v):
        if len(xs) < 5:
            xs.append(v * x[1])
        return v * 2.0

    return sum([doubled(v) for v in xs])


def side_by_side(x):
    xs = [x[0], x[1]]
    other, total = xs, 0.0
    for a, b in zip(xs, x):
        other.append(a)
        total += a * b
    return total


def in_a_dict(x):
    table, total = {"l": [x[0], x[1]]}, 0.0
    for v in table["l"]:
        if len(table["l"]) < 7:
            table["l"].append(v * x[0])
        total += v
    return total


@pytest.mark.parametrize(
    "f", [by_another_name, by_a_helper, by_a_method, by_a_closure, side_by_side, in_a_dict]
)
def test_it_is_refused(f):
    with pytest.raises(tl.DerivativeError, match="grew"):
        tl.grad(f)(X)
    with pytest.raises(tl.DerivativeError, match="grew"):
        tl.jvp(f)(X, tangent=np.ones(3))
