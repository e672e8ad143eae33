"""The kinds of the arguments of a call: which variant of a derivative takes them.

In: the name and the value of an argument.
Out: its kind.
Next: derivative.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from itertools import combinations
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np
from numpy import ndarray

from tangentlite.analysis.classes.records import is_named
from tangentlite.analysis.given import holds_names, of
from tangentlite.analysis.joining import join
from tangentlite.analysis.kinds import (
    SCALAR,
    Dict,
    Kind,
    List,
    Num,
    Object,
    Tuple,
    Unknown,
    Value,
    forget,
    is_complex,
    is_persistent,
)
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.glances import look
from tangentlite.runtime import is_array, numbers
from tangentlite.runtime.containers.cycles import holds_itself
from tangentlite.runtime.containers.fields import own, slots
from tangentlite.runtime.containers.objects import attributes, has_attributes, is_object
from tangentlite.runtime.memory.private import overlap
from tangentlite.values import replace


def kind(name: str, value: Any) -> Kind:
    """The kind of an argument, numbers and arrays alike."""
    found = of(value)
    try:
        _check_arrays(value)
    except RecursionError:
        if not holds_itself(value):
            raise
        raise _endless(name, value) from None
    if is_persistent(found):
        return found
    if isinstance(found, Num):
        if is_complex(found):
            return Num(None, "complex")
        numbers(value)
        return Num()
    if isinstance(found, Unknown):
        numbers(value) if hasattr(type(value), "__array__") else None
        raise _refused(name, value, found.why)
    return forget(found)


def check_active(function: Any, kinds: Sequence[Kind], wrt: Sequence[str]) -> None:
    """Constants with names are no argument to differentiate in."""
    for name, found in zip(inspect.signature(function).parameters, kinds):
        if name in wrt and isinstance(found, Value) and holds_names(found.value):
            raise _refused(
                name, found.value, f"it holds an object of type {type(found.value).__name__}"
            )


def _refused(name: str, value: Any, why: str) -> UnsupportedSyntaxError:
    why = f"argument `{name}`: {why}, and objects are not differentiated yet"
    return UnsupportedSyntaxError(why, None, _plainly(name, value))


def _plainly(name: str, value: Any) -> str:
    """What to pass in place of a value that is refused."""
    for kind, plain in ((Mapping, "dict"), (deque, "list")):
        if isinstance(value, kind) and type(value) is not dict:
            return f"Pass `{plain}({name})`."
    return "Pass its numbers and arrays as arguments of their own, or in a list, tuple or dict."


def _endless(name: str, value: Any) -> UnsupportedSyntaxError:
    what = f"argument `{name}` is a {type(value).__name__} that holds itself"
    return UnsupportedSyntaxError(what, None, "Make it an object: objects may hold themselves.")


def kinds(bound: Mapping[str, Any], active: Sequence[str] | None) -> tuple[Kind, ...]:
    """The kinds of arguments; if ``active`` names what is differentiated in, with the dimensions of each array."""
    found = {name: kind(name, value) for name, value in bound.items()}
    if active is None:
        return tuple(found.values())
    return tuple(ranked(k, bound[name], name in active) for name, k in found.items())


ATOMS = frozenset((float, int, bool, complex, str, type(None)))
ATOMS |= {t for t in np.sctypeDict.values() if issubclass(t, np.number | np.bool_)}
DOUBLE = np.dtype(float)
DICTS = frozenset((dict, OrderedDict))
MEANT = frozenset((FunctionType, BuiltinFunctionType, type, np.ufunc))
DEEP, FEW, LARGE, HUGE = 12, 8, 64, 4096


def likeness(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """What tells arguments of different kinds apart, found in less time than the kinds; None where it is not known.

    >>> likeness((np.ones(2), {"w": 1.0})) == likeness((np.zeros(3), {"w": 2.0}))
    True
    >>> likeness((np.ones(2),)) == likeness((np.ones((2, 2)),)), likeness((type("D", (dict,), {})(),)) is None
    (False, True)
    """
    try:
        return "alike", *_likeness(args, -1)[1:]
    except _Other:
        return None


class _Other(Exception):
    """A value of which only the kind itself tells what it is."""


def _likeness(value: Any, depth: int) -> Any:
    kind: Any = type(value)
    if kind in ATOMS:
        return kind
    names: Any = ()
    if kind is tuple or kind is list:
        if kind is list and value and type(value[0]) in ATOMS:
            types = set(map(type, value))
            if len(types) == 1:
                return kind, types.pop()
        if kind is list and len(value) >= LARGE:
            return kind, len(value), *_many(value, depth + 1)
        parts = value
    elif kind in DICTS:
        names, parts = value, value.values()
    elif kind is not ndarray and is_plain(kind):
        names = own(value)
        parts = names.values()
    else:
        names, parts = _rare(value, kind)
        if parts is None:
            return names
    if depth >= DEEP or len(parts) >= HUGE:
        raise _Other
    return kind, *names, *_each(parts, depth + 1)


def _each(parts: Any, depth: int) -> list[Any]:
    """Arrays of floats are told by their dimensions alone, which nothing else is told by."""
    return [
        p.ndim if type(p) is ndarray and p.dtype is DOUBLE else _likeness(p, depth) for p in parts
    ]


def _many(parts: Any, depth: int) -> list[Any]:
    """The same of many that are most often alike: of tuples, what is in each of their places.

    >>> _many([(1.0, np.ones(k)) for k in range(1, 9)], 0)
    [<class 'tuple'>, (<class 'float'>,), (1,)]
    """
    if depth >= DEEP:
        raise _Other
    types = set(map(type, parts))
    kind = types.pop()
    if types:
        return _each(parts, depth)
    if kind in ATOMS:
        return [kind]
    if kind is tuple and len(counts := set(map(len, parts))) == 1 and 0 < counts.pop() <= FEW:
        return [kind, *(tuple(_many(place, depth + 1)) for place in zip(*parts))]
    found = _each(parts, depth)
    return found[:1] if len(set(found)) == 1 else found


def _rare(value: Any, kind: Any) -> tuple[Any, Any]:
    """The names and the values of what an object holds; of what holds nothing what tells it apart, and None."""
    if kind is ndarray and value.dtype.kind in "fiub":
        return (value.dtype, value.ndim), None
    if kind in MEANT:
        return value, None
    if _is_named(kind):
        return (), value
    if is_object(value):
        held = attributes(value)
        return held, held.values()
    try:
        how = look(kind)
    except LookupError:
        raise _Other from None
    if how not in ("type", "value"):
        raise _Other
    return kind if how == "type" else (kind, value), None


@cache
def is_plain(kind: Any) -> bool:
    """Whether objects of a class have a dict of attributes that may hold numbers."""
    other = kind in MEANT or _is_named(kind)
    return not other and has_attributes(kind) and not slots(kind)


@cache
def _is_named(kind: Any) -> bool:
    """Whether a class is a namedtuple, of which the class and the items tell the kind."""
    return issubclass(kind, tuple) and is_named(kind)


def quick(value: Any) -> Any:
    """What tells the variant of a number or an array apart; ``object`` for anything else."""
    kind = type(value)
    if kind is float or kind is int:
        return kind
    if is_array(value):
        return kind, value.ndim, value.dtype.char
    return kind if value is None else object


def quickly(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What tells the variant for numbers and arrays apart: arrays of floats are told by their dimensions alone.

    >>> quickly((1.0, np.ones((2, 2)), np.ones(2, "f"), [1.0]))
    (<class 'float'>, 2, (<class 'numpy.ndarray'>, 1, 'f'), <class 'object'>)
    """
    return tuple([a.ndim if type(a) is ndarray and a.dtype is DOUBLE else quick(a) for a in args])


