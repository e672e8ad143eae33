"""Statements behind which nothing is foreseen: they take a part of None, or of a list that nothing was put into.

In: a graph and its kinds.
Out: those statements, with what surely raises in them.
Next: lowering.flow.missing.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Pending
from tangentlite.analysis.never import never_done
from tangentlite.analysis.operations import NoFlow, UserCall


def unforeseen(graph: Graph, inferred: Inference) -> dict[gast.stmt, str]:
    """The statements after which a function must not go on: no derivative is written for what follows."""
    found: dict[gast.stmt, str] = {}
    for statement, operation in inferred.operations.items():
        if isinstance(operation, UserCall):
            continue
        point = graph.first[statement]
        before, after = inferred.before[point], inferred.after[point]
        lost = any(isinstance(after.get(name), Pending) for name in syntax.bound(statement))
        reads = graph.reads(statement)
        if not (lost or (isinstance(operation, NoFlow) and never_done(statement, reads, before))):
            continue
        told = any(isinstance(before.get(name), Pending) for name in reads)
        if not told and not isinstance(graph.statements[point + 1], gast.Raise):
            found[statement] = syntax.unparse(getattr(statement, "value", None) or statement)
    return found
