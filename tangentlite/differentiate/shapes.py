"""Shapes of adjoints: is a sum over broadcast axes due, and which value tells the shape?

In: expressions over versions and adjoints.
Out: sets of symbols (analysis.kinds), and shape carriers.
Next: contributions.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import SCALAR, Kind, Num, Shape
from tangentlite.analysis.results import CHANGES_REALNESS
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.session import Session
from tangentlite.rules import UNKNOWN

ANY: Shape = frozenset({"?"})
LARGER = "*"


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
        self.lazy = session.function.origin.file.startswith("<generated")  # names may hold ZERO

    def read(self, version: Version, kind: Kind | None) -> gast.Name:
        """The placeholder of a version that backward code reads."""
        self.table[version.placeholder] = version
        self.known[version.placeholder] = shape_of_kind(kind)
        everywhere = version.scope.kind == "function" and version.certain
        if everywhere and (version.statement is None or not self.lazy):
            self._carriers.setdefault(shape_of_kind(kind), version.placeholder)
        return syntax.name(version.placeholder)

    def carrier(self, version: Version | None, kind: Kind | None) -> gast.expr | None:
        """Something that has the shape of a version and costs no record; None if nothing has."""
        shape = shape_of_kind(kind)
        if isinstance(kind, Num) and kind.scalar and kind.exact == "float":
            return syntax.constant(0.0)
        if version is not None and not version.scope.repeats:
            return self.read(version, kind)
        if shape != ANY and shape in self._carriers:
            return syntax.name(self._carriers[shape])
        return None

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
                return self.of(left, local) | self.of(right, local)
            case gast.Compare(left=left, comparators=[right]):
                return self.of(left, local) | self.of(right, local)
            case gast.Call(func=func, args=args, keywords=[]):
                callee = self._callee(func)
                plain = (
                    isinstance(callee, np.ufunc)
                    and callee.signature is None
                    and callee not in CHANGES_REALNESS
                )
                if plain or callee in ELEMENTWISE:
                    shape: Shape = SCALAR
                    for arg in args:
                        shape |= self.of(arg, local)
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


ELEMENTWISE: frozenset[object] = frozenset(
    {np.where, runtime.times, runtime.quotient, runtime.cancel, runtime.power, runtime.wins}
    | {runtime.dpower_dx, runtime.log_or_zero}
)
