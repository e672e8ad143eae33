"""Affine: indices and bounds of loops as sums of names, each times an integer.

In: nothing.
Out: ``Affine``, ``Range``, ``is_natural``, ``lowest``, ``highest``.
Next: sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import gast

from tangentlite import syntax

Terms = tuple[tuple[str, int], ...]


class Affine(NamedTuple):
    """A sum of names, each times an integer, and of an integer; a name is a counter, or a text about the arguments.

    >>> i, n = Affine.of("i"), Affine.of("x.shape[0]")
    >>> str(n - i.times(2) - 1), (i - i).constant, (i + 3).constant
    ('x.shape[0] - 2 * i - 1', 0, None)
    """

    terms: Terms
    rest: int

    @classmethod
    def of(cls, name: str) -> Affine:
        """A name."""
        return cls(((name, 1),), 0)

    @property
    def constant(self) -> int | None:
        """The number that it is, if it depends on nothing."""
        return None if self.terms else self.rest

    @property
    def names(self) -> frozenset[str]:
        """What it depends on."""
        return frozenset(name for name, _ in self.terms)

    def factor(self, name: str) -> int:
        """How often a name is in it."""
        return dict(self.terms).get(name, 0)

    def __add__(self, other: Affine | int) -> Affine:  # type: ignore[override]
        if isinstance(other, int):
            return Affine(self.terms, self.rest + other)
        found = dict(self.terms)
        for name, factor in other.terms:
            found[name] = found.get(name, 0) + factor
        terms = tuple((name, factor) for name, factor in found.items() if factor)
        return Affine(terms, self.rest + other.rest)

    def __sub__(self, other: Affine | int) -> Affine:
        return self + (-other if isinstance(other, int) else other.times(-1))

    def times(self, factor: int) -> Affine:
        """So many of it."""
        terms = tuple((name, factor * own) for name, own in self.terms if factor)
        return Affine(terms, factor * self.rest)

    def with_(self, found: Mapping[str, Affine]) -> Affine:
        """The same with other things in place of names."""
        made = Affine((), self.rest)
        for name, factor in self.terms:
            made += found.get(name, Affine.of(name)).times(factor)
        return made

    def tree(self, known: Mapping[str, str] = {}) -> gast.expr:
        """The expression, in which what is ``known`` under a shorter name is called that."""
        return syntax.expression(self.shown(known))

    def shown(self, known: Mapping[str, str] = {}) -> str:
        """The text of the expression."""
        parts = [(factor, _term(abs(factor), known.get(n, n))) for n, factor in self.terms]
        parts += [(self.rest, str(abs(self.rest)))] if self.rest or not parts else []
        parts.sort(key=lambda part: part[0] < 0)
        first, *others = parts
        start = first[1] if first[0] >= 0 else f"-{first[1]}"
        return start + "".join(f" {'+' if f >= 0 else '-'} {text}" for f, text in others)

    def __str__(self) -> str:
        return self.shown()


def is_natural(value: Affine) -> bool:
    """Whether it is not negative whatever the arguments are.

    >>> n = Affine.of("x.shape[0]")
    >>> is_natural(n + 1), is_natural(n - 1), is_natural(Affine.of("k"))
    (True, False, False)
    """
    return value.rest >= 0 and all(f > 0 and n.endswith("]") for n, f in value.terms)


def _term(factor: int, name: str) -> str:
    if factor == 1:
        return name
    return f"{factor} * ({name})" if "/" in name else f"{factor} * {name}"


class Range(NamedTuple):
    """What a counter runs through: from the lowest to the highest value, in steps; ``high`` None: nobody knows."""

    counter: str
    low: Affine
    high: Affine | None
    step: int = 1

    def renamed(self, found: Mapping[str, Affine], counter: str) -> Range:
        """The same of another counter, with other things in place of names."""
        high = self.high.with_(found) if self.high is not None else None
        return Range(counter, self.low.with_(found), high, self.step)


def lowest(value: Affine, ranges: Sequence[Range]) -> Affine | None:
    """The lowest value while counters run through their ranges, of which the inner ones come last.

    >>> i, k, n = map(Affine.of, "ikn")
    >>> outer, inner = Range("i", Affine((), 1), n - 1), Range("k", Affine((), 0), i - 1)
    >>> str(lowest(i - k - 1, [outer, inner])), str(highest(i - k - 1, [outer, inner]))
    ('0', 'n - 2')
    """
    for inner in reversed(ranges):
        factor = value.factor(inner.counter)
        if not factor:
            continue
        end = inner.low if factor > 0 else inner.high
        if end is None:
            return None
        value = value.with_({inner.counter: end})
    return value


def highest(value: Affine, ranges: Sequence[Range]) -> Affine | None:
    """The highest value while counters run through their ranges."""
    found = lowest(value.times(-1), ranges)
    return found.times(-1) if found is not None else None
