"""Lists that a loop walks over and that nobody changes: they need not be asked whether they have kept their length.

In: a normal form, kinds, what is written.
Out: the questions that can be left out.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Iterator

import gast

from tangentlite import runtime, syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num, Tuple
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.lowering import Normal


def lasting(
    normal: Normal, graph: Graph, inferred: Inference, shared: Aliases
) -> dict[gast.stmt, bool]:
    """The calls of ``rt.steady`` for what nothing is written into."""
    found, inside = {}, _of_names(normal)
    for statement, name in _asked(normal):
        point = graph.first.get(statement)
        kind = inferred.before[point].get(name) if point is not None else None
        array = isinstance(kind, Num) or (isinstance(kind, Tuple) and kind.type == "tuple")
        if array or (name in inside and kind is not None and not shared.is_written(name)):
            found[statement] = True
    return found


def _of_names(normal: Normal) -> set[str]:
    """The names of what is walked over, where that has a name in the function: others may know what is outside."""
    found = set()
    for statement in syntax.statements(normal.function.body):
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name)],
                value=gast.Call(func=gast.Attribute(attr="sequence"), args=[gast.Name(id=data)]),
            ) if data in normal.function.local:
                found.add(name)
    return found


def _asked(normal: Normal) -> Iterator[tuple[gast.stmt, str]]:
    for statement in syntax.statements(normal.function.body):
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="steady") as func, args=args)):
                path = syntax.dotted(func)
                meant = path and normal.function.namespace.resolve(path)
                if meant is runtime.steady and isinstance(args[0], gast.Name):
                    yield statement, args[0].id
