"""Stores that stand for ``s op= e``, ``np.copyto`` and ``out=``: NumPy casts less there than in a plain store.

In: a normal form, operations and kinds.
Out: the stores whose value might not fit, each with what it must fit into.
Next: lowering.casts.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.analysis.operations import Store
from tangentlite.analysis.results import literal
from tangentlite.lowering import Normal
from tangentlite.lowering.augmented import augmented_slots

WHOLE = frozenset({"int", "bool"})
PLAIN = frozenset("fill place put putmask put_along_axis fill_diagonal sort".split())


def doubtful(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, str]:
    """The stores that need a check, with the name of the array that holds the old elements."""
    slots = augmented_slots(normal)
    found = {}
    for statement, operation in inferred.operations.items():
        if not isinstance(operation, Store) or operation.holds:
            continue
        if not isinstance(statement, gast.Assign) or not _strict(normal.sources.get(statement)):
            continue
        whole = isinstance(operation.index, gast.Constant) and operation.index.value is ...
        old = operation.container if whole else slots.get(statement)
        before = inferred.before[graph.first[statement]]
        if old is not None and _doubt(before.get(old), _kind(operation.value, before)):
            found[statement] = old
    return found


def _strict(source: gast.stmt | None) -> bool:
    """Whether NumPy checks what the user's statement writes."""
    match source:
        case None | gast.Assign(targets=[gast.Subscript(), *_]):
            return False
        case gast.AugAssign():
            return True
    return not any(
        isinstance(node, gast.Attribute) and node.attr in PLAIN for node in syntax.walk(source)
    )


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
