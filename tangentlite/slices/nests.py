"""Nests: loops over ranges in which numbers are computed, place by place.

In: nothing.
Out: ``Loop`` with its ``Step``s, and ``NotSliced``, which says that a loop does anything else.
Next: reader, meeting, parallel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.slices.affine import Affine, Range
from tangentlite.values import field, immutable, mutable

Known = Mapping[str, Affine]


class NotSliced(Exception):
    """What a loop does cannot be said of slices, or nobody knows how."""


@immutable(eq=False)
class Ref:
    """A place of an array."""

    array: str
    index: tuple[Affine, ...]


@immutable(eq=False)
class Step:
    """``target = value``, or with ``op``, ``target op= value``: a place of an array or a number with a name.

    ``refs``: the places that are read, by the identity of their trees; ``known``: counters and integers by their names.
    ``loops``: the loops around it, the outermost first.
    """

    target: Ref | str
    op: gast.operator | None
    value: gast.expr
    refs: Mapping[int, Ref]
    known: Known
    node: Any
    loops: tuple[Loop, ...]
    place: int

    @property
    def name(self) -> str:
        """The array or the number that is written."""
        return self.target if isinstance(self.target, str) else self.target.array

    @property
    def reads(self) -> set[str]:
        """The names that the value reads."""
        return syntax.loads(self.value)

    @property
    def accumulates(self) -> bool:
        """Whether something is added to what is there."""
        return isinstance(self.op, gast.Add | gast.Sub)


@immutable(eq=False)
class Whole:
    """An integer with a name, which is said where it is read; ``inside``: the loops around it."""

    node: Any
    inside: frozenset[Loop]


@mutable
class Loop:
    """A loop over a range; ``down``: the counter falls."""

    range: Range
    down: bool
    node: gast.For
    body: list[Any] = field(default_factory=list)  # of Step, Loop and Whole

    @property
    def counter(self) -> str:
        """The name of the counter."""
        return self.range.counter

    def steps(self) -> Iterator[Step]:
        """All steps, in the order of the text."""
        for item in self.body:
            if isinstance(item, Loop):
                yield from item.steps()
            elif isinstance(item, Step):
                yield item

    def loops(self) -> Iterator[Loop]:
        """All loops, the outer ones first."""
        yield self
        for item in self.body:
            if isinstance(item, Loop):
                yield from item.loops()

    def integers(self) -> Iterator[str]:
        """The names of integers that are bound in the loop."""
        for item in self.body:
            if isinstance(item, Loop):
                yield from item.integers()
            elif isinstance(item, Whole):
                yield item.node.targets[0].id
