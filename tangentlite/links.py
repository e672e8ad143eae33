"""The functions of helpers, as the text of a derivative calls them; all derivatives of a function share them.

In: what a helper is linked for: the helper, the request.
Out: ``Links``, which knows those that were linked before.
Next: knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from types import CellType
from typing import Any

from tangentlite import ir, optimize
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Kind
from tangentlite.analysis.operations import UserCall
from tangentlite.emit import Unit
from tangentlite.naming import owner_of, shown
from tangentlite.values import field, mutable

Key = tuple[Any, ...]
Kept = dict[Key, "Link"]
Called = Set[tuple[Any, tuple[Kind, ...]]]


@mutable
class Link:
    """The cells that hold the functions of a helper. ``inner``: what it asked for in turn.

    ``shared``: no helper around it was waiting for it: its text tells nothing of those.
    """

    cells: tuple[CellType, ...]
    facts: Facts | None = None
    unit: Unit | None = None
    inner: list[Key] = field(default_factory=list)
    shared: bool = True
    _record: list[ir.Record | None] = field(default_factory=list)

    def record(self) -> ir.Record | None:
        """What the forward function hands to the backward one; None where that is not known, or not yet."""
        if self.unit is None:
            return None
        if not self._record:
            self._record.append(optimize.record(*self.unit.parts))
        return self._record[0]


def called(facts: Facts) -> Called:
    """The helpers that a function calls, each with the kinds of its arguments."""
    operations = facts.kinds.operations.values()
    return {(o.function, o.kinds) for o in operations if isinstance(o, UserCall)}


def split(
    callee: Any,
    wrt: tuple[str, ...],
    kinds: tuple[Kind, ...],
    lent: tuple[str, ...] = (),
    bare: bool = False,
) -> ir.Request:
    """What is asked for where the pair of a helper is."""
    name = shown(callee) if owner_of(callee) is not None else None
    return ir.Request(
        motion="split", wrt=wrt, kinds=kinds, seed="given", lent=lent, name=name, bare=bare
    )


@mutable
class Links:
    """The helpers of one derivative; ``kept``: those of others that may be taken."""

    made: dict[Key, Link] = field(default_factory=dict)
    kept: Kept = field(default_factory=dict)
    open: list[Link] = field(default_factory=list)

    def ask(self, key: Key) -> Link | None:
        """What was linked under a key in this derivative."""
        found = self.made.get(key)
        for around in self.open[-1:]:
            around.inner.append(key)
        circular = found is not None and found.unit is None and found not in self.open[-1:]
        if circular or (found is not None and not found.shared):
            for around in self.open:
                around.shared = False
        return found

    @contextmanager
    def making(self, key: Key, count: int) -> Iterator[Link]:
        """A new link, while what it holds is written."""
        link = self.made[key] = Link(tuple(CellType() for _ in range(count)))
        self.open.append(link)
        try:
            yield link
        finally:
            self.open.pop()

    def take(self, key: Key) -> Link | None:
        """What another derivative has linked under a key."""
        if key in self.kept:
            self.made[key] = self.kept[key]
        return self.kept.get(key)

    def keep(self) -> None:
        """Let other derivatives have them."""
        self.kept.update((k, link) for k, link in self.made.items() if link.shared and link.unit)