def ranked(found: Kind, value: Any, active: bool) -> Kind:
    """The kind of an argument, with the number of dimensions of each array in it."""
    match found:
        case _ if value is None:
            return found
        case Num():
            return _rank(of(value), value, active)
        case Tuple(items=items):
            return replace(found, items=tuple(ranked(k, v, active) for k, v in zip(items, value)))
        case Object(keys=keys, items=items) if is_object(value):
            parts: dict[Any, Any] = attributes(value)
            if set(parts) != set(keys) or not isinstance(value, found.owner):
                return found
            pairs = zip(keys, items)
            return replace(found, items=tuple(_attribute(k, parts[n], active) for n, k in pairs))
        case Dict(keys=keys, items=items) if tuple(value) == keys:
            inside = (ranked(k, value[key], active) for key, k in zip(keys, items))
            return replace(found, items=tuple(inside))
        case List(item=item) if item is not None and value:
            return List(reduce(_either, (ranked(item, v, active) for v in value)))
    return found


def _attribute(found: Kind, value: Any, active: bool) -> Kind:
    return found if isinstance(found, Num) and found.inert else ranked(found, value, active)


def _either(a: Kind, b: Kind) -> Kind:
    return join(a, b, None)


def _rank(found: Kind, value: Any, active: bool) -> Kind:
    """The kind of a number or an array with its dimensions; what is active is taken for a float."""
    assert isinstance(found, Num)
    if is_array(value):
        lost = "" if active and found.inert else found.exact
        exact = "float" if value.dtype.kind == "f" else lost
        return Num(None, exact, value.ndim, persistent=found.persistent)
    if type(value) is float:
        return Num(SCALAR, "float", 0)
    if type(value) is int and not active:
        return Num(SCALAR, "int", 0, True)
    return Num(found.shape, "" if active and found.inert else found.exact, 0)


def overlapping(arguments: Mapping[str, Any]) -> list[set[str]]:
    """The groups of arguments that share memory."""
    groups: list[set[str]] = []
    for a, b in combinations(arguments, 2):
        if overlap(arguments[a], arguments[b]):
            joined = {a, b}.union(*(g for g in groups if not g.isdisjoint((a, b))))
            groups = [g for g in groups if g.isdisjoint(joined)] + [joined]
    return groups


def _check_arrays(value: Any) -> None:
    """Foreign arrays are refused inside nests as well."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            _check_arrays(part)
    elif hasattr(type(value), "__array__"):
        found = of(value)
        if not (is_persistent(found) or is_complex(found)):
            numbers(value)
