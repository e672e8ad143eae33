"""Which binding of a name each statement reads.

In: the body of a normal form.
Out: ``Versions``: scopes, versions, and who reads and makes them.
Next: differentiate.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Literal

import gast

from tangentlite import syntax
from tangentlite.values import field, immutable, mutable


@mutable
class Scope:
    """A block: the function, a branch, or a loop body. ``stores[name]`` are the positions that bind a name."""

    kind: Literal["function", "branch", "loop"]
    block: list[gast.stmt]
    parent: Scope | None = None
    position: int = 0
    stores: dict[str, list[int]] = field(default_factory=dict)

    @property
    def repeats(self) -> bool:
        """Whether the block may run more than once in one call."""
        scope: Scope | None = self
        while scope is not None:
            if scope.kind == "loop":
                return True
            scope = scope.parent
        return False

    def next_store(self, name: str, position: int) -> int | None:
        """The first position after ``position`` at which the block binds ``name`` again."""
        places = self.stores.get(name, [])
        found = bisect_right(places, position)
        return places[found] if found < len(places) else None


@immutable(eq=False)
class Version:
    """One binding of a name: made in ``scope`` by the statement at ``position`` (-1: before the first).

    ``header``: the loop's own variable, bound again by the loop of the backward sweep.
    ``certain``: bound on every path.
    """

    name: str
    number: int
    scope: Scope
    position: int
    statement: gast.stmt | None = None
    header: bool = False
    certain: bool = True

    @cached_property
    def placeholder(self) -> str:
        """How backward code names this version until its place is decided."""
        return f"{self.name}@{self.number}"

    @property
    def maker(self) -> gast.stmt | None:
        """The statement that binds it; where paths meet, the one that they meet behind or before."""
        if self.statement is not None or self.position >= 0:
            return self.statement or self.scope.block[self.position]
        outer = self.scope.parent
        return outer.block[self.scope.position] if outer is not None else None

    def overwritten(self) -> bool:
        """Whether the name is bound again after this version, outside loops."""
        scope, position = self.scope, self.position
        while scope.next_store(self.name, position) is None:
            if scope.parent is None:
                return False
            scope, position = scope.parent, scope.position
        return True


Bound = dict[Scope, dict[str, list[Version]]]  # what each block binds, in order
_POSITION = attrgetter("position")


def _none() -> dict[str, list[Version]]:
    return defaultdict(list)


class Names(Mapping[str, Version]):
    """What names hold before a position of a block; it is looked up when it is asked for.

    ``later``: names that only a later statement of the block, in an earlier trip, has bound.
    """

    __slots__ = ("_bound", "_later", "_position", "_scope")

    def __init__(
        self, bound: Bound, scope: Scope, position: int, later: frozenset[str] = frozenset()
    ) -> None:
        self._bound, self._scope, self._position, self._later = bound, scope, position, later

    def __getitem__(self, name: str) -> Version:
        scope, position = self._scope, self._position
        if name in self._later:
            raise KeyError(name)
        while True:
            held = self._bound[scope].get(name)
            if held and held[-1].position < position:
                return held[-1]
            if held and (place := bisect_left(held, position, key=_POSITION)):
                return held[place - 1]
            if scope.parent is None:
                raise KeyError(name)
            scope, position = scope.parent, scope.position

    def __iter__(self) -> Iterator[str]:
        names = frozenset[str]().union(*self._bound.values())
        return (name for name in sorted(names) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@mutable
class Versions:
    """``reads[s][name]``: the version that s reads; ``made[s]``: what it binds; ``at_end``: what return reads."""

    reads: dict[gast.stmt, dict[str, Version]] = field(default_factory=dict)
    made: dict[gast.stmt, Version] = field(default_factory=dict)
    starts: dict[gast.stmt, list[Names]] = field(default_factory=dict)
    ends: dict[gast.stmt, list[Names]] = field(default_factory=dict)
    closing: dict[int, Names] = field(default_factory=dict)
    after: dict[gast.stmt, Names] = field(default_factory=dict)
    scopes: dict[gast.stmt, list[Scope]] = field(default_factory=dict)
    at_start: dict[str, Version] = field(default_factory=dict)
    at_end: dict[str, Version] = field(default_factory=dict)
    count: int = 0
    bound: Bound = field(default_factory=lambda: defaultdict(_none))
    root: Scope = field(default_factory=lambda: Scope("function", []))
    _readers: dict[int, list[gast.stmt]] = field(default_factory=dict)

    def readers(self, version: Version) -> list[gast.stmt]:
        """The statements that read a version."""
        if not self._readers:
            for statement, names in self.reads.items():
                for found in names.values():
                    self._readers.setdefault(found.number, []).append(statement)
        return self._readers.get(version.number, [])

    def is_bound(self, name: str, where: Version) -> bool:
        """Whether a name has a value, whatever path was taken, where another version is made."""
        scope, position = where.scope, where.position
        while name not in self.at_start:
            if any(v.certain and v.position < position for v in self.bound[scope].get(name, ())):
                return True
            if scope.parent is None:
                return False
            scope, position = scope.parent, scope.position
        return True

    def made_after(self, statement: gast.stmt) -> Names:
        """The versions of all names after a compound statement."""
        return self.after[statement]

    def block_end(self, scope: Scope) -> Names:
        """The versions of all names at the end of a block."""
        return self.closing[id(scope)]

    def met(self, version: Version) -> list[Version | None] | None:
        """The versions of which a name holds one where paths meet; None of a version that one statement makes."""
        name, maker = version.name, version.statement
        if maker is None:
            if version.scope.kind != "loop" or version.header:
                return [None]
            return [self.before(name, version.scope), self.block_end(version.scope).get(name)]
        match maker:
            case gast.For() | gast.While():
                (scope,), (end,) = self.scopes[maker], self.ends[maker]
                return [self.before(name, scope), end.get(name)]
            case gast.If() if not isinstance(maker, syntax.Attempt):
                return [end.get(name) for end in self.ends[maker]]
        return [None] if isinstance(maker, gast.If) else None

    def before(self, name: str, scope: Scope) -> Version | None:
        """What a name holds before the statement that has a block."""
        outer = scope.parent
        if outer is None:
            return None
        if places := [p for p in outer.stores.get(name, []) if p < scope.position]:
            last = outer.block[places[-1]]
            compound = isinstance(last, gast.If | gast.For | gast.While)
            return self.after[last].get(name) if compound else self.made[last]
        if outer.parent is None:
            return self.at_start.get(name)
        holder = outer.parent.block[outer.position]
        starts = zip(self.scopes[holder], self.starts[holder])
        return next((names.get(name) for inner, names in starts if inner is outer), None)

    def new(
        self,
        name: str,
        scope: Scope,
        position: int,
        statement: gast.stmt | None = None,
        header: bool = False,
        certain: bool = True,
    ) -> Version:
        """A new version."""
        self.count += 1
        return Version(name, self.count, scope, position, statement, header, certain)

    def bind(self, made: Version) -> Version:
        """Let a name hold a version behind the position at which it is made."""
        self.bound[made.scope][made.name].append(made)
        return made
