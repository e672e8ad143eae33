"""What holds of values of one kind or another: where paths meet, and inside containers.

In: kinds.
Out: ``join``; the kinds of the elements and the keys of a container.
Next: given.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextvars import ContextVar
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any

import numpy as np

from tangentlite.analysis.classes.inherited import function_of
from tangentlite.analysis.inside import depth
from tangentlite.analysis.kinds import (
    ANY_KEY,
    COMPLEX,
    CONTAINERS,
    DIFFERENT,
    MERGED,
    SCALAR,
    TEXT_OR_NUMBER,
    Again,
    Choice,
    Dict,
    Inert,
    Kind,
    Linked,
    List,
    Member,
    Named,
    Nested,
    Nothing,
    Num,
    Object,
    Pending,
    Tuple,
    Unknown,
    Value,
    choices,
    floating,
    forget,
    is_closure,
    is_complex,
    is_open,
)
from tangentlite.analysis.lists.nesting import HOLDERS, holds, owned, unnested
from tangentlite.analysis.storage.origins import either_made, unplaced
from tangentlite.runtime.containers.objects import calculates
from tangentlite.values import replace

DEEPEST = 12  # containers in each other, of values that are of one kind or another
ENDLESS = "it holds what it was before, and so on without end"
_open: ContextVar[frozenset[tuple[Kind, Kind]]] = ContextVar("open", default=frozenset())
PLAIN = ("", "str", "bytes", "slice", "dtype")


def number(value: Any) -> Num | None:
    """The kind of an actual number; that of a class with arithmetic of its own is none."""
    kind: type = type(value)
    if not isinstance(value, (int, float, complex, np.number, np.bool_)) or calculates(kind):
        return None
    if isinstance(value, (bool, np.bool_)):
        return Num(SCALAR, "bool")
    if isinstance(value, (int, np.integer)):
        return Num(SCALAR, "int")
    return (
        Num(COMPLEX, "complex") if isinstance(value, complex | np.complexfloating) else Num(SCALAR)
    )


def join(a: Kind, b: Kind, symbol: Hashable) -> Kind:
    """What holds of both; ``symbol`` names a shape that may be either's."""
    if a is b or a == b or isinstance(b, Pending):
        return a
    if isinstance(a, Pending):
        return b
    joined = _joined(a, b, symbol)
    if isinstance(joined, CONTAINERS):
        joined = _placed(joined, a, b)
    return Unknown(ENDLESS) if depth(joined) > DEEPEST else joined


def _placed(joined: Any, a: Kind, b: Kind) -> Kind:
    """Where something may have been made that is one or the other; what stands for others like it tells no places."""
    both = [k.made for k in (a, b) if isinstance(k, CONTAINERS)]
    made = either_made(both[0], both[-1])
    found: Kind = joined if joined.made == made else replace(joined, made=made)
    whole = isinstance(found, HOLDERS) and holds(found, found.owner)
    return unplaced(found) if whole else found


def _joined(a: Kind, b: Kind, symbol: Hashable) -> Kind:
    if is_closure(a) or is_closure(b):
        return _closures(a, b)
    match a, b:
        case Num(exact="zero"), _:
            return b
        case _, Num(exact="zero"):
            return a
        case Num(), Num() if a.persistent == b.persistent:
            return _numbers(a, b, symbol)
        case (Object() | Again() | Named(), _) | (_, Object() | Again() | Named()):
            return _join_owned(a, b)
        case Nothing(), (Tuple() | List() | Dict()):
            return forget(replace(b, optional=True))
        case Nothing(), Value():
            return Choice("function", values=choices(b)) if choices(b) else Inert()
        case Nothing(), _:
            b = replace(b, optional=True) if isinstance(b, Num) else b
            return forget(b) if symbol is None else b
        case _, Nothing():
            return join(b, a, symbol)
        case Tuple(), Tuple() if len(a.items) == len(b.items) and a.type == b.type:
            return _part_by_part(a, b)
        case Dict(), Dict() if a.keys == b.keys:
            return _part_by_part(a, b)
        case Dict(), Dict():
            found = any_dict(_join_items(element(a), element(b)), either(key_of(a), key_of(b)))
            return replace(found, optional=a.optional or b.optional)
        case Choice(), Choice():
            return _choice(a, b)
        case Member(owner=s), Member(owner=t) if s is t:
            return Member("member", owner=s)
        case Inert(type=s), Inert(type=t):
            both_sets = s.startswith("set") and t.startswith("set")
            type_ = s if s == t else "set" if both_sets else ""
            return Inert(type_, written=a.written or b.written)
        case ((List() | Tuple()), (List() | Tuple())) if is_row(a) and is_row(b):
            item, loose = _join_items(element(a), element(b)), may_be_tuple(a) or may_be_tuple(b)
            return List(item, a.optional or b.optional, loose=loose)
    return _mixed(a, b, symbol)


