"""Sizes: integers and the shapes of arrays, in terms of the arguments.

In: a function as it was read, what its names hold (``Sorts``).
Out: ``Sizes``: ``of(expression)``, ``shapes(name)``, ``apart(name)``.
Next: nests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.ir import Function
from tangentlite.optimize.facts.axes import MADE
from tangentlite.optimize.numbers.forms import INT, NUMBERS, axes_of, is_array
from tangentlite.optimize.numbers.sorts import Sorts
from tangentlite.slices.affine import Affine
from tangentlite.slices.handed import handed, turns
from tangentlite.slices.wholes import padded, whole

Shape = tuple[Affine, ...]
LIKE = (np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.copy, np.array)


class Sizes:
    """What is known of integers and arrays before a call; ``same``: sides of arrays that are as long as others.

    >>> from tangentlite.slices.samples import sizes
    >>> found = sizes("n, m = x.shape\\nh = n // 2\\ny = np.zeros((h, m - 1))")
    >>> [str(side) for side in found.shapes("y")[0]], str(found.of(syntax.expression("n - h + 1")))
    (['x.shape[0] // 2', 'x.shape[1] - 1'], 'x.shape[0] + 1 - x.shape[0] // 2')
    """

    def __init__(self, function: Function, sorts: Sorts, same: Mapping[str, str] = {}) -> None:
        self.function, self.sorts, self._same = function, sorts, same
        self.params = {p.name for p in function.params}
        self._bound: dict[str, list[gast.expr | None]] = {}
        self._turned: dict[str, set[str]] = {}
        self._handed: dict[str, list[str]] = {}
        self._lasting: dict[str, Shape | None] = {}
        self._hands = {id(statement) for statement in handed(function.body)}
        self._asked: set[str] = set()
        for statement in syntax.statements(function.body):
            self._see(statement)
        self._known: dict[str, Affine | None] = {}
        self._lasting = self._settled()

    # What names are bound to --------------------------------------------------------------------

    def _see(self, statement: Any) -> None:
        """Take in what a statement binds; arrays that are turned among names stay what they are."""
        match statement:
            case gast.Assign(targets=[target], value=value) if id(statement) in self._hands:
                self._handed.setdefault(target.id, []).append(value.id)
                return
            case gast.Assign(targets=[gast.Tuple(elts=left)], value=gast.Tuple(elts=right)) if (
                turns(left, right)
            ):
                names = {e.id for e in left}
                for name in names:
                    self._turned[name] = self._turned.get(name, set()) | names
                return
            case gast.Assign(targets=targets, value=value):
                for name, part in (pair for t in targets for pair in _parts(t, value)):
                    self._bound.setdefault(name, []).append(part)
                return
            case gast.AugAssign(target=gast.Name(id=name)) if is_array(self.sorts.known.get(name)):
                return  # in place
            case gast.If() | gast.While():
                return
        heads = statement.target if isinstance(statement, gast.For) else statement
        for name in syntax.stores(heads):
            self._bound.setdefault(name, []).append(None)

    def count(self, name: str) -> int:
        """How often a name is bound."""
        return len(self._bound.get(name, []))

    def _only(self, name: str) -> gast.expr | None:
        """The only thing that a local name is bound to."""
        found = self._bound.get(name, [])
        return found[0] if len(found) == 1 and name not in self.params else None

    def group(self, name: str) -> frozenset[str]:
        """The names among which the arrays are turned that a name may hold."""
        found, before = {name}, set[str]()
        while found != before:
            before = set(found)
            found = found.union(*(self._turned.get(n, set()) for n in before))
        return frozenset(found)

    def apart(self, name: str) -> bool:
        """Whether no other name holds memory of an array: it is an argument, or made here."""
        return all(map(self._is_own, self.group(name)))

    def _is_own(self, name: str) -> bool:
        if not is_array(self.sorts.known.get(name)):
            return False
        if name in self.params:
            return name not in self._bound
        made = self._only(name)
        return made is not None and self._shape_of(made) is not None

    # Integers -----------------------------------------------------------------------------------

    def of(self, tree: Any, known: Mapping[str, Affine] = {}) -> Affine | None:
        """An integer as a sum of what is ``known`` (counters) and of texts about the arguments."""
        match tree:
            case gast.Constant(value=int() as value) if type(value) is int:
                return Affine((), value)
            case gast.Name(id=name):
                return known[name] if name in known else self._named(name)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                found = self.of(operand, known)
                return found.times(-1) if found is not None else None
            case gast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.of(left, known), self.of(right, known), known)
            case gast.Call(func=func, args=[value], keywords=[]) if self.sorts.means(func, (len,)):
                return self._side(value, 0)
            case gast.Attribute(value=gast.Name() as value, attr="size"):
                return self._side(value, 0) if axes_of(self.sorts.of(value)) == 1 else None
            case gast.Subscript(value=gast.Attribute(value=gast.Name() as value, attr="shape")):
                k = self.of(tree.slice, known)
                return self._side(value, k.rest) if k is not None and not k.terms else None
        return None

    def _named(self, name: str) -> Affine | None:
        if name in self.params or name not in self.function.local:
            return Affine.of(name) if self._is_given(name) else None
        if name not in self._known:
            self._known[name] = None  # while it is looked at
            value = self._only(name)
            self._known[name] = self.of(value) if value is not None else None
        return self._known[name]

    def _is_given(self, name: str) -> bool:
        return name not in self._bound and self.sorts.known.get(name) == INT

    def _operation(
        self, op: gast.operator, a: Affine | None, b: Affine | None, known: Mapping[str, Affine]
    ) -> Affine | None:
        if a is None or b is None:
            return None
        match op:
            case gast.Add():
                return a + b
            case gast.Sub():
                return a - b
            case gast.Mult() if a.constant is not None or b.constant is not None:
                return b.times(a.rest) if a.constant is not None else a.times(b.rest)
            case gast.FloorDiv() if (b.constant or 0) > 0 and a.names.isdisjoint(known):
                shown = f"({a})" if len(a.terms) + bool(a.rest) > 1 else str(a)
                return (
                    Affine.of(f"{shown} // {b.rest}") if a.terms else Affine((), a.rest // b.rest)
                )
        return None

    # Shapes -------------------------------------------------------------------------------------

    def _side(self, value: gast.expr, k: int) -> Affine | None:
        shapes = self.shapes(value.id) if isinstance(value, gast.Name) else []
        if len(set(shapes)) != 1 or not -len(shapes[0]) <= k < len(shapes[0]):
            return None
        return shapes[0][k]

    def shapes(self, name: str) -> list[Shape]:
        """The shapes that an array may have; none of an array of which that is not known."""
        group = self.group(name)
        if not self._asked.isdisjoint(group):
            return []  # it is made like one that has its place later
        self._asked |= group
        first = [n for n in sorted(group) if not self._is_like_one_of(n, group)]
        found = [self._own_shape(n) for n in first]
        self._asked -= group
        return [] if None in found else found  # type: ignore[return-value]

    def _is_like_one_of(self, name: str, group: frozenset[str]) -> bool:
        """Whether an array is made like another one of those with which it is turned, all of them made here."""
        made = self._only(name) if group.isdisjoint(self.params) else None
        return made is not None and self._made_like(made) in group - {name}

    def _own_shape(self, name: str) -> Shape | None:
        if name in self._lasting:
            return self._lasting[name]
        return self._first_shape(name)

    def _settled(self) -> dict[str, Shape | None]:
        """The shapes of names whose arrays only such of the same shape take the place of."""
        found: dict[str, Shape | None] = {name: self._first_shape(name) for name in self._handed}
        while self._lasting != found:
            self._lasting, self._known = dict(found), {}
            for name, others in self._handed.items():
                if any(self._own_shape(other) != found[name] for other in others):
                    found[name] = None
        self._known = {}
        return found

    def _first_shape(self, name: str) -> Shape | None:
        if name in self.params:
            rank = axes_of(self.sorts.known.get(name))
            if rank is None or name in self._bound:
                return None
            sides = (f"{name}.shape[{k}]" for k in range(rank))
            return tuple(Affine.of(self._same.get(side, side)) for side in sides)
        made = self._only(name)
        return self._shape_of(made) if made is not None else None

    def _shape_of(self, tree: gast.expr) -> Shape | None:
        """The shape of an array that an expression makes."""
        match tree:
            case gast.Call(func=func, args=[shape, *_]) if self.sorts.means(func, MADE):
                return self._sides(shape) if is_array(self.sorts.of(tree)) else None
            case gast.Call() if (like := self._made_like(tree)) is not None:
                return self._like(like)
            case gast.Call(func=func, args=[_, _, count]) if self.sorts.means(func, (np.linspace,)):
                return self._sides(count) if is_array(self.sorts.of(tree)) else None
            case gast.Call(func=func, args=[gast.Name(id=like), widths]) if self.sorts.means(
                func, (np.pad,)
            ) and is_array(self.sorts.of(tree)):
                return padded(self._like(like), widths, self.of)
        return whole(tree, self.sorts, self._like)

    def _made_like(self, tree: gast.expr) -> str | None:
        """The array that has the shape of one that an expression makes."""
        match tree:
            case gast.Call(func=func, args=[gast.Name(id=like)], keywords=[]) if self.sorts.means(
                func, LIKE
            ):
                return str(like)
            case gast.Call(func=gast.Attribute(value=gast.Name(id=like), attr="copy"), args=[]):
                return str(like)
        return None

    def _like(self, name: str) -> Shape | None:
        shapes = self.shapes(name)
        return shapes[0] if len(set(shapes)) == 1 and is_array(self.sorts.known[name]) else None

    def _sides(self, tree: gast.expr) -> Shape | None:
        match tree:
            case gast.Attribute(value=gast.Name(id=like), attr="shape"):
                return self._like(like)
            case gast.Tuple(elts=elts):
                found = tuple(map(self.of, elts))
            case _:
                found = (self.of(tree),)
        return None if None in found else found  # type: ignore[return-value]

    def axes(self) -> dict[str, tuple[str, ...]]:
        """The axes of the arguments that are arrays of real numbers and never bound again."""
        given = (n for n in self.params if is_array(self.sorts.known.get(n)))
        shapes = {name: self._own_shape(name) for name in sorted(given)}
        return {name: tuple(map(str, shape)) for name, shape in shapes.items() if shape}

    def names(self) -> dict[str, str]:
        """The shorter names of what is said about the arguments."""
        found = dict[str, str]()
        for name in self._bound:
            value = self._named(name) if self.sorts.known.get(name) in NUMBERS else None
            if value is not None and value.rest == 0 and [f for _, f in value.terms] == [1]:
                found.setdefault(value.terms[0][0], name)
        return found


def _parts(target: gast.expr, value: gast.expr) -> Iterator[tuple[str, gast.expr | None]]:
    """The names that an assignment binds, and to what: the sides of a shape one by one."""
    match target, value:
        case gast.Name(id=name), _:
            yield name, value
        case gast.Tuple(elts=elts), gast.Attribute(attr="shape"):
            for k, part in enumerate(elts):
                yield part.id, syntax.expression(f"a[{k}]", a=value)
        case gast.Tuple(elts=left), gast.Tuple(elts=right) if len(left) == len(right):
            for part, own in zip(left, right):
                yield from _parts(part, own)
        case _:
            yield from ((name, None) for name in syntax.stores(target))
