"""Sums of counters, and what they are at least: two trips through the same loops, one later than the other.

In: numbers, counters and sizes; the ranges of loops.
Out: whether one sum is less than another one in any case.
Next: places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import gast

Variable = tuple[Any, str]  # a loop and whose trip it is, or a size
OWN, EARLIER, LATER, BOTH = "", "earlier", "later", "both"
STEPS = 10


class Sum(NamedTuple):
    """A number, and variables, each so many times."""

    number: int
    terms: Mapping[Variable, int] = {}

    def plus(self, other: Sum, times: int = 1) -> Sum:
        """This one and a multiple of another one.

        >>> i = Sum(1, {("i", ""): 1})
        >>> i.plus(i), i.plus(i, -1)
        (Sum(number=2, terms={('i', ''): 2}), Sum(number=0, terms={}))
        """
        terms = dict(self.terms)
        for variable, count in other.terms.items():
            terms[variable] = terms.get(variable, 0) + times * count
        return Sum(self.number + times * other.number, {v: n for v, n in terms.items() if n})


class Range(NamedTuple):
    """The numbers that a loop counts through, both ends included.

    ``rises``: whether it counts up, None if that is not known; ``depth``: how deep it stands.
    """

    first: Sum | None
    last: Sum | None
    rises: bool | None
    depth: int


class End(NamedTuple):
    """What a sum is at least or at most: a number and sizes, found by so many ``steps``."""

    number: int
    terms: frozenset[tuple[Variable, int]]
    steps: int


# From where to where an index goes along an axis, in a trip and in all trips; None: who knows.
Span = tuple[Sum | None, Sum | None]
Ends = tuple[End | None, End | None]


class Trips:
    """Counters of two trips: ``shared`` loops are in the same trip, in ``differing`` one is later than the other."""

    def __init__(
        self,
        range_of: Callable[[gast.For], Range],
        shared: set[gast.For] = frozenset(),  # type: ignore[assignment]
        differing: gast.For | None = None,
    ) -> None:
        self._range, self._shared, self._differing = range_of, shared, differing

    def named(self, found: Sum, who: str) -> Sum:
        """A sum with the counters of one of the trips."""
        terms: dict[Variable, int] = {}
        for (loop, own), count in found.terms.items():
            if own == OWN:
                own = BOTH if loop in self._shared else who
            terms[loop, own] = count
        return Sum(found.number, terms)

    def of(self, span: Span, who: str) -> Span:
        """Both ends in the counters of one of the trips."""
        low, high = span
        return low and self.named(low, who), high and self.named(high, who)

    def less(self, one: Sum | None, other: Sum | None) -> bool:
        """Whether the second is greater in any case."""
        if one is None or other is None:
            return False
        return self.positive(other.plus(one, -1).plus(Sum(-1)))

    def positive(self, found: Sum, steps: int = STEPS) -> bool:
        """Whether a sum is zero or more in any case: counters go by their bounds, the inner ones first."""
        counters = _counters(found)
        if not counters or not steps:
            return not counters and _is_positive(found)
        variable = max(counters, key=lambda v: (self._range(v[0]).depth, v[1]))
        count = found.terms[variable]
        rest = Sum(found.number, {v: n for v, n in found.terms.items() if v != variable})
        bounds = self._bounds(variable, count > 0)
        return any(self.positive(rest.plus(bound, count), steps - 1) for bound in bounds)

    def end(self, found: Sum | None, low: bool) -> End | None:
        """What a sum is at least in any case, or at most."""
        for steps in range(STEPS + 1):
            counters = [] if found is None else _counters(found)
            if found is None or not counters:
                return found and End(found.number, frozenset(found.terms.items()), steps)
            variable = max(counters, key=lambda v: self._range(v[0]).depth)
            found = self._without(found, variable, low)
        return None

    def _without(self, found: Sum, variable: Variable, low: bool) -> Sum | None:
        count, bounds = found.terms[variable], self._range(variable[0])
        bound = bounds.first if (count > 0) == low else bounds.last
        rest = Sum(found.number, {v: n for v, n in found.terms.items() if v != variable})
        return bound and rest.plus(bound, count)

    def _bounds(self, variable: Variable, low: bool) -> Iterator[Sum]:
        """What a counter is not below, or not above."""
        loop, who = variable
        found = self._range(loop)
        end = found.first if low else found.last
        if loop is self._differing and found.rises is not None and who in (EARLIER, LATER):
            other = EARLIER if who == LATER else LATER
            greater = (who == LATER) == found.rises
            if greater == low:
                yield Sum(1 if low else -1, {(loop, other): 1})
        if end is not None:
            yield self.named(end, who)


def _counters(found: Sum) -> list[Variable]:
    return [v for v in found.terms if v[1] not in ("size", "fixed")]


def _is_positive(found: Sum) -> bool:
    """Whether a sum of sizes and a number is zero or more."""
    return found.number >= 0 and all(n > 0 and v[1] == "size" for v, n in found.terms.items())


def parted(one: tuple[Ends, ...], other: tuple[Ends, ...]) -> bool:
    """Whether places differ along some axis, in whichever trips through loops of their own.

    >>> zero, one, size = (End(n, frozenset(), 0) for n in (0, 1, 5))
    >>> parted(((zero, zero),), ((one, size),)), parted(((zero, one),), ((one, size),))
    (True, False)
    """
    return any(_ahead(b, c) or _ahead(d, a) for (a, b), (c, d) in zip(one, other))


def _ahead(end: End | None, start: End | None) -> bool:
    """Whether one end is less than another one in any case."""
    if end is None or start is None or end.steps + start.steps > STEPS:
        return False
    if end.terms == start.terms:
        return start.number > end.number
    more = Sum(start.number, dict(start.terms)).plus(Sum(end.number + 1, dict(end.terms)), -1)
    return _is_positive(more)


def told(spans: list[Span]) -> tuple[object, ...]:
    """What spans have in common if they are equal, and no others."""
    return tuple(s and (s.number, frozenset(s.terms.items())) for span in spans for s in span)
