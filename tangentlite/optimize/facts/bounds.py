"""Bounds: from where to where loops count, and whether places that are said by a counter are there in an array.

In: the loops around a statement, ``Axes``, ``Scope``.
Out: ``Bounds``: answers; "no" where that cannot be told.
Next: together.

A *term* is a size of an array, a counter or nothing, and a whole number that is added to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.axes import MADE, Axes
from tangentlite.optimize.facts.scope import Scope

SIMILAR = (runtime.zeros, runtime.storage, runtime.own)


class Term(NamedTuple):
    """``of``: the name of a counter, the array and the axis of a size, or None."""

    of: str | tuple[str, int] | None
    plus: int = 0


class Span(NamedTuple):
    """The range that a loop counts through, step by step, in one direction or the other."""

    call: gast.Call
    low: gast.expr
    high: gast.expr


def span(loop: gast.For, scope: Scope) -> Span | None:
    """What a loop counts through, if its step is one."""
    call, means = loop.iter, scope.purity.means
    if isinstance(call, gast.Call) and means(call.func, (reversed,)) and len(call.args) == 1:
        (call,) = call.args
    match call:
        case gast.Call(func=func, args=[high], keywords=[]) if means(func, (range,)):
            return Span(call, syntax.constant(0), high)
        case gast.Call(func=func, args=[low, high], keywords=[]) if means(func, (range,)):
            return Span(call, low, high)
    return None


class Bounds:
    """Answers about the places that counters of the loops ``around`` stand for."""

    def __init__(self, around: Sequence[gast.For], axes: Axes, scope: Scope) -> None:
        self._axes, self._scope = axes, scope
        self._spans: dict[str, Span] = {}
        for loop in around:
            found = span(loop, scope)
            if found is not None and isinstance(loop.target, gast.Name):
                name = loop.target.id
                if name in scope.integers and name not in syntax.stores(loop.body):
                    self._spans[name] = found

    def term(self, tree: gast.expr) -> Term | None:
        """What a place is, as far as that can be compared."""
        match tree:
            case gast.Constant(value=value) if type(value) is int:
                return Term(None, value)
            case gast.Name(id=name) if name in self._spans:
                return Term(name)
            case gast.Name(id=name):
                value = self._only(name)
                return self.term(value) if isinstance(value, gast.Subscript) else None
            case gast.Subscript(value=sizes, slice=gast.Constant(value=axis)):
                return self._size(sizes, axis)
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
                one, other = self.term(left), self.term(right)
                if one is not None and other is not None and other.of is None:
                    more = other.plus if isinstance(op, gast.Add) else -other.plus
                    return one._replace(plus=one.plus + more)
        return None

    def _only(self, name: str) -> gast.expr | None:
        """What a name is bound to, if it is bound once."""
        values = self._axes.bindings.get(name, ())
        return values[0] if len(values) == 1 and name not in self._scope.params else None

    def _size(self, sizes: gast.expr, axis: object) -> Term | None:
        if isinstance(sizes, gast.Name):
            sizes = self._only(sizes.id) or sizes
        match sizes:
            case gast.Attribute(value=gast.Name(id=name), attr="shape") if type(axis) is int:
                return Term((self.root(name), axis)) if axis >= 0 and self.root(name) else None
        return None

    def root(self, name: str) -> str:
        """The array whose shape an array was given; nothing if that may change."""
        match self._axes.bindings.get(name, []):
            case []:
                return name
            case [gast.Call(func=func, args=[gast.Name(id=like), *_])] if self._means(
                func, SIMILAR
            ):
                return name if like == name else self.root(like)
            case [gast.Call(func=func, args=[_, gast.Name(id=like)])] if self._means(
                func, (runtime.buffer,)
            ):
                return self.root(like)
            case [
                gast.Call(
                    func=func, args=[gast.Attribute(value=gast.Name(id=like), attr="shape"), *_]
                )
            ] if self._means(func, MADE):
                return self.root(like)
        return ""

    def _means(self, func: gast.expr, callees: tuple[object, ...]) -> bool:
        return self._scope.purity.means(func, callees)

    def positive(self, term: Term | None) -> bool:
        """Whether a term is at least zero."""
        if term is None:
            return False
        if isinstance(term.of, str):
            low = self.term(self._spans[term.of].low)
            return low is not None and self.positive(low._replace(plus=low.plus + term.plus))
        return term.plus >= 0

    def less(self, low: Term | None, high: Term | None) -> bool:
        """Whether a term is known to be less than another one."""
        if low is None or high is None:
            return False
        if isinstance(low.of, str) and low.of != high.of:
            last = self.term(self._spans[low.of].high)
            return last is not None and self.less(
                last._replace(plus=last.plus + low.plus - 1), high
            )
        return low.of == high.of and low.plus < high.plus

    def inside(self, end: Term | None, name: str, axis: int) -> bool:
        """Whether an array is at least as long along an axis as a term says."""
        if end is None or end.of is None:
            return False
        if isinstance(end.of, str):
            high = self.term(self._spans[end.of].high)
            return high is not None and self.inside(
                high._replace(plus=high.plus + end.plus - 1), name, axis
            )
        return end.plus <= 0 and end.of == (self.root(name), axis)

    def whole(self, end: Term | None, name: str, axis: int) -> bool:
        """Whether a term is the length of an array along an axis."""
        return end is not None and end == Term((self.root(name), axis))
