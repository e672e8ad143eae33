"""Augmented assignments: which happen in place, and which step by step.

In: kinds and operations.
Out: the ends of ``s op= e`` whose targets are arrays; a normal form in which elements of containers are stored.
Next: analysis.
"""

from __future__ import annotations

from collections.abc import Set

import gast

from tangentlite import ir
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.lists.merges import is_walked
from tangentlite.analysis.operations import Accumulate, Store
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays import augmented


def unfolded(normal: Normal, request: ir.Request, graph: Graph, inferred: Inference) -> Normal:
    """Augmented assignments to elements of lists and dicts, step by step."""
    sums = {
        s
        for s, o in inferred.operations.items()
        if isinstance(o, Accumulate)
        and o.anything
        and (request.mode == "reverse" or is_walked(s.value, inferred.before[graph.first[s]]))
    }
    return augmented.through_slots(augmented.unfolded(normal, sums), _slots(normal, inferred))


def of_elements(statements: Set[gast.stmt], inferred: Inference) -> set[gast.stmt]:
    """Those that add to elements of lists and dicts: where such an element is a number, only the list is written."""
    operations = ((s, inferred.operations[s]) for s in statements)
    return {s for s, o in operations if isinstance(o, Accumulate) and o.anything}


def _slots(normal: Normal, inferred: Inference) -> set[gast.stmt]:
    """The stores that end ``xs[i] op= e`` where xs is a list or a dict."""
    return {
        s
        for s, o in inferred.operations.items()
        if isinstance(o, Store)
        and o.holds
        and isinstance(normal.sources.get(s), gast.AugAssign)
        and isinstance(normal.sources[s].target, (gast.Subscript, gast.Attribute))
    }


def arrays(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, str]:
    """The ends of augmented assignments whose target is an array for certain, and of which elements."""
    found = {}
    for statement, name in augmented.augmented(normal).items():
        point = graph.first.get(statement)
        kinds = inferred.before[point] if point is not None else {}
        kind = kinds.get(name)
        if isinstance(kind, Num) and kind.array:
            value = kinds.get(statement.value.id)
            exact = value.exact if isinstance(value, Num) else ""
            known = kind.exact == "float" == exact or {kind.exact, exact} & {
                "int",
                "bool",
                "complex",
            }
            found[statement] = "known" if known or kind.persistent else "array"
    return found
