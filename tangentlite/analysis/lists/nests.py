"""The kinds of adjoints and shadows of lists, tuples and dicts, and of what the runtime makes of them.

In: the kind of a value.
Out: the kind of what gathers its adjoint.
Next: results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tangentlite import runtime
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import (
    CONTAINERS,
    SCALAR,
    ZERO_KIND,
    Again,
    Dict,
    Kind,
    Linked,
    List,
    Nested,
    Num,
    Object,
    Pending,
    Tuple,
    Unknown,
    forget,
    is_complex,
)
from tangentlite.analysis.likeness import exactness
from tangentlite.analysis.lists.nesting import holds
from tangentlite.values import replace

# Functions whose result has the parts of their first argument.
KEEPING = (runtime.own, runtime.private, runtime.distinct, runtime.collected, runtime.owned)


def parts(kind: Kind, of: Callable[[Kind], Kind], display: str = "") -> Kind:
    """A nest with the same keys; ``display`` names what a tuple becomes."""
    match kind:
        case Nested(items=items, type=given):
            return replace(kind, items=tuple(map(of, items)), type=display or given)
        case Again(owner=type() as owner):
            return replace(kind, owner=("adjoint", owner))
        case Again() | Unknown() | Pending():
            return kind
        case Object(keys=keys, items=items, owner=owner) if holds(kind, owner):
            own = ("adjoint", owner)
            return Linked(keys, tuple(map(of, items)), kind.optional, owner=own)
        case Linked(items=items):
            return replace(kind, items=tuple(map(of, items)))
        case Tuple(items=items, type=given):
            plain = "tuple" if given == "closure" else given
            return Tuple(tuple(map(of, items)), display or plain, kind.optional)
        case List(item=item):
            return List(None if item is None else of(item), kind.optional, kind.bare)
        case Dict(keys=keys, items=items):
            return Dict(keys, tuple(map(of, items)), kind.optional, kind.bare)
    return ZERO_KIND


def zeros(kind: Kind, solid: bool = False) -> Kind:
    """What gathers the adjoints of a value: the slots of a container hold ZERO at first, later any shape."""
    if isinstance(kind, Num):
        return Num(kind.shape, exactness(kind), kind.ndim, solid=solid)
    return parts(kind, _slot, "list")


def _slot(kind: Kind) -> Kind:
    return Num(None, exactness(kind)) if isinstance(kind, Num) else zeros(kind)


def tangents(kind: Kind) -> Kind:
    """What holds the tangents of a value: a dict for an object."""
    return Num(None, exactness(kind)) if isinstance(kind, Num) else parts(kind, tangents)


def added(kinds: list[Kind]) -> Kind | None:
    """The sum of two adjoints of one value, if that is a container."""
    return next((zeros(kind) for kind in kinds if isinstance(kind, CONTAINERS)), None)


def shadow(kind: Kind) -> Kind:
    """Storage for the adjoint of a value: an array without axes for a number."""
    if not isinstance(kind, Num):
        return parts(kind, _stored)
    exact = "float" if kind.exact == "float" else exactness(kind)
    return Num(None, exact, 0) if kind.scalar else Num(kind.shape, exact, kind.ndim)


def _stored(kind: Kind) -> Kind:
    return forget(shadow(kind))


def drained(kind: Kind) -> Kind:
    """What storage has gathered: a number for an array without axes."""
    if not isinstance(kind, Num):
        return parts(kind, drained, "list")
    return Num(SCALAR, kind.exact, 0) if kind.array and kind.ndim == 0 else kind


def _one_of(kind: Kind) -> Kind | None:
    """One of several numbers, if that is all they are."""
    each = element(kind) if isinstance(kind, List | Tuple) else kind
    if not isinstance(each, Num) or is_complex(each):
        return None
    found = each.scalar if each is not kind else each.ndim == 1 and not each.persistent
    exact = "float" if each.exact == "float" else ""
    return Num(SCALAR, exact, 0) if found and not each.optional else None


def made(primal: Any, kinds: Mapping[str, Kind]) -> Kind | None:
    """The kind of what the runtime makes of shadows; None for other functions."""
    first = next(iter(kinds.values()), None)
    if first is None:
        return None
    if primal is runtime.add:
        return added(list(kinds.values()))
    if primal is runtime.in_order:
        return List(element(first))
    if primal in (max, min) and len(kinds) == 1:
        return _one_of(first)
    if primal is runtime.view:
        return shadow(first)
    if primal is runtime.drained:
        return drained(first)
    if primal is runtime.unview:
        return kinds["bx"]
    if isinstance(first, CONTAINERS):
        if primal in KEEPING:
            return first
        if primal in (runtime.apart, runtime.unshared):
            return parts(first, lambda item: item, "list")
    return first if primal in (runtime.own, runtime.private, runtime.distinct) else None
