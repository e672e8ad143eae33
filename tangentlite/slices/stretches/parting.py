"""Parting: loops that ask where they are become loops one after the other that need not ask.

In: the statements of a function, ``Sizes``, how ranges of loops are read.
Out: the statements, and what must not be negative for that.
Next: prepared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count, pairwise
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.numbers.forms import FLOAT, INT
from tangentlite.slices.affine import Affine, Range
from tangentlite.slices.afterwards import After
from tangentlite.slices.leaving import SCOPES, leaves, without_continue
from tangentlite.slices.sizes import Sizes
from tangentlite.slices.stretches.apart import private
from tangentlite.slices.stretches.asked import Where
from tangentlite.slices.stretches.ends import in_order, needed
from tangentlite.slices.stretches.settled import Settled
from tangentlite.slices.stretches.turning import RangeOf, Trips, is_near, literal, points

PEELED = 2  # so many trips are written out
STRETCHES = 6


class Stretches:
    """Parts the loops of a function; ``others``: 1: also where outer counters are, 2: or those of inner loops.

    ``needed`` must not be negative, so that no stretch is shorter than nothing; ``parts`` counts the loops.

    >>> from tangentlite.optimize.samples import text_of
    >>> from tangentlite.slices.reader import Reader
    >>> from tangentlite.slices.samples import sizes
    >>> def show(text):
    ...     found = sizes(text)
    ...     made = Stretches(found, Reader(found).range_of, others=0)
    ...     print(text_of(made.whole()))
    ...     print([str(value) for value in made.needed])
    >>> show('''
    ... n = len(w)
    ... for i in range(n):
    ...     if i == 0:
    ...         w[i] = c
    ...     elif i == n - 1:
    ...         w[i] = u[i - 1]
    ...     else:
    ...         w[i] = u[i + 1] - u[i - 1]
    ... ''')
    n = len(w)
    w[0] = c
    for i in range(1, n - 1):
        w[i] = u[i + 1] - u[i - 1]
    w[n - 1] = u[n - 2]
    ['w.shape[0] - 2']

    Remainders, and the nearer end, are asked for, too.

    >>> show('''
    ... n = len(w)
    ... for i in range(n):
    ...     before = (i - 1) % n
    ...     w[i] = u[before] - u[min(i + 1, n - 1)]
    ... ''')
    n = len(w)
    w[0] = u[n - 1] - u[1]
    for i in range(1, n - 1):
        w[i] = u[i - 1] - u[i + 1]
    w[n - 1] = u[n - 2] - u[n - 1]
    ['w.shape[0] - 2']
    """

    def __init__(self, sizes: Sizes, range_of: RangeOf, others: int) -> None:
        self._sizes, self._range_of, self._others = sizes, range_of, others
        self._after = After(sizes.function.body)
        self._names, self._before = sizes.names(), set[str]()
        self._reads = _reads(sizes.function.body)
        self._taken = {*sizes.function.local, *sizes.function.read}
        self.needed, self.parts, self._depth = list[Affine](), 0, 0

    def whole(self) -> list[gast.stmt]:
        """The statements of the function."""
        start, made = Where(self._sizes, {}, (), self.needed), list[gast.stmt]()
        for statement in self._sizes.function.body:
            made += self._statement(statement, start)
            if isinstance(statement, gast.Assign):
                self._before |= syntax.stores(statement)
        return made

    def _block(self, body: Sequence[Any], where: Where) -> list[gast.stmt]:
        made = list[gast.stmt]()
        for k, statement in enumerate(body):
            found = self._integer(statement, body[k + 1 :], where)
            if found is not None:
                where = where.named(statement.targets[0].id, found, gone=True)
            else:
                made += self._statement(statement, where)
        return made

    def _integer(self, statement: Any, rest: Sequence[Any], where: Where) -> Affine | None:
        """An integer with a name that only the next statements read."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if (
                self._sizes.sorts.known.get(name) == INT and self._sizes.count(name) == 1
            ):
                only = self._depth and self._reads[name] == _reads(rest)[name]
                return where.of(self._spelled(value, where)) if only else None
        return None

    def _statement(self, statement: Any, where: Where) -> list[gast.stmt]:
        match statement:
            case gast.For():
                return self._loop(statement, where)
            case gast.If(test=test, body=body, orelse=orelse) if where.told(test) is not None:
                return self._block(body if where.told(test) else orelse, where)
            case gast.If() | gast.While():
                made = gast.copy_location(type(statement)(), statement)
                made.test = self._spelled(statement.test, where)
                made.body = self._block(statement.body, where)
                made.orelse = self._block(statement.orelse, where)
                return [made]
        return [self._spelled(statement, where)]

    def _spelled(self, tree: Any, where: Where) -> Any:
        return Settled(where, self._shorter()).visit(syntax.copy(tree))

    def _shorter(self) -> dict[str, str]:
        """The names of integers that are bound before a loop."""
        return {text: name for text, name in self._names.items() if name in self._before}

    def _loop(self, loop: gast.For, where: Where) -> list[gast.stmt]:
        body, found = without_continue(loop.body), self._range_of(loop, where.known)
        inside = where.ranges or where.gone
        numbers = literal(loop) if inside and self._may_part(loop, body) else None
        if numbers is not None:
            return self._one_by_one(loop, body, numbers, where)
        if found is None:
            return [self._kept(loop, body, where.without(syntax.stores(loop.target)))]
        own, down = found
        ends = self._ends(loop, body, own, where)
        if len(ends) <= 2:
            return [self._kept(loop, body, where.inside(own))]
        self.parts += 1
        self._depth += 1
        stretches = [
            stretch for stretch in pairwise(ends) if (stretch[1] - stretch[0]).constant != 0
        ]
        made = list[gast.stmt]()
        for first, stop in reversed(stretches) if down else stretches:
            stretch = self._stretch(body, Range(own.counter, first, stop - 1), down, where, loop)
            made += self._apart(stretch, loop) if where.ranges and made else stretch
        self._depth -= 1
        return made

    def _one_by_one(
        self, loop: gast.For, body: list[gast.stmt], numbers: Trips, where: Where
    ) -> list[gast.stmt]:
        """Trips that are written out."""
        made = list[gast.stmt]()
        self.parts += 1
        self._depth += 1
        for trip in numbers:
            there = where
            for name, number in trip.items():
                there = there.named(name, Affine((), number), gone=True)
            own = self._block(body, there)
            made += self._apart(own, loop) if made else own
        self._depth -= 1
        return made

    def _apart(self, stretch: list[gast.stmt], loop: gast.For) -> list[gast.stmt]:
        """Statements that call numbers of their own something that nothing else is called."""
        read, known = self._after.names(loop) or (), self._sizes.sorts.known
        names = {n for n in private(stretch) if known.get(n) == FLOAT and n not in read}
        for name in sorted(names):
            k = next(k for k in count(1) if f"{name}_{k}" not in self._taken)
            self._taken.add(f"{name}_{k}")
            stretch = [syntax.substitute(s, {name: f"{name}_{k}"}) for s in stretch]
        return stretch

    def _kept(self, loop: gast.For, body: list[gast.stmt], where: Where) -> gast.stmt:
        orelse = self._block(loop.orelse, where)
        inner = self._block(body, where) or [gast.Pass()]
        made = gast.For(loop.target, self._spelled(loop.iter, where), inner, orelse, None)
        if not self.parts and hasattr(loop, "before"):
            made.before = loop.before
        return syntax.at(made, loop)

    def _stretch(
        self, body: list[gast.stmt], own: Range, down: bool, where: Where, loop: gast.For
    ) -> list[gast.stmt]:
        """What a loop does in some of its trips."""
        assert own.high is not None
        trips, made = (own.high - own.low + 1).constant, list[gast.stmt]()
        if trips is not None and trips <= PEELED:
            for k in reversed(range(trips)) if down else range(trips):
                made += self._block(body, where.named(own.counter, own.low + k, gone=True))
            return made
        names = self._shorter()
        ends = (own.high, own.low - 1) if down else (own.low, own.high + 1)
        shown = [end.tree(names) for end in ends]
        run = gast.Call(loop.iter.func, [*shown, syntax.constant(-1)] if down else shown, [])
        inner = self._block(body, where.inside(own))
        return [syntax.at(gast.For(loop.target, run, inner, [], None), loop)] if inner else []

    def _ends(
        self, loop: gast.For, body: list[gast.stmt], own: Range, where: Where
    ) -> list[Affine]:
        """Where stretches begin, and the last one stops; none if the loop stays one."""
        if own.high is None or own.step != 1 or not self._may_part(loop, body):
            return []
        found = list(points(body, own.counter, where.inside(own), self._range_of, self._others > 1))
        if not self._others:
            found = [p for p in found if p.names.isdisjoint(where.known) or is_near(p, own)]
        ends = in_order(own, found, where)
        more = needed(ends, where) if 2 < len(ends) <= STRETCHES else None
        self.needed += more or []
        return ends if more is not None else []

    def _may_part(self, loop: gast.For, body: list[gast.stmt]) -> bool:
        """Whether nobody sees how far the counter came, and every trip goes through all statements."""
        read, bound = self._after.names(loop), syntax.stores(loop.target)
        plain = SCOPES.isdisjoint(map(type, syntax.nodes(body))) and not leaves(body)
        steady = plain and bound.isdisjoint(syntax.stores(body))
        return steady and read is not None and bound.isdisjoint(read)


def _reads(body: Sequence[gast.stmt]) -> Counter[str]:
    """How often names are read."""
    nodes = (n for n in syntax.nodes(body) if isinstance(n, gast.Name))
    return Counter(n.id for n in nodes if isinstance(n.ctx, gast.Load))
