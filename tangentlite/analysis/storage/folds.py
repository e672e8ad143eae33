"""Views whose elements share memory: which are alive while that memory is written.

In: a normal form, kinds, and which names are shadowed.
Out: the names of such views, each with the statement that makes it.
Next: analysis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num, Tuple
from tangentlite.analysis.operations import Operation, Primitive
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.memory import is_view, shared
from tangentlite.lowering import Normal

FOLDING = frozenset("broadcast_to broadcast_arrays windows unreduce".split())
# Rules whose result is a view whatever the array is; others may make a copy, which must not be made later.
ALWAYS = frozenset(
    """T mT transpose transpose_all transpose_method matrix_transpose swapaxes moveaxis rollaxis expand_dims squeeze
    flip fliplr flipud rot90 atleast diagonal kept""".split()
)


def seen(
    normal: Normal, graph: Graph, inferred: Inference, aliases: Aliases
) -> dict[str, gast.stmt]:
    """The names with one binding that hold a folded view, or a view of one, while its base is written."""
    views = {
        s.targets[0].id: (s, o)
        for s, o in inferred.operations.items()
        if is_view(o) and isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)
    }
    if not any(_folds(o) for _, o in views.values()):
        return {}
    times, asked = Counter(_bindings(normal)), _asked_again(normal)
    candidates = {
        name: (s, o)
        for name, (s, o) in views.items()
        if times[name] == 1 and name in aliases.shadowed and name not in asked
    }
    return _reached(candidates, graph, inferred)


def _folds(operation: Operation) -> bool:
    if not isinstance(operation, Primitive) or operation.rule.name not in FOLDING:
        return False
    return operation.rule.name != "unreduce" or _is_stretched(operation.bound)


def _is_stretched(bound: Mapping[str, gast.expr]) -> bool:
    """Whether the adjoint of a sum along an axis is a view, and no array of its own."""
    axis = bound.get("axis")
    return "where" not in bound and isinstance(axis, gast.Constant) and axis.value is not None


def _is_sure(operation: Operation) -> bool:
    """Whether an operation makes a view of an array, and never a copy."""
    if not isinstance(operation, Primitive):
        return True
    if operation.rule.name != "getitem":
        return operation.rule.name in ALWAYS or _folds(operation)
    if isinstance(operation.kinds.get("x"), CONTAINERS):
        return True
    index, array = operation.bound["i"], operation.kinds.get("x")
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    places = [p for p in parts if not _keeps_axes(p)]
    if not all(_is_place(p, operation.kinds.get("i")) for p in places):
        return False
    return len(places) < len(parts) or len(places) < (getattr(array, "ndim", None) or 0)


def _keeps_axes(index: gast.expr) -> bool:
    return isinstance(index, gast.Slice) or (
        isinstance(index, gast.Constant) and index.value in (None, ...)
    )


def _is_place(index: gast.expr, kind: Kind | None) -> bool:
    if isinstance(index, gast.Name):
        return isinstance(kind, Num) and kind.scalar and kind.exact == "int"
    return isinstance(index, gast.Constant) and type(index.value) is int


def _reached(
    candidates: dict[str, tuple[gast.stmt, Operation]], graph: Graph, inferred: Inference
) -> dict[str, gast.stmt]:
    """The folded views among the candidates, and the views of these."""
    found = {
        name: s
        for name, (s, o) in candidates.items()
        if _folds(o) and _stays(s, o, inferred.before[graph.first[s]])
    }
    while True:
        more = {
            name: s
            for name, (s, o) in candidates.items()
            if name not in found and _is_sure(o) and any(n in found for n in shared(o, s))
        }
        if not more:
            return found
        found |= more


def _stays(statement: gast.stmt, operation: Operation, kinds: Mapping[str, Kind]) -> bool:
    """Whether no argument but the array can change until the view is made again."""
    others = syntax.loads(statement) - set(shared(operation, statement))
    return not any(
        isinstance(kind := kinds.get(n), CONTAINERS) and not isinstance(kind, Tuple) for n in others
    )


def _bindings(normal: Normal) -> Iterator[str]:
    """Every binding of a name in the function."""
    yield from (p.name for p in normal.function.params)
    for statement in syntax.statements(normal.function.body):
        if isinstance(statement, gast.For):
            yield from syntax.stores(statement.target)
        elif not syntax.blocks(statement):
            yield from syntax.stores(statement)


def _asked_again(normal: Normal) -> set[str]:
    """Names in the tests of loops, before which no statement can stand."""
    every = syntax.statements(normal.function.body)
    return {n for s in every if isinstance(s, gast.While) for n in syntax.loads(s.test)}
