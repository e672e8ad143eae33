"""Vectors: what an expression is for all trips of a loop together, the trips along a last axis.

In: expressions of a trip.
Out: expressions of all trips, or ``Apart`` where the trips cannot be taken together.
Next: meetings.
"""

from __future__ import annotations

from typing import NamedTuple

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.axes import Axes
from tangentlite.optimize.facts.purity import Purity
from tangentlite.optimize.spelling.framed import ELEMENTWISE

BY_ELEMENT = (runtime.quotient, runtime.times, runtime.cancel)
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)
FULL = gast.Slice(None, None, None)


class Apart(Exception):
    """Trips that cannot be taken together."""


class Value(NamedTuple):
    """``rank``: the axes that it has in one trip; ``varies``: it has one more, the last, for the trips."""

    tree: gast.expr
    rank: int
    varies: bool


class Summed(Value):
    """A sum over all trips."""


class Vectors:
    """``bound``: the names that the loop binds; ``temporaries``: those of them that it has bound so far."""

    def __init__(self, axes: Axes, purity: Purity) -> None:
        self._axes, self._purity = axes, purity
        self.temporaries: dict[str, Value] = {}
        self.bound: set[str] = set()

    def part(self, part: gast.Subscript) -> Value:
        """A part of an array, for all trips."""
        raise Apart

    def of(self, tree: gast.expr, like: gast.expr | None = None) -> Value:
        """``like``: what has one element for each trip, if the value has."""
        match tree:
            case gast.Constant(value=int() | float()):
                return Value(tree, 0, False)
            case gast.Name(id=name):
                found = self.temporaries.get(name)
                rank = self._axes.known.get(name)
                if found is None and (rank is None or name in self.bound):
                    raise Apart
                return found or Value(tree, rank or 0, False)
            case gast.Subscript():
                return self.part(tree)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                inner = self.of(operand, like)
                return inner._replace(tree=gast.UnaryOp(gast.USub(), inner.tree))
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                return self._product(self.of(left, like), self.of(right, like))
            case gast.BinOp(left=left, op=op, right=right) if isinstance(op, OPERATORS):
                both, rank, varies = self._together([left, right], like)
                return Value(gast.BinOp(both[0], op, both[1]), rank, varies)
            case gast.Call(func=func, args=args, keywords=[]):
                return self._call(func, args, like)
        raise Apart

    def _together(
        self, trees: list[gast.expr], like: gast.expr | None
    ) -> tuple[list[gast.expr], int, bool]:
        """Operands that are broadcast against each other."""
        values = [self.of(t, like) for t in trees]
        varies = any(v.varies for v in values)
        rank = max(v.rank for v in values)
        return [v.tree if not varies else fitted(v) for v in values], rank, varies

    def _call(self, func: gast.expr, args: list[gast.expr], like: gast.expr | None) -> Value:
        means = self._purity.means
        if means(func, ELEMENTWISE) or means(func, BY_ELEMENT):
            found, rank, varies = self._together(args, like)
            return Value(gast.Call(func, found, []), rank, varies)
        if means(func, (np.dot,)) and len(args) == 2:
            return self._product(*(self.of(a, like) for a in args))
        if means(func, (runtime.dot,)) and isinstance(func, gast.Attribute):
            product = gast.Attribute(func.value, "unbroadcast_product", gast.Load())
            return self._call(product, [*args, syntax.constant(0.0)], like)
        if means(func, (runtime.unbroadcast_product,)) or means(func, (runtime.unbroadcast,)):
            *factors, shape = args
            found, _, varies = self._together(factors, like)
            target = self.of(shape, like)
            if varies and not target.varies:
                target = self._one_each(target, like)
            if target.varies and not varies:
                raise Apart
            return Value(gast.Call(func, [*found, target.tree], []), target.rank, varies)
        raise Apart

    @staticmethod
    def _one_each(target: Value, like: gast.expr | None) -> Value:
        """What tells the shape of one number for each trip."""
        if target.rank or like is None:
            raise Apart
        return Value(like, 0, True)

    @staticmethod
    def _product(left: Value, right: Value) -> Value:
        """A product of matrices and vectors, one of which is the same for all trips."""
        ranks = left.rank, right.rank
        if left.varies and not right.varies and ranks in ((1, 1), (1, 2)):
            turned = right.tree if ranks == (1, 1) else turn(right.tree)
            return Value(matmul(turned, left.tree), ranks[1] - 1, True)
        if left.varies or (right.varies and ranks not in ((1, 1), (2, 1))):
            raise Apart
        rank = {(1, 1): 0, (2, 1): 1, (1, 2): 1, (2, 2): 2}.get(ranks)
        if rank is None:
            raise Apart
        return Value(matmul(left.tree, right.tree), rank, right.varies)

    def total(self, tree: gast.expr) -> Value:
        """The sum of an expression over all trips."""
        found: list[Value] = []
        sign = False
        for factor in factors(tree):
            while isinstance(factor, gast.UnaryOp) and isinstance(factor.op, gast.USub):
                factor, sign = factor.operand, not sign
            found.append(self._summed(factor) or self.of(factor))
        varied = [v for v in found if v.varies]
        summed = [v for v in found if isinstance(v, Summed)]
        if len(varied) + len(summed) == 0 or (summed and len(varied) + len(summed) > 1):
            raise Apart
        whole = summed[0].tree if summed else _sum(varied)
        for value in found:
            if not value.varies and not isinstance(value, Summed):
                whole = gast.BinOp(whole, gast.Mult(), value.tree)
        rank = max(v.rank for v in found)
        return Value(gast.UnaryOp(gast.USub(), whole) if sign else whole, rank, False)

    def _summed(self, tree: gast.expr) -> Value | None:
        """What is summed down to a shape that is the same for all trips, summed over these as well."""
        match tree:
            case gast.Call(func=func, args=args, keywords=[]) if self._purity.means(
                func, (runtime.dot,)
            ):
                parts, _, varies = self._together(args, None)
                return Summed(gast.Call(func, parts, []), 0, False) if varies else None
            case gast.Call(func=func, args=[*given, shape], keywords=[]) if self._purity.means(
                func, (runtime.unbroadcast_product, runtime.unbroadcast)
            ):
                parts, _, varies = self._together(given, None)
                target = self.of(shape)
                if varies and not target.varies:
                    call = gast.Call(func, [*parts, fitted(target)], [])
                    first = [*[FULL] * target.rank, syntax.constant(0)]
                    index = gast.Tuple(first, gast.Load())
                    whole = gast.Subscript(call, index, gast.Load()) if target.rank else call
                    return Summed(whole, target.rank, False)
        return None


