"""How often trips run again, and how many states are alive: as the theory says, exactly."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import cache
from math import comb, inf
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.runtime.checkpoints import stops
from tests.bench.checkpoints import SIZES, SLOTS, measured, picture, table, trips
from tests.memory.counting import watched


def step(h: Any, w: Any) -> Any:
    return np.tanh(h * w)


def loss(w: Any, n: int, slots: int) -> Any:
    h = 0.5
    for _ in tl.checkpoint_loop(range(n), slots=slots):
        h = step(h, w)
    return h * h


@cache
def fewest(steps: int, slots: int) -> float:
    """The fewest steps made to walk back over so many, by trying all places for the next state."""
    if steps == 1:
        return 0
    if slots == 0:
        return inf
    if slots == 1:
        return steps * (steps - 1) // 2
    return min(
        ahead + fewest(steps - ahead, slots - 1) + fewest(ahead, slots) for ahead in range(1, steps)
    )


def by_theory(n: int, slots: int) -> int:
    """Griewank and Walther: with r rounds where binomial(slots + r, r) reaches n + 1."""
    rounds = 0
    while comb(slots + rounds, slots) < n + 1:
        rounds += 1
    return rounds * (n + 1) - comb(slots + rounds, rounds - 1) if n else 0


@pytest.mark.parametrize("slots", range(1, 9))
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 20, 41])
def test_steps_and_states(n: int, slots: int) -> None:
    gradient = tl.grad(loss)
    gradient(0.7, 1, 1)
    made, most = watched(lambda: gradient(0.7, n, slots), "step")
    assert made.get("step", 0) == by_theory(n, slots) == fewest(n + 1, slots)
    assert made.get("step_forward", 0) == made.get("step_backward", 0) == n
    assert most <= min(slots, n)
    assert most == min(slots, n) or n > slots


@pytest.mark.parametrize("slots", range(1, 12))
def test_the_schedule_is_the_best_one(slots: int) -> None:
    for n in range(50):
        assert trips(n, slots) == (fewest(n + 1, slots), min(slots, n))


def test_stops_are_trips_of_the_range() -> None:
    for walk in (range(5, 30), range(9, -4, -2), range(0, 50, 7), range(0)):
        found = stops(walk, 3)
        assert set(found) <= set(walk)
        assert list(found) == sorted(found, key=walk.index)
        assert list(found.values()) == [3, 2, 1][: len(found)]


def test_a_plain_loop_runs_once() -> None:
    def plain(w: Any, n: int) -> Any:
        h = 0.5
        for _ in range(n):
            h = step(h, w)
        return np.sum(h * h)

    gradient, w = tl.grad(plain), np.array([0.7, 0.2])
    gradient(w, 9)  # writes the text for an array
    made, _ = watched(lambda: gradient(w, 9), "step")
    assert not made  # the step is written out


def test_memory_of_the_sweep() -> None:
    """A plain loop keeps every state, this one as many as it has slots, and one in hand."""
    plain = [measured(None, n) for n in (100, 400)]
    few = [measured(5, n) for n in (100, 400)]
    assert 3.5 < plain[1] / plain[0] < 4.5
    assert few[1] < 1.2 * few[0]
    assert few[1] < 0.06 * plain[1]


def test_the_page_and_the_picture() -> None:
    root = ElementTree.fromstring(picture())
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 2 * len(SLOTS) + 1
    assert table().count("\n") == len(SIZES) + 1
