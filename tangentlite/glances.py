"""What can be seen of a value at a glance: enough to know that it is still of the kind that was looked at before.

In: an object, a list or a dict that the user may change.
Out: something hashable; equal glances of one value mean equal kinds.
Next: guards.
"""

from __future__ import annotations

import io
import os
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from enum import Enum
from types import NoneType
from typing import Any

import numpy as np

from tangentlite.analysis.given import FUNCTIONS
from tangentlite.persistent import PersistentArray
from tangentlite.runtime.containers.objects import attributes, calculates, has_attributes

# Of what no derivative flows through, or is a number of any value, the type is enough.
NUMBERS = (float, int, complex, np.number, np.bool_)
INERT = (NoneType, str, bytes, slice, range, set, frozenset, np.dtype, os.PathLike, io.IOBase)
NESTS = (list, tuple, dict, np.ndarray, PersistentArray)
DICTS = frozenset((dict, OrderedDict, defaultdict))
LOOKS: dict[type, str] = {}


class Remembered:
    """A test of a value that is made again only if something else is seen.

    >>> looked = []
    >>> allows = Remembered(lambda value: looked.append(value) or True)
    >>> values = [1.0]
    >>> allows(values), allows(values), len(looked)
    (True, True, 1)
    >>> values.append("text")
    >>> allows(values), len(looked)
    (True, 2)
    """

    def __init__(self, test: Callable[[Any], bool]) -> None:
        self.test = test
        self.last: Any = None

    def __call__(self, value: Any) -> bool:
        try:
            seen = id(value), glance(value)
        except LookupError:
            return self.test(value)
        if seen == self.last:
            return True
        allowed = self.test(value)
        self.last = seen if allowed else None
        return allowed


def glance(value: Any) -> list[Any]:
    """The types of the numbers in a value, and how they lie in it; LookupError where that does not tell all.

    >>> glance({"w": np.ones(3), "b": [0.5, 1]})[:4]
    [<class 'dict'>, 2, 'w', 'b']
    >>> glance({"w": np.ones(3), "b": [0.5, 1]})[4:]
    [<class 'numpy.ndarray'>, 'f', <class 'list'>, 2, <class 'float'>, <class 'int'>]
    """
    found: list[Any] = []
    places: dict[int, int] = {}
    waiting = [value]
    for part in waiting:
        kind = type(part)
        found.append(kind)
        how = LOOKS.get(kind) or look(kind)
        if how == "type":
            continue
        if how == "value":
            found.append(part)
        elif how == "array":
            found.append(part.dtype.kind)
        elif id(part) in places:
            found.append(-places[id(part)])  # it was met before
        elif kind is list and len(alike := set(map(type, part))) == 1 and _are_plain(alike):
            found += alike  # however many
        else:
            places[id(part)] = len(places) + 1
            held = attributes(part) if how == "object" else part
            found.append(len(held))
            found += held if how != "items" else ()
            waiting += held.values() if how != "items" else held
    return found


def _are_plain(kinds: set[type]) -> bool:
    return all(LOOKS.get(kind) == "type" for kind in kinds)  # one that is not known yet is not


def look(kind: Any) -> str:
    """What is seen of values of a type; LookupError where a glance is not enough.

    >>> from types import SimpleNamespace
    >>> look(float), look(dict), look(type(np.sin)), look(SimpleNamespace)
    ('type', 'dict', 'value', 'object')
    """
    if kind not in LOOKS:
        LOOKS[kind] = _look(kind)
    return LOOKS[kind]


def _look(kind: Any) -> str:
    if kind is np.ndarray:
        return "array"
    if kind in (list, tuple) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return "items"
    if kind in DICTS:
        return "dict"
    if issubclass(kind, NESTS) or (issubclass(kind, NUMBERS) and calculates(kind)):
        raise LookupError
    if issubclass(kind, Enum) or kind.__module__ == "logging":
        return "value"
    if issubclass(kind, (*NUMBERS, *INERT)):
        return "type"
    if has_attributes(kind):
        return "object"
    called = any("__call__" in vars(base) for base in kind.__mro__)
    return "value" if called or issubclass(kind, FUNCTIONS) else "type"
