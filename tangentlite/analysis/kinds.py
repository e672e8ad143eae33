"""The kinds of values: what a name may hold, and with which shape.

In: nothing.
Out: ``Kind`` and its members, and ``join``.
Next: operations, inference.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np

from tangentlite.rules import UNKNOWN
from tangentlite.runtime.closures import Label

Shape = frozenset[Hashable]
SCALAR: Shape = frozenset()
COMPLEX: Shape = frozenset({("complex",)})  # of a number that may be complex
INERT_TYPES = frozenset({"int", "bool"})
EXACT = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}


@dataclass(frozen=True, slots=True)
class Kind:
    """Root of the kinds."""


@dataclass(frozen=True, slots=True)
class Num(Kind):
    """A number or an array. ``shape`` None: unknown, and not yet named by a symbol.

    ``exact`` is "float", "int" or "bool" where the Python (or element) type is proved, "complex" where
    the number may be complex, "zero" for ZERO, else "".
    ``persistent``: a `PersistentArray`, of which nothing is a view.
    ``python``: proved to be a Python number, no NumPy scalar. ``literal``: its value, if written in the source.
    """

    shape: Shape | None = None
    exact: str = ""
    ndim: int | None = None
    python: bool = False
    literal: Any = UNKNOWN
    persistent: bool = False

    @property
    def scalar(self) -> bool:
        """Whether the shape is proved to be ()."""
        return self.shape == SCALAR or self.shape == COMPLEX

    @property
    def array(self) -> bool:
        """Whether it is proved to be an array, no number."""
        return bool(self.ndim) or (self.ndim == 0 and not self.scalar) or self.persistent

    @property
    def inert(self) -> bool:
        """Whether no derivative can flow through it."""
        return self.exact in INERT_TYPES


@dataclass(frozen=True, slots=True)
class Tuple(Kind):
    """A tuple (or a list that is never changed) of known length."""

    items: tuple[Kind, ...]
    type: str = "tuple"


@dataclass(frozen=True, slots=True)
class List(Kind):
    """A list of any length; ``item`` is the kind of every element (None while it is empty)."""

    item: Kind | None


@dataclass(frozen=True, slots=True)
class Dict(Kind):
    """A dict with known keys."""

    keys: tuple[Hashable, ...]
    items: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Value(Kind):
    """An object known when compiling: a function, a module, a class."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@dataclass(frozen=True, slots=True)
class Inert(Kind):
    """Something no derivative flows through: a string, a slice, a file.

    ``length``: of a shape, how many axes there are.
    """

    type: str = ""
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Choice(Inert):
    """One of several functions: which one is known at run time."""

    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Nothing(Kind):
    """None. No operation takes it, so it joins any kind without a trace."""


@dataclass(frozen=True, slots=True)
class Unknown(Kind):
    """Anything at all; ``why`` tells the user."""

    why: str = ""


CHANCE = Inert("generator of random numbers")
DIFFERENT = "it holds values of different kinds"
MERGED = Unknown(f"{DIFFERENT}, perhaps a number")
ZERO_KIND = Num(SCALAR, "zero")
FLOAT = Num(SCALAR, "float", 0, True)
CONTAINERS = (Tuple, List, Dict)
# A dict whose keys are not known, of one kind of items; the kind of the keys follows.
ANY_KEY = "any key"


def is_complex(*kinds: Kind | None) -> bool:
    """Whether there may be complex numbers in some value of these kinds."""
    return any(
        kind.exact == "complex"
        if isinstance(kind, Num)
        else is_complex(*kind.items)
        if isinstance(kind, (Tuple, Dict))
        else isinstance(kind, List) and is_complex(kind.item)
        for kind in kinds
    )


def is_persistent(kind: Kind | None) -> bool:
    """Whether values of a kind are proved to be persistent arrays."""
    return isinstance(kind, Num) and kind.persistent


def floating(kind: Kind) -> bool:
    """Whether a derivative may flow through values of this kind."""
    match kind:
        case Num():
            return not kind.inert
        case Dict(items=()) | List(item=None):
            return True  # what is stored in it later may be
        case Tuple(items=items) | Dict(items=items):
            return any(map(floating, items))
        case List(item=item) if item is not None:
            return floating(item)
        case Unknown():
            return True
    return False


def join(a: Kind, b: Kind, symbol: Hashable) -> Kind:
    """What holds of both; ``symbol`` names a shape that may be either's."""
    if a == b:
        return a
    if is_closure(a) or is_closure(b):
        return _closures(a, b)
    match a, b:
        case Num(exact="zero"), _:
            return b
        case _, Num(exact="zero"):
            return a
        case Num(), Num() if a.persistent == b.persistent:
            other = None if symbol is None else frozenset({symbol})
            return Num(
                a.shape if a.shape == b.shape else COMPLEX if a.scalar and b.scalar else other,
                a.exact if a.exact == b.exact else "complex" if is_complex(a, b) else "",
                a.ndim if a.ndim == b.ndim else None,
                a.python and b.python,
                persistent=a.persistent,
            )
        case Nothing(), _:
            return forget(b) if symbol is None else b
        case _, Nothing():
            return join(b, a, symbol)
        case Tuple(), Tuple() if len(a.items) == len(b.items) and a.type == b.type:
            return Tuple(tuple(join(x, y, None) for x, y in zip(a.items, b.items)), a.type)
        case Dict(), Dict() if a.keys == b.keys:
            return Dict(a.keys, tuple(join(x, y, None) for x, y in zip(a.items, b.items)))
        case Dict(), Dict():
            key = either(key_of(a), key_of(b))
            return any_dict(join_items(element(a), element(b)), key)
        case Inert(type=s), Inert(type=t):
            both_sets = s.startswith("set") and t.startswith("set")
            return Inert(s if s == t else "set" if both_sets else "")
        case ((List() | Tuple()), (List() | Tuple())) if _is_list(a) and _is_list(b):
            return List(join_items(element(a), element(b)))
    return _mixed(a, b, symbol)


