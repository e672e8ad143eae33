"""How many axes the names of a kernel have, which hold floats, and which may share memory.

In: statements, what is known of the parameters.
Out: ``Names``.
Next: loops.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

from tangentlite import runtime
from tangentlite.native.facts.asked import Asked, Meaning
from tangentlite.native.facts.families import bound_once, made_anew
from tangentlite.native.facts.kin import kin, same, tied
from tangentlite.native.facts.known import WRITERS, Known, Results, is_one_of
from tangentlite.native.facts.names import bound, loads, statements, stores
from tangentlite.native.facts.ones import cut, ones_of
from tangentlite.native.memory.shelves import places, shelved, shelves
from tangentlite.values import replace


class Names(Asked):
    """``ranks``: axes of a name, -1 where they are not known or differ; ``floats``: names of floating arrays.

    ``marks``: arrays that are none yet where they are bound first.
    ``given``: what is known of the parameters; ``apart``: they share no memory, and are ``separate``. ``results`` tells
    what a helper gives.
    """

    def __init__(
        self,
        body: list[ast.stmt],
        given: Mapping[str, Known],
        apart: bool,
        meaning: Meaning,
        results: Results,
    ) -> None:
        super().__init__(given, meaning, results)
        self.result = Known()
        self.marks = frozenset[str]()
        self.separate = set(given) if apart else set[str]()
        self.alike = {name: known.like for name, known in given.items() if known.like}
        self.few = {(n, axis): m for n, known in given.items() for axis, m in known.few}
        self._last = self._tied = False
        times = Counter([*given, *(n for s in statements(body) for n in bound(s))])
        self._once |= {n for n, count in times.items() if count == 1}
        for name, known in given.items():
            self._bind(name, known)
        found = list(statements(body))
        self._local |= {*given, *(n for s in found for n in stores([s]))}
        self._shelves = shelves(body)
        self._local |= set(places(self._shelves))
        self._made |= bound_once(body)
        if not apart:
            self._tie(list(given))
        for self._last in (False, False, True):  # what a loop reads may be bound further down
            self._learn_all(found)
        while self._tied:  # what is handed to a helper may be tied further down
            self._learn_all(found)
        self.roots |= {
            n
            for n, values in made_anew(body).items()
            if n not in given and all(self._is_root(n, value) for value in values)
        }
        self.roots |= self.separate - set(self._made) - {n for s in found for n in bound(s)}
        params = list(given)
        returned = same(self, params, body, meaning)
        self.result = replace(self.result, kin=kin(self, params, body), same=returned)

    def _learn_all(self, found: list[ast.stmt]) -> None:
        self._pushed: dict[str, Known] = {}
        self._tied = False
        for statement in found:
            self._learn(statement)

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
