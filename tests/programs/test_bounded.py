"""Deques with a longest length, and deques that objects keep."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, -0.4, 0.9])


class Window:
    def __init__(self, size):
        self.kept = deque(maxlen=size)

    def push(self, v):
        self.kept.append(v)


class Mean(Window):
    def get(self):
        return sum(self.kept) / len(self.kept)


class OfNumPy(Window):
    def get(self):
        return np.mean(self.kept) + np.array(self.kept).sum() * np.max(self.kept)


class Ends(Window):
    def get(self):
        if not self.kept:
            return 0.0
        if len(self.kept) == self.kept.maxlen:
            return self.kept.popleft() * 3.0
        return sorted(self.kept)[0] * self.kept[0] * self.kept[-1]


class Walked(Window):
    def get(self):
        pairs = sum(a * b for a, b in zip(self.kept, reversed(self.kept)))
        return pairs + max(self.kept) * list(self.kept)[0]


def over(window, x):
    y = 0.0
    for v in x:
        window.push(v)
        y = y + window.get() ** 2
    return y


@case(X)
def mean_of_a_window(x):
    return over(Mean(2), x)


@case(X)
def functions_of_numpy(x):
    return over(OfNumPy(3), x)


@case(X)
def both_ends(x):
    return over(Ends(3), x)


@case(X)
def walks(x):
    return over(Walked(2), x)


@case(X)
def handed_to_a_function(x):
    def push(queue, v):
        queue.append(v * v)
        return sum(queue)

    queue = deque([1.0, 2.0, 3.0], maxlen=2)
    y = 0.0
    for v in x:
        y = y + push(queue, v) ** 2
    return y


@case(X)
def in_a_dict(x):
    kept = {"short": deque(maxlen=2), "long": deque([], 3)}
    for v in x:
        kept["short"].append(v)
        kept["long"].appendleft(v * v)
    return sum(kept["short"]) * sum(kept["long"]) * kept["long"][0]


class Graph:
    def __init__(self):
        self.edges, self.todo = {}, deque()

    def edge(self, a, b, weight):
        self.edges.setdefault(a, []).append((b, weight))

    def distances(self, start):
        found = {start: 0.0}
        self.todo.append(start)
        while self.todo:
            a = self.todo.popleft()
            for b, weight in self.edges.get(a, []):
                if b not in found:
                    found[b] = found[a] + weight * weight
                    self.todo.append(b)
        return found


@case(X)
def breadth_first(x):
    graph = Graph()
    for a, b, k in [(0, 1, 0), (0, 2, 1), (1, 3, 2), (2, 3, 3)]:
        graph.edge(a, b, x[k])
    found = graph.distances(0)
    return found[3] * found[2]


class Sequence:
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        return self.items[k]


@case(X)
def a_sequence_of_ones_own(x):
    s = Sequence(x[0], x[1] * x[2], x[3])
    return np.mean(s) * np.dot(s, [1.0, 2.0, 3.0]) + max(s) + sum(s)


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
