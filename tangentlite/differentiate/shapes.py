"""Shapes of adjoints: is a sum over broadcast axes due, and which value tells the shape?

In: expressions over versions and adjoints.
Out: sets of symbols (analysis.kinds), and shape carriers.
Next: contributions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import SCALAR, Kind, Num, Shape
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.results import CHANGES_REALNESS
from tangentlite.analysis.shapes import extents
from tangentlite.analysis.shapes.broadcasting import reduced, together
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.session import Session
from tangentlite.rules import UNKNOWN

ANY: Shape = frozenset({"?"})
LARGER = "*"
UNTOLD = ANY | {LARGER}  # in the shapes of what may have any


def shape_of_kind(kind: Kind | None) -> Shape:
    """The shape of a value, ANY if it has none that is known."""
    return kind.shape if isinstance(kind, Num) and kind.shape is not None else ANY


class Shapes:
    """Shapes of the names that backward code reads, and who can tell a shape."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: dict[str, Shape] = {}
        self.table: dict[str, Version] = {}
        self._carriers: dict[Shape, str] = {}
        self._parts: dict[Shape, gast.Subscript] | None = None
        self.lazy = session.function.generated  # names may hold ZERO

    def read(self, version: Version, kind: Kind | None) -> gast.Name:
        """The placeholder of a version that backward code reads."""
        name, shape = version.placeholder, shape_of_kind(kind)
        self.table[name], self.known[name] = version, shape
        everywhere = version.scope.kind == "function" and version.certain
        if everywhere and not shape & UNTOLD and (version.statement is None or not self.lazy):
            self._carriers.setdefault(shape, name)
        return syntax.name(name)

    def carrier(self, version: Version | None, kind: Kind | None) -> gast.expr | None:
        """Something that has the shape of a version and costs no record; None if nothing has."""
        shape = shape_of_kind(kind)
        if isinstance(kind, Num) and kind.scalar and kind.exact == "float":
            return syntax.constant(0.0)
        own = version is not None and self.session.facts.versions.at_start.get(version.name)
        given = self.given(shape) if version is None or version is not own else None
        if given is not None:
            return given
        part = self._part(shape)
        if version is not None and not version.scope.repeats:
            sliced = part is not None and isinstance(part.slice, (gast.Slice, gast.Tuple))
            return part if sliced and version is not own else self.read(version, kind)
        return syntax.name(self._carriers[shape]) if shape in self._carriers else part

    def number(self, shape: Shape) -> gast.expr | None:
        """What tells the shape of a real number; None of any other shape."""
        return syntax.constant(0.0) if shape == SCALAR and not self.lazy else None

    def maker(self, kind: Kind | None) -> gast.expr | None:
        """What was the first to have the shape of a result that has not that of parameters: a product that sums."""
        facts, shape = self.session.facts, shape_of_kind(kind)
        if self.lazy or not isinstance(kind, Num) or kind.scalar or kind.optional:
            return None
        if not shape.isdisjoint((*ANY, *facts.versions.at_start)):
            return None
        for statement in self.session.function.body:
            match statement:
                case gast.Assign(
                    targets=[gast.Name(id=name)],
                    value=gast.Call() | gast.BinOp(op=gast.MatMult()),
                ):
                    found = facts.kind_after(statement, name)
                    if isinstance(found, Num) and found.shape == shape:
                        return self.read(facts.versions.made[statement], found)
        return None

    def along(self, value: gast.expr, shape: Shape, kind: Num) -> gast.expr | None:
        """``e.sum(axis=1, keepdims=True)``, where that has the shape of a reduction that kept its axis."""
        axis = reduced(shape, shape_of_kind(kind)) if kind.exact == "float" else None
        if axis is None or self.lazy:
            return None
        return syntax.expression(f"e.sum(axis={axis}, keepdims=True)", e=value)

    def given(self, shape: Shape) -> gast.expr | None:
        """Parameters that tell a shape: nothing must be computed to have it."""
        facts = self.session.facts
        if self.lazy or not shape:
            return None
        if (name := self._telling.get(shape)) is not None:
            return self.read(facts.versions.at_start[name], facts.kinds.before[0].get(name))
        if len(shape) > 2:
            return None
        found: gast.expr | None = None
        for symbol in sorted(shape, key=str):
            if not isinstance(symbol, str) or symbol not in facts.versions.at_start:
                return None
            version, kind = facts.versions.at_start[symbol], facts.kinds.before[0].get(symbol)
            if shape_of_kind(kind) != {symbol}:
                return None
            node = self.read(version, kind)
            found = node if found is None else gast.BinOp(found, gast.Mult(), node)
        return found

    @cached_property
    def _telling(self) -> dict[Shape, str]:
        """The first parameter of each shape that tells it."""
        found: dict[Shape, str] = {}
        for name in self.session.facts.versions.at_start:
            kind = self.session.facts.kinds.before[0].get(name)
            if shape_of_kind(kind) not in found and extents.axes(kind):
                found[shape_of_kind(kind)] = name
        return found

    def _part(self, shape: Shape) -> gast.Subscript | None:
        """Part of a parameter that has a shape: ``a[1:-1]``."""
        if self._parts is None:
            self._parts = dict(self._constant_parts())
        part = self._parts.get(shape)
        if part is None:
            return None
        start = self.session.facts.versions.at_start[part.value.id]
        kind = self.session.facts.kinds.before[0].get(part.value.id)
        return gast.Subscript(self.read(start, kind), part.slice, gast.Load())

    def _constant_parts(self) -> Iterator[tuple[Shape, gast.Subscript]]:
        facts = self.session.facts
        start = facts.versions.at_start
        bound = facts.versions.root.stores
        for statement, operation in facts.kinds.operations.items():
            match statement:
                case gast.Assign(value=gast.Subscript(value=gast.Name(id=name)) as part):
                    kind = (
                        facts.kind_after(statement, statement.targets[0].id)
                        if isinstance(statement.targets[0], gast.Name)
                        else None
                    )
                    plain = name in start and name not in bound and not syntax.loads(part.slice)
                    if (
                        plain
                        and isinstance(kind, Num)
                        and kind.shape
                        and isinstance(operation, Primitive)
                    ):
                        yield kind.shape, part

    def of(self, node: gast.expr, local: Mapping[str, Shape]) -> Shape:
        """The shape of an expression, as far as it is known."""
        match node:
            case gast.Name(id=name):
                return local.get(name, self.known.get(name, ANY))
            case gast.Constant(value=value):
                return ANY if isinstance(value, complex) else SCALAR
            case gast.UnaryOp(operand=operand):
                return self.of(operand, local)
            case gast.BinOp(left=left, op=op, right=right):
                if isinstance(op, gast.MatMult):
                    return ANY
                return _joint(self.of(left, local), self.of(right, local))
            case gast.Compare(left=left, comparators=[right]):
                return _joint(self.of(left, local), self.of(right, local))
            case gast.Call(func=func, args=args, keywords=[]):
                callee = self._callee(func)
                if callee is runtime.count and all(map(syntax.is_true, args[3:])):
                    return SCALAR
                if getattr(callee, "__module__", "") == "math":
                    return SCALAR
                plain = (
                    isinstance(callee, np.ufunc)
                    and callee.signature is None
                    and callee not in CHANGES_REALNESS
                )
                if plain or callee in ELEMENTWISE:
                    shape: Shape = SCALAR
                    for arg in args:
                        shape = _joint(shape, self.of(arg, local))
                    return shape
        return ANY

    def _callee(self, func: gast.expr) -> object:
        path = syntax.dotted(func)
        if path is None:
            return UNKNOWN
        first, _, rest = path.partition(".")
        namespace = self.session.function.namespace
        cell = self.session.cells.get(first)
        try:
            found = cell.cell_contents if cell is not None else namespace.lookup(first)
            for attr in rest.split(".") if rest else []:
                found = getattr(found, attr)
        except (KeyError, AttributeError, ValueError):
            return UNKNOWN
        return found


def _joint(one: Shape, two: Shape) -> Shape:
    """The shape of what is broadcast together."""
    return one if one == two or not two else together(one | two) if one else two


ELEMENTWISE: frozenset[object] = frozenset(
    {np.where, runtime.times, runtime.quotient, runtime.cancel, runtime.power, runtime.wins}
    | {runtime.dpower_dx, runtime.log_or_zero, runtime.complex_log}
    | {runtime.ratio, runtime.steep, runtime.exp_share, runtime.sure}
)
