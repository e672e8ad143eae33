"""Which loops share a nest: neighbors over the same lengths, and those that add to one array.

In: loops and statements in their order.
Out: groups of them; a group of several is gathered into one loop.
Next: loops.

Each element must be met in the order that the statements say.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from itertools import takewhile
from typing import Any

from tangentlite.native.facts.lengths import Lengths
from tangentlite.native.facts.ranks import Names
from tangentlite.native.looping.nests import EVERYTHING, Loop, follows, joined
from tangentlite.native.looping.rows import (
    are_apart,
    place_before,
    rows_of,
    shared,
    together,
    views_last,
    whole,
    with_readers,
)
from tangentlite.native.looping.scalars import in_registers
from tangentlite.native.looping.stencils import Stencils


class Neighbors:
    """Knows the names of a kernel, the views among them, and how often each is read: ``reads``."""

    def __init__(
        self,
        names: Names,
        lengths: Lengths,
        reads: Callable[[], Counter[str]],
        fresh: Callable[[str], str],
    ) -> None:
        self._names, self._lengths, self._reads, self._fresh = names, lengths, reads, fresh

    def joined(self, done: list[Any]) -> list[list[Any]]:
        """The groups, each of a statement, a loop, or of loops that are to be gathered."""
        done = Stencils(self._names.meet, self._reads).gathered(done)
        return self._in_rows(self._merged(_groups(done)))

    def _merged(self, groups: list[list[Any]]) -> list[list[Any]]:
        """Neighbors that do not add to one array share a loop where they may."""
        result: list[list[Any]] = []
        groups = views_last(groups, self._lengths.inlined, self._names)
        for group in with_readers(groups, self._fits):
            last = result[-1] if result else []
            if not isinstance(group[0], Loop):
                result.insert(place_before(group, result, self._names), group)
            elif (
                len(group) == len(last) == 1
                and self._follows(last[0], group[0])
                and not _completes(last[0], group[0], result[:-1])
            ):
                last[0] = joined(last[0], group[0])
            else:
                result.append(group)
        return result

    def _follows(self, one: Any, other: Loop) -> bool:
        return isinstance(one, Loop) and self._fits(one, other)

    def _in_rows(self, groups: list[list[Any]]) -> list[list[Any]]:
        """Neighbors of which only the outer loops are alike share those."""
        everywhere = self._reads()
        result: list[list[Any]] = []
        for group in groups:
            last = result[-1] if result else []
            if len(group) == 1 and isinstance(group[0], Loop):
                group = [in_registers(group[0], everywhere, self._fresh)]
            if last and isinstance(last[0], Loop) and isinstance(group[0], Loop):
                shares = self._share(last, group)
                if shares is not None:
                    last[:] = [shares]
                    continue
            result.append(group)
        return result

    def _share(self, last: list[Loop], group: list[Loop]) -> Loop | None:
        """One nest for two groups, if they may share the outer loops."""
        one, other = whole(last), whole(group)
        if not other.begins_with(one):
            return None
        depth = shared(one, other, self._meets, max(len(last), len(group)) > 1)
        if not depth:
            return None
        first, second = (g[0] if len(g) == 1 else rows_of(g, self._fresh) for g in (last, group))
        return together(first, second, depth, self._fresh)

    def _fits(self, one: Loop, other: Loop) -> bool:
        """Whether two loops may be one: the same trips, and elements are met in the same order."""
        if one.counts != other.counts or not other.begins_with(one):
            return False
        pairs = [(one.writes, other.reads), (one.writes, other.writes), (one.reads, other.writes)]
        anywhere = {n for n in one.sums & other.sums if EVERYTHING in one.writes[n]}
        sums = frozenset(n for n in anywhere if EVERYTHING in other.writes[n])
        fits = all(self._meets(a, b, len(one.counts), sums) for a, b in pairs)
        return fits and not are_apart(one, other)

    def _meets(
        self,
        first: dict[str, set[str]],
        second: dict[str, set[str]],
        rank: int,
        sums: frozenset[str] = frozenset(),
    ) -> bool:
        """``sums``: arrays that both loops only add to, in whatever order."""
        for a, indices in first.items():
            for b, others in second.items():
                if not self._names.meet(a, b) or (a == b and a in sums):
                    continue
                if a != b or not all(follows(i, j, rank) for i in indices for j in others):
                    return False
        return True


def _completes(one: Loop, other: Loop, before: list[list[Any]]) -> bool:
    """Whether a loop adds the last of what loops before it add to an array, which the other does not only add to.

    With them it shares rows of what they made for it; with the other it would be kept from them.
    """
    run = list(takewhile(lambda group: isinstance(group[0], Loop), reversed(before)))
    loops = [loop for group in run for loop in group]
    sums = {n for n in one.sums - other.sums if n in other.reads or n in other.writes}
    made = {name for loop in loops for name in loop.made}
    return not made.isdisjoint(one.reads) and any(sums & loop.sums for loop in loops)


def _groups(done: list[ast.stmt | Loop]) -> list[list[Any]]:
    """Neighbors that add to one array are gathered."""
    groups: list[list[Any]] = []
    for item in done:
        if groups and _gathers([*groups[-1], item]):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _gathers(items: list[Any]) -> bool:
    """Whether loops over the same lengths do nothing but add to one array."""
    if not all(isinstance(i, Loop) and i.added is not None for i in items):
        return False
    first = items[0]
    return not any(i.before or i.checks for i in items[1:]) and all(
        i.counts == first.counts and i.added[:2] == first.added[:2] for i in items
    )
