"""Tuples that hold others of their own kind: the records of helpers that call themselves.

In: the kind of what a helper returns, as it was found before and as it is found now, one call deeper.
Out: a kind that names itself inside.
Next: summaries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from tangentlite.analysis.kinds import (
    Again,
    Dict,
    Kind,
    List,
    Named,
    Nested,
    Object,
    Tuple,
    forget,
    is_closure,
)
from tangentlite.values import replace


def tied(known: Kind, found: Kind, owner: Any) -> Kind | None:
    """The kind that ``found`` is, where ``known`` lies in it again; None if nothing does.

    >>> from tangentlite.analysis.kinds import Nothing, Num
    >>> known = Tuple((Num(), Tuple((Num(), Nothing()))))
    >>> found = Tuple((Num(), Tuple((Num(), replace(known.items[1], optional=True)))))
    >>> tied(known, found, "fib") == Tuple((Num(), Nested((Num(), Again("fib", True)), owner="fib")))
    True
    """
    if not (_is_plain(known) and _is_plain(found) and len(known.items) == len(found.items)):
        return None
    like = replace(forget(known), optional=True)

    def again(kind: Kind) -> Kind | None:
        is_like = isinstance(kind, Tuple) and replace(kind, optional=True) == like
        return Again(owner, kind.optional) if is_like else None  # type: ignore[attr-defined]

    items = tuple(_replaced(item, again) for item in found.items)
    if items != found.items:
        return _named(replace(found, items=items), owner)
    parts = [tied(a, b, owner) for a, b in zip(known.items, found.items)]
    if not any(parts):
        return None
    return replace(found, items=tuple(part or item for part, item in zip(parts, found.items)))


def folded(known: Kind, found: Kind, owner: Any) -> Kind:
    """The kind that ``found`` is, where ``known`` names itself: what lies in it of that kind is named so too."""
    if isinstance(known, Nested) and known.owner == owner and isinstance(found, Tuple):
        whole = replace(found, items=tuple(_replaced(k, _again(owner)) for k in found.items))
        return whole if isinstance(found, Nested) else _named(whole, owner)
    if _is_plain(known) and _is_plain(found) and len(known.items) == len(found.items):
        items = (folded(a, b, owner) for a, b in zip(known.items, found.items))
        return replace(found, items=tuple(items))
    return found


def unfolded(kind: Kind, whole: Object | Nested) -> Kind:
    """The kind of a part of an object or a nested tuple, where more of the same kind may be inside."""
    if isinstance(kind, Again):
        return replace(whole, optional=kind.optional) if kind.owner == whole.owner else kind
    if isinstance(kind, Object | Nested) and kind.owner == whole.owner and kind != whole:
        return kind
    return _within(kind, lambda part: unfolded(part, whole))


def unnested(kind: Tuple) -> Tuple:
    """A tuple as it is when looked at from outside: one that holds others of whatever kind."""
    if not isinstance(kind, Nested):
        return kind
    return Tuple(tuple(unfolded(item, kind) for item in kind.items), kind.type, kind.optional)


def _again(owner: Any) -> Callable[[Kind], Kind | None]:
    def again(kind: Kind) -> Kind | None:
        same = isinstance(kind, Nested) and kind.owner == owner
        return Again(owner, kind.optional) if same else None  # type: ignore[attr-defined]

    return again


def _replaced(kind: Kind, by: Callable[[Kind], Kind | None]) -> Kind:
    """A kind with parts replaced by what is given for them."""
    found = by(kind)
    return _within(kind, lambda part: _replaced(part, by)) if found is None else found


def _within(kind: Kind, change: Callable[[Kind], Kind]) -> Kind:
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return replace(kind, items=tuple(map(change, items)))
        case List(item=item) if item is not None:
            return replace(kind, item=change(item))
    return kind


def _is_plain(kind: Kind) -> TypeGuard[Tuple]:
    return isinstance(kind, Tuple) and not isinstance(kind, Named | Nested) and not is_closure(kind)


def _named(kind: Tuple, owner: Any) -> Nested:
    return Nested(kind.items, kind.type, kind.optional, owner)
