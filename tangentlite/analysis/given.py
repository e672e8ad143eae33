"""The kinds of actual values: of arguments, of defaults, of globals.

In: a value.
Out: its kind.
Next: operations, inference.
"""

from __future__ import annotations

import io
import os
import sys
from collections import OrderedDict
from collections.abc import Sequence
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from tangentlite.analysis.classes.records import is_list, is_named
from tangentlite.analysis.inside import unknown_inside
from tangentlite.analysis.joining import join, number
from tangentlite.analysis.kinds import (
    CHANCE,
    DIFFERENT,
    EXACT,
    ZERO_KIND,
    Again,
    Choice,
    Dict,
    Inert,
    Kind,
    List,
    Member,
    Named,
    Nothing,
    Num,
    Object,
    Tuple,
    Unknown,
    Value,
    forget,
)
from tangentlite.persistent import PersistentArray
from tangentlite.runtime import ZERO
from tangentlite.runtime.containers.closures import Closure, Label
from tangentlite.runtime.containers.objects import attributes, is_object
from tangentlite.runtime.edges.foreign import converted, is_foreign

CALLED = frozenset((ModuleType, BuiltinFunctionType, FunctionType, np.ufunc, type(np.sum)))
FUNCTIONS = (Label, ModuleType, type, MethodType, BuiltinFunctionType, FunctionType, partial)


def draws(value: Any) -> bool:
    """Whether a value is a generator of random numbers; ``numpy.random`` is not imported to find out."""
    if "random" in sys.modules and isinstance(value, sys.modules["random"].Random):
        return True
    loaded = "numpy.random" in sys.modules
    return loaded and isinstance(value, (np.random.Generator, np.random.RandomState))


PLAIN = frozenset((int, float, bool, str, dict, list, tuple, type(None), np.ndarray, *CALLED))
LOOKED_UP = frozenset(vars(dict)) - frozenset(("__init__", "__new__", "__doc__", "__repr__"))
LOOKED_UP |= {"__missing__", "__getattr__"}


def of(value: Any) -> Kind:
    """The kind of an actual value, for variants and for globals."""
    kind = type(value)
    named = kind not in PLAIN and holds_names(value)
    return Value(value) if kind in CALLED or named else _Actual().of(value)


def holds_names(value: Any) -> bool:
    """Whether a dict of a class of its own is read by attributes, as constants are that have names.

    >>> holds_names({}), holds_names(type("Names", (dict,), {"__getattr__": dict.__getitem__})())
    (False, True)
    """
    return (
        isinstance(value, dict) and type(value) is not dict and hasattr(type(value), "__getattr__")
    )


def is_plain_dict(owner: type) -> bool:
    """Whether items of a kind of dict are looked up and walked over as a dict's.

    >>> from collections import OrderedDict, defaultdict
    >>> owners = dict, OrderedDict, defaultdict, type("Registry", (dict,), {"register": len})
    >>> [is_plain_dict(owner) for owner in owners]
    [True, True, False, True]
    """
    others = [vars(c) for c in owner.__mro__ if c not in (dict, OrderedDict, object)]
    return issubclass(owner, dict) and all(LOOKED_UP.isdisjoint(names) for names in others)


def read_of(value: Any) -> Kind:
    """The kind of what such a dict holds: a number may be an array at the next call."""
    kind = of(value)
    return Num() if isinstance(kind, Num) and kind.exact != "complex" else forget(kind)


