"""Stores of vectors into memory that they lie in: NumPy reads them element by element while it writes.

It reads the value first where the steps have opposite signs, or the target has two dimensions; where both steps
are the same the order is right.

In: a normal form, operations, kinds, names that share memory.
Out: the stores that need a check when the program runs.
Next: lowering.arrays.casts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import NamedTuple

import gast
import numpy as np

from tangentlite import ir, syntax
from tangentlite.analysis import numbering
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Kind, List, Num, Tuple
from tangentlite.analysis.operations import Copy, Primitive, Store
from tangentlite.analysis.shapes.subscripts import bound, subscript
from tangentlite.analysis.storage import casts
from tangentlite.analysis.storage.aliases import CALLER, Aliases
from tangentlite.analysis.storage.memory import memory
from tangentlite.analysis.versions import Version, Versions
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.casts import Check
from tangentlite.values import immutable

WHOLE = frozenset({"int", "bool"})


@immutable(eq=False)
class _Doubt:
    """``array[index] = value``, as it is before a statement."""

    statement: gast.stmt
    array: str
    index: gast.expr
    value: str


def checks(
    normal: Normal, request: ir.Request, graph: Graph, inferred: Inference, shared: Aliases
) -> dict[gast.stmt, list[Check]]:
    """Statements, and what must be checked before them."""
    found = casts.doubtful(normal, graph, inferred)
    for statement, check in doubtful(normal, request, graph, inferred, shared):
        found.setdefault(statement, []).append(check)
    return found


def doubtful(
    normal: Normal, request: ir.Request, graph: Graph, inferred: Inference, shared: Aliases
) -> Iterator[tuple[gast.stmt, Check]]:
    """The checks that are needed, and before which statements."""
    found = [
        doubt
        for doubt in _stores(normal, inferred)
        if _vectors(doubt, inferred.before[graph.first[doubt.statement]])
        and overlap(request, shared, graph.first[doubt.statement], doubt.array, doubt.value)
    ]
    if not found:
        return
    numbered = numbering.study([p.name for p in normal.function.params], normal.function.body)
    places = _Places(graph, inferred, numbered)
    checked = set(_checked(normal.function.body))
    for doubt in found:
        if doubt.statement in checked:
            continue
        part, value = syntax.name(doubt.array), syntax.name(doubt.value)
        if _masks(doubt.index, inferred.before[graph.first[doubt.statement]]):
            yield doubt.statement, ("in_step", part, [value, doubt.index])
        elif not places.in_step(doubt):
            part = gast.Subscript(part, doubt.index, gast.Load())
            yield doubt.statement, ("in_step", part, [value])


def _stores(normal: Normal, inferred: Inference) -> Iterator[_Doubt]:
    """The stores of what has a name; of ``np.copyto(a, v, where=m)`` what it reads of v."""
    for statement, operation in inferred.operations.items():
        match operation:
            case Store(container=array, index=index, value=gast.Name(id=value), holds=False) if (
                isinstance(statement, gast.Assign)
            ):
                yield _Doubt(statement, array, index, value)
            case Primitive(rule=rule, bound={"x": gast.Name(id=value), "y": gast.Name(id=array)}):
                if rule.callee is np.where and _copies(normal.sources.get(statement)):
                    yield _Doubt(statement, array, syntax.constant(...), value)


def _masks(index: gast.expr, before: Mapping[str, Kind]) -> bool:
    """Whether an index may be an array of truth values: what is stored through one is never read first."""
    if not isinstance(index, gast.Name):
        return False
    kind = before.get(index.id)
    return kind is None or (isinstance(kind, Num) and kind.exact == "bool")


def _copies(source: gast.stmt | None) -> bool:
    """Whether the user wrote ``np.copyto``."""
    match source:
        case gast.Expr(value=gast.Call(func=gast.Attribute(attr=name) | gast.Name(id=name))):
            return bool(name == np.copyto.__name__)
    return False


def _vectors(doubt: _Doubt, before: Mapping[str, Kind]) -> bool:
    """Whether a vector may be stored, through which a derivative may flow, and into an array."""
    array, value = before.get(doubt.array), before.get(doubt.value)
    if not memory(value) or not isinstance(array, Num) or array.persistent:
        return False
    if isinstance(value, Num) and (value.exact in WHOLE or value.ndim == 0 or value.persistent):
        return False
    part = subscript(array, doubt.index, -1, lambda e: _kind(e, before))
    return part.ndim in (None, 1)


def overlap(request: ir.Request, shared: Aliases, point: int, a: str, b: str) -> bool:
    """Whether two names may share memory, with what a helper in forward mode is told of its arguments."""
    if shared.overlap(point, a, b) or not request.near:
        return shared.overlap(point, a, b)
    near = {CALLER + n for n in request.near}
    seen = [{n for pair in shared.pairs[point] if name in pair for n in pair} for name in (a, b)]
    return all(not near.isdisjoint(names) for names in seen)


def _checked(body: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The stores that a text which is differentiated again has checked already."""
    ready = False
    for statement in body:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="in_step"))):
                ready = True
            case gast.Assign(targets=[gast.Subscript()]) if ready:
                yield statement
                ready = False
            case gast.If() | gast.For() | gast.While():
                ready = False
                for block in (statement.body, statement.orelse):
                    yield from _checked(block)


