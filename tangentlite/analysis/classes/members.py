"""What the attributes of a class are, as Python looks them up.

In: a class and a name.
Out: the function behind a method, a property, an operator.
Next: records.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FunctionType, MemberDescriptorType, SimpleNamespace
from typing import Any

import gast
import numpy as np

from tangentlite import frontend, syntax
from tangentlite.analysis.kinds import Dict, Kind, List, Named, Num, Object, Tuple, Unknown
from tangentlite.errors import DerivativeError
from tangentlite.runtime.containers.fields import slots
from tangentlite.runtime.containers.objects import calculates

MISSING = object()
DICTS = (collections.Counter, collections.OrderedDict, collections.defaultdict, collections.deque)
NUMBERS = (bool, int, float, complex, np.float64, np.ndarray)
PLAIN = (bool, int, float, complex, str, bytes, type(None))
DATA = frozenset((*PLAIN, *NUMBERS, list, dict, tuple))
Methods = dict[tuple[type, str], Any]  # what classes hold under names
_noted: list[Methods] = []


@contextmanager
def noting(methods: Methods) -> Iterator[None]:
    """Take note of the methods and the data that are looked up: they may be bound anew.

    >>> class Tank:
    ...     def level(self): ...
    >>> with noting(found := {}):
    ...     _ = lookup(Tank, "level"), lookup(Tank, "other")
    >>> found == {(Tank, "level"): Tank.level}
    True
    """
    _noted.append(methods)
    try:
        yield
    finally:
        _noted.pop()


def lookup(owner: type, name: str, after: type | None = None) -> tuple[Any, Any]:
    """The class that has an attribute, and the attribute itself; ``after``: as ``super(after, …)`` finds it."""
    classes = list(owner.__mro__)
    if after is not None and after in classes:
        classes = classes[classes.index(after) + 1 :]
    for base in classes:
        if name in vars(base):
            found = vars(base)[name]
            if _noted:
                _note(owner if after is None else base, base, name, found)
            return (None, MISSING) if type(found) is MemberDescriptorType else (base, found)
    return None, MISSING


def _note(owner: type, base: type, name: str, found: Any) -> None:
    """A class method is noted as the class has it that has it: as an attribute it is made anew each time."""
    if isinstance(found, classmethod):
        _noted[-1].setdefault((base, name), found)
    elif isinstance(found, FunctionType | staticmethod | property):
        _noted[-1].setdefault((owner, name), getattr(owner, name))
    elif type(found) in DATA:
        _noted[-1].setdefault((owner, name), found)


def method(owner: type, name: str) -> tuple[Any, str, Any] | None:
    """The function that ``x.name()`` calls for an ``x`` of a class, its path, and what it is given first.

    The third is "object", "class" or "" (nothing, of a static method).
    """
    return _method(*lookup(owner, name), name)


def inherited(owner: type, name: str, after: type) -> tuple[Any, str, Any] | None:
    """The function that ``super().name()`` calls in a method of the class ``after``."""
    return _method(*lookup(owner, name, after), name)


def _method(base: Any, found: Any, name: str) -> tuple[Any, str, Any] | None:
    if isinstance(found, FunctionType):
        return found, f"{base.__name__}.{name}", "object"
    if isinstance(found, staticmethod):
        return found.__func__, f"{base.__name__}.{name}", ""
    if isinstance(found, classmethod):
        return found.__func__, f"{base.__name__}.{name}.__func__", "class"
    return None


def getter(owner: type, name: str, after: type | None = None) -> tuple[Any, str] | None:
    """The function that computes a property; ``after``: that of ``super(after, x)``."""
    base, found = lookup(owner, name, after)
    if isinstance(found, property) and found.fget is not None:
        return found.fget, f"{base.__name__}.{name}.fget"
    return None


def setter(owner: type, name: str) -> tuple[Any, str] | None:
    """The function that sets a property."""
    base, found = lookup(owner, name)
    if isinstance(found, property) and found.fset is not None:
        return found.fset, f"{base.__name__}.{name}.fset"
    return None


def is_described(owner: type, name: str) -> bool:
    """Whether to set an attribute is a call: of a property, say."""
    found = lookup(owner, name)[1]
    return hasattr(type(found), "__set__")


def sets_plainly(owner: type) -> bool:
    """Whether a class leaves to Python what ``x.name = v`` does."""
    return lookup(owner, "__setattr__")[0] in (object, SimpleNamespace)


@functools.cache
def is_plain(owner: type) -> bool:
    """Whether ``x.name = v`` sets nothing but that attribute, whatever its name."""
    names = {name for base in owner.__mro__[:-1] for name in vars(base)}
    return sets_plainly(owner) and not any(
        is_described(owner, n) for n in names - {"__dict__", "__weakref__"}
    )


def is_frozen(owner: type, name: str) -> bool:
    """Whether ``x.name = v`` raises ``dataclasses.FrozenInstanceError``."""
    base, found = lookup(owner, "__setattr__")
    made = isinstance(found, FunctionType) and found.__code__.co_filename == "<string>"
    own = base is owner or name in getattr(base, "__dataclass_fields__", ())
    return made and own and base.__dataclass_params__.frozen


def writable(owner: type, name: str, bare: bool = False) -> bool:
    """Whether ``x.name = v``, or ``vars(x)[name] = v`` if it is ``bare``, does nothing but to set an attribute."""
    has_place = owner.__dictoffset__ != 0 or name in slots(owner)
    return has_place and (bare or (sets_plainly(owner) and not is_described(owner, name)))


MATRICES = ("scipy.sparse.", "numpy.ma.", "numpy.matrixlib.")  # `*` is no product of elements there
RATIONAL = ("fractions", "decimal")


def foreign(owner: Any) -> Unknown | None:
    """What a class makes that is written by keys or indices, other than arrays, lists and dicts as Python has them,
    and what has arithmetic of its own.

    >>> foreign(collections.UserDict).why, foreign(collections.Counter), foreign(int)
    ('`UserDict` objects are not followed into', None, None)
    """
    module = str(getattr(owner, "__module__", ""))
    made = any(owner is f for f in (np.asmatrix, np.bmat)) or module.startswith(MATRICES)
    if isinstance(owner, FunctionType) and made:
        return Unknown(f"what `{owner.__name__}` gives is not followed into")
    if not isinstance(owner, type):
        return None
    kind: type = owner
    if issubclass(owner, np.ndarray):
        plain = owner is np.ndarray
    elif hasattr(owner, "__setitem__"):
        plain = owner in (list, dict, *DICTS)
    else:
        plain = module in RATIONAL or not calculates(kind)
    return None if plain else Unknown(f"`{owner.__name__}` objects are not followed into")


def answering(callee: Any, kinds: list[Kind]) -> type | None:
    """The class of an object whose own method or attribute a function of NumPy asks for: ``np.round(x)``."""
    name, module = getattr(callee, "__name__", ""), getattr(callee, "__module__", None)
    if not (isinstance(callee, np.ufunc) or str(module).partition(".")[0] == "numpy"):
        return None
    for kind in kinds:
        if isinstance(kind, Object) and not kind.fields:
            owner: type = kind.owner
            if name in kind.keys or lookup(owner, name)[1] is not MISSING:
                return owner
    return None


def written_out(value: Any) -> gast.expr | None:
    """A number, a text, None or a tuple of such, as it is written; None for anything else.

    >>> syntax.unparse(written_out((1, "a"))), written_out([])
    ("(1, 'a')", None)
    """
    if type(value) in PLAIN:
        return syntax.constant(value)
    if type(value) is tuple and all(type(part) in PLAIN for part in value):
        return gast.Tuple([syntax.constant(part) for part in value], gast.Load())
    return None


def defaults(owner: type, stored: frozenset[str]) -> dict[str, Any]:
    """What objects of a class have as long as nobody sets it: what its methods set, and ``stored``.

    >>> class Ruler:
    ...     unit = "m"
    >>> defaults(Ruler, frozenset()), defaults(Ruler, frozenset({"unit"}))
    ({}, {'unit': 'm'})
    """
    names = {n for base in owner.__mro__[:-1] for n in vars(base)} & (stored | _set(owner))
    found = {name: lookup(owner, name)[1] for name in sorted(names)}
    return {name: value for name, value in found.items() if type(value) in PLAIN}


def changes(owner: type) -> bool:
    """Whether methods of a class set attributes of their object, after it was made."""
    return bool(_set(owner, "__init__"))


@functools.cache
def _set(owner: type, aside: str = "") -> frozenset[str]:
    """The attributes that the methods of a class set of their object."""
    found: set[str] = set()
    for function in (f for base in owner.__mro__[:-1] for f in vars(base).values()):
        function = getattr(function, "func", function)
        if not isinstance(function, FunctionType) or function.__name__ == aside:
            continue
        with suppress(DerivativeError):
            source = frontend.read(function, fenced=False)
            own = source.params[0].name if source.params else ""
            for node in (n for s in source.body for n in syntax.walk(s)):
                match node:
                    case gast.Attribute(value=gast.Name(id=name), attr=attr, ctx=gast.Store()):
                        found |= {attr} if name == own else set()
    return frozenset(found)


OPERATORS: dict[type, str] = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.BitAnd: "and",
    gast.BitOr: "or",
    gast.BitXor: "xor",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
    gast.USub: "neg",
    gast.UAdd: "pos",
    gast.Invert: "invert",
}


def classes(kind: Kind) -> tuple[type, ...]:
    """The classes that a value may be of; none if they are not known."""
    match kind:
        case Object(owner=owner, optional=False) | Named(owner=owner):
            return (owner,)
        case Tuple(type="list", optional=False) | List(optional=False):
            return (list,)
        case Tuple(type="tuple", optional=False):
            return (tuple,)
        case Dict():
            return (dict,)
        case Num(exact="float", python=True):
            return (float,)
        case Num():
            return NUMBERS
    return ()


def dispatched(found: Any, kind: Kind) -> FunctionType | None:
    """The function that a ``functools.singledispatchmethod`` calls for a first argument of a kind."""
    if not isinstance(found, functools.singledispatchmethod):
        return None
    functions = {found.dispatcher.dispatch(owner) for owner in classes(kind)}
    function = functions.pop() if len(functions) == 1 else None
    return function if isinstance(function, FunctionType) else None


def views(body: list[gast.stmt]) -> dict[str, str]:
    """The objects whose attributes names hold, as ``fields = vars(x)`` says: the first one for each name."""
    found: dict[str, str] = {}
    for statement in syntax.statements(body):
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                if (holder := syntax.viewed(value)) is not None:
                    found.setdefault(name, holder)
    return found