def _part_by_part(a: Any, b: Any) -> Kind:
    """Of two tuples of one length, or two dicts of the same keys; inside may be two such as they are themselves."""
    before, pair = _open.get(), (a, b)
    if before and pair in before:
        return Unknown(ENDLESS)
    nested = isinstance(a, Nested | Linked) or isinstance(b, Nested | Linked)
    token = _open.set(before | {pair}) if nested else None
    try:
        return _parts_joined(a, b)
    finally:
        if token is not None:
            _open.reset(token)


def _parts_joined(a: Any, b: Any) -> Kind:
    optional = a.optional or b.optional
    if isinstance(a, Nested | Linked) and type(a) is type(b):
        b = owned(b, a.owner)
    else:
        a, b = unnested(a), unnested(b)
    items = tuple(join(x, y, None) for x, y in zip(a.items, b.items))
    bare = {"bare": a.bare and b.bare} if isinstance(a, Dict) else {}
    if isinstance(a, Object) and isinstance(b, Object):
        bare["direct"] = a.direct and b.direct
    joined: Kind = replace(a, items=items, optional=optional, **bare)
    return joined


def _numbers(a: Num, b: Num, symbol: Hashable) -> Num:
    other = None if symbol is None else frozenset({symbol})
    alike = a.ndim == b.ndim and a.array == b.array  # an array without dimensions is no number
    return Num(
        a.shape if a.shape == b.shape else COMPLEX if a.scalar and b.scalar else other,
        a.exact if a.exact == b.exact else "complex" if is_complex(a, b) else "",
        a.ndim if alike else None,
        a.python and b.python,
        persistent=a.persistent,
        solid=a.array and b.array and (a.ndim is None or a.ndim != b.ndim),
        optional=a.optional or b.optional,
    )


def _mixed(a: Kind, b: Kind, symbol: Hashable) -> Kind:
    """What holds of values of different kinds."""
    if choices(a) and choices(b):
        return _choice(a, b)
    if unknown := [k for k in (a, b) if isinstance(k, Unknown)]:
        return unknown[0]
    number = isinstance(a, Num) or isinstance(b, Num)
    if number and any(isinstance(k, Inert) and k.written for k in (a, b)):
        return TEXT_OR_NUMBER
    if number and any(isinstance(k, Inert) and k.type in PLAIN for k in (a, b)):
        # a text has the derivatives of a number: none flows into it
        return Num(None if symbol is None else frozenset({symbol}), optional=True)
    return MERGED if number and symbol is not None else Unknown(DIFFERENT)


def _closures(a: Kind, b: Kind) -> Kind:
    """One of several functions, of which some hold what they capture."""
    if not (choices(a) and choices(b)):
        if isinstance(a, Nothing) or isinstance(b, Nothing):
            return replace(b if isinstance(a, Nothing) else a, optional=True)
        return Unknown(DIFFERENT)
    held, other = (k.items[1:] if isinstance(k, Tuple) else () for k in (a, b))
    items = [
        x if _is_left_out(y) else y if _is_left_out(x) else join(x, y, None)
        for x, y in zip_longest(held, other)
    ]
    first = [k.items[0] if isinstance(k, Tuple) else k for k in (a, b)]
    absent = any(k.optional if isinstance(k, Tuple) else isinstance(k, Choice) for k in (a, b))
    chosen = first[0] if first[0] == first[1] else _choice(*first)
    return Tuple(
        (chosen, *items), "closure", absent
    )  # a choice does not tell whether it may be None


def _is_left_out(kind: Kind | None) -> bool:
    """Whether a closure has nothing there: what is only captured by others, ``...`` in its place."""
    return kind is None or (isinstance(kind, Inert) and kind.type == "ellipsis")


def _choice(a: Kind, b: Kind) -> Kind:
    return Choice("function", values=tuple(dict.fromkeys(choices(a) + choices(b))))


def _join_owned(a: Kind, b: Kind) -> Kind:
    match a, b:
        case Nothing(), (Object() | Again()):
            return replace(_folded(b) if isinstance(b, Object) else b, optional=True)
        case ((Object() | Again()), Nothing()):
            return _join_owned(b, a)
        case (Named() as kind, Nothing()) | (Nothing(), Named() as kind):
            return replace(kind, optional=True)
        case Again(), Again() if a.owner == b.owner:
            return replace(a, optional=True)
        case Object(), Object() if a.owner is b.owner and a.fields == b.fields:
            return _join_objects(a, b)
        case Named(), Named() if a.owner is b.owner and len(a.items) == len(b.items):
            items = tuple(join(x, y, None) for x, y in zip(a.items, b.items))
            return replace(a, items=items, optional=a.optional or b.optional)
        case (Named(items=items), Tuple()) if not isinstance(b, Named):
            return join(Tuple(items, optional=a.optional), b, None)
        case (Tuple(), Named(items=items)) if not isinstance(a, Named):
            return join(a, Tuple(items, optional=b.optional), None)
    return next((k for k in (a, b) if isinstance(k, Unknown)), Unknown(DIFFERENT))


