"""Places of arrays as loops come to them: may one statement write, later, where another one reads?

In: statements of a normal form, indices in the names or the versions that they read.
Out: an answer; "yes" where that cannot be told.
Next: untouched.

An index along an axis is a sum of counters of loops, of sizes and of a number. Of two trips the later one is told by
the outermost loop in which they differ: ``A[i, :j]`` in a trip is apart from ``A[i, j]`` of the same trip, and of all
later ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import gast

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.restore.trips import (
    EARLIER,
    LATER,
    OWN,
    Ends,
    Range,
    Span,
    Sum,
    Trips,
    parted,
    told,
)

Find = Callable[[str], Version | None]
Way = list[tuple[Scope, int]]
WHOLE: Span = (None, None)


@dataclass(frozen=True, eq=False)
class Part:
    """Where a statement comes to in an array: from where to where along each axis, and that in all trips."""

    statement: gast.stmt
    spans: list[Span]
    ends: tuple[Ends, ...]


class Parts:
    """Some parts, by the statement of the outermost block that they stand in."""

    def __init__(self, places: Places, parts: Iterable[Part]) -> None:
        self.near: dict[int, list[Part]] = {}
        self.first: dict[tuple[Ends, ...], int] = {}
        for part in parts:
            at = places.way(part.statement)[0][1]
            self.near.setdefault(at, []).append(part)
            self.first[part.ends] = min(at, self.first.get(part.ends, at))
        found = (part for near in self.near.values() for part in near)
        self.counted = all(places.loops(part.statement) is not None for part in found)


class Places:
    """Answers for the statements of one function."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._versions = facts, facts.versions
        self._homes: dict[gast.stmt, tuple[Scope, int]] = {}
        self._ways: dict[gast.stmt, Way] = {}
        self._ranges: dict[gast.For, Range] = {}
        self._followed: dict[object, bool] = {}
        scopes = [
            self._versions.root,
            *(s for inner in self._versions.scopes.values() for s in inner),
        ]
        for scope in scopes:
            self._homes |= {statement: (scope, k) for k, statement in enumerate(scope.block)}

    def part(self, statement: gast.stmt, index: gast.expr, find: Find) -> Part:
        """A part that a statement comes to; ``find`` gives the versions of the names in the index."""
        spans, trips = self._spans(index, find), Trips(self.range)
        ends = ((trips.end(low, True), trips.end(high, False)) for low, high in spans)
        return Part(statement, spans, tuple(ends))

    def may_follow_any(self, later: Part, parts: Parts, at_once: bool = True) -> bool:
        """Whether a statement comes to its part of an array after another one came to one of some parts."""
        if not parts.near:
            return False
        if not parts.counted or self.loops(later.statement) is None:
            return True
        at = self.way(later.statement)[0][1]
        before = (ends for ends, first in parts.first.items() if first < at)
        if not all(parted(later.ends, ends) for ends in before):
            return True
        return any(self.may_follow(later, part, at_once) for part in parts.near.get(at, ()))

    def may_follow(self, later: Part, earlier: Part, at_once: bool = True) -> bool:
        """Whether a statement comes to its part of an array after another one came to that part.

        ``at_once``: a statement follows itself.
        """
        one, two = later.statement, earlier.statement
        around, other = self.loops(one), self.loops(two)
        if around is None or other is None:
            return True
        follows = at_once if one is two else not self._comes_first(one, two)
        common = tuple(a for a, b in zip(around, other) if a is b)
        key = follows, common, told(later.spans), told(earlier.spans)
        if key not in self._followed:
            cases = [*range(len(common)), *([None] if follows else [])]
            apart = (self._apart(common, case, later.spans, earlier.spans) for case in cases)
            self._followed[key] = not all(apart)
        return self._followed[key]

    def _apart(self, common: tuple[gast.For, ...], case: int | None, *both: list[Span]) -> bool:
        """Whether places differ along some axis where trips differ in loop number ``case`` first."""
        shared = set(common if case is None else common[:case])
        trips = Trips(self.range, shared, None if case is None else common[case])
        for later, earlier in zip(*both):
            (a, b), (c, d) = trips.of(later, LATER), trips.of(earlier, EARLIER)
            if trips.less(b, c) or trips.less(d, a):
                return True
        return False

    def _comes_first(self, one: gast.stmt, other: gast.stmt) -> bool:
        """Whether a statement stands before another one in the same trip."""
        first, second = self.way(one), self.way(other)
        for (scope, k), (same, n) in zip(first, second):
            if scope is not same:
                return False  # two branches
            if k != n:
                return k < n
        return False

    def way(self, statement: gast.stmt) -> Way:
        """The blocks around a statement, from the outermost one, and the places in them."""
        if statement not in self._ways:
            home, outer = self._homes[statement], self._homes[statement][0]
            above = outer.parent.block[outer.position] if outer.parent is not None else None
            self._ways[statement] = [home] if above is None else [*self.way(above), home]
        return self._ways[statement]

    def loops(self, statement: gast.stmt) -> list[gast.For] | None:
        """The loops around a statement; None if some count nothing."""
        way = self.way(statement)
        holders = [s.parent.block[s.position] for s, _ in way[1:] if s.parent and s.kind == "loop"]
        return None if any(not isinstance(h, gast.For) for h in holders) else holders

    # Sums -----------------------------------------------------------------------------------

    def range(self, loop: gast.For) -> Range:
        """What a loop counts through, as far as it is known."""
        if loop not in self._ranges:
            self._ranges[loop] = self._range(loop)
        return self._ranges[loop]

    def _range(self, loop: gast.For) -> Range:
        iterable, rises, depth = loop.iter, True, len(self.way(loop))
        match iterable:
            case gast.Call(func=gast.Name(id="reversed"), args=[iterable]):
                rises = False
        args = iterable.args if isinstance(iterable, gast.Call) else []
        if not args or not _counts(loop.iter):
            return Range(None, None, None, depth)
        find = self._versions.reads[loop].get
        first, last = (args[0], args[1]) if len(args) > 1 else (syntax.constant(0), args[0])
        step = _number(args[2]) if len(args) == 3 else 1
        ends = self._sum(first, find), self._sum(last, find)
        if not step:
            return Range(None, None, None, depth)
        if step > 0:
            return Range(ends[0], ends[1] and ends[1].plus(Sum(-1)), rises, depth)
        return Range(ends[1] and ends[1].plus(Sum(1)), ends[0], not rises, depth)

    def _spans(self, index: gast.expr, find: Find) -> list[Span]:
        """From where to where an index goes along each axis; nothing if it is no basic index."""
        spans: list[Span] = []
        for entry in index.elts if isinstance(index, gast.Tuple) else [index]:
            match entry:
                case gast.Slice(lower=lower, upper=upper, step=None):
                    low = self._floor(lower, find) if lower is not None else Sum(0)
                    high = self._floor(upper, find) if upper is not None else None
                    spans.append((low or Sum(0), high and high.plus(Sum(-1))))
                case gast.Slice():
                    spans.append(WHOLE)
                case gast.Name() | gast.Constant() if self._is_number(entry, find):
                    place = self._floor(entry, find)
                    spans.append((place, place))
                case _:
                    return []
        return spans

    def _is_number(self, entry: gast.expr, find: Find) -> bool:
        if isinstance(entry, gast.Constant):
            return type(entry.value) is int
        version = find(entry.id)
        return version is not None and self._is_whole(version)

    def _is_whole(self, version: Version) -> bool:
        if version.header:
            return isinstance(version.maker, gast.For) and _counts(version.maker.iter)
        kind = self._facts.kind_of(version)
        return isinstance(kind, Num) and kind.exact == "int" and kind.scalar and kind.python

    def _floor(self, node: gast.expr, find: Find) -> Sum | None:
        """The sum that an index is, if it is not negative: it does not count from the end."""
        found = self._sum(node, find)
        if found is None:
            return None
        trips = Trips(self.range)
        return found if trips.positive(found) else None

    def _sum(self, node: gast.expr, find: Find) -> Sum | None:
        number = _number(node)
        if number is not None:
            return Sum(number)
        version = find(node.id) if isinstance(node, gast.Name) else None
        return self._of(version) if version is not None else None

    def _of(self, version: Version) -> Sum | None:
        """The sum that a version is; None if it is none that stays as it is in a trip."""
        if not self._is_whole(version):
            return None
        if version.header:
            return Sum(0, {(version.maker, OWN): 1})
        statement = version.statement
        if statement is not None:
            find = self._versions.reads.get(statement, {}).get
            match statement:
                case gast.Assign(
                    value=gast.BinOp(left=a, op=gast.Add() | gast.Sub() as op, right=b)
                ):
                    one, other = self._sum(a, find), self._sum(b, find)
                    if one is not None and other is not None:
                        return one.plus(other, 1 if isinstance(op, gast.Add) else -1)
                case gast.Assign(value=gast.Name() | gast.Constant() as same):
                    return self._sum(same, find)
                case gast.Assign(value=gast.Subscript(value=gast.Name(id=sizes), slice=k)):
                    size = self._size(find(sizes), _number(k))
                    if size is not None:
                        return size
        fixed = not version.scope.repeats and (
            statement is None or isinstance(statement, gast.Assign)
        )
        return Sum(0, {(version.number, "fixed"): 1}) if fixed else None

    def _size(self, version: Version | None, axis: int | None) -> Sum | None:
        """``a.shape[k]`` of what has the name ``a`` all the time: never negative."""
        match version and version.statement:
            case gast.Assign(value=gast.Attribute(value=gast.Name(id=name), attr="shape")) if (
                axis is not None
            ):
                if (
                    name in self._versions.at_start
                    and name not in self._facts.normal.function.bound
                ):
                    return Sum(0, {((name, axis), "size"): 1})
        return None


def _counts(iterable: gast.expr) -> bool:
    """Whether a loop runs over a range, or a reversed one."""
    match iterable:
        case gast.Call(func=gast.Name(id="reversed"), args=[inner]):
            return _counts(inner)
        case gast.Call(func=gast.Name(id="range"), keywords=[]):
            return True
    return False


def _number(node: gast.AST | None) -> int | None:
    match node:
        case gast.Constant(value=value) if type(value) is int:
            return int(value)
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=value)) if type(value) is int:
            return -int(value)
    return None
