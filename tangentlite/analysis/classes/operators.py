"""Operators and builtins of objects, and of namedtuples that have their own: ``x + y``, ``-x``, ``abs(x)``, ``min(s)``.

In: a statement with the kinds before it.
Out: the statements that say the same with ``C.__add__`` and its kin.
Next: objects.
"""

from __future__ import annotations

import math
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.classes import members
from tangentlite.analysis.classes.members import OPERATORS
from tangentlite.analysis.classes.walking import Walking
from tangentlite.analysis.kinds import (
    Again,
    List,
    Member,
    Named,
    Nothing,
    Object,
    Pending,
    Tuple,
    Unknown,
)
from tangentlite.analysis.operators import OPERATORS as FUNCTIONS
from tangentlite.standins import ordering

ORDERING = ((min, ordering.least), (max, ordering.greatest))
ASKED: tuple[tuple[Any, str], ...] = (
    *((len, "__len__"), (abs, "__abs__"), (float, "__float__"), (round, "__round__")),
    *((math.floor, "__floor__"), (math.ceil, "__ceil__"), (math.trunc, "__trunc__")),
)


OPEN = (Unknown, Pending, Again, Nothing)


class Operators(Walking):
    """The part of an expansion for operators."""

    def calculates(self, node: gast.expr) -> type | None:
        """The class of an object or a namedtuple: its operators may be methods."""
        kind = self.kind_of(node) if isinstance(node, gast.Name | gast.Attribute) else None
        if isinstance(kind, Member | Named):
            return kind.owner  # type: ignore[no-any-return]
        return self.owner(node)

    def builtin(self, callee: Any, args: list[gast.expr]) -> list[Any] | None:
        """``len(x)``, ``abs(x)``, ``math.floor(x)``, ``operator.add(x, y)`` …"""
        for function, chooses in ORDERING:
            if callee is function:
                return self.ordered(chooses, args)
        op = next((op for op, function in FUNCTIONS.items() if callee is function), None)
        if op is not None and len(args) in (1, 2):
            return self.unary(op, *args) if len(args) == 1 else self.binary(op, *args)
        name = next((name for function, name in ASKED if callee is function), None)
        if name is None or len(args) != 1:
            return None
        owner = self.calculates(args[0])
        return None if owner is None else self.method(owner, name, args[0], [], [])

    def ordered(self, chooses: Any, args: list[gast.expr]) -> list[Any] | None:
        """``min(items)`` and ``min(a, b)`` of objects, tuples and lists, which are compared one after the other."""
        kinds = [self.kind_of(a) for a in args]
        before: list[gast.stmt] = []
        if len(args) > 1:
            name = self.expander.temporary(self.statement, "items", self.local)
            before = [syntax.assign(name, gast.List(list(args), gast.Load()))]
            args = [syntax.name(name)]
        else:
            items = kinds[0] if kinds else None
            kinds = list(items.items) if isinstance(items, Tuple) else []
            kinds = [items.item] if isinstance(items, List) and items.item is not None else kinds
        if not kinds or not all(isinstance(k, (Object, Tuple, List)) for k in kinds):
            return None
        return [*before, self.call(chooses, chooses.__name__, args, [])]

    def unary(self, op: type, operand: gast.expr) -> list[Any] | None:
        """``-x``."""
        name, owner = OPERATORS.get(op), self.calculates(operand)
        if name is None or owner is None:
            return None
        return self.method(owner, f"__{name}__", operand, [], [])

    def binary(self, op: type, left: gast.expr, right: gast.expr) -> list[Any] | None:
        """``x + y``."""
        name = OPERATORS.get(op)
        one, two = self.calculates(left), self.calculates(right)
        if one is None and isinstance(left, gast.Name) and isinstance(self.kind_of(left), OPEN):
            return None  # it may have the operator
        if name is None or (one is None and two is None):
            return None
        source = self.expander.normal.sources.get(self.statement)
        if one is not None and isinstance(source, gast.AugAssign):
            found = self.method(one, f"__i{name}__", left, [right], [])
            if found is not None:
                return found
        direct = None if one is None else self.method(one, f"__{name}__", left, [right], [])
        mirrored = None if two is None else self.method(two, f"__r{name}__", right, [left], [])
        if one and two and mirrored is not None and two is not one and issubclass(two, one):
            if members.method(one, f"__r{name}__") != members.method(two, f"__r{name}__"):
                return mirrored
        return mirrored if direct is None else direct
