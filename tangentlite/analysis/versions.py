"""Which binding of a name each statement reads.

In: the body of a normal form.
Out: ``Versions``: scopes, versions, and who reads and makes them.
Next: differentiate.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
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
    versions: dict[str, list[Version]] = field(default_factory=dict)

    def held(self, name: str, position: int) -> Version | None:
        """What a name holds before a position: what this block bound before it, or one around it did."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.versions.get(name, [])
            if place := bisect_left(found, position, key=_POSITION):
                return found[place - 1]
            position, scope = scope.position, scope.parent
        return None

    @property
    def repeats(self) -> bool:
        """Whether the block may run more than once in one call."""
        return self.kind == "loop" or (self.parent is not None and self.parent.repeats)

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


_POSITION = attrgetter("position")


@immutable(eq=False)
class Names(Mapping[str, Version]):
    """What names hold before a position of a block; it is looked up when it is asked for.

    ``later``: names that only a later statement of the block, in an earlier trip, has bound.
    """

    scope: Scope
    position: int
    later: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> Version:
        found = None if name in self.later else self.scope.held(name, self.position)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        scope: Scope | None = self.scope
        found = set[str]()
        while scope is not None:
            found |= scope.versions.keys()
            scope = scope.parent
        return (name for name in sorted(found) if name in self)

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
            if any(v.certain and v.position < position for v in scope.versions.get(name, ())):
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

    def bind(
        self,
        name: str,
        scope: Scope,
        position: int,
        statement: gast.stmt | None = None,
        header: bool = False,
        certain: bool = True,
    ) -> Version:
        """A new version, which a name holds behind a position."""
        made = self.new(name, scope, position, statement, header, certain)
        scope.versions.setdefault(name, []).append(made)
        return made


def study(parameters: list[str], body: list[gast.stmt]) -> Versions:
    """Number the versions of a function's names."""
    versions = Versions()
    versions.root = Scope("function", body)
    versions.at_start = {p: versions.bind(p, versions.root, -1) for p in parameters}
    versions.at_end = dict(versions.at_start)
    _block(versions, versions.root, versions.at_end)
    return versions


def _block(versions: Versions, scope: Scope, current: dict[str, Version]) -> None:
    """Number what a block makes; ``current`` is what names hold where it has come to."""
    for position, statement in enumerate(scope.block):
        stored = sorted(syntax.bound(statement))
        for name in stored:
            scope.stores.setdefault(name, []).append(position)
        match statement:
            case gast.If(test=test):
                versions.reads[statement] = _reads(test, current)
                _branches(versions, statement, scope, position, current)
            case gast.For(iter=iterable):
                versions.reads[statement] = _reads(iterable, current)
                _loop(versions, statement, scope, position, current)
            case gast.While():
                versions.reads[statement] = {}
                _loop(versions, statement, scope, position, current)
            case _:
                versions.reads[statement] = _reads(statement, current)
        for name in stored:
            certain = _certain(versions, statement, name, current)
            made = versions.bind(name, scope, position, statement, certain=certain)
            current[name] = versions.made[statement] = made
        if isinstance(statement, (gast.If, gast.For, gast.While)):
            versions.after[statement] = Names(scope, position + 1)
    versions.closing[id(scope)] = Names(scope, len(scope.block))


def _inner(versions: Versions, scope: Scope, current: dict[str, Version]) -> None:
    """Number what a block in another one makes; ``current`` is left as it was before the other block's statement."""
    _block(versions, scope, current)
    for name in scope.versions:
        current.pop(name)
        if scope.parent and (before := scope.parent.held(name, scope.position)):
            current[name] = before


def _certain(
    versions: Versions, statement: gast.stmt, name: str, current: dict[str, Version]
) -> bool:
    """Whether a name is bound after a statement, whatever path was taken."""
    match statement:
        case gast.If():
            blocks = zip((statement.body, statement.orelse), versions.ends[statement])
            ends = [end for block, end in blocks if not _raises(block)]
            return all(name in end and end[name].certain for end in ends)
        case gast.While(test=gast.Constant(value=value)) if value:
            (end,) = versions.ends[statement]
            return name in end and end[name].certain
        case gast.For() | gast.While():
            return name in current and current[name].certain
    return True


def _raises(block: list[gast.stmt]) -> bool:
    """Whether nothing that follows a block is reached from it."""
    match block[-1:]:
        case [gast.Raise()]:
            return True
        case [gast.If(body=body, orelse=orelse) as last] if not isinstance(last, syntax.Attempt):
            return _raises(body) and _raises(orelse)
    return False


def _reads(node: gast.AST, current: dict[str, Version]) -> dict[str, Version]:
    found = [current[name] for name in syntax.loads(node) if name in current]
    return {version.name: version for version in sorted(found, key=attrgetter("number"))}


def _branches(
    versions: Versions, statement: gast.If, scope: Scope, position: int, current: dict[str, Version]
) -> None:
    start = Names(scope, position)
    versions.scopes[statement], versions.ends[statement] = [], []
    versions.starts[statement] = [start, start]
    for block in (statement.body, statement.orelse):
        inner = Scope("branch", block, scope, position)
        _inner(versions, inner, current)
        versions.scopes[statement].append(inner)
        versions.ends[statement].append(versions.block_end(inner))


def _loop(
    versions: Versions,
    statement: gast.For | gast.While,
    scope: Scope,
    position: int,
    current: dict[str, Version],
) -> None:
    inner, stored = Scope("loop", statement.body, scope, position), syntax.stores(statement.body)
    for name in sorted(stored & current.keys()):
        current[name] = versions.bind(name, inner, -1, certain=current[name].certain)
    if isinstance(statement, gast.For):
        name = statement.target.id
        current[name] = versions.bind(name, inner, -1, header=True)
    later = frozenset(stored - current.keys())
    versions.starts[statement] = [Names(inner, 0, later)]
    for name in sorted(later):
        current[name] = versions.bind(name, inner, -1, certain=False)
    _inner(versions, inner, current)
    versions.scopes[statement], versions.ends[statement] = [inner], [versions.block_end(inner)]