def factors(tree: gast.expr) -> list[gast.expr]:
    """What is multiplied.

    >>> [syntax.unparse(f) for f in factors(syntax.expression("a * (b + c) * d"))]
    ['a', 'b + c', 'd']
    """
    if isinstance(tree, gast.BinOp) and isinstance(tree.op, gast.Mult):
        return [*factors(tree.left), *factors(tree.right)]
    return [tree]


def _sum(values: list[Value]) -> gast.expr:
    """The sum over the last axis of a product of numbers, and arrays, of each trip."""
    numbers = [v.tree for v in values if not v.rank]
    arrays = [v.tree for v in values if v.rank]
    if len(arrays) == 1 and numbers:
        return matmul(arrays[0], _times(numbers))
    if not arrays and len(numbers) > 1:
        return matmul(_times(numbers[:-1]), numbers[-1])
    return syntax.expression("a.sum(axis=-1)", a=_times([*arrays, *numbers]))


def _times(parts: list[gast.expr]) -> gast.expr:
    whole, *others = parts
    for part in others:
        whole = gast.BinOp(whole, gast.Mult(), part)
    return whole


def matmul(left: gast.expr, right: gast.expr) -> gast.expr:
    """A product of matrices."""
    return gast.BinOp(left, gast.MatMult(), right)


def turn(tree: gast.expr) -> gast.expr:
    """The transposed matrix."""
    return gast.Attribute(tree, "T", gast.Load())


def fitted(value: Value) -> gast.expr:
    """What is broadcast as a trip's value is, beside what has an axis for trips."""
    if value.varies or value.rank == 0:
        return value.tree
    none = syntax.constant(None)
    match value.tree:
        case gast.Subscript(value=base, slice=gast.Tuple(elts=entries)):
            index: list[gast.expr] = [*entries, none]
            return gast.Subscript(base, gast.Tuple(index, gast.Load()), gast.Load())
    index = [*[FULL] * value.rank, none]
    return gast.Subscript(value.tree, gast.Tuple(index, gast.Load()), gast.Load())