def _folded(a: Object) -> Object:
    """An object that holds others of its class: they are of one kind with it."""
    inner = [k for k in a.items if isinstance(k, Object) and _is_like(k, a)]
    items = tuple(Again(k.owner, k.optional) if k in inner else k for k in a.items)
    whole = replace(a, items=items) if inner else a
    for kind in inner:
        other = _join_objects(whole, replace(_folded(kind), optional=a.optional))
        whole = other if isinstance(other, Object) else whole
    return whole


def _holds_its_like(a: Object) -> bool:
    return any(isinstance(k, Object | Again) and _is_like(k, a) for k in a.items)


def _is_like(part: Object | Again, whole: Object) -> bool:
    """Whether an object that another one holds is of its class; a namespace of other names is another thing."""
    other = isinstance(part, Object) and part.keys != whole.keys
    return part.owner is whole.owner and not (other and whole.owner is SimpleNamespace)


def _join_objects(a: Object, b: Object) -> Kind:
    if _holds_its_like(a) or _holds_its_like(b):
        a, b = _folded(a), _folded(b)
    one, two = dict(zip(a.keys, a.items)), dict(zip(b.keys, b.items))
    table = dict[Hashable, Kind]()
    for key in sorted({*one, *two}, key=str):
        kind, other = (one if key in one else two)[key], two.get(key) if key in one else None
        if other is None and choices(kind):  # reading what an object and its class lack raises
            other = function_of(a.owner, str(key))
        table[key] = kind if other is None else join(kind, other, None)
    optional, loose = a.optional or b.optional, a.loose or b.loose or a.keys != b.keys
    keys, items = tuple(table), tuple(table.values())
    return replace(a, keys=keys, items=items, optional=optional, loose=loose)


def may_be_tuple(kind: Kind | None) -> bool:
    """Whether a list or tuple of any length may be a tuple."""
    return kind.loose if isinstance(kind, List) else getattr(kind, "type", "") == "tuple"


def stays(before: Mapping[str, Kind], after: Mapping[str, Kind], name: str) -> bool:
    """Whether what an augmented assignment leaves is a list, a tuple or a dict, as before."""
    kinds = before if isinstance(after.get(name), Unknown) else after
    return isinstance(kinds.get(name), CONTAINERS)


def is_row(kind: Kind) -> bool:
    """A list of any length, and what may be one: a tuple that grows is a list which nothing changes."""
    return isinstance(kind, List) or (type(kind) is Tuple and kind.type in ("list", "tuple"))


def _join_items(a: Kind | None, b: Kind | None) -> Kind | None:
    if a is None or b is None:
        return a or b
    return join(a, b, None)


def element(kind: Kind) -> Kind | None:
    """The kind of an unknown element of a container; None if it has none."""
    match unnested(kind):
        case List(item=item):
            return item
        case Tuple(items=items) | Dict(items=items):
            found: Kind | None = None
            for item in items:
                found = _join_items(found, forget(item))
            return found
        case Pending():
            return kind
    return Unknown("it is no container")


def key_of(kind: Dict) -> Kind | None:
    """The kind of a key of a dict; None if it has none."""
    if is_open(kind.keys):
        known = kind.keys[1]
        return known if isinstance(known, Kind) else None
    found: Kind | None = None
    for key in kind.keys:
        found = either(found, _of_key(key))
    return found


def either(a: Kind | None, b: Kind | None) -> Kind | None:
    """The kind of a key that may be either: inert if both are, other than they may be."""
    found = _join_items(a, b)
    unlike = isinstance(found, Unknown) or {type(a), type(b)} == {Num, Inert}
    inert = unlike and not any(k is not None and floating(k) for k in (a, b))
    return Inert(written=any(getattr(k, "written", False) for k in (a, b))) if inert else found


def any_dict(item: Kind | None, key: Kind | None) -> Dict:
    """The kind of a dict whose keys are not known."""
    return Dict((ANY_KEY, key), (item,)) if item is not None else Dict((), ())


def _of_key(key: Hashable) -> Kind:
    """The kind of a key that is written in the source."""
    if isinstance(key, tuple):
        return Tuple(tuple(Num() if number(part) else _of_key(part) for part in key))
    if key is None:
        return Nothing()
    return number(key) or (Value(key) if callable(key) else Inert())