def _mixed(a: Kind, b: Kind, symbol: Hashable) -> Kind:
    """What holds of values of different kinds."""
    if choices(a) and choices(b):
        return _choice(a, b)
    if unknown := [k for k in (a, b) if isinstance(k, Unknown)]:
        return unknown[0]
    number = isinstance(a, Num) or isinstance(b, Num)
    return MERGED if number and symbol is not None else Unknown(DIFFERENT)


def choices(kind: Kind | None) -> tuple[Value, ...]:
    """The functions that a value of a kind may be; none if it may be something else."""
    match kind:
        case Choice(values=values):
            return values
        case Tuple(items=[first, *_], type="closure"):
            return choices(first)
        case Value(value=value) if (callable(value) and not isinstance(value, type)) or isinstance(
            value, Label
        ):
            return (kind,)
    return ()


def is_closure(kind: Kind | None) -> bool:
    """Whether values of a kind are functions with what they capture, for certain or perhaps."""
    return isinstance(kind, Tuple) and kind.type == "closure"


def _closures(a: Kind, b: Kind) -> Kind:
    """One of several functions, of which some hold what they capture."""
    if not (choices(a) and choices(b)):
        return a if isinstance(b, Nothing) else b if isinstance(a, Nothing) else Unknown(DIFFERENT)
    held, other = (k.items[1:] if isinstance(k, Tuple) else () for k in (a, b))
    items = [
        x if y is None else y if x is None else join(x, y, None)
        for x, y in zip_longest(held, other)
    ]
    first = [k.items[0] if isinstance(k, Tuple) else k for k in (a, b)]
    return Tuple((first[0] if first[0] == first[1] else _choice(*first), *items), "closure")


def _choice(a: Kind, b: Kind) -> Kind:
    return Choice("function", values=tuple(dict.fromkeys(choices(a) + choices(b))))


def _is_list(kind: Kind) -> bool:
    return isinstance(kind, List) or (isinstance(kind, Tuple) and kind.type == "list")


def join_items(a: Kind | None, b: Kind | None) -> Kind | None:
    """What holds of an element that may be either; None for a container without elements."""
    if a is None or b is None:
        return a or b
    return join(a, b, None)


def element(kind: Kind) -> Kind | None:
    """The kind of an unknown element of a container; None if it has none."""
    match kind:
        case List(item=item):
            return item
        case Tuple(items=items) | Dict(items=items):
            found: Kind | None = None
            for item in items:
                found = join_items(found, forget(item))
            return found
    return Unknown("it is no container")


def is_open(keys: tuple[Hashable, ...]) -> bool:
    """Whether the keys of a dict are not known."""
    return bool(keys) and keys[0] == ANY_KEY


def key_of(kind: Dict) -> Kind | None:
    """The kind of a key of a dict; None if it has none."""
    if is_open(kind.keys):
        known = kind.keys[1]
        return known if isinstance(known, Kind) else None
    found: Kind | None = None
    for key in kind.keys:
        found = either(found, _of_key(key))
    return found


def _of_key(key: Hashable) -> Kind:
    match key:
        case bool():
            return Num(SCALAR, "bool")
        case int() | np.integer():
            return Num(SCALAR, "int")
        case float() | np.floating():
            return Num(SCALAR)
        case complex():
            return Num(COMPLEX, "complex")
        case tuple():
            items = (_of_key(item) for item in key)
            return Tuple(tuple(Num() if isinstance(item, Num) else item for item in items))
        case None:
            return Nothing()
    return Value(key) if callable(key) else Inert()


def either(a: Kind | None, b: Kind | None) -> Kind | None:
    """The kind of a key that may be either: inert if both are, other than they may be."""
    found = join_items(a, b)
    inert = isinstance(found, Unknown) and not any(k is not None and floating(k) for k in (a, b))
    return Inert() if inert else found


def any_dict(item: Kind | None, key: Kind | None) -> Dict:
    """The kind of a dict whose keys are not known."""
    return Dict((ANY_KEY, key), (item,)) if item is not None else Dict((), ())


def forget(kind: Kind) -> Kind:
    """The kind without symbols: as it is kept inside containers and in keys of caches."""
    match kind:
        case Num(shape=shape) if shape or kind.literal is not UNKNOWN:
            return replace(kind, shape=shape if kind.scalar else None, literal=UNKNOWN)
        case Tuple(items=items):
            return replace(kind, items=tuple(map(forget, items)))
        case Dict(items=items):
            return replace(kind, items=tuple(map(forget, items)))
        case List(item=item) if item is not None:
            return List(forget(item))
    return kind
