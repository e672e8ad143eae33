"""Places of arrays as loops come to them: may one statement write, later, where another one reads?

In: statements of a normal form, indices in the names or the versions that they read.
Out: an answer; "yes" where that cannot be told.
Next: untouched.

An index along an axis is a sum of counters of loops, of sizes and of a number. Of two trips the later one is told by
the outermost loop in which they differ: ``A[i, :j]`` in a trip is apart from ``A[i, j]`` of the same trip, and of all
later ones.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.trips import EARLIER, LATER, OWN, Range, Span, Sum, Trips

Find = Callable[[str], Version | None]
Part = tuple[gast.stmt, gast.expr, Find]
WHOLE: Span = (None, None)


class Places:
    """Answers for the statements of one function."""

    def __init__(self, facts: Facts) -> None:
        self._facts, self._versions = facts, facts.versions
        self._homes: dict[gast.stmt, tuple[Scope, int]] = {}
        scopes = [
            self._versions.root,
            *(s for inner in self._versions.scopes.values() for s in inner),
        ]
        for scope in scopes:
            self._homes |= {statement: (scope, k) for k, statement in enumerate(scope.block)}

    def may_follow(self, later: Part, earlier: Part, at_once: bool = True) -> bool:
        """Whether a statement comes to its part of an array after another one came to that part.

        A part is a statement, an index and what gives the versions of the names in the index. ``at_once``: a statement
        follows itself.
        """
        around, other = self._loops(later[0]), self._loops(earlier[0])
        if around is None or other is None:
            return True
        places, seen = self._spans(*later[1:]), self._spans(*earlier[1:])
        common = [a for a, b in zip(around, other) if a is b]
        cases: list[int | None] = list(range(len(common)))
        same = later[0] is earlier[0]
        if at_once if same else not self._comes_first(later[0], earlier[0]):
            cases.append(None)
        return not all(self._apart(common, case, places, seen) for case in cases)

    def _apart(self, common: list[gast.For], case: int | None, *both: list[Span]) -> bool:
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
        first, second = self._way(one), self._way(other)
        for (scope, k), (same, n) in zip(first, second):
            if scope is not same:
                return False  # two branches
            if k != n:
                return k < n
        return False

    def _way(self, statement: gast.stmt) -> list[tuple[Scope, int]]:
        """The blocks around a statement, from the outermost one, and the places in them."""
        way: list[tuple[Scope, int]] = []
        home: tuple[Scope, int] | None = self._homes[statement]
        while home is not None:
            way.append(home)
            outer = home[0].parent
            home = (outer, home[0].position) if outer is not None else None
        return way[::-1]

    def _loops(self, statement: gast.stmt) -> list[gast.For] | None:
        """The loops around a statement; None if some count nothing."""
        way = self._way(statement)
        holders = [s.parent.block[s.position] for s, _ in way[1:] if s.parent and s.kind == "loop"]
        return None if any(not isinstance(h, gast.For) for h in holders) else holders

    # Sums -----------------------------------------------------------------------------------

    def range(self, loop: gast.For) -> Range:
        """What a loop counts through, as far as it is known."""
        iterable, rises, depth = loop.iter, True, len(self._way(loop))
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
        if version.statement is None:
            kind = self._facts.kinds.before[0].get(version.name) if version.position < 0 else None
        else:
            kind = self._facts.kind_after(version.statement, version.name)
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
