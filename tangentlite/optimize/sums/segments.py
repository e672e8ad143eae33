"""Segments of lists: items and slices that make up a list however long it is.

In: parts, each from one place to another.
Out: ``in_order``: the parts from the first to the last.
Next: displays.
"""

from __future__ import annotations

from typing import NamedTuple

import gast


class Part(NamedTuple):
    """What is added to a list: from where to where, as a list or as one item, and by which statement."""

    start: int
    end: int | None
    value: gast.expr
    item: bool
    place: int


def in_order(parts: list[Part], length: int | None = None) -> list[Part] | None:
    """The parts from the first to the last, if they make up the list; None if they may leave something out, or overlap.

    Places that are counted from the beginning and from the end might be the same.

    >>> def shown(*ends, length=None):
    ...     found = in_order([Part(*e, gast.Name("b", gast.Load()), e[1] is not None, 0) for e in ends], length)
    ...     return found and [part.start for part in found]
    >>> shown((-1, None), (0, -1)), shown((1, 2), (0, 1), length=2), shown((0, 1), (1, -1), (-1, None))
    ([0, -1], [0, 1], None)
    """
    ends = {e for p in parts for e in (p.start, p.end) if e}
    waiting = {p.start: p for p in parts}
    if len(waiting) < len(parts) or (min(ends, default=1) < 0 < max(ends, default=-1)):
        return None
    ordered: list[Part] = []
    place: int | None = 0
    while place is not None and place in waiting:
        ordered.append(waiting.pop(place))
        place = ordered[-1].end
    over = place is None or place == length
    return ordered if over and ordered and not waiting else None
