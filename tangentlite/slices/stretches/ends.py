"""Ends: where the stretches of a loop begin and stop.

In: what a counter runs through, the values of it where answers change, ``Where`` other counters are.
Out: ``in_order``: the ends one after the other; ``needed``: what must not be negative for that.
Next: parting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from tangentlite.slices.affine import Affine, Range, lowest
from tangentlite.slices.stretches.asked import Where


def in_order(own: Range, found: Iterable[Affine], where: Where) -> list[Affine]:
    """The first value of a counter, those in between, and the one after the last; none if nobody knows their order.

    What is so far from the first value, or counted without the last one, comes before what is not.

    >>> from tangentlite.slices.samples import sizes
    >>> where, n, k = Where(sizes(""), {}, (), ()), Affine.of("n"), Affine.of("k")
    >>> own, one = Range("i", Affine((), 0), n - 1), Affine((), 1)
    >>> [str(end) for end in in_order(own, [n - 1, n - k, one, one - 1, k, n], where)]
    ['0', '1', 'k', 'n - k', 'n - 1', 'n']
    >>> in_order(own, [k, k.times(2)], where)
    []
    """
    assert own.high is not None
    low, stop = own.low, own.high + 1
    groups: tuple[list[Affine], ...] = ([], [], [], [])
    for point in dict.fromkeys(found):
        after, left = (point - low).constant, (stop - point).constant
        if (after is not None and after <= 0) or (left is not None and left <= 0):
            continue
        if after is not None or left is not None:
            groups[0 if after is not None else 3].append(point)
        elif not (where.holds(low - point) or where.holds(point - stop)):
            late = (stop - low).names & point.names
            groups[2 if late else 1].append(point)
    rows = [_sorted(group) for group in groups]
    if [] in [row for row, group in zip(rows, groups) if group]:
        return []
    return [low, *(point for row in rows for point in row), stop]


def _sorted(points: Sequence[Affine]) -> list[Affine]:
    """Places that are so far from each other, the lowest first; none if nobody knows how far."""
    apart = [((point - points[0]).constant, point) for point in points]
    known = [(distance, point) for distance, point in apart if distance is not None]
    return [point for _, point in sorted(known)] if len(known) == len(apart) else []


def needed(ends: Sequence[Affine], where: Where) -> list[Affine] | None:
    """What must not be negative, so that no stretch has less than no trips; None: it is, for some outer counters.

    >>> from tangentlite.slices.samples import sizes
    >>> n, i = Affine.of("n"), Affine.of("i")
    >>> where = Where(sizes(""), {}, (Range("i", Affine((), 0), n - 1),), ())
    >>> [str(value) for value in needed([Affine((), 0), i, i + 1, n - 1], where) or ()]
    []
    >>> [str(value) for value in needed([Affine((), 0), i, i + 1, n + 1], where) or ()]
    []
    """
    found = list[Affine]()
    for one, other in pairwise(ends):
        spare = lowest(other - one, where.ranges)
        if spare is None or (spare.constant or 0) < 0:
            return None
        found += [] if where.is_sure(spare) else [spare]
    return found
