"""Bounds of slices as sums of names: two slices of one axis with equal bounds are equally long.

In: the statements of a normal form and their graph.
Out: for each statement that slices, what the names in its bounds stand for.
Next: subscripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.ir import Function

Atom = tuple[int, str]  # the point at which a name was bound, -1 for what was given
GIVEN = -1
MAKERS = frozenset(("zeros", "ones", "empty"))


class Amount(NamedTuple):
    """A whole number, and names that were bound at some points, each so many times."""

    number: int
    terms: tuple[tuple[Atom, int], ...] = ()

    def plus(self, other: Amount, sign: int = 1) -> Amount:
        """The sum or the difference.

        >>> i = Amount(0, (((3, "i"), 1),))
        >>> i.plus(Amount(1)), i.plus(i, -1)
        (Amount(number=1, terms=(((3, 'i'), 1),)), Amount(number=0, terms=()))
        """
        counts = dict(self.terms)
        for atom, count in other.terms:
            counts[atom] = counts.get(atom, 0) + sign * count
        terms = tuple((atom, counts[atom]) for atom in sorted(counts) if counts[atom])
        return Amount(self.number + sign * other.number, terms)


Known = dict[str, Amount]
Model = tuple[str, bool]  # a name, and whether only its first axis is meant


class Amounts(NamedTuple):
    """``bounds``: what the names in the bounds of slices stand for; ``models``: after what arrays are made.

    The model of ``np.zeros(a.shape, dtype=a.dtype)`` is ``a``; with ``len(a)`` it is the first axis of it.
    """

    bounds: Mapping[gast.stmt, Mapping[str, Amount]] = {}
    models: Mapping[gast.stmt, Model] = {}


def amounts(function: Function, graph: Graph) -> Amounts:
    """What names stand for where slices are taken and arrays made."""
    inside = function.contents
    if gast.Slice not in inside.kinds and MAKERS.isdisjoint(inside.attributes | inside.loads):
        return Amounts()
    if not any(_bounds(s) or _makes(s) for s in syntax.statements(function.body)):
        return Amounts()
    walk = _Walk(graph)
    walk.block(function.body, {})
    return Amounts(walk.found, walk.models)


def _bounds(statement: gast.stmt) -> set[str]:
    """The names in the bounds of the slices of a simple statement."""
    if syntax.blocks(statement):
        return set()
    slices = [n for n in syntax.nodes([statement]) if n.__class__ is gast.Slice]
    return syntax.loads(slices) if slices else set()


def _makes(statement: gast.stmt) -> bool:
    """Whether a statement calls something that has the name of a maker of arrays."""
    match statement:
        case gast.Assign(value=gast.Call(func=func, args=[gast.Name(), *_])):
            return (syntax.dotted(func) or "").rpartition(".")[2] in MAKERS
    return False


class _Walk:
    """Along the statements, with what every name stands for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.found: dict[gast.stmt, Mapping[str, Amount]] = {}
        self.models: dict[gast.stmt, Model] = {}
        self._sizes: dict[Amount, tuple[str, Amount, bool]] = {}  # of what they are the sizes
        self._types: dict[Amount, tuple[str, Amount]] = {}  # of the elements of what

    def block(self, body: list[gast.stmt], known: Known) -> Known:
        """What holds after a block; ``known`` changes."""
        for statement in body:
            names = _bounds(statement)
            if names:
                self.found[statement] = {n: _of(n, known) for n in names}
            self._after(statement, known)
        return known

    def _after(self, statement: gast.stmt, known: Known) -> None:
        blocks = syntax.blocks(statement)
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self._size(statement, value, known)
                made = _sum(value, known)
                known |= {name: _atom(self._graph.first[statement], name) if made is None else made}
                return
            case gast.If(body=then, orelse=other):
                ends = [self.block(block, dict(known)) for block in (then, other)]
                alike = {n: _of(n, ends[0]) for n in ends[0] if _of(n, ends[0]) == _of(n, ends[1])}
                self._forget(statement, self._graph.last[statement], known)
                known |= alike
                return
        self._forget(statement, self._graph.first[statement], known)
        for block in blocks:
            self.block(block, dict(known))
        if blocks:
            self._forget(statement, self._graph.last[statement], known)

    def _size(self, statement: gast.Assign, value: gast.expr, known: Known) -> None:
        """Note a size that is asked for, and an array that is made of one."""
        own = _atom(self._graph.first[statement], statement.targets[0].id)
        match value:
            case gast.Attribute(value=gast.Name(id=name), attr="shape"):
                self._sizes[own] = name, _of(name, known), False
            case gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=name)]):
                self._sizes[own] = name, _of(name, known), True
            case gast.Subscript(value=gast.Name(id=size), slice=gast.Constant(value=0)):
                name, then, first = self._sizes.get(_of(size, known), ("", Amount(0), True))
                if not first:
                    self._sizes[own] = name, then, True
            case gast.Attribute(value=gast.Name(id=name), attr="dtype"):
                self._types[own] = name, _of(name, known)
            case gast.Call(
                args=[gast.Name(id=size)],
                keywords=[gast.keyword(arg="dtype", value=gast.Name(id=dtype))],
            ) if _makes(statement):
                name, then, first = self._sizes.get(_of(size, known), ("", Amount(0), True))
                if self._types.get(_of(dtype, known)) == (name, then) == (name, _of(name, known)):
                    self.models[statement] = name, first

    def _forget(self, statement: gast.stmt, point: int, known: Known) -> None:
        """What a statement binds is something new."""
        known |= {name: _atom(point, name) for name in syntax.stores(statement)}


def _atom(point: int, name: str) -> Amount:
    return Amount(0, (((point, name), 1),))


def _of(name: str, known: Known) -> Amount:
    return known.get(name) or _atom(GIVEN, name)


def _sum(value: gast.expr, known: Known) -> Amount | None:
    """The amount that an expression of whole numbers stands for."""
    match value:
        case gast.Name(id=name):
            return _of(name, known)
        case gast.Constant(value=int(number)) if type(number) is int:
            return Amount(number)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(number))):
            return Amount(-number)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
            parts = _sum(left, known), _sum(right, known)
            if parts[0] is not None and parts[1] is not None:
                return parts[0].plus(parts[1], 1 if isinstance(op, gast.Add) else -1)
    return None
