"""The kinds of lists and dicts that another name may change.

In: the kind of a name, and what a list or dict that it may be, or hold, was before and is after a change.
Out: a kind that holds of both.
Next: inference.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterator, Mapping, Set
from itertools import product

import gast

from tangentlite.analysis.environment import Environment
from tangentlite.analysis.joining import join
from tangentlite.analysis.kinds import (
    CONTAINERS,
    Again,
    Dict,
    Kind,
    List,
    Num,
    Object,
    Tuple,
    Unknown,
    choices,
    is_open,
)
from tangentlite.analysis.lists.nesting import HOLDERS, holds
from tangentlite.analysis.storage.origins import apart, unplaced
from tangentlite.values import replace

Ties = Mapping[gast.stmt, Mapping[str, frozenset[str]]]


def tied(
    state: Environment,
    changes: Mapping[str, Kind],
    others: Mapping[str, frozenset[str]],
    stacks: Set[str] = frozenset(),
    filled: Collection[Kind] | None = None,
) -> dict[str, Kind]:
    """The kinds that change beside those of the names through which a list or dict was changed.

    A stack has no other name: what was changed is in it. ``filled``: what a call puts something into. It may have
    changed, though its kind, which may be that of several lists, is the same as before.
    """
    found: dict[str, Kind] = {}
    for name, names in others.items():
        old, new = state.get(name), changes.get(name)
        for other in names:
            kind = state.get(other)
            if other not in changes and kind is not None and old is not None and new is not None:
                for before, after in _changed(old, new, filled):
                    change = widened_items if other in stacks else widened
                    kind = found[other] = change(found.get(other, kind), before, after)
    return found


def _changed(old: Kind, new: Kind, filled: Collection[Kind] | None) -> Iterator[tuple[Kind, Kind]]:
    """A container before and after a change, and those in it that may be other names' too."""
    if old != new or filled is None or any(consistent(old, kind) for kind in filled):
        yield old, new
    for before, after in _pairs(old, new):
        if not (isinstance(before, CONTAINERS) and isinstance(after, CONTAINERS)):
            continue
        if (filled or before != after) and not apart(before, after):
            yield from _changed(before, after, filled)


def _pairs(old: Kind, new: Kind) -> Iterator[tuple[Kind | None, Kind | None]]:
    """The parts before and after a change that may be the same place."""
    match old, new:
        case Dict(keys=keys, items=items), Dict(keys=names, items=others) if not (
            is_open(keys) or is_open(names)
        ):
            after = dict(zip(names, others))
            yield from ((item, after[key]) for key, item in zip(keys, items) if key in after)
            return
    parts, news = _parts(old), _parts(new)
    yield from zip(parts, news) if len(parts) == len(news) else product(parts, news)


def widened(kind: Kind, old: Kind, new: Kind) -> Kind:
    """The kind of what may be, or hold, a container that was of one kind and is of another now."""
    if not isinstance(kind, CONTAINERS):
        return kind
    kind = widened_items(kind, old, new)
    filled = _is_empty(old) and not _is_empty(kind)
    if not consistent(kind, old) or (filled and not consistent(kind, new)):
        return kind  # what holds objects is not the empty one that gets its first number
    if isinstance(kind, Object) and isinstance(new, Object):  # `vars(x)` changes x
        new = replace(new, fields=kind.fields, direct=kind.direct, optional=kind.optional)
    return join(kind, _in_order_of(kind, new), None)


def _in_order_of(kind: Kind, new: Kind) -> Kind:
    """The kind with the keys of dicts in the order in which they are known."""
    match kind, new:
        case Dict(keys=keys, items=items), Dict(keys=others) if set(keys) == set(others):
            table = dict(zip(others, new.items))
            parts = tuple(_in_order_of(item, table[key]) for key, item in zip(keys, items))
            return replace(new, keys=keys, items=parts)
        case Tuple(items=items), Tuple(items=others) if len(items) == len(others):
            return replace(new, items=tuple(map(_in_order_of, items, others)))
        case List(item=Kind() as item), List(item=Kind() as other):
            return replace(new, item=_in_order_of(item, other))
    return new


def widened_items(kind: Kind, old: Kind, new: Kind) -> Kind:
    """The kind of what may hold a container that was of one kind and is of another now."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            found = replace(kind, items=tuple(widened(item, old, new) for item in items))
            whole = isinstance(found, HOLDERS) and holds(found, found.owner)
            return unplaced(found) if whole else found
        case List(item=item) if item is not None:
            return replace(kind, item=widened(item, old, new))
    return kind


def consistent(a: Kind | None, b: Kind | None) -> bool:
    """Whether one object may be of both kinds; one of several functions may be any of them."""
    if choices(a) and choices(b):
        return True
    if apart(a, b):
        return False
    match a, b:
        case (None | Unknown(), _) | (_, None | Unknown()):
            return True
        case Num(), Num():
            return True
        case Tuple(items=items, type=s), Tuple(items=others, type=t):
            return s == t and len(items) == len(others) and all(map(consistent, items, others))
        case Object(owner=types.SimpleNamespace, loose=False), Object(loose=False):
            return a.owner is b.owner and set(a.keys) == set(b.keys)
        case Object(), Object():
            return a.owner is b.owner and not _clash(a, b)
        case ((Object() | Again()), (Object() | Again())):
            return a.owner is b.owner
        case (Object(), Dict()) | (Dict(), Object()):
            return False
        case Dict(keys=keys), Dict(keys=others) if not (is_open(keys) or is_open(others)):
            return set(keys) == set(others) and _all_consistent(a, b)
        case ((List() | Tuple(type="list")), (List() | Tuple(type="list"))) | (Dict(), Dict()):
            return _all_consistent(a, b)
    return type(a) is type(b) and not isinstance(a, CONTAINERS)


def _clash(a: Object, b: Object) -> bool:
    """Whether two objects have an attribute that is a number here and holds others there, or is of another class."""
    held = dict(zip(b.keys, b.items))
    both = [(item, held[key]) for key, item in zip(a.keys, a.items) if key in held]
    return any(
        (_is_number(x) and _holds(y)) or (_is_number(y) and _holds(x)) or _of_other_classes(x, y)
        for x, y in both
    )


def _of_other_classes(x: Kind, y: Kind) -> bool:
    match x, y:
        case Object(), Object():
            return x.owner is not y.owner and not (x.optional and y.optional)
    return False


def _is_number(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.exact != "zero"


def _holds(kind: Kind) -> bool:
    return isinstance(kind, (*CONTAINERS, Again))


def _is_empty(kind: Kind) -> bool:
    return (isinstance(kind, List) and kind.item is None) or (type(kind) is Dict and not kind.items)


def _all_consistent(a: Kind | None, b: Kind | None) -> bool:
    """Whether elements of two containers, in whatever order, may be the same objects."""
    left, right = _parts(a), _parts(b)
    return all(any(consistent(x, y) for y in right) for x in left) and all(
        any(consistent(x, y) for x in left) for y in right
    )


def _parts(kind: Kind | None) -> tuple[Kind | None, ...]:
    match kind:
        case Tuple(items=items) | Dict(items=items) if items:
            return items
        case List(item=item):
            return (item,)
    return (None,)
