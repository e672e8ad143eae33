"""Whether what a ``functools.cached_property`` computed would be the same if it were computed again.

In: the kind of the object, the function, what is set anywhere in the files of the program.
Out: whether it need not be kept.
Next: descriptors.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import gast

from tangentlite import frontend, syntax
from tangentlite.analysis.classes.elsewhere import ANY, IN_PLACE
from tangentlite.analysis.kinds import Inert, Kind, Nothing, Num, Object
from tangentlite.errors import DerivativeError
from tangentlite.frontend import writing


def stays(kind: Object, function: Callable[..., Any], stored: frozenset[str]) -> bool:
    """Whether nothing that the function reads of its object may have been changed in the meantime."""
    asked = _asked(kind.owner, function, frozenset())
    if ANY in stored or asked is None:
        return not stored
    parts = [item for key, item in zip(kind.keys, kind.items) if key in asked]
    return not stored & asked and (IN_PLACE not in stored or all(map(_lasts, parts)))


def _lasts(kind: Kind) -> bool:
    """Whether nobody can write into values of a kind."""
    return isinstance(kind, Inert | Nothing) or (isinstance(kind, Num) and kind.scalar)


def _asked(owner: type, function: Callable[..., Any], seen: frozenset[Any]) -> set[str] | None:
    """The attributes that a method reads of any object, itself or by other members; None if that is not known."""
    try:
        source = frontend.read(function, fenced=False)
    except DerivativeError:
        return None
    own = source.params[0].name if source.params else ""
    nodes = [n for s in source.body for n in syntax.walk(s)]
    if any(isinstance(n, gast.Call) and _may_look(n, own, function) for n in nodes):
        return None
    named = [n for n in nodes if isinstance(n, gast.Attribute)]
    if sum(_is(n, own) for n in nodes) > sum(_is(n.value, own) for n in named):
        return None
    found = {n.attr for n in named}
    members = [vars(base)[n] for base in owner.__mro__ for n in found if n in vars(base)]
    inner = {getattr(m, "func", getattr(m, "fget", m)) for m in members}
    inner = {f for f in inner if isinstance(f, FunctionType)}
    for member in inner - seen:
        more = _asked(owner, member, seen | inner)
        if more is None:
            return None
        found = found | more
    return found


def _may_look(call: gast.Call, own: str, function: Any) -> bool:
    """Whether a call may read attributes of what it is given: a function of the user, or a method of another object."""
    match call.func:
        case gast.Name(id="getattr" | "vars"):
            return True
        case gast.Name(id="super"):
            return bool(call.args)
        case gast.Name(id=name):
            called = _global(function, name)
            return called is None or writing.root(called) not in writing.LOOKING | {"builtins"}
        case gast.Attribute(value=value, attr=attr):
            inside = _is(value, own) or _is(getattr(value, "func", None), "super")
            while isinstance(value, gast.Attribute):
                value = value.value
            library = isinstance(_global(function, getattr(value, "id", "")), ModuleType)
            return not (inside or library or writing.is_reading(attr))
    return True


def _global(function: Any, name: str) -> Any:
    return getattr(function, "__globals__", {}).get(name, getattr(builtins, name or "None", None))


def _is(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name
