"""Which ``a | b`` join dicts, which ``s |= e`` change sets, and where what may be a list takes in what is no list.

In: a normal form, its graph and its kinds.
Out: statements for lowering.lists.merging.
Next: lowering.lists.merging.
"""

from __future__ import annotations

import gast

from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Dict, Inert, Kind, List, Object, Tuple
from tangentlite.analysis.lists.unordered import is_set, unlike
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.augmented import augmented, augmented_slots
from tangentlite.lowering.lists.merging import METHODS


def joins(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, str]:
    """The statements ``t = a | b`` of two dicts, and those of a set or of a list that end in ``s = t``.

    Those of elements, ``xs[i] |= e``, wait for ``augmenting.unfolded``.
    """
    ends = {end.value.id for end in augmented(normal)}
    found = {}
    for statement in inferred.operations:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp(op=op) as value):
                before = inferred.before[graph.first[statement]]
                if isinstance(op, gast.BitOr) and all(
                    _is_dict(side, before, normal)
                    for side in (value.left, *([] if name in ends else [value.right]))
                ):
                    found[statement] = "dict"
                elif type(op) in METHODS and name in ends and _is_set(value.left, before):
                    found[statement] = "set"
                elif isinstance(op, gast.Add) and name in ends and _is_row(value, before):
                    found[statement] = "row"
    slots = {store.value.id for store in augmented_slots(normal)} if found else ()
    return {s: what for s, what in found.items() if s.targets[0].id not in slots}


def _is_dict(node: gast.expr, before: Environment, normal: Normal) -> bool:
    if not isinstance(node, gast.Name):
        return False
    if node.id in before:
        return isinstance(before[node.id], Dict)
    space = normal.function.namespace
    return bool(space.binds(node.id)) and type(space.lookup(node.id)) is dict


def _is_set(node: gast.expr, before: Environment) -> bool:
    return isinstance(node, gast.Name) and node.id in before and is_set(before[node.id])


def _is_row(value: gast.BinOp, before: Environment) -> bool:
    """Whether ``s += e`` adds what is no list to what may be a list or a tuple."""
    kind = before.get(value.left.id) if isinstance(value.left, gast.Name) else None
    return isinstance(kind, List) and kind.loose and is_walked(value.right, before)


def is_walked(node: gast.expr, before: Environment) -> bool:
    """Whether a name is that of a tuple, dict, set or range, and of no list."""
    match kind := before.get(node.id) if isinstance(node, gast.Name) else None:
        case Tuple() | List():
            return not _is_list(kind)
        case Dict():
            return not isinstance(kind, Object) and not unlike(kind)
        case Inert(type=made):
            return made == "range" or is_set(kind)
    return False


def _is_list(kind: Kind | None) -> bool:
    if isinstance(kind, List):
        return not kind.loose
    return isinstance(kind, Tuple) and kind.type == "list"
