"""Which names are read later, by whoever sees their memory.

In: a graph of statements, the names that the caller reads at the end.
Out: the names that live after each point.
Next: aliases.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis import dataflow
from tangentlite.analysis.cfg import Graph


def living(
    graph: Graph, end: frozenset[str], augmented: Mapping[gast.stmt, str]
) -> list[frozenset[str]]:
    """The names that are read after each point; those at the ``end`` are read by the caller."""

    def transfer(point: int, live: frozenset[str]) -> frozenset[str]:
        statement = graph.statements[point]
        match statement:
            case None:
                return live
            case gast.If(test=test) | gast.While(test=test):
                return live | syntax.loads(test)
            case gast.For(target=gast.Name(id=name), iter=iterable):
                if graph.bindings.get(statement) == point:
                    return live - {name}
                return live | syntax.loads(iterable)
        live = (live - set(syntax.bound(statement))) | graph.reads(statement)
        return live | {augmented[statement]} if statement in augmented else live

    def union(point: int, arriving: list[tuple[int, frozenset[str]]]) -> frozenset[str]:
        return frozenset().union(*(state for _, state in arriving))

    _, after = dataflow.backward(graph, end, transfer, union)
    return after


def rebound(statement: gast.stmt, sources: Mapping[gast.stmt, gast.stmt]) -> str | None:
    """The name s, if the statement binds the new value of ``s op= e``."""
    source = sources.get(statement)
    if not isinstance(source, gast.AugAssign) or not isinstance(source.target, gast.Name):
        return None
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)]) if name == source.target.id:
            return name  # type: ignore[no-any-return]
    return None
