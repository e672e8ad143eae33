"""One solver for every analysis: a worklist in program order.

In: a graph, a transfer function and a join.
Out: the state before and after every point.
Next: kinds, activity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tangentlite.analysis.cfg import Graph

State = TypeVar("State")
Transfer = Callable[[int, State], State]
Join = Callable[[int, list[tuple[int, State]]], State]
Tests = Mapping[int, Callable[[State], frozenset[int]]]
NOWHERE: frozenset[int] = frozenset()
UNTESTED: Mapping[int, Any] = {}


def forward(
    graph: Graph,
    start: State,
    transfer: Transfer[State],
    join: Join[State],
    tests: Tests[State] = UNTESTED,
) -> tuple[list[State], list[State]]:
    """States before and after each point, with the flow of control.

    ``join(point, arriving)`` merges the states of the predecessors that have been reached: pairs (predecessor, state).
    ``tests[point](state)``: the points behind a test to which nothing leads that comes there in such a state.
    """
    return _solve(graph, start, transfer, join, graph.predecessors, graph.successors, 1, tests)


def backward(
    graph: Graph, end: State, transfer: Transfer[State], join: Join[State]
) -> tuple[list[State], list[State]]:
    """States before and after each point, against the flow of control."""
    after, before = _solve(graph, end, transfer, join, graph.successors, graph.predecessors, -1)
    return before, after


def _solve(
    graph: Graph,
    start: State,
    transfer: Transfer[State],
    join: Join[State],
    sources: list[list[int]],
    sinks: list[list[int]],
    sign: int,
    tests: Tests[State] = UNTESTED,
) -> tuple[list[State], list[State]]:
    count = len(graph.statements)
    entering, shut = [start] * count, [NOWHERE] * count
    leaving: list[State | None] = [None] * count
    waiting = bytearray(count)
    root = point = 0 if sign > 0 else count - 1
    waiting[root] = True
    while 0 <= point < count:
        following = point + sign
        if waiting[point]:
            waiting[point] = False
            arriving = [
                (p, s)
                for p in sources[point]
                if (s := leaving[p]) is not None and point not in shut[p]
            ]
            state = start if point == root else arriving[0][1]
            if len(arriving) > 1:
                state = join(point, arriving)
            entering[point], result = state, transfer(point, state)
            if leaving[point] is None or result != leaving[point]:
                if point in tests:  # what is open stays open
                    ends = tests[point](result)
                    shut[point] = ends if leaving[point] is None else ends & shut[point]
                leaving[point] = result
                for other in sinks[point]:
                    if other not in shut[point]:
                        waiting[other] = True
                        following = min(following, other) if sign > 0 else max(following, other)
        point = following
    return entering, [start if s is None else s for s in leaving]
