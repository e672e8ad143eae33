"""Untouched: stores that overwrite nothing of what is read backward, since they come to other places.

In: a sweep, stores that write into arrays of which something is read before them.
Out: those of them that do.
Next: restoring.

The factor that ``A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]`` fills is read where it is done, and written
elsewhere: nothing is kept of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Accumulate, Store, UserCall
from tangentlite.differentiate.places import Places
from tangentlite.differentiate.reverse import Sweep
from tangentlite.rules.reads import reads as values_and_shapes

Group = tuple[gast.stmt, list[gast.AST]]
Part = tuple[gast.stmt, gast.expr]  # who reads, and the index


def touching(
    sweep: Sweep,
    needed: Set[gast.stmt],
    groups: Iterable[Group],
    others: Iterable[gast.AST],
    families: Mapping[str, Set[str]],
) -> set[gast.stmt]:
    """The stores of ``needed`` that may overwrite what ``groups`` or ``others`` read.

    ``families``: names that share memory.
    """
    finder = _Untouched(sweep, list(groups), list(others), families)
    return {s for s in needed if finder.touches(s)}


class _Untouched:
    def __init__(
        self,
        sweep: Sweep,
        groups: list[Group],
        others: list[gast.AST],
        families: Mapping[str, Set[str]],
    ) -> None:
        self._sweep, self._facts = sweep, sweep.facts
        self._table = sweep.adjoints.shapes.table
        self._groups, self._families = groups, families
        self._others = {v.name for p in values_and_shapes(others)[0] if (v := self._table.get(p))}
        self._places = Places(sweep.facts)
        self._known: dict[str, list[Part] | None] = {}

    def touches(self, store: gast.stmt) -> bool:
        """Whether a store may overwrite what is read backward before it."""
        match self._facts.operation(store):
            case Store(container=name, index=index, holds=False):
                pass
            case Accumulate(buffer=name, index=index, holds=False, gathers=False):
                pass
            case _:
                return True
        if name not in self._known:
            self._known[name] = self._parts(name)
        parts = self._known[name]
        return parts is None or any(
            self._places.may_follow(store, index, reader, read, self._table.get)
            for reader, read in parts
        )

    def _parts(self, name: str) -> list[Part] | None:
        """The parts of an array that are read backward; None if it is read otherwise, or is not always the same one."""
        family = self._families.get(self._facts.aliases.family(name), {name})
        if not self._is_one(name) or family & self._others:
            return None
        parts: list[Part] = []
        for statement, trees in self._groups:
            values = values_and_shapes(trees)[0]
            versions = [v for p in values if (v := self._table.get(p)) and v.name in family]
            held = self._sweep.adjoints.recorded.get(statement, ())
            called = isinstance(self._facts.operation(statement), UserCall)
            if any(v.name != name for v in versions) or (called and family & set(held)):
                return None
            found = [
                n
                for tree in trees
                for n in syntax.walk(tree)
                if isinstance(n, gast.Subscript) and self._is_of(n.value, name)
            ]
            named = sum(self._is_of(n, name) for tree in trees for n in syntax.walk(tree))
            if versions and len(found) != named:
                parts.append((statement, syntax.constant(...)))
            parts += [(statement, part.slice) for part in found] if versions else []
        return parts

    def _is_of(self, node: gast.AST, name: str) -> bool:
        version = self._table.get(node.id) if isinstance(node, gast.Name) else None
        return version is not None and version.name == name

    def _is_one(self, name: str) -> bool:
        """Whether a name means one array from beginning to end."""
        function, versions = self._facts.normal.function, self._facts.versions
        binding = [
            s
            for s in syntax.statements(function.body)
            if isinstance(s, gast.Assign | gast.For) and name in _bound(s)
        ]
        given = name in versions.at_start
        if given or len(binding) != 1:
            return given and not binding
        kind = self._facts.kind_after(binding[0], name)
        return binding[0] in versions.root.block and isinstance(kind, Num)


def _bound(statement: gast.Assign | gast.For) -> set[str]:
    """The names that a statement itself binds."""
    targets = statement.targets if isinstance(statement, gast.Assign) else [statement.target]
    nodes = (n for target in targets for n in syntax.walk(target))
    return {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
