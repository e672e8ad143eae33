"""Meeting: whether a later trip of a loop comes to a place of an array where an earlier one was.

In: two places, the loop, the loops around it and in it.
Out: ``may_meet``.
Next: parallel.
"""

from __future__ import annotations

from collections.abc import Sequence

from tangentlite.slices.affine import Affine, Range, highest, lowest
from tangentlite.slices.nests import Loop, Ref, Step

LATER = "later trip"


def may_meet(
    first: Ref, one: Step, second: Ref, other: Step, loop: Loop, outer: list[Range]
) -> bool:
    """Whether the second place, in a later trip of the loop, may be the first one, in some trip.

    >>> from tangentlite.slices.samples import nest
    >>> loop = nest("for i in range(1, n):\\n    y[i] = y[i - 1] + x[i]")
    >>> step = next(loop.steps())
    >>> before = Ref("y", (Affine.of("i") - 1,))
    >>> may_meet(step.target, step, before, step, loop, []), may_meet(before, step, step.target, step, loop, [])
    (True, False)
    """
    sign = -1 if loop.down else 1
    later = Affine.of(loop.counter) + Affine.of(LATER).times(sign)
    wait = Range(LATER, Affine((), loop.range.step), None)
    here, there = _inner(one, loop, "'", None), _inner(other, loop, '"', later)
    ranges = [*outer, loop.range, wait, *here[1], *there[1]]
    pairs = zip(first.index, second.index)
    return not any(_never_zero(a.with_(here[0]) - b.with_(there[0]), ranges) for a, b in pairs)


def are_apart(first: Ref, second: Ref, ranges: Sequence[Range]) -> bool:
    """Whether two places are never the same in one trip.

    >>> i, j, n = map(Affine.of, "ijn")
    >>> inner = Range("j", Affine((), 0), i - 1)
    >>> are_apart(Ref("y", (i,)), Ref("y", (j,)), [Range("i", Affine((), 0), n), inner])
    True
    """
    return any(_never_zero(a - b, ranges) for a, b in zip(first.index, second.index))


def _never_zero(way: Affine, ranges: Sequence[Range]) -> bool:
    low, high = lowest(way, ranges), highest(way, ranges)
    above = low is not None and (low.constant or 0) > 0
    return above or (high is not None and (high.constant or 0) < 0)


def _inner(
    step: Step, loop: Loop, mark: str, later: Affine | None
) -> tuple[dict[str, Affine], list[Range]]:
    """The counters of the loops inside, which are other ones in another trip, and their ranges."""
    renamed = {loop.counter: later} if later is not None else {}
    ranges: list[Range] = []
    for inner in inside(step, loop):
        name = inner.counter + mark
        ranges.append(inner.range.renamed(renamed, name))
        renamed[inner.counter] = Affine.of(name)
    return renamed, ranges


def inside(step: Step, loop: Loop) -> Sequence[Loop]:
    """The loops around a step that are in a loop."""
    return step.loops[step.loops.index(loop) + 1 :]
