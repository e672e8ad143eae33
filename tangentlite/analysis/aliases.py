"""Augmented assignments that may write into an array with several names.

In: a graph, operations, kinds, and which statements the user wrote as ``s op= e``.
Out: the names that such a statement must check when it runs.
Next: versions.

``s += e`` on an array writes in place. That is the same as ``s = s + e`` if nothing else names the array: if s was made
by an operation that makes new arrays, and was since used only by operations that neither keep nor show it.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from tangentlite.analysis import dataflow
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import NoFlow, Operation, Primitive, target

MAKERS = frozenset(
    {
        "zeros",
        "ones",
        "full",
        "empty",
        "array",
        "copy",
        "zeros_like",
        "ones_like",
        "arange",
        "linspace",
    }
)
LOOKERS = frozenset(
    {"sum", "mean", "prod", "max", "min", "var", "std", "matmul", "dot", "outer", "norm"}
)


def guarded(
    graph: Graph, inference: Inference, sources: Mapping[gast.stmt, gast.stmt]
) -> dict[gast.stmt, str]:
    """Statements that carry out ``s op= e``, with the name s, where s may have other names."""
    augmented = {
        s: s.value.left.id for s in inference.operations if _is_augmented(s, sources.get(s))
    }
    if not augmented:
        return {}
    nothing: frozenset[str] = frozenset()
    before, _ = dataflow.forward(
        graph, nothing, lambda p, state: _transfer(graph, inference, p, state), _meet
    )
    found = {}
    for statement, name in augmented.items():
        point = graph.first[statement]
        kind = inference.before[point].get(name)
        if name not in before[point] and not (isinstance(kind, Num) and kind.scalar):
            found[statement] = name
    return found


def _is_augmented(statement: gast.stmt, source: gast.stmt | None) -> bool:
    if not isinstance(source, gast.AugAssign) or not isinstance(source.target, gast.Name):
        return False
    match statement:
        case gast.Assign(value=gast.BinOp(left=gast.Name(id=name), op=op)):
            return bool(name == source.target.id and type(op) is type(source.op))
    return False


def _meet(point: int, arriving: list[tuple[int, frozenset[str]]]) -> frozenset[str]:
    return frozenset.intersection(*(state for _, state in arriving))


def _transfer(
    graph: Graph, inference: Inference, point: int, fresh: frozenset[str]
) -> frozenset[str]:
    statement = graph.statements[point]
    if statement is None or isinstance(statement, (gast.If, gast.While)):
        return fresh
    if isinstance(statement, gast.For):
        return fresh - {statement.target.id}
    operation, name = inference.operations.get(statement), target(statement)
    if operation is None:
        return fresh
    fresh = _used(operation, statement, fresh, name)
    if name is None:
        return fresh
    return fresh | {name} if _makes(operation, statement, fresh) else fresh - {name}


def _used(
    operation: Operation, statement: gast.stmt, fresh: frozenset[str], name: str | None
) -> frozenset[str]:
    """A name that is copied, viewed or kept is no longer the only one."""
    if isinstance(operation, Primitive) and (
        operation.rule.algebra == "elementwise" or operation.rule.name in LOOKERS
    ):
        return fresh
    if isinstance(operation, NoFlow):
        return fresh
    moved = (
        isinstance(statement, gast.Assign)
        and isinstance(statement.value, gast.Name)
        and _temporary(statement.value.id)
    )
    return fresh if moved else fresh - set(operation.sources())


def _temporary(name: str) -> bool:
    """``s = t1``: the temporary is not read again."""
    return name[:1] == "t" and name[1:].isdigit()


def _makes(operation: Operation, statement: gast.stmt, fresh: frozenset[str]) -> bool:
    match operation:
        case Primitive(rule=rule):
            return rule.algebra == "elementwise" or rule.name in LOOKERS or rule.name in MAKERS
    match statement:
        case gast.Assign(value=gast.Name(id=name)):
            return name in fresh
        case gast.Assign(value=gast.Constant() | gast.BinOp() | gast.UnaryOp() | gast.Compare()):
            return True
        case gast.Assign(value=gast.Call(func=gast.Attribute(attr=attr) | gast.Name(id=attr))):
            return attr in MAKERS and hasattr(np, attr)
    return False
