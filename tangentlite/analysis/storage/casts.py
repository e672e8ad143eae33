"""Stores whose value might not fit: NumPy's complaint must come even where nobody reads what is stored.

``s op= e``, ``np.copyto`` and ``out=`` cast less than a plain store, and take no value with more dimensions.

In: a normal form, operations and kinds.
Out: these stores, each with what its value must fit into.
Next: lowering.arrays.casts.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import Kind, List, Num, Tuple
from tangentlite.analysis.operations import Store
from tangentlite.analysis.results import literal
from tangentlite.analysis.shapes.subscripts import subscript
from tangentlite.analysis.storage.memory import memory
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.augmented import augmented_slots
from tangentlite.lowering.arrays.casts import Check
from tangentlite.values import replace

WHOLE = frozenset({"int", "bool"})
PLAIN = frozenset("fill place put putmask put_along_axis fill_diagonal sort".split())


def doubtful(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, list[Check]]:
    """The stores that need a check."""
    slots = augmented_slots(normal)
    found: dict[gast.stmt, list[Check]] = {}
    for statement, operation in inferred.operations.items():
        if not isinstance(operation, Store) or operation.holds:
            continue
        if not isinstance(statement, gast.Assign):
            continue
        before = inferred.before[graph.first[statement]]
        part = gast.Subscript(syntax.name(operation.container), operation.index, gast.Load())
        if operation.unique and _joins(operation, before):
            found[statement] = [("disjoint", part, [operation.value])]
            continue
        if not _strict(normal.sources.get(statement)):
            if _larger(operation, before):
                found[statement] = [("takes", part, [operation.value])]
            continue
        whole = isinstance(operation.index, gast.Constant) and operation.index.value is ...
        old = operation.container if whole else slots.get(statement)
        if old is not None and _doubt(before.get(old), _kind(operation.value, before)):
            found[statement] = [("fits", syntax.name(old), [operation.value])]
        elif old is None and _given_out(normal.sources.get(statement)):
            if _doubt(_part(operation, before), _kind(operation.value, before)):
                found[statement] = [("fits", part, [operation.value])]
    return found


def _joins(operation: Store, before: Mapping[str, Kind]) -> bool:
    """Whether a list of what may be arrays is stored: NumPy writes them one after the other."""
    value = _kind(operation.value, before)
    if not isinstance(before.get(operation.container), Num):
        return False
    if not isinstance(value, (Tuple, List)):
        return False
    items = value.items if isinstance(value, Tuple) else (element(value),)
    return any(item is not None and memory(item) for item in items)


def _larger(operation: Store, before: Mapping[str, Kind]) -> bool:
    """Whether a value is known to have more dimensions than the elements in whose place it goes."""
    array, value = before.get(operation.container), _kind(operation.value, before)
    if not isinstance(array, Num) or not isinstance(value, Num) or not value.ndim:
        return False
    part = subscript(array, operation.index, -1, lambda e: _kind(e, before))
    return part.ndim is not None and value.ndim > part.ndim


def _strict(source: gast.stmt | None) -> bool:
    """Whether NumPy checks what the user's statement writes."""
    match source:
        case None | gast.Assign(targets=[gast.Subscript(), *_]):
            return False
        case gast.AugAssign():
            return True
    return not any(
        (isinstance(node, gast.Attribute) and node.attr in PLAIN) or _unsafe(node)
        for node in syntax.walk(source)
    )


def _given_out(source: gast.stmt | None) -> bool:
    """Whether the user's statement stores what a function gives by ``out=``."""
    nodes = syntax.walk(source) if source is not None else ()
    return any(isinstance(node, gast.keyword) and node.arg == "out" for node in nodes)


def _part(operation: Store, before: Mapping[str, Kind]) -> Kind | None:
    """The kind of the elements of an array in whose place something goes."""
    array = before.get(operation.container)
    if not isinstance(array, Num):
        return array
    part = subscript(array, operation.index, -1, lambda e: _kind(e, before))
    return replace(array, ndim=part.ndim)


def _unsafe(node: gast.AST) -> bool:
    """Whether NumPy is told to cast whatever comes."""
    match node:
        case gast.keyword(arg="casting", value=gast.Constant(value="unsafe")):
            return True
    return False


def _kind(value: gast.expr, before: Mapping[str, Kind]) -> Kind | None:
    return before.get(value.id) if isinstance(value, gast.Name) else literal(_number(value))


def _number(value: gast.expr) -> object:
    return value.value if isinstance(value, gast.Constant) else 0.0


def _doubt(old: Kind | None, new: Kind | None) -> bool:
    """Whether a value is known to be of another type than the array, or of more dimensions."""
    if not isinstance(old, Num) or not isinstance(new, Num) or old.persistent or old.ndim == 0:
        return False
    if old.exact in WHOLE and new.exact not in WHOLE:
        return True
    if new.exact == "complex" and old.exact != "complex":
        return True
    return old.ndim is not None and new.ndim is not None and new.ndim > old.ndim
