"""Meetings: whether the trips of a loop come to places of their own in the arrays that it writes.

In: a loop.
Out: the names of the arrays, or ``Apart`` where trips may meet.
Next: together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.axes import Axes
from tangentlite.optimize.facts.buffers import Buffers
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.loops.vectors import Apart

Body = list[gast.stmt]
Place = tuple[str, list[gast.expr], int | None, int]  # along which axis, with what added
REMARKS = (syntax.Comment, syntax.Blank, gast.Pass)


class Uses:
    """How often the names of a function are bound and read."""

    def __init__(self, body: Body, scope: Scope, axes: Axes) -> None:
        self.scope, self.axes, self.buffers = scope, axes, Buffers(body, scope)
        self.loads, self._bound = syntax.times_loaded(body), syntax.times_stored(body)

    def is_temporary(self, name: str, within: Counter[str]) -> bool:
        """Whether a name is bound once, and read only where names are read so often."""
        own = self.scope.generated(name) and name not in self.scope.captured
        return own and self._bound[name] == 1 and within[name] == self.loads[name]


class Meetings:
    """The trips of a loop over ``body`` that begins at ``low``; ``place`` tells where a part is in its array.

    ``within``: how often the body reads names.
    """

    def __init__(
        self,
        uses: Uses,
        body: Body,
        within: Counter[str],
        low: gast.expr,
        place: Callable[[gast.Subscript], Place],
    ) -> None:
        self._uses, self._within, self._low, self._place = uses, within, low, place
        self._body = [s for s in body if not isinstance(s, REMARKS)]

    def written(self) -> set[str]:
        """The arrays that are written, by each trip at its own places, unless it only adds there."""
        found: set[str] = set()
        for statement in self._body:
            facts = self._uses.scope.facts(statement)
            if facts.effect or facts.seen or syntax.blocks(statement):
                raise Apart
            found |= facts.writes
        for name in found:
            self._look(name)
        return found

    def _look(self, name: str) -> None:
        """Raise ``Apart`` unless the places in one array can be told apart."""
        uses = self._uses
        if not (uses.scope.adjoint(name) and uses.buffers.is_buffer(name)):
            raise Apart
        others = (self._named.keys() & uses.buffers.sharing(name)) - {name}
        if not all(uses.is_temporary(n, self._within) for n in others):
            raise Apart
        places = [p for s in self._body for p in _parts_of(s, name)]
        if len(places) != self._named[name]:
            raise Apart
        if all(adds for _, adds in places):
            return
        found = [self._place(part) for part, _ in places]
        own = {(axis, plus) for _, _, axis, plus in found if axis is not None}
        if len(own) != 1:
            raise Apart
        ((axis, plus),) = own
        for (_, entries, along, _), (_, adds) in zip(found, places):
            if along is None and not (adds and plus == 0 and self._is_before(entries[axis])):
                raise Apart

    @cached_property
    def _named(self) -> Counter[str]:
        """How often the body reads or binds names."""
        return self._within + syntax.times_stored(self._body)

    def _is_before(self, entry: gast.expr) -> bool:
        """Whether a slice ends where the loop begins to count."""
        if not isinstance(entry, gast.Slice) or entry.upper is None:
            return False
        return syntax.same(entry.upper, self._low)


def _parts_of(statement: Any, name: str) -> list[tuple[gast.Subscript, bool]]:
    """The parts of an array that a statement comes to, and whether it only adds there."""
    found = []
    for node in syntax.walk(statement):
        match node:
            case gast.Subscript(value=gast.Name(id=base)) if base == name:
                target = getattr(statement, "target", None) is node
                found.append((node, target and isinstance(statement.op, gast.Add | gast.Sub)))
    return found
