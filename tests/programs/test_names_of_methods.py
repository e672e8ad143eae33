"""Methods of the user's that are named like those of arrays, or written by ``@dataclass``."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class Tank:
    def __init__(self, area: Any) -> None:
        self.area = area

    def fill(self, height: Any) -> Any:
        return self.area * height


def filled(x: Any) -> Any:
    tank = Tank(2.0 * x)
    y = tank.fill(x)
    return y * tank.fill(3.0) + Tank(x).fill(y)


@dataclass(order=True)
class Step:
    cost: Any
    name: int = field(compare=False)


def cheapest(x: Any) -> Any:
    waiting: list[Step] = []
    for k in range(len(x)):
        heapq.heappush(waiting, Step(x[k] * x[k], k))
    first, second = heapq.heappop(waiting), heapq.heappop(waiting)
    if first < second:
        return first.cost * 3.0 + second.cost * x[second.name]
    return first.cost


def emptied(x: Any) -> Any:
    y = 1.0 * x
    return np.sum(x) + (y.fill(3.0) or np.sum(y * x))


def test_a_method_that_is_named_as_one_of_arrays(confirm: Any) -> None:
    confirm(filled, 0.7)


def test_what_a_dataclass_compares(confirm: Any) -> None:
    confirm(cheapest, np.array([0.4, -0.3, 1.2]))


def test_arrays_that_are_filled_in_an_expression(refused: Any) -> None:
    refused(emptied, "y.fill(3.0)", args=(np.ones(3),))
