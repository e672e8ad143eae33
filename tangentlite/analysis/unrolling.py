"""Loops over lists of different objects, one trip after the other.

In: a normal form, and its kinds.
Out: a normal form in which each trip stands by itself, so that it is known which object it meets.
Next: inference.
"""

from __future__ import annotations

from dataclasses import replace

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import Named, Object, Tuple, Unknown
from tangentlite.lowering import Normal

MOST = 32


def unrolled(normal: Normal, graph: Graph, inferred: Inference) -> Normal | None:
    """``for i in range(t2): x = t1[i]; …`` becomes ``x = t1[0]; …``, ``x = t1[1]; …``.

    None if no loop needs it.
    """
    counts = {
        s: count
        for s in graph.first
        if isinstance(s, gast.For) and (count := _count(s, graph, inferred)) is not None
    }
    if not counts:
        return None
    sources = dict(normal.sources)
    body = _outermost(normal.function.body, counts, sources)
    return replace(normal, function=normal.function.with_body(body), sources=sources)


def _outermost(
    body: list[gast.stmt], counts: dict[gast.For, int], sources: dict[gast.stmt, gast.stmt]
) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    for statement in body:
        if statement in counts:
            result += _trips(statement, counts[statement], sources)
            continue
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and inner:
                new = _outermost(inner, counts, sources)
                if len(new) != len(inner) or any(a is not b for a, b in zip(new, inner)):
                    fresh = statement.__class__.__new__(statement.__class__)
                    fresh.__dict__.update(statement.__dict__)
                    fresh.__dict__[name] = new
                    sources[fresh] = sources[statement]
                    statement = fresh
        result.append(statement)
    return result


def _trips(loop: gast.For, count: int, sources: dict[gast.stmt, gast.stmt]) -> list[gast.stmt]:
    result: list[gast.stmt] = []
    bound = loop.target.id in syntax.stores(loop.body)
    for k in range(count):
        begin = syntax.at(syntax.assign(loop.target.id, syntax.constant(k)), loop)
        sources[begin] = sources[loop]
        result.append(begin)
        for statement in loop.body:
            new = (
                statement
                if bound
                else syntax.substitute(statement, {loop.target.id: syntax.constant(k)})
            )
            new = syntax.copy(new) if new is statement else new
            for old, copy in zip(_inner(statement), _inner(new)):
                sources[copy] = sources[old]
            result.append(new)
    return result


def _inner(statement: gast.stmt) -> list[gast.stmt]:
    return [statement, *(s for block in syntax.blocks(statement) for b in block for s in _inner(b))]


def _count(loop: gast.For, graph: Graph, inferred: Inference) -> int | None:
    """How many trips a loop makes, if it walks over objects of different kinds."""
    index = loop.target.id
    for statement in loop.body:
        match statement:
            case gast.Assign(
                value=gast.Subscript(value=gast.Name(id=name), slice=gast.Name(id=at))
            ) if at == index:
                kind = inferred.before[graph.first[statement]].get(name)
                if isinstance(kind, Tuple) and not isinstance(kind, Named) and _differ(kind):
                    if _walks(loop.iter, name, graph, inferred):
                        return len(kind.items)
    return None


def _differ(kind: Tuple) -> bool:
    unlike = isinstance(element(kind), Unknown) and any(isinstance(k, Object) for k in kind.items)
    return unlike and len(kind.items) <= MOST


def _walks(iterable: gast.expr, name: str, graph: Graph, inferred: Inference) -> bool:
    """Whether a loop goes over all indices of a name."""
    match iterable:
        case gast.Call(func=gast.Name(id="range"), args=[gast.Name(id=count)]):
            made = [s for s in inferred.operations if count in syntax.stores(s)]
            match made:
                case [
                    gast.Assign(value=gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=n)]))
                ]:
                    return bool(n == name)
    return False
