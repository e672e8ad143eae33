"""Together: what a loop does in all its trips, said at once.

In: a loop, what is known of the function around it.
Out: statements, or ``Apart`` where the trips need each other.
Next: trips.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import gast

from tangentlite import runtime, syntax
from tangentlite.optimize.facts.bounds import Bounds, Span, Term
from tangentlite.optimize.facts.meetings import REMARKS, Meetings, Place, Uses
from tangentlite.optimize.loops.vectors import FULL, Apart, Value, Vectors, fitted, turn
from tangentlite.optimize.replace import remade

Body = list[gast.stmt]


class Loop(Vectors):
    """A loop that counts through ``found``, in those ``around`` it, which it ends."""

    def __init__(self, uses: Uses, loop: gast.For, found: Span, around: Sequence[gast.For]) -> None:
        super().__init__(uses.axes, uses.scope.purity)
        self.uses, self.loop, self.span, self._scope = uses, loop, found, uses.scope
        self._counter: str = loop.target.id
        self._bounds = Bounds(around, self._axes, self._scope)
        self._low, self._high = self._bounds.term(found.low), self._bounds.term(found.high)
        if not self._bounds.positive(self._low) or self._counter not in self._scope.integers:
            raise Apart
        self._checks: dict[str, gast.expr] = {}
        self.bound |= {self._counter, *syntax.stores(loop.body)}
        self._reads = syntax.times_loaded(loop.body)
        self.body = self._folded()
        self._written = Meetings(uses, self.body, self._reads, found.low, self.place).written()

    def statements(self) -> Body:
        made: Body = []
        for s in self.body:
            made.append(s if isinstance(s, REMARKS) else syntax.at(self._statement(s), s))
        head: Body = []
        if self._checks:
            call = syntax.expression("rt.within")
            if not self._scope.purity.means(call, (runtime.within,)):
                raise Apart
            check = gast.Call(call, [self.span.call, *self._checks.values()], [])
            head.append(syntax.at(gast.Expr(check), self.loop))
        if self._bounds.less(self._low, self._high):
            return [*head, *made]
        return [*head, syntax.at(gast.If(self._any(), made, []), self.loop)]

    def _any(self) -> gast.expr:
        """Whether there is a trip."""
        low = self.span.low
        if isinstance(low, gast.Constant) and low.value == 0 and self._bounds.positive(self._high):
            return self.span.high
        return gast.Compare(low, [gast.Lt()], [self.span.high])

    def _folded(self) -> Body:
        """The statements, with products that are named only to be added back in the sum."""
        body, made = list(self.loop.body), dict[str, int]()
        for k, s in enumerate(body):
            match s:
                case gast.AugAssign(value=gast.Name(id=name)):
                    start = made.get(name)
                    if start is not None and self._may_wait(body, start, k, name):
                        body[k] = remade(s, {"value": body[start].value})
                        body[start] = gast.Pass()
                        self._reads[name] -= 1
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp() | gast.Call()):
                    made.setdefault(name, k)
        return [s for s in body if not isinstance(s, gast.Pass)]

    def _may_wait(self, body: Body, start: int, end: int, name: str) -> bool:
        """Whether what a name is bound to may be computed later, where it is read."""
        if self.uses.loads[name] != 1 or not self.uses.is_temporary(name, self._reads):
            return False
        read, sharing = syntax.loads(body[start].value), self.uses.buffers.sharing
        memory = read - self._numbers
        for other in body[start + 1 : end]:
            facts = self._scope.facts(other)
            written = facts.writes.union(*map(sharing, facts.writes))
            if facts.effect or not (read.isdisjoint(facts.binds) and memory.isdisjoint(written)):
                return False
        return True

    @cached_property
    def _numbers(self) -> set[str]:
        """The names that the loop binds to elements of arrays."""
        found: set[str] = set()
        for statement in self.loop.body:
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript() as part):
                    found |= {name} if self._axes.of(part) == 0 else set()
        return found

    # Statements -----------------------------------------------------------------------------

    def _statement(self, statement: gast.stmt) -> gast.stmt:
        match statement:
            case gast.Assign(
                targets=[gast.Name(id=name) as target],
                value=gast.BinOp(left=gast.Name(id=left), op=op, right=right),
            ) if name == left and self._scope.adjoint(name):
                if not isinstance(op, gast.Add | gast.Sub):
                    raise Apart
                total = self.total(right)
                return gast.Assign([target], gast.BinOp(syntax.name(name), op, total.tree), None)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                return self._named(name, value)
            case gast.AugAssign(target=gast.Subscript() as target, op=op, value=value):
                place = self.part(target)
                if place.varies:
                    return gast.AugAssign(self._stored(place), op, self._fitted(value, place))
                if not isinstance(op, gast.Add | gast.Sub):
                    raise Apart
                total = self.total(value)
                if total.rank > place.rank:
                    raise Apart
                return gast.AugAssign(target, op, total.tree)
            case gast.Assign(targets=[gast.Subscript() as target], value=value):
                place = self.part(target)
                if not place.varies:
                    raise Apart
                return gast.Assign([self._stored(place)], self._fitted(value, place), None)
        raise Apart

    def _named(self, name: str, value: gast.expr) -> gast.stmt:
        if not self.uses.is_temporary(name, self._reads):
            raise Apart
        copied = None
        match value:
            case gast.Call(
                func=gast.Attribute(value=gast.Subscript() as part, attr="copy"), args=[]
            ):
                copied, value = True, part
        found = self.of(value)
        base = value.value.id if isinstance(value, gast.Subscript) else None
        number = found.rank == 0 and found.varies and base in self._written
        tree = found.tree
        if copied or number:
            tree = gast.Call(gast.Attribute(tree, "copy", gast.Load()), [], [])
        self.temporaries[name] = found._replace(tree=syntax.name(name))
        return syntax.assign(name, tree)

    @staticmethod
    def _stored(place: Value) -> gast.expr:
        tree = place.tree.value if isinstance(place.tree, gast.Attribute) else place.tree
        return syntax.store(tree)

    def _fitted(self, tree: gast.expr, place: Value) -> gast.expr:
        """A value as it is stored or added at a place."""
        found = self.of(tree, None if place.rank else place.tree)
        if found.rank > place.rank:
            raise Apart
        if not isinstance(place.tree, gast.Attribute):
            return fitted(found)
        if not found.varies:
            return found.tree
        if found.rank == 1:
            return turn(found.tree)
        none = syntax.constant(None)
        index = gast.Tuple([FULL, none], gast.Load())
        return gast.Subscript(found.tree, index, gast.Load())

    # Places ---------------------------------------------------------------------------------

    def part(self, part: gast.Subscript) -> Value:
        """A part of an array, for all trips."""
        name, entries, axis, plus = self.place(part)
        slices = [isinstance(e, gast.Slice) for e in entries]
        if axis is None:
            return Value(part, sum(slices), False)
        before, rank = sum(slices[:axis]), sum(slices)
        if before != rank and rank > 1:
            raise Apart
        entry = self._slice(name, axis, plus)
        index = [*entries[:axis], entry, *entries[axis + 1 :]]
        key = index[0] if len(index) == 1 else gast.Tuple(index, gast.Load())
        tree: gast.expr = gast.Subscript(part.value, key, gast.Load())
        return Value(tree if before == rank else turn(tree), rank, True)

    def place(self, part: gast.Subscript) -> Place:
        """An array, its index, and along which axis the counter goes, with what is added to it."""
        index = part.slice
        entries = list(index.elts) if isinstance(index, gast.Tuple) else [index]
        if not isinstance(part.value, gast.Name):
            raise Apart
        name = part.value.id
        if name in self.temporaries or self._axes.known.get(name) != len(entries):
            raise Apart
        axis, plus = None, 0
        for k, entry in enumerate(entries):
            if self._counter not in syntax.loads(entry):
                if not self._is_same(entry):
                    raise Apart
                continue
            term = None if isinstance(entry, gast.Slice) else self._bounds.term(entry)
            if axis is not None or term is None or term.of != self._counter:
                raise Apart
            axis, plus = k, term.plus
        return name, entries, axis, plus

    def _is_same(self, entry: gast.expr) -> bool:
        """Whether an index is a slice or a number, the same for all trips."""
        if isinstance(entry, gast.Slice):
            return entry.step is None
        return syntax.loads(entry) <= self._scope.integers and _is_plain(entry)

    def _slice(self, name: str, axis: int, plus: int) -> gast.expr:
        """The places of all trips along an axis."""
        low = self._low._replace(plus=self._low.plus + plus) if self._low else None
        if not self._bounds.positive(low):
            raise Apart
        end = self._high and self._high._replace(plus=self._high.plus + plus)
        if not self._bounds.inside(end, name, axis):
            self._check(name, axis, plus)
        first = None if low == Term(None, 0) else _shifted(self.span.low, plus)
        whole = self._bounds.whole(end, name, axis)
        return gast.Slice(first, None if whole else _shifted(self.span.high, plus), None)

    def _check(self, name: str, axis: int, plus: int) -> None:
        name = self._bounds.root(name) or name
        size = syntax.expression("a.shape[k]", a=name, k=syntax.constant(axis))
        size = _shifted(size, -plus)
        self._checks[syntax.unparse(size)] = size


def _is_plain(entry: gast.expr) -> bool:
    kinds = (gast.Name, gast.Constant, gast.BinOp)
    return all(isinstance(n, kinds) for n in syntax.walk(entry) if isinstance(n, gast.expr))


def _shifted(tree: gast.expr, plus: int) -> gast.expr:
    """A place, and so many further."""
    if isinstance(tree, gast.Constant):
        return syntax.constant(tree.value + plus)
    if not plus:
        return tree
    op = gast.Add() if plus > 0 else gast.Sub()
    return gast.BinOp(tree, op, syntax.constant(abs(plus)))
