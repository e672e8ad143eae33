"""Asked: what branches and indices ask of the counters of loops, and what is known of that.

In: expressions, ``Sizes``, the ranges of counters.
Out: ``Where``: ``told(test)``, ``chosen(expression)``.
Next: turning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.slices.affine import Affine, Range, highest, is_natural, lowest
from tangentlite.slices.sizes import Sizes
from tangentlite.values import immutable, replace

ZERO = Affine((), 0)
EQUAL = (gast.Eq, gast.NotEq)
# ``d op 0`` holds if this is not negative
SPARE = {
    gast.Lt: lambda d: ZERO - d - 1,
    gast.LtE: lambda d: ZERO - d,
    gast.Gt: lambda d: d - 1,
    gast.GtE: lambda d: d,
}


@immutable(eq=False)
class Where:
    """Where counters are: what names stand for, what counters run through (the outer ones first), what is not negative.

    ``gone``: the names for which is said what they stand for.

    >>> from tangentlite.slices.samples import sizes
    >>> n = Affine.of("w.shape[0]")
    >>> i = Range("i", Affine((), 1), n - 2)
    >>> where = Where(sizes("n = len(w)"), {"i": Affine.of("i")}, (i,), ())
    >>> [where.told(syntax.expression(text)) for text in ("i > 0", "i == n - 1", "0 <= i < n")]
    [True, False, True]
    >>> where.told(syntax.expression("i == 5")) is None
    True
    """

    sizes: Sizes
    known: Mapping[str, Affine]
    ranges: tuple[Range, ...]
    facts: Sequence[Affine]
    gone: frozenset[str] = frozenset()

    def named(self, name: str, value: Affine, *, gone: bool) -> Where:
        """The same where a name stands for something."""
        known = {**self.known, name: value}
        return replace(self, known=known, gone=self.gone | {name} if gone else self.gone - {name})

    def inside(self, own: Range) -> Where:
        """The same inside a loop."""
        there = self.named(own.counter, Affine.of(own.counter), gone=False)
        return replace(there, ranges=(*self.ranges, own))

    def of(self, tree: Any) -> Affine | None:
        """An integer as a sum."""
        return self.sizes.of(tree, self.known)

    def without(self, names: set[str]) -> Where:
        """The same where nothing is known of some names."""
        known = {name: value for name, value in self.known.items() if name not in names}
        return replace(self, known=known, gone=self.gone - names)

    def is_sure(self, value: Affine | None) -> bool:
        """Whether something that does not depend on counters is not negative."""
        if value is None:
            return False
        return is_natural(value) or any(is_natural(value - fact) for fact in self.facts)

    def holds(self, spare: Affine) -> bool | None:
        """Whether something is never negative, or always; None: it depends."""
        if self.is_sure(lowest(spare, self.ranges)):
            return True
        top = highest(spare, self.ranges)
        return False if top is not None and self.is_sure(ZERO - top - 1) else None

    def told(self, test: Any) -> bool | None:
        """What a test gives; None: it depends."""
        match test:
            case gast.Compare(left=left, ops=[op, *ops], comparators=[right, *others]):
                found = self._compared(left, op, right)
                if not others or found is False:
                    return found
                rest = self.told(gast.Compare(right, ops, others))
                return rest if found or rest is False else None
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                found = self.told(operand)
                return None if found is None else not found
            case gast.BoolOp(op=op, values=values):
                answers, ending = [self.told(value) for value in values], isinstance(op, gast.Or)
                if ending in answers:
                    return ending
                return None if None in answers else not ending
        return None

    def _compared(self, left: Any, op: Any, right: Any) -> bool | None:
        a, b = self.of(left), self.of(right)
        if a is None or b is None:
            return None
        if type(op) in SPARE:
            return self.holds(SPARE[type(op)](a - b))
        if not isinstance(op, EQUAL):
            return None
        ends = self.holds(a - b), self.holds(b - a)
        equal = False if False in ends else (True if ends == (True, True) else None)
        return None if equal is None else equal is isinstance(op, gast.Eq)

    def chosen(self, tree: Any) -> gast.expr | None:
        """What ``max`` or ``min`` of two integers gives, or a remainder, if that is known."""
        match tree:
            case gast.Call(func=func, args=[left, right], keywords=[]):
                larger = self._larger(func, left, right)
                return None if larger is None else left if larger else right
            case gast.BinOp(left=left, op=gast.Mod(), right=right):
                return self._remainder(left, right)
        return None

    def _larger(self, func: gast.expr, left: Any, right: Any) -> bool | None:
        """Whether the first of two is what ``max`` or ``min`` gives."""
        a, b = self.of(left), self.of(right)
        if a is None or b is None or not self.sizes.sorts.means(func, (max, min)):
            return None
        return self.holds(a - b if self.sizes.sorts.means(func, (max,)) else b - a)

    def _remainder(self, left: Any, right: Any) -> gast.expr | None:
        a, b = self.of(left), self.of(right)
        if a is None or b is None:
            return None
        for turns, op in ((0, None), (1, "-"), (-1, "+")):
            part = a - b.times(turns)
            if self.holds(part) and self.holds(b - part - 1):
                return left if op is None else syntax.expression(f"a {op} b", a=left, b=right)
        return None
