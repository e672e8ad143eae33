"""Where lists and dicts were made: two that were made at unlike places are two objects.

In: kinds.
Out: the same kinds as a function sees them that is called, and as its caller does; kinds that tell no places.
Next: nesting.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import is_
from typing import Any, TypeVar

from tangentlite.analysis.kinds import CONTAINERS, Dict, Kind, List, Made, Tuple
from tangentlite.values import replace

K = TypeVar("K", bound=Kind)
MOST = 16  # places where one list may have been made
Places = tuple[frozenset[Hashable], ...]


def either_made(a: Made, b: Made) -> Made:
    """Where something was made that was made here or there."""
    if a is None or b is None:
        return None
    both = a | b
    return both if len(both) <= MOST else None


def apart(a: Kind | None, b: Kind | None) -> bool:
    """Whether two values cannot be one object, since they were made at unlike places.

    >>> here, there = (List(None, made=frozenset({place})) for place in (1, 2))
    >>> apart(here, there), apart(here, here), apart(here, List(None))
    (True, False, False)
    """
    if not (isinstance(a, CONTAINERS) and isinstance(b, CONTAINERS)):
        return False
    return a.made is not None and b.made is not None and not a.made & b.made


def anew(kind: K, point: int) -> K:
    """The kind of a copy of a list or dict, which is made at a point."""
    return replace(kind, made=frozenset({point})) if isinstance(kind, CONTAINERS) else kind


def unplaced(kind: K) -> K:
    """A kind that tells no places."""
    return _changed(kind, lambda made: None)


def given(kinds: Sequence[Kind]) -> tuple[tuple[Kind, ...], Places]:
    """The kinds of arguments with numbers for places, -1, -2, …, and the places that each number stands for.

    >>> kinds, places = given([List(None, made=frozenset({7}))])
    >>> kinds[0].made, places
    (frozenset({-1}), (frozenset({7}),))
    """
    groups = _groups(_all(kinds))
    numbers = {p: frozenset[Hashable]({-1 - n}) for n, group in enumerate(groups) for p in group}
    return tuple(_changed(k, lambda made: _either(made, numbers)) for k in kinds), groups


def told(kinds: Iterable[Kind]) -> list[Kind]:
    """What a function hands out, for its callers: what it made itself has the places 0, 1, …."""
    kinds = [*kinds]
    groups = _groups(frozenset(p for p in made if not _is_given(p)) for made in _all(kinds))
    numbers = {p: frozenset[Hashable]({n}) for n, group in enumerate(groups) for p in group}
    numbers |= {p: frozenset({p}) for made in _all(kinds) for p in made if _is_given(p)}
    return [_changed(kind, lambda made: _either(made, numbers)) for kind in kinds]


def handed_out(kind: Kind, places: Places, point: int) -> Kind:
    """What a call at a point hands out, for the function that calls; ``places``: what its arguments' numbers mean."""

    def here(made: frozenset[Any]) -> Made:
        meant = [places[-1 - p] if _is_given(p) else frozenset({(point, p)}) for p in made]
        found = frozenset[Hashable]().union(*meant)
        return found if len(found) <= MOST else None

    return _changed(kind, here)


def may_be_given(kind: Kind) -> bool:
    """Whether a list or dict may be one that the function did not make."""
    return isinstance(kind, CONTAINERS) and (kind.made is None or any(map(_is_given, kind.made)))


def _is_given(place: Hashable) -> bool:
    return isinstance(place, int) and place < 0


def _either(made: frozenset[Hashable], numbers: Mapping[Hashable, frozenset[Hashable]]) -> Made:
    return frozenset[Hashable]().union(*(numbers[place] for place in made))


def _groups(all_made: Iterable[frozenset[Hashable]]) -> Places:
    """Places that one list may have been made at are of one group."""
    groups: list[frozenset[Hashable]] = []
    for made in all_made:
        touched = [group for group in groups if group & made]
        if not touched and made:
            groups.append(made)
        elif touched and not made <= touched[0]:
            groups[groups.index(touched[0])] = made.union(*touched)
            groups = [group for group in groups if group not in touched[1:]]
    return tuple(groups)


def _all(kinds: Iterable[Kind | None]) -> Iterator[frozenset[Hashable]]:
    for kind in kinds:
        if isinstance(kind, CONTAINERS):
            if kind.made is not None:
                yield kind.made
            yield from _all([kind.item] if isinstance(kind, List) else kind.items)


def _changed(kind: K, change: Callable[[frozenset[Hashable]], Made]) -> K:
    """A kind whose places, and those of its parts, are changed."""
    if not isinstance(kind, CONTAINERS):
        return kind
    made = None if kind.made is None else change(kind.made)
    if isinstance(kind, Tuple | Dict):
        items = tuple(_changed(item, change) for item in kind.items)
        same = made == kind.made and all(map(is_, items, kind.items))
        return kind if same else replace(kind, items=items, made=made)
    item = None if kind.item is None else _changed(kind.item, change)
    same = made == kind.made and item is kind.item
    return kind if same else replace(kind, item=item, made=made)


__all__ = [
    "anew",
    "apart",
    "either_made",
    "given",
    "handed_out",
    "may_be_given",
    "told",
    "unplaced",
]
