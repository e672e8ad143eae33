"""Augmented assignments of whole arrays that nobody else holds: ``w /= w.sum()`` is ``w = w / w.sum()``.

In: the ends of ``s op= e`` whose targets are arrays, kinds, operations, who shares memory.
Out: those that are written in place nevertheless.
Next: analysis.

What is computed must have the shape and the precision of what was there. It has the precision if it is made of
nothing else, and of Python's numbers. Then nothing is put back, and the backward sweep reads both under their names.
What is only added is written in place: backward nobody asks what was there. So it is with an array that is filled
and then scaled by a number, as often as it is filled.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Copy, Primitive
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.pairs import partners
from tangentlite.lowering import Normal

KEEPING = frozenset(
    """add subtract multiply divide power negative exp expm1 log log1p sqrt square tanh sin cos absolute
    sum mean extremum""".split()
)
PLAIN = frozenset(("x", "y", "axis", "keepdims"))


def written(
    normal: Normal,
    graph: Graph,
    inferred: Inference,
    shared: Aliases,
    ends: Mapping[gast.stmt, str],
) -> dict[gast.stmt, str]:
    """The ends of augmented assignments that are no values."""
    known = _Known(normal, graph, inferred)
    alone = (s for s in ends if s not in shared.undecided and _is_alone(s, graph, shared))
    values = set(filter(known.renews, alone))
    return {s: kind for s, kind in ends.items() if s not in values}


def _is_alone(statement: gast.stmt, graph: Graph, shared: Aliases) -> bool:
    (name,) = syntax.stores(statement)
    return not partners(shared.pairs[graph.first[statement]], name)


class _Known:
    def __init__(self, normal: Normal, graph: Graph, inferred: Inference) -> None:
        self._sources, self._graph, self._inferred = normal.sources, graph, inferred
        self._blocks = {s: block for block in _blocks(normal.function.body) for s in block}

    def renews(self, end: gast.Assign) -> bool:
        """Whether ``s = t`` gives s an array like the one that it was, made of it."""
        (name,), made = syntax.stores(end), end.value.id
        point = self._graph.first[end]
        kinds = self._inferred.before[point]
        before, after = kinds.get(name), kinds.get(made)
        if not (isinstance(before, Num) and isinstance(after, Num)):
            return False
        plain = before.exact == "float" and before.shape is not None and not before.persistent
        same = plain and before.shape == after.shape
        return same and not self._is_scaled(end, name) and self._is_made_of(end, made, name)

    def _is_made_of(self, end: gast.Assign, made: str, name: str) -> bool:
        """Whether ``made`` has the precision of an array, of which more is read than is added to."""
        block = self._blocks[end]
        wanted, nonlinear = {made}, not isinstance(self._sources[end].op, gast.Add | gast.Sub)
        for statement in reversed(block[: block.index(end)]):
            bound = set(syntax.stores(statement))
            if not wanted:
                break
            if name in bound:
                return False
            if not bound & wanted:
                continue
            sources = self._sources_of(statement)
            if sources is None:
                return False
            nonlinear = nonlinear or (name in sources and made not in bound)
            wanted = (wanted - bound) | (sources - {name})
        return nonlinear and not wanted

    def _is_scaled(self, end: gast.Assign, name: str) -> bool:
        """Whether the user's line is ``s *= 2`` or ``s /= 2``, and other lines store into s."""
        line = self._sources[end]
        value = line.value.operand if isinstance(line.value, gast.UnaryOp) else line.value
        scales = isinstance(line.op, gast.Mult | gast.Div) and isinstance(value, gast.Constant)
        return scales and name in self._filled

    @cached_property
    def _filled(self) -> set[str]:
        """The arrays of which elements are stored."""
        targets = (
            target
            for statement in self._blocks
            if isinstance(statement, gast.Assign | gast.AugAssign)
            for target in getattr(statement, "targets", [getattr(statement, "target", None)])
        )
        places = (t.value for t in targets if isinstance(t, gast.Subscript))
        return {place.id for place in places if isinstance(place, gast.Name)}

    def _sources_of(self, statement: gast.stmt) -> set[str] | None:
        """What a value has its precision from; None if that is not known."""
        operation = self._inferred.operations.get(statement)
        if isinstance(operation, Copy):
            return {operation.source}
        if not isinstance(operation, Primitive) or operation.rule.name not in KEEPING:
            return None
        if not operation.bound.keys() <= PLAIN:
            return None
        kinds = self._inferred.before[self._graph.first[statement]]
        operands = {n.id for n in operation.bound.values() if isinstance(n, gast.Name)}
        found = {n for n in operands if not _is_python(kinds.get(n))}
        return found or None


def _is_python(kind: object) -> bool:
    return isinstance(kind, Num) and kind.python


def _blocks(body: list[gast.stmt]) -> list[list[gast.stmt]]:
    blocks = [body]
    for block in blocks:
        for statement in block:
            blocks += syntax.blocks(statement)
    return blocks
