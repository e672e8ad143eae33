"""How many axes the names of a kernel have, which hold floats, and which may share memory.

In: statements, what is known of the parameters.
Out: ``Names``.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tangentlite import runtime
from tangentlite.native.facts.families import Families, bound_once
from tangentlite.native.facts.floats import is_floating
from tangentlite.native.facts.given import largest, of_call
from tangentlite.native.facts.kin import OF_FIRST, kin, tied
from tangentlite.native.facts.known import (
    COPIED,
    ELEMENTWISE,
    FRESH,
    JOINED,
    OWN,
    PARTED,
    PRODUCTS,
    WRITERS,
    Known,
    Results,
    is_elementwise,
    is_helper,
    is_one_of,
)
from tangentlite.native.facts.names import bound, loads, statements, stores
from tangentlite.native.facts.ones import cut, indexed, ones_of
from tangentlite.native.facts.wholes import is_whole
from tangentlite.native.memory.shelves import places, shelved, shelves
from tangentlite.values import replace

Meaning = Callable[[ast.expr], Any]


class Names(Families):
    """``ranks``: axes of a name, -1 where they are not known or differ; ``floats``: names of floating arrays.

    ``given``: what is known of the parameters; ``apart``: they share no memory. ``results`` tells what a helper gives.
    """

    def __init__(
        self,
        body: list[ast.stmt],
        given: Mapping[str, Known],
        apart: bool,
        meaning: Meaning,
        results: Results,
    ) -> None:
        self.ranks: dict[str, int] = {}
        self.floats: set[str] = set()
        self.wholes: set[str] = set()
        self.result = Known()
        self.ones: dict[str, tuple[int, ...]] = {}
        self.alike = {name: known.like for name, known in given.items() if known.like}
        self.few = {(n, axis): m for n, known in given.items() for axis, m in known.few}
        self._tuples = {name: k for name, k in given.items() if k.parts is not None}
        self._items: dict[str, Known] = {}
        self._meaning, self._results = meaning, results
        super().__init__()
        self._last = self._tied = False
        times = Counter([*given, *(n for s in statements(body) for n in bound(s))])
        self._once = {n for n, count in times.items() if count == 1}
        for name, known in given.items():
            self._bind(name, known)
        found = list(statements(body))
        self._local = {*given, *(n for s in found for n in stores([s]))}
        self._shelves = shelves(body)
        self._local |= set(places(self._shelves))
        self._made = bound_once(body)
        if not apart:
            self._tie(list(given))
        for self._last in (False, False, True):  # what a loop reads may be bound further down
            self._learn_all(found)
        while self._tied:  # what is handed to a helper may be tied further down
            self._learn_all(found)
        self.roots |= {n for n, value in self._made.items() if self._is_root(n, value)}
        self.roots |= (
            set(given) - set(self._made) - {n for s in found for n in bound(s)} if apart else set()
        )
        self.result = replace(self.result, kin=kin(self, list(given), body))

    def _learn_all(self, found: list[ast.stmt]) -> None:
        self._pushed: dict[str, Known] = {}
        self._tied = False
        for statement in found:
            self._learn(statement)

    # Ranks ----------------------------------------------------------------------------------

    def rank(self, node: ast.expr) -> int | None:
        """The axes of an expression; None if they are not known."""
        match node:
            case ast.Name(id=name):
                found = self.ranks.get(name, -1)
                return None if found < 0 else found
            case ast.Constant(value=bool() | int() | float()):
                return 0
            case ast.UnaryOp(operand=operand):
                return self.rank(operand)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return PRODUCTS.get((self.rank(left), self.rank(right)))
            case ast.BinOp(left=left, right=right):
                return largest([left, right], self.rank)
            case ast.Compare(left=left, comparators=[right]):
                return largest([left, right], self.rank)
            case ast.Subscript(value=ast.Attribute(attr="shape"), slice=index):
                return 0 if self.rank(index) == 0 else None
            case ast.Subscript(value=value, slice=index):
                return indexed(self.rank(value), index, self.rank)
            case ast.Call():
                given = of_call(node, self.rank, self._meaning, self.whole)
                return self._joined(node) if given is None else given
            case ast.Attribute(attr="size" | "ndim"):
                return 0
            case ast.Attribute(value=array, attr="T"):
                return self.rank(array)
        return None

    def _joined(self, node: ast.Call) -> int | None:
        """The axes of arrays put side by side."""
        meant = self._meaning(node.func)
        if not node.args or not is_one_of(meant, JOINED):
            return None
        more = [*node.args[1:], *(k.value for k in node.keywords)]
        ranks = [part.rank or 0 for part in self.known(node.args[0]).parts or ()]
        flat = any(isinstance(m, ast.Constant) and m.value is None for m in more)
        mixed = is_one_of(meant, (np.vstack, np.column_stack)) and set(ranks) == {1, 2}
        alike = len(set(ranks)) == 1 and all(ranks)
        return JOINED[meant](max(ranks)) if (alike or mixed) and not flat else None

    def whole(self, node: ast.expr) -> bool:
        """Whether an expression has whole numbers for elements for sure."""
        return is_whole(node, self.wholes, self._meaning)

    def floating(self, node: ast.expr) -> bool:
        """Whether an expression has floating elements for sure."""
        return is_floating(node, self.floats, self._meaning)

    # Learning -------------------------------------------------------------------------------

    def _learn(self, statement: ast.stmt) -> None:
        parts = shelved(statement, self._shelves)
        for names in parts or []:
            self._tie(names)
        match statement:
            case ast.Assign(targets=[target], value=value):
                known = self.known(value)
                if isinstance(target, ast.Name) and (ones := cut(value, known.rank or 0)):
                    known = replace(known, ones=ones)
                self._assign(target, known)
                if self._is_record(value) and isinstance(target, ast.Tuple) and known.groups:
                    self._tie_parts(target, value, known.groups)
                elif parts is None and not self.is_fresh(value) and any(stores([target])):
                    for names in tied(target, value, known, self._meaning):
                        self._tie(names)
            case ast.For(target=target, iter=ast.Call(func=ast.Name(id="range"))):
                self._assign(target, Known(0, whole=True))
            case ast.For(target=target, iter=walked):
                self._assign(target, Known())
                self._tie([*stores([target]), *loads(walked)])
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item]
                ) as call
            ):
                self._push(name, self.known(item))
                self._tie(list(loads(call)) if parts is None else [])
            case ast.Expr(value=ast.Call(func=func) as call):
                if not is_one_of(self._meaning(func), WRITERS):
                    self._tie(list(loads(call)))
            case ast.Return(value=ast.expr() as value):
                self.result = self.known(value)

    def known(self, value: ast.expr) -> Known:
        """What is known of an expression."""
        match value:
            case ast.Tuple(elts=elements):
                return Known(
                    parts=tuple(map(self.known, elements)), groups=tuple(self._groups(elements))
                )
            case ast.Name(id=name) if name in self._tuples:
                return self._tuples[name]
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self._tuples:
                parts = self._tuples[name].parts or ()
                at = index.value if isinstance(index, ast.Constant) else None
                return parts[at] if type(at) is int and -1 < at < len(parts) else Known()
            case ast.Name(id=name) if name in self._items:
                return Known(items=self._items[name])
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop"), args=[]):
                return self._items.get(name, Known())
            case ast.Call(func=func, args=args, keywords=[]):
                meant = self._meaning(func)
                if is_one_of(meant, (runtime.private, runtime.stack)):
                    return self.known(args[0])
                if is_one_of(meant, PARTED) and len(args) > 1:
                    floating, given = self.floating(args[0]), self.known(args[1]).parts
                    return Known(parts=given and tuple(Known(p.rank, floating) for p in given))
                if is_helper(meant):
                    return self._results(meant, tuple(map(self.known, args)), self.apart(args))
            case ast.Attribute(value=array, attr="shape") if rank := self.rank(array):
                return Known(parts=(Known(0, whole=True),) * rank)
        found = self.rank(value), self.floating(value)
        return Known(*found, ones=self._ones(value), whole=self.whole(value))

    def _ones(self, value: ast.expr) -> tuple[int, ...]:
        return ones_of(value, self, self._meaning)

    def _groups(self, elements: list[ast.expr]) -> Iterator[int]:
        """Numbers of the families that elements belong to; none if one is more than a name."""
        if not all(isinstance(e, (ast.Name, ast.Constant, ast.Tuple)) for e in elements):
            return
        met: dict[str, int] = {}
        for place, element in enumerate(elements):
            name = element.id if isinstance(element, ast.Name) else ""
            alone = not name or self.ranks.get(name) == 0
            yield place if alone else met.setdefault(self.family(name), place)

    def _push(self, name: str, item: Known) -> None:
        if self._pushed.setdefault(name, item) != item:
            item = Known()
        self._items[name] = self._pushed[name] = item

    def _is_record(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Call) and self._meaning(value.func) is runtime.private

    def _tie_parts(self, target: ast.Tuple, value: ast.expr, groups: tuple[int, ...]) -> None:
        """The copies of a record: those of one array are one array, lists are the same."""
        names = [e.id if isinstance(e, ast.Name) else "" for e in target.elts]
        for place, first in enumerate(groups):
            self._tie([n for n in (names[first], names[place]) if n])
        self._tie([*loads(value), *(n for n in names if n and self.ranks.get(n, -1) < 0)])

    def apart(self, args: Sequence[ast.expr]) -> bool:
        """Whether arguments share no memory."""
        named = [n for arg in args for n in dict.fromkeys(loads(arg)) if n in self._local]
        families = [self.family(n) for n in named if self.ranks.get(n) != 0]
        return len(set(families)) == len(families)

    def _assign(self, target: ast.expr, known: Known) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, known)
            case ast.Tuple(elts=elements) if len(known.parts or ()) == len(elements):
                for element, part in zip(elements, known.parts or ()):
                    self._assign(element, part)
            case ast.Tuple(elts=elements):
                for element in elements:
                    self._assign(element, Known())

    def _bind(self, name: str, known: Known) -> None:
        rank = known.rank
        if rank is None:
            rank = -1 if self._last else self.ranks.get(name)
        if rank is not None:
            self.ranks[name] = rank if self.ranks.get(name, rank) == rank else -1
        if known.ones and name in self._once:
            self.ones[name] = known.ones
        if known.parts is not None and name in self._once:
            self._tuples[name] = known
        if known.items is not None and name in self._once:
            self._items[name] = known.items
        if known.whole:
            self.wholes.add(name)
        elif self._last:
            self.wholes.discard(name)
        if known.floating:
            self.floats.add(name)
        elif self._last:
            self.floats.discard(name)

    def is_fresh(self, value: ast.expr) -> bool:
        """Whether a value has memory of its own."""
        match value:
            case ast.Constant() | ast.BinOp() | ast.UnaryOp() | ast.Compare():
                return True
            case ast.Call(func=ast.Attribute(attr="copy" | "astype"), keywords=[]):
                return True
            case ast.Call(func=ast.Name(id=name)) if name in OWN:
                return True
            case ast.Call(func=func):
                meant = self._meaning(func)
                if is_one_of(meant, OF_FIRST) and value.args:
                    return self.is_fresh(value.args[0])
                fresh = isinstance(meant, np.ufunc) or is_one_of(meant, FRESH | ELEMENTWISE)
                return fresh or is_one_of(meant, COPIED)
        return self.rank(value) == 0

    def is_of_numbers(self, value: ast.expr) -> bool:
        """Whether a value is a function, without any effect, of numbers that have names."""
        match value:
            case ast.Call(func=func, args=args, keywords=[]):
                meant = self._meaning(func)
                pure = is_elementwise(meant, value) or is_one_of(meant, ELEMENTWISE)
                named = all(isinstance(a, (ast.Name, ast.Constant)) for a in args)
                return pure and named and all(self.rank(a) == 0 for a in args)
        return False

    def shape_of(self, node: ast.expr) -> ast.expr | None:
        """The shape, of an array that keeps its name, that a name stands for."""
        match self._made.get(node.id) if isinstance(node, ast.Name) else None:
            case ast.Attribute(value=ast.Name(id=array), attr="shape") as shape if (
                array in self._once and self.ranks.get(array, -1) > 0
            ):
                return shape
        return None

    # Memory ---------------------------------------------------------------------------------

    def add(self, name: str, value: ast.expr) -> None:
        """A new name that is bound to a value."""
        self._local.add(name)
        self.ranks[name] = -1 if (rank := self.rank(value)) is None else rank
        self.ones[name] = ones_of(value, self, self._meaning)
        if self.floating(value):
            self.floats.add(name)
        if not self.is_fresh(value):
            self._tie([name, *loads(value)])
        elif self.ranks[name] > 0:
            self.roots.add(name)

    def tie(self, one: str, other: str) -> None:
        """Two names share memory."""
        self._tie([one, other])

    def add_array(self, name: str, rank: int) -> None:
        """A new name of an array of floats, or of a number."""
        self._local.add(name)
        self.ranks[name] = rank
        self.floats.add(name)
        self.roots.add(name)

    def _tie(self, names: list[str]) -> None:
        arrays = [n for n in names if n in self._local and self.ranks.get(n) != 0]
        for other in arrays[1:]:
            self._tied |= self.tied(arrays[0], other)

    def _is_root(self, name: str, value: ast.expr) -> bool:
        return self.ranks.get(name, -1) > 0 and self.is_fresh(value)
