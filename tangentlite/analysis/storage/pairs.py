"""Pairs of names that may share memory.

In: names.
Out: pairs of them.
Next: aliases.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

Pair = tuple[str, str]
Pairs = frozenset[Pair]


def pair(a: str, b: str) -> Pair:
    """Two names, in an order that does not depend on which comes first.

    >>> pair("y", "x")
    ('x', 'y')
    """
    return (a, b) if a < b else (b, a)


def other_of(two: Pair, name: str) -> str | None:
    """The other name of a pair; None if ``name`` is not in it."""
    if name == two[0]:
        return two[1]
    return two[0] if name == two[1] else None


def partners(pairs: Iterable[Pair], name: str) -> set[str]:
    """The names that are in a pair with ``name``.

    >>> sorted(partners([("a", "x"), ("x", "y"), ("a", "b")], "x"))
    ['a', 'y']
    """
    return {b for a, b in pairs if a == name} | {a for a, b in pairs if b == name}


def union(point: int, arriving: list[tuple[int, Pairs]]) -> Pairs:
    """The pairs that there are on some path."""
    return frozenset().union(*(state for _, state in arriving))


def with_sources(
    names: Iterable[str], edges: Iterable[Iterable[tuple[str, Iterable[str]]]]
) -> frozenset[str]:
    """Names, and those from which they were copied or viewed.

    >>> sorted(with_sources(["v"], [[("v", ["a"]), ("w", ["b"])], [("a", ["x"])]]))
    ['a', 'v', 'x']
    """
    above: dict[str, set[str]] = {}
    for name, sources in chain.from_iterable(edges):
        above.setdefault(name, set()).update(sources)
    found = set(names)
    waiting = list(found)
    while waiting:
        new = above.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return frozenset(found)
