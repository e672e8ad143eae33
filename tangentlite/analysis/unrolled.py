"""Loops over values that are not alike, one trip after the other: each trip meets one of its own.

In: a normal form and its kinds.
Out: a normal form in which ``for f in (g, h): x = f(x)`` has one block for g and one for h.
Next: inference.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import Dict, List, Named, Num, Tuple, Unknown, choices
from tangentlite.lowering import Normal
from tangentlite.lowering.augmented import with_block
from tangentlite.values import replace

TRIPS = 32
Sources = dict[gast.stmt, gast.stmt]


def unrolled(normal: Normal, graph: Graph, inferred: Inference) -> Normal | None:
    """The normal form without its loops over functions and over values that differ; None if there is none."""
    trips = {s: n for s in graph.first if (n := _trips(s, graph, inferred)) is not None}
    if not trips:
        return None
    sources = dict(normal.sources)
    body = _block(normal.function.body, trips, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def _trips(statement: gast.stmt, graph: Graph, inferred: Inference) -> int | None:
    """How often a loop runs that walks over such values, or over nothing, if that is known."""
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
                        if at == index and base not in bound and _differ(state.get(base)):
                            return trips
    return None


def _differ(kind: object) -> bool:
    """Whether the items of a sequence are functions, or of kinds that differ."""
    if not isinstance(kind, Tuple) or isinstance(kind, Named):
        return False
    if any(map(choices, kind.items)):
        return True
    return _unknown(element(kind)) and not any(map(_unknown, kind.items))


def _unknown(kind: object) -> bool:
    """Whether there is a part of which nothing is known."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return any(map(_unknown, items))
        case List(item=item):
            return _unknown(item)
    return isinstance(kind, Unknown)


def _block(body: list[gast.stmt], trips: dict[gast.stmt, int], sources: Sources) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in trips:
            result += _spread(statement, 0, trips[statement], sources)
            continue
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = _block(inner, trips, sources)
                new = new or [_like(gast.Pass(), inner[0], sources)]
                if len(new) != len(inner) or any(a is not b for a, b in zip(new, inner)):
                    statement = with_block(statement, name, new, sources)
        result.append(statement)
    return result


def _spread(loop: gast.For, trip: int, trips: int, sources: Sources) -> list[gast.stmt]:
    """The trips from one on; after ``if stop: break`` the others are made if it does not stop."""
    if trip == trips:
        return []
    index = _like(syntax.assign(loop.target.id, syntax.constant(trip)), loop, sources)
    body, end = syntax.parted(loop.body)
    first = [index, *_copied(body, sources)]
    rest = _spread(loop, trip + 1, trips, sources)
    if not end or not rest:
        return [*first, *rest]
    nothing = _like(gast.Pass(), end[0], sources)
    return [*first, _like(gast.If(syntax.copy(end[0].test), [nothing], rest), end[0], sources)]


def _like(new: gast.stmt, place: gast.stmt, sources: Sources) -> gast.stmt:
    for node in syntax.walk(new):
        syntax.at(node, getattr(place, "target", place))
    sources[new] = sources[place]
    return new


def _copied(body: list[gast.stmt], sources: Sources) -> list[gast.stmt]:
    result = []
    for statement in body:
        new = syntax.copy(statement)
        for old, made in zip(syntax.walk(statement), syntax.walk(new), strict=True):
            if old in sources:
                sources[made] = sources[old]
        result.append(new)
    return result
