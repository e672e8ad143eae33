"""What is asked of a value in conditions, where its kind tells: ``isinstance(x, C)`` and ``callable(x)``.

In: what asks, and the kinds of its arguments.
Out: the kind of the answer, with the answer where it is known.
Next: callees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.analysis.classes.records import is_named, makes_objects
from tangentlite.analysis.kinds import (
    SCALAR,
    Choice,
    Dict,
    Inert,
    Kind,
    List,
    Named,
    Nothing,
    Num,
    Object,
    Tuple,
    Value,
    is_closure,
)
from tangentlite.values import replace

PLAIN = (bool, int, float, complex, np.ndarray, np.generic, list, tuple, dict)
NUMBERS = (int, float, complex, bool, np.ndarray, np.generic, np.number, np.floating)
BUILTIN = (*NUMBERS, str, bytes, tuple, list, dict, set, frozenset)
NUMBERLESS = {str, bytes, list, tuple, dict, set, frozenset}
SINGLES = {bool, int, float, complex, np.generic, np.number, np.floating}
WALKED = ("__len__", "__iter__")
WALK = Inert("str", literal="__iter__")
SEVERAL = {*NUMBERLESS, np.ndarray}
SINGLE: dict[type, tuple[type, ...]] = {
    List: (*NUMBERS, str, bytes, dict, set, frozenset),
    Dict: (*NUMBERS, str, bytes, tuple, list, set, frozenset),
    Inert: (*NUMBERS, tuple, list, dict, set, frozenset),
}


def _is_instance(kind: Kind, classes: Kind) -> Kind:
    """``isinstance(x, C)``: known where x is an object, or C a class of the user's."""
    given = (classes,) if isinstance(classes, Value) else getattr(classes, "items", ())
    types = [c.value for c in given if isinstance(c, Value) and isinstance(c.value, type)]
    truth = Num(SCALAR, "bool")
    if not types or len(types) != len(given):
        return truth
    known = _is_several(kind)
    if known is not None and set(types) <= ({*SEVERAL, *SINGLES} if known else SEVERAL):
        return replace(truth, literal=known and np.ndarray in types)
    match kind:
        case Object(owner=owner, optional=False) | Named(owner=owner):
            return replace(truth, literal=issubclass(owner, tuple(types)))
        case Num() | List() | Dict() | Tuple() if all(map(_is_apart, types)):
            return replace(truth, literal=False)
        case Num() | Dict() if all(
            _is_apart(t) or (issubclass(t, tuple) and is_named(t)) for t in types
        ):
            return replace(truth, literal=False)
        case Num() if set(types) <= NUMBERLESS and (kind.array or kind.exact):
            return replace(
                truth, literal=False
            )  # an element of which nothing is known may be a string
        case Num(exact="float", python=True) if set(types) <= set(BUILTIN):
            return replace(truth, literal=float in types)
        case List(optional=False) if set(types) <= set(BUILTIN) and list in types:
            return truth if kind.loose and tuple not in types else replace(truth, literal=True)
        case Tuple(type="tuple" | "list" as name, optional=optional) if set(types) <= set(BUILTIN):
            found = {"tuple": tuple, "list": list}[name] in types
            return truth if found and optional else replace(truth, literal=found)
        case List() | Dict() | Inert(type="str") if set(types) <= set(SINGLE[type(kind)]):
            return replace(truth, literal=False)
    return truth


def _is_several(kind: Kind) -> bool | None:
    """Whether a number or an array is an array of dimensions, and no number; None if that is not known."""
    if not isinstance(kind, Num) or kind.optional or kind.persistent or kind.ndim is None:
        return None
    return True if kind.ndim > 0 else False if kind.scalar else None


def _is_walked(kinds: list[Kind]) -> bool | None:
    """``hasattr(x, "__len__")``: known of numbers, and of arrays of dimensions."""
    match kinds:
        case [List() | Dict() | Tuple(type="tuple" | "list") as kind, Inert(literal=str() as name)]:
            return None if kind.optional or name not in WALKED else True
        case [kind, Inert(literal=str() as name)] if name in WALKED:
            return _is_several(kind)
    return None


def told(callee: Any, kinds: list[Kind]) -> Kind | None:
    """The answer to a question about a value; None: it is another call.

    >>> told(callable, [Num()]).literal, told(callable, [Value(len)]).literal
    (False, True)
    """
    if callee is isinstance and len(kinds) == 2:
        return _is_instance(*kinds)
    if callee is callable and len(kinds) == 1:
        known = _is_callable(kinds[0])
        truth = Num(SCALAR, "bool")
        return truth if known is None else replace(truth, literal=known)
    if callee is hasattr and (known := _is_walked(kinds)) is not None:
        return Num(SCALAR, "bool", literal=known)
    if callee in (np.isscalar, np.iterable) and len(kinds) == 1:
        if (known := _is_walked([kinds[0], WALK])) is not None:
            return Num(SCALAR, "bool", literal=known is (callee is np.iterable))
    return None


def _is_callable(kind: Kind) -> bool | None:
    """Whether a value can be called; None if that is not known."""
    match kind:
        case Value(value=value):
            return callable(value)
        case Object(owner=type() as owner, optional=optional):
            called = any("__call__" in vars(base) for base in owner.__mro__)
            return None if optional and called else called
        case Choice():
            return True
        case Tuple(optional=optional) if is_closure(kind):
            return None if optional else True
        case Num() | List() | Dict() | Tuple() | Nothing() | Inert(type="str"):
            return False
    return None


def _is_apart(owner: Any) -> bool:
    """Whether no number, array or container is an object of a class: of abstract classes they may be."""
    if not makes_objects(owner) or getattr(owner, "_is_protocol", False):
        return False
    return not any(issubclass(plain, owner) for plain in PLAIN)