class _Axis(NamedTuple):
    """An axis of an array, walked with a step: a number times what the text does not tell."""

    number: int
    step: int = 1
    factors: tuple[Hashable, ...] = ()


@immutable
class _Part:
    """A basic view of an array: some axes, and all from ``rest`` on."""

    root: Version
    axes: tuple[_Axis, ...] = ()
    rest: int = 0

    def whole(self, ndim: int) -> tuple[_Axis, ...]:
        """All axes, if the array has so many dimensions."""
        return self.axes + tuple(map(_Axis, range(self.rest, ndim)))


class _Places:
    """Where the arrays of a function lie in those they are views of."""

    def __init__(self, graph: Graph, inferred: Inference, numbered: Versions) -> None:
        self.graph, self.inferred, self.numbered = graph, inferred, numbered

    def in_step(self, doubt: _Doubt) -> bool:
        """Whether the text tells that both have the same steps, or steps of opposite signs, or are no vectors."""
        statement = doubt.statement
        if self._gathered(statement, doubt.value):
            return True
        target, value = self._of(statement, doubt.array), self._of(statement, doubt.value)
        target = target and self._indexed(statement, target, doubt.index)
        if target is None or value is None or target.root is not value.root:
            return False
        ndim = 1 - len(target.axes) + target.rest
        axes = value.whole(ndim)
        if ndim < target.rest or ndim < value.rest or not axes:
            return True
        (axis,), other = target.whole(ndim), axes[-1]
        if axis._replace(step=1) != other._replace(step=1):
            return False
        return axis.step == other.step or axis.step * other.step < 0

    def _gathered(self, statement: gast.stmt, name: str) -> bool:
        """Whether a value is ``x[index]`` where the index holds a list or an array, so that it is a copy."""
        version = self.numbered.reads[statement].get(name)
        origin = version.statement if version is not None else None
        match self.inferred.operations.get(origin) if origin is not None else None:
            case Primitive(rule=rule, bound={"i": index}) if rule.name == "getitem":
                before = self.inferred.before[self.graph.first[origin]]
                kinds = (_kind(part, before) for part in _parts(index))
                return any(_is_list(k) or (isinstance(k, Num) and k.array) for k in kinds)
        return False

    def _of(self, statement: gast.stmt, name: str) -> _Part | None:
        """The place of what a statement reads under a name."""
        version = self.numbered.reads[statement].get(name)
        if version is None:
            return None
        origin = version.statement
        match self.inferred.operations.get(origin) if origin is not None else None:
            case Copy(source=source):
                return self._of(origin, source)
            case Primitive(rule=rule, bound={"x": gast.Name(id=source), "i": index}) if (
                rule.name == "getitem"
            ):
                place = self._of(origin, source)
                return place and self._indexed(origin, place, index)
        return _Part(version)

    def _amount(self, statement: gast.stmt, step: gast.expr) -> Hashable:
        """What tells whether two steps are the same: a version, or arithmetic with versions."""
        version = self.numbered.reads[statement].get(getattr(step, "id", ""))
        origin = version.statement if version is not None else None
        if isinstance(origin, gast.Assign) and isinstance(origin.value, gast.BinOp):
            reads = self.numbered.reads[origin]
            names = [reads.get(name) for name in sorted(syntax.loads(origin.value))]
            return gast.dump(origin.value), *names
        return version or step

    def _indexed(self, statement: gast.stmt, place: _Part, index: gast.expr) -> _Part | None:
        """The place of ``x[index]``; None where that is not plain to see."""
        before = self.inferred.before[self.graph.first[statement]]
        axes, rest, taken = list(place.axes), place.rest, list[_Axis]()
        parts = _parts(index)
        if parts and isinstance(parts[-1], gast.Constant) and parts[-1].value is ...:
            parts = parts[:-1]
        for part in parts:
            axis = axes.pop(0) if axes else _Axis(rest)
            rest = max(rest, axis.number + 1)
            if isinstance(part, gast.Slice):
                factor = bound(part.step)
                if isinstance(factor, str):
                    amount = self._amount(statement, part.step)
                    axis, factor = axis._replace(factors=(*axis.factors, amount)), 1
                taken.append(axis._replace(step=axis.step * (factor or 1)))
            elif not isinstance(_kind(part, before), Num):
                return None
        return _Part(place.root, (*taken, *axes), rest)


def _is_list(kind: Kind | None) -> bool:
    return isinstance(kind, List) or (isinstance(kind, Tuple) and kind.type == "list")


def _parts(index: gast.expr) -> list[gast.expr]:
    return index.elts if isinstance(index, gast.Tuple) else [index]


def _kind(node: gast.expr, before: Mapping[str, Kind]) -> Kind | None:
    if isinstance(node, gast.Name):
        return before.get(node.id)
    whole = isinstance(node, gast.Constant) and type(node.value) is int
    return Num(frozenset(), "int", 0) if whole or isinstance(node, gast.UnaryOp) else None
