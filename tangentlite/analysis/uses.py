"""Which statements of a block name what, looked up once for all who ask.

In: blocks.
Out: ``Uses``.
Next: stacks, shifts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

import gast

from tangentlite import syntax


def said(statement: gast.stmt) -> set[str]:
    """The names that a statement reads or binds."""
    return syntax.loads(statement) | syntax.stores(statement)


class Uses:
    """The places at which blocks name something, as ``named`` tells of a statement.

    >>> block = syntax.parse("y = x\\nz = y\\nreturn x")
    >>> uses = Uses(said)
    >>> uses.places(block, "x"), uses.places(block, "w"), uses.after(block, 0, "y")
    ([0, 2], [], [1])
    """

    def __init__(self, named: Callable[[gast.stmt], Iterable[str]]) -> None:
        self._named = named
        self._blocks: dict[int, tuple[list[gast.stmt], dict[str, list[int]]]] = {}

    def places(self, block: list[gast.stmt], name: str) -> list[int]:
        """The numbers of the statements that name it."""
        known = self._blocks.get(id(block))
        return (known or self._looked_up(block))[1].get(name, [])

    def after(self, block: list[gast.stmt], place: int, name: str) -> list[int]:
        """The numbers of those behind a place."""
        places = self.places(block, name)
        return places[bisect_right(places, place) :]

    def _looked_up(self, block: list[gast.stmt]) -> tuple[list[gast.stmt], dict[str, list[int]]]:
        found: dict[str, list[int]] = {}
        for place, statement in enumerate(block):
            for name in self._named(statement):
                found.setdefault(name, []).append(place)
        self._blocks[id(block)] = block, found
        return block, found
