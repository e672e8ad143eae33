"""Loops over functions, one trip after the other: each trip calls a function of its own.

In: a normal form and its kinds.
Out: a normal form in which ``for f in (g, h): x = f(x)`` has one block for g and one for h.
Next: inference.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num, Tuple, choices
from tangentlite.lowering import Normal
from tangentlite.lowering.augmented import with_block

TRIPS = 16


def unrolled(normal: Normal, graph: Graph, inferred: Inference) -> Normal | None:
    """The normal form without its loops over functions; None if there is none."""
    trips = {s: n for s in graph.first if (n := _trips(s, graph, inferred)) is not None}
    if not trips:
        return None
    sources = dict(normal.sources)
    body = _block(normal.function.body, trips, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def _trips(statement: gast.stmt, graph: Graph, inferred: Inference) -> int | None:
    """How often a loop runs that walks over functions, or over nothing, if that is known."""
    match statement:
        case gast.For(
            target=gast.Name(id=index),
            iter=gast.Call(func=gast.Name(id="range"), args=[gast.Name(id=count)]),
            body=body,
        ):
            state = inferred.before[graph.first[statement]]
            kind, bound = state.get(count), syntax.stores(body)
            trips = kind.literal if isinstance(kind, Num) else None
            if not isinstance(trips, int) or not 0 <= trips <= TRIPS or index in bound:
                return None
            if not trips:
                return 0
            for node in (n for s in body for n in syntax.walk(s)):
                match node:
                    case gast.Subscript(value=gast.Name(id=base), slice=gast.Name(id=at)):
                        if at == index and base not in bound and _functions(state.get(base)):
                            return trips
    return None


def _functions(kind: object) -> bool:
    return isinstance(kind, Tuple) and any(map(choices, kind.items))


def _block(
    body: list[gast.stmt], trips: dict[gast.stmt, int], sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in trips:
            for trip in range(trips[statement]):
                index = syntax.assign(statement.target.id, syntax.constant(trip))
                for node in syntax.walk(index):
                    syntax.at(node, statement.target)
                sources[index] = sources[statement]
                result += [index, *_copied(statement.body, sources)]
            continue
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = _block(inner, trips, sources)
                new = new or [_nothing(inner[0], sources)]
                if len(new) != len(inner) or any(a is not b for a, b in zip(new, inner)):
                    statement = with_block(statement, name, new, sources)
        result.append(statement)
    return result


def _nothing(statement: gast.stmt, sources: dict[gast.stmt, gast.stmt]) -> gast.stmt:
    new: gast.stmt = syntax.at(gast.Pass(), statement)
    sources[new] = sources[statement]
    return new


def _copied(body: list[gast.stmt], sources: dict[gast.stmt, gast.stmt]) -> list[gast.stmt]:
    result = []
    for statement in body:
        new = syntax.copy(statement)
        for old, made in zip(syntax.walk(statement), syntax.walk(new), strict=True):
            if old in sources:
                sources[made] = sources[old]
        result.append(new)
    return result
