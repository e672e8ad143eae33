"""Tuples that hold others of their own kind: the records of helpers that call themselves.

In: the kind of what a helper returns, as it was found before and as it is found now, one call deeper.
Out: a kind that names itself inside.
Next: summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from tangentlite.analysis.kinds import (
    Again,
    Dict,
    Kind,
    Linked,
    List,
    Named,
    Nested,
    Object,
    Tuple,
    forget,
    is_closure,
    is_open,
    parts_of,
)
from tangentlite.analysis.storage.origins import unplaced
from tangentlite.values import replace

Holder = Object | Linked | Nested
HOLDERS = (Object, Linked, Nested)
Plain = Tuple | Dict


def tied(known: Kind, found: Kind, owner: Any) -> Kind | None:
    """The kind that ``found`` is, where ``known`` lies in it again; None if nothing does.

    >>> from tangentlite.analysis.kinds import Nothing, Num
    >>> known = Tuple((Num(), Tuple((Num(), Nothing()))))
    >>> found = Tuple((Num(), Tuple((Num(), replace(known.items[1], optional=True)))))
    >>> tied(known, found, "fib") == Tuple((Num(), Nested((Num(), Again("fib", True)), owner="fib")))
    True
    """
    if not (isinstance(known, Plain) and isinstance(found, Plain) and _alike(known, found)):
        return None
    like = replace(forget(unplaced(known)), optional=True)

    def again(kind: Kind) -> Kind | None:
        if isinstance(kind, Plain) and replace(kind, optional=True) == like:
            return Again(owner, kind.optional)
        return None

    found = unplaced(found)
    items = tuple(_replaced(item, again) for item in found.items)
    if items != found.items:
        return _named(replace(found, items=items), owner)
    parts = [tied(a, b, owner) for a, b in zip(known.items, found.items)]
    if not any(parts):
        return None
    return replace(found, items=tuple(part or item for part, item in zip(parts, found.items)))


def folded(known: Kind, found: Kind, owner: Any) -> Kind:
    """The kind that ``found`` is, where ``known`` names itself: what lies in it of that kind is named so too."""
    if not (isinstance(known, Plain) and isinstance(found, Plain)):
        return found
    if isinstance(known, Nested | Linked) and known.owner == owner:
        found = unplaced(found)
        whole = replace(found, items=tuple(_replaced(k, _again(known)) for k in found.items))
        return whole if _form(found) is None else _named(whole, owner)
    if not _alike(known, found):
        return found
    return replace(
        found, items=tuple(folded(a, b, owner) for a, b in zip(known.items, found.items))
    )


def unfolded(kind: Kind, whole: Holder) -> Kind:
    """The kind of a part of a value, where more of the same kind may be inside."""
    if isinstance(kind, Again):
        same = kind.owner == whole.owner
        return unplaced(replace(whole, optional=kind.optional)) if same else kind
    if isinstance(kind, HOLDERS) and kind.owner == whole.owner and kind != whole:
        return kind
    return _within(kind, lambda part: unfolded(part, whole))


def unnested(kind: Kind) -> Kind:
    """A tuple or a dict as it is when looked at from outside: one that holds others of whatever kind."""
    if not isinstance(kind, Nested | Linked):
        return kind
    items = tuple(unfolded(item, kind) for item in kind.items)
    if isinstance(kind, Linked):
        return Dict(kind.keys, items, kind.optional)
    return Tuple(items, kind.type, kind.optional)


def owned(kind: Nested | Linked, owner: Any) -> Nested | Linked:
    """The same kind under the name of another owner."""

    def again(part: Kind) -> Kind | None:
        same = isinstance(part, Again) and part.owner == kind.owner
        return replace(part, owner=owner) if same else None

    return replace(kind, items=tuple(_replaced(item, again) for item in kind.items), owner=owner)


def holds(kind: Kind | None, owner: Any) -> bool:
    """Whether another value of the kind may lie in a value."""
    return owner in _owners(kind)


def _owners(kind: Kind | None) -> frozenset[Any]:
    """Of which kinds other values lie in a value; a part that lies in many others is looked at once."""
    match kind:
        case Again():
            return frozenset((kind.owner,))
        case Tuple() | Dict() | List():
            if "_owners" not in kind.__dict__:
                inside = map(_owners, parts_of(kind))
                kind.__dict__["_owners"] = frozenset[Any]().union(*inside)
            return kind.__dict__["_owners"]  # type: ignore[no-any-return]
    return frozenset()


def _again(whole: Nested | Linked) -> Callable[[Kind], Kind | None]:
    """What stands for a part that is of the kind of the whole."""

    def again(kind: Kind) -> Kind | None:
        if not isinstance(kind, Plain):
            return None
        named = kind if isinstance(kind, Nested | Linked) else _named(kind, whole.owner)
        same = kind.items == whole.items and named == replace(whole, optional=kind.optional)
        return Again(whole.owner, kind.optional) if same else None

    return again


def _replaced(kind: Kind, by: Callable[[Kind], Kind | None]) -> Kind:
    """A kind with parts replaced by what is given for them, those that lie deepest first."""
    inside = (
        kind
        if isinstance(kind, Nested | Linked)
        else _within(kind, lambda part: _replaced(part, by))
    )
    return by(kind) or by(inside) or inside


def _within(kind: Kind, change: Callable[[Kind], Kind]) -> Kind:
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return replace(kind, items=tuple(map(change, items)))
        case List(item=item) if item is not None:
            return replace(kind, item=change(item))
    return kind


def _form(kind: Plain) -> Hashable:
    """What two tuples or dicts have in common that may be one; None of those that have a name."""
    if isinstance(kind, (Named, *HOLDERS)) or is_closure(kind):
        return None
    if isinstance(kind, Dict):
        return None if is_open(kind.keys) else kind.keys
    return kind.type, len(kind.items)


def _alike(a: Plain, b: Plain) -> bool:
    return _form(a) is not None and _form(a) == _form(b)


def _named(kind: Plain, owner: Any) -> Nested | Linked:
    if isinstance(kind, Dict):
        return Linked(kind.keys, kind.items, kind.optional, owner=owner)
    return Nested(kind.items, kind.type, kind.optional, owner=owner)
