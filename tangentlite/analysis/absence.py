"""Tests that are decided by what an argument is: None where it is optional, or a function or a container.

In: a graph and the kinds.
Out: for each ``if`` that always goes one way, whether it is the first branch.
Next: inference.
"""

from __future__ import annotations

from functools import partial

import gast

from tangentlite import syntax
from tangentlite.analysis import dataflow
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import CONTAINERS, Kind, Value
from tangentlite.analysis.outcomes import certain, has, leaves, outcome


def decided(graph: Graph, inferred: Inference) -> dict[gast.stmt, bool]:
    """The statements ``if name is None`` (or the like) that always go the same way."""
    tests = {s: p for s, p in graph.first.items() if isinstance(s, gast.If) and not leaves(s)}
    found: dict[gast.stmt, bool] = {}
    if not tests:
        return found
    given = _given(graph, inferred)
    for statement, point in tests.items():
        ask = partial(certain, inferred.before[point], given[point])
        taken = outcome(statement.test, ask)
        if taken is not None:
            found[statement] = taken
    return found


def lacking(graph: Graph, inferred: Inference, body: list[gast.stmt]) -> dict[gast.stmt, str]:
    """The statements in branches that take from a dict what it lacks, with the key."""
    found: dict[gast.stmt, str] = {}
    for statement, point in graph.first.items():
        match statement:
            case gast.Assign(
                value=gast.Subscript(
                    value=gast.Name(id=name), slice=gast.Constant(value=str() as key)
                )
            ) if _lacks(inferred.before[point].get(name), key) and statement not in body:
                found[statement] = key
    return found


def _lacks(kind: Kind | None, key: str) -> bool:
    """Whether a value is a dict that does not have a key."""
    return has(kind, key) is False


def _given(graph: Graph, inferred: Inference) -> list[frozenset[str]]:
    """The parameters that still hold functions or containers which were passed, before each point."""
    start = frozenset(
        n for n, k in inferred.before[0].items() if isinstance(k, (Value, *CONTAINERS))
    )
    if not start:
        return [start] * len(graph.statements)
    bindings = {point: statement for statement, point in graph.bindings.items()}

    def transfer(point: int, state: frozenset[str]) -> frozenset[str]:
        statement = graph.statements[point]
        if point in bindings:
            return state - {bindings[point].target.id}
        if statement is None or isinstance(statement, (gast.If, gast.While, gast.For)):
            return state
        return state - syntax.stores(statement)

    def meet(_: int, arriving: list[tuple[int, frozenset[str]]]) -> frozenset[str]:
        return frozenset.intersection(*(state for _, state in arriving))

    return dataflow.forward(graph, start, transfer, meet)[0]