class _Actual:
    """Looks into a value; ``open`` are the classes of the objects it is in, with what was found inside of the same."""

    def __init__(self, apart: set[int] | None = None) -> None:
        self.open: dict[type, list[Any]] = {}
        self.seen: set[int] = set()
        self.above: set[int] = set()
        self.apart = apart

    def of(self, value: Any) -> Kind:
        if value is ZERO:
            return ZERO_KIND
        known = number(value)
        if known is not None:
            return known
        match value:
            case None:
                return Nothing()
            case PersistentArray() if type(value) is PersistentArray and value.ndim:
                return Num(None, EXACT.get(value.dtype.kind, ""), value.ndim, persistent=True)
            case np.ndarray() if type(value) is np.ndarray and value.dtype.kind in "fiubc":
                exact = EXACT.get(value.dtype.kind, "")
                return Num(None, exact if exact != "float" else "")
            case list() | tuple() | dict() if not isinstance(value, Closure):
                return self._of_nest(value)
            case _ if draws(value):
                return CHANCE
            case _ if type(value).__module__ == "logging":
                return Value(value)  # it only looks on
            case Enum():
                return Member("member", literal=value, owner=type(value))
            case io.IOBase() | os.PathLike():
                file = isinstance(value, io.IOBase)
                return Inert("file" if file else "path", written=not file)
            case str() | bytes() | slice() | range() | np.dtype() | set() | frozenset():
                return Inert(type(value).__name__)
        if value is np.mgrid or value is np.ogrid:
            return Inert("mgrid" if value is np.mgrid else "ogrid")
        if isinstance(value, Closure):
            return Tuple(tuple(map(self._inside, value)), "closure")
        if is_object(value) and not is_foreign(value):
            return self._object(value)
        if callable(value) or isinstance(value, FUNCTIONS):
            return Value(value)
        return Unknown(_unknown(value))

    def _of_nest(self, value: Any) -> Kind:
        if id(value) in self.above:
            return Unknown("it holds itself")
        self.above.add(id(value))
        found = self._of_items(value)
        self.above.remove(id(value))
        return found

    def _of_items(self, value: Any) -> Kind:
        if isinstance(value, list):
            if is_list(type(value)):
                return self._of_list(value)
            return Unknown(_unknown(value))
        items = tuple(map(self._inside, value.values() if isinstance(value, dict) else value))
        if is_plain_dict(type(value)):
            return Dict(tuple(value), items)
        if type(value) is tuple:
            return Tuple(items)
        if is_named(type(value)) and len(value._fields) == len(value):
            return Named(items, owner=type(value))
        return Unknown(_unknown(value))

    def _inside(self, value: Any) -> Kind:
        kind = self.of(value)
        if not isinstance(kind, Num) or kind.persistent:
            return kind
        return Num(None, "complex") if kind.exact == "complex" else Num()

    def _of_list(self, value: list[Any]) -> Kind:
        items = [self._inside(item) for item in value]
        found = _joined(items)
        apart = {type(item) for item in items} >= {Num, Inert}
        if apart or isinstance(found, (Unknown, Choice)) or _is_lost(found, items):
            return Tuple(tuple(items), "list")
        return List(found)

    def _object(self, value: Any) -> Kind:
        """Objects inside of one of their own class are all of the same kind, if they can be: a tree has one kind."""
        owner = type(value)
        if self.apart is not None:
            return self._apart(value, self.apart)
        if owner in self.open:
            if id(value) not in self.seen:
                self.seen.add(id(value))
                self.open[owner].append(value)
            return Again(owner)
        self.seen.add(id(value))
        alike = self.open[owner] = [value]
        kinds = [self._attributes(other) for other in alike]  # the list grows meanwhile
        del self.open[owner]
        self.seen.difference_update(map(id, alike))
        found = _joined(kinds)
        if not isinstance(found, Object):  # too deep to be told
            return found or Unknown(DIFFERENT)
        lost = any(isinstance(k, Unknown) and k.why == DIFFERENT for k in found.items)
        if lost or _is_lost(found, kinds):
            return _Actual(set())._object(value)
        return found

    def _apart(self, value: Any, above: set[int]) -> Kind:
        """Every object has a kind of its own."""
        if id(value) in above:
            return Unknown("it holds itself")
        above.add(id(value))
        found = self._attributes(value)
        above.remove(id(value))
        return found

    def _attributes(self, value: Any) -> Object:
        items = attributes(value)
        keys = tuple(sorted(items))
        return Object(keys, tuple(self._attribute(items[key]) for key in keys), owner=type(value))

    def _attribute(self, value: Any) -> Kind:
        """Sizes and flags stay what they are."""
        return self.of(value) if isinstance(value, int) else self._inside(value)


def _unknown(value: Any) -> str:
    """What is said of a value of which nothing is known.

    >>> _unknown(np.rec.array([1.0]))
    'it holds an object of type recarray, of which `np.asarray(…)` makes a plain array'
    """
    conversion = converted(value, "…")
    advice = "" if conversion is None else f", of which `{conversion}` makes a plain array"
    return f"it holds an object of type {type(value).__name__}{advice}"


def _is_lost(found: Kind | None, kinds: Sequence[Kind]) -> bool:
    """Whether something is known of each of some values that is not known of all together."""
    return unknown_inside(found) and not any(map(unknown_inside, kinds))


def _joined(kinds: list[Any]) -> Kind | None:
    found: Kind | None = None
    for kind in kinds:
        found = kind if found is None else join(found, kind, None)
    return found
