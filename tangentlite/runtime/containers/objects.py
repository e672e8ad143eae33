"""Objects of the user's classes: their attributes, and the gradients of objects.

In: an object.
Out: its attributes by name; ``Gradient``, which holds the gradients of an object's attributes.
Next: finish.
"""

from __future__ import annotations

import sys
from enum import Enum
from functools import cache, partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from tangentlite.runtime.containers.closures import Label
from tangentlite.runtime.containers.fields import NOTHING, Fields, own, slots, vars_of

LIBRARIES = frozenset(sys.stdlib_module_names) - {"__main__"} | {"numpy", "scipy", "tangentlite"}
COMPILERS = ("numba.", "llvmlite.")  # what they make is called, and not looked into
PLAIN = ("tangentlite.standins.", "tangentlite.learn.")  # differentiated as what the user writes
CLOSED = (
    *(int, float, complex, str, bytes, list, tuple, dict, set, frozenset, slice, range),
    *(type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, partial),
    *(np.ndarray, np.generic, np.ufunc, BaseException, Enum, Label),
)


ARITHMETIC = tuple(
    f"__{side}{name}__"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
    for side in ("", "r")
) + ("__neg__", "__pos__", "__abs__", "__float__")


@cache
def calculates(kind: type) -> bool:
    """Whether a class of numbers has arithmetic of its own.

    >>> calculates(np.float32), calculates(type("Angle", (float,), {"__add__": lambda x, y: 0.0}))
    (False, True)
    """
    return any(isinstance(getattr(kind, name, None), FunctionType) for name in ARITHMETIC)


class Gradient(SimpleNamespace):
    """The gradient of an object: what the object has as attributes, this has the gradients of.

    >>> Gradient(w=2.0, b=1.0), Gradient(w=np.ones(2)) == Gradient(w=np.ones(2))
    (Gradient(w=2.0, b=1.0), True)
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Gradient) and _equal(vars(self), vars(other))

    __hash__ = None


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and np.array_equal(a, b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(_equal, a, b))
    return bool(a == b)


def blank(kind: type) -> Any:
    """An object of a class without attributes."""
    maker: Any = kind if issubclass(kind, SimpleNamespace) else object
    return maker.__new__(kind)


def made(owner: type, /, **parts: Any) -> Any:
    """An object of a class with these attributes; its ``__init__`` is not run.

    >>> made(SimpleNamespace, w=1.0)
    namespace(w=1.0)
    """
    result = blank(owner)
    vars_of(result).update(parts)
    return result


def is_object(x: Any) -> bool:
    """Whether ``x`` is an object with attributes that may hold numbers: of a class that somebody wrote.

    >>> is_object(SimpleNamespace(w=1.0)), is_object(2.0), is_object(np.sin)
    (True, False, False)
    """
    kind: Any = type(x)
    return has_attributes(kind)


@cache
def has_attributes(kind: Any) -> bool:
    """Whether objects of a class have attributes that may hold numbers."""
    if kind is SimpleNamespace or kind is Gradient:
        return True
    library = kind.__module__.partition(".")[0] in LIBRARIES
    library = library and not kind.__module__.startswith(PLAIN)
    if library or kind.__module__.startswith(COMPILERS) or issubclass(kind, CLOSED):
        return False
    if _is_foreign(kind) or kind.__getattribute__ is not object.__getattribute__:
        return False
    return kind.__dictoffset__ != 0 or bool(slots(kind))


def _is_foreign(kind: Any) -> bool:
    """Whether a class is one of arrays that an installed library has; a dataclass tells what it holds."""
    if hasattr(kind, "__dataclass_fields__"):
        return False
    made = getattr(kind, "__array__", None)
    code = getattr(made, "__code__", None)
    return made is not None and (code is None or "site-packages" in code.co_filename)


def attributes(x: Any) -> Any:
    """The attributes of an object by name.

    >>> attributes(SimpleNamespace(w=1.0))
    {'w': 1.0}
    """
    kind: Any = type(x)
    found = Fields(x) if slots(kind) else own(x)
    return {} if found is NOTHING else found


def opened(x: Any) -> Any:
    """What walks through nests see of a value: of an object its attributes, else the value itself."""
    return attributes(x) if is_object(x) else x


__all__ = [
    "LIBRARIES",
    "Gradient",
    "attributes",
    "blank",
    "has_attributes",
    "is_object",
    "made",
    "opened",
]
