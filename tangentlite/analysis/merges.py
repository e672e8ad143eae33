"""Which ``a | b`` join dicts, and which ``s |= e`` change sets.

In: a normal form, its graph and its kinds.
Out: statements for lowering.merging.
Next: lowering.merging.
"""

from __future__ import annotations

import gast

from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Dict
from tangentlite.analysis.unordered import is_set
from tangentlite.lowering import Normal
from tangentlite.lowering.augmented import augmented
from tangentlite.lowering.merging import METHODS


def joins(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, str]:
    """The statements ``t = a | b`` of two dicts, and those of a set that end in ``s = t``."""
    ends = {end.value.id for end in augmented(normal)}
    found = {}
    for statement in inferred.operations:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp(op=op) as value):
                before = inferred.before[graph.first[statement]]
                if isinstance(op, gast.BitOr) and all(
                    _is_dict(side, before, normal) for side in (value.left, value.right)
                ):
                    found[statement] = "dict"
                elif type(op) in METHODS and name in ends and _is_set(value.left, before):
                    found[statement] = "set"
    return found


def _is_dict(node: gast.expr, before: Environment, normal: Normal) -> bool:
    if not isinstance(node, gast.Name):
        return False
    if node.id in before:
        return isinstance(before[node.id], Dict)
    space = normal.function.namespace
    return bool(space.binds(node.id)) and type(space.lookup(node.id)) is dict


def _is_set(node: gast.expr, before: Environment) -> bool:
    return isinstance(node, gast.Name) and node.id in before and is_set(before[node.id])
