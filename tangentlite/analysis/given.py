"""The kinds of values that are there: arguments, globals, captured variables.

In: a value.
Out: its kind.
Next: atoms, calls.
"""

from __future__ import annotations

import io
import random
from types import ModuleType
from typing import Any

import numpy as np

from tangentlite.analysis.kinds import (
    CHANCE,
    COMPLEX,
    EXACT,
    SCALAR,
    ZERO_KIND,
    Choice,
    Dict,
    Inert,
    Kind,
    List,
    Nothing,
    Num,
    Tuple,
    Unknown,
    Value,
    join_items,
)
from tangentlite.persistent import PersistentArray
from tangentlite.runtime import ZERO
from tangentlite.runtime.closures import Closure, Label

KNOWN = (ModuleType, Label)  # what else is known when compiling


def of(value: Any) -> Kind:
    """The kind of an actual value, for variants and for globals."""
    if value is ZERO:
        return ZERO_KIND
    if isinstance(value, (bool, np.bool_)):
        return Num(SCALAR, "bool")
    if isinstance(value, (int, np.integer)):
        return Num(SCALAR, "int")
    if isinstance(value, complex | np.complexfloating):
        return Num(COMPLEX, "complex")
    if isinstance(value, (float, np.number)):
        return Num(SCALAR)
    match value:
        case None:
            return Nothing()
        case PersistentArray() if type(value) is PersistentArray and value.ndim:
            return Num(None, EXACT.get(value.dtype.kind, ""), value.ndim, persistent=True)
        case np.ndarray() if type(value) is np.ndarray and value.dtype.kind in "fiubc":
            exact = EXACT.get(value.dtype.kind, "")
            return Num(None, exact if exact != "float" else "")
        case list():
            return _of_list(value)
        case tuple() if type(value) is tuple:
            return Tuple(tuple(map(_inside, value)))
        case dict() if type(value) is dict:
            return Dict(tuple(value), tuple(map(_inside, value.values())))
        case np.random.Generator() | np.random.RandomState() | random.Random():
            return CHANCE
        case io.IOBase():
            return Inert("file")
        case str() | bytes() | slice() | range() | np.dtype() | set() | frozenset():
            return Inert(type(value).__name__)
    if isinstance(value, Closure):
        return Tuple(tuple(map(_inside, value)), "closure")
    if callable(value) or isinstance(value, KNOWN):
        return Value(value)
    return Unknown(f"it holds an object of type {type(value).__name__}")


def _inside(value: Any) -> Kind:
    kind = of(value)
    if not isinstance(kind, Num) or kind.persistent:
        return kind
    return Num(None, "complex") if kind.exact == "complex" else Num()


def _of_list(value: list[Any]) -> Kind:
    found: Kind | None = None
    for item in value:
        found = join_items(found, _inside(item))
    if isinstance(found, (Unknown, Choice)):
        return Tuple(tuple(map(_inside, value)), "list")
    return List(found)
