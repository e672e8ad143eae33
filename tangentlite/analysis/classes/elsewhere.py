"""The attributes that are set anywhere in the files of a program, besides where objects are made.

In: the function that is differentiated, the classes and helpers that it uses.
Out: names of attributes.
Next: descriptors.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import FunctionType
from typing import Any, TypeVar

import gast

from tangentlite import frontend, syntax
from tangentlite.analysis.classes import members
from tangentlite.errors import DerivativeError
from tangentlite.parsing import parsed

Derive = TypeVar("Derive", bound=Callable[..., Any])
START = ContextVar[str]("START", default="")
MAKING = ("__init__", "__post_init__", "__new__")


def started(derive: Derive) -> Derive:
    """A function whose first argument is what the user differentiates."""

    @functools.wraps(derive)
    def at_start(function: Any, *args: Any, **kwargs: Any) -> Any:
        token = START.set(_file(inspect.unwrap(function)))
        try:
            return derive(function, *args, **kwargs)
        finally:
            START.reset(token)

    return at_start  # type: ignore[return-value]


def asked(
    owner: type, function: Callable[..., Any], seen: frozenset[str] = frozenset()
) -> set[str] | None:
    """The attributes that a method reads of its object, itself or by other members; None if that is not known."""
    try:
        source = frontend.read(function, fenced=False)
    except DerivativeError:
        return None
    own = source.params[0].name if source.params else ""
    nodes = [n for s in source.body for n in syntax.walk(s)]
    found = {n.attr for n in nodes if isinstance(n, gast.Attribute) and _is(n.value, own)}
    if sum(_is(n, own) for n in nodes) > sum(_is(getattr(n, "value", None), own) for n in nodes):
        return None
    for name in found - seen:
        member = members.lookup(owner, name)[1]
        inner = getattr(member, "func", getattr(member, "fget", member))
        more = asked(owner, inner, seen | found) if isinstance(inner, FunctionType) else set[str]()
        if more is None:
            return None
        found = found | more
    return found


def _is(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def stored(file: str, owner: type) -> frozenset[str]:
    """The attributes that are set where differentiation began, in a helper's file, or in those of a class."""
    methods = (f for base in owner.__mro__[:-1] for f in vars(base).values())
    files = {START.get(), file, *map(_file, methods)}
    return frozenset().union(*map(_stored, files - {""}))


def _file(value: Any) -> str:
    function = getattr(value, "__func__", value)
    return function.__code__.co_filename if isinstance(function, FunctionType) else ""


@functools.lru_cache(64)
def _stored(file: str) -> frozenset[str]:
    try:
        tree = parsed("".join(linecache.getlines(file)))
    except SyntaxError:
        return frozenset()
    return frozenset(_set_in(tree, ""))


def _set_in(tree: ast.AST, own: str) -> Iterator[str]:
    """The attributes set in a tree; where an object is made, those of ``own`` do not count."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name, args=ast.arguments(args=[first, *_])) if name in MAKING:
                yield from _set_in(node, first.arg)
                continue
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()):
                if not own or getattr(value, "id", None) != own:
                    yield attr
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr"),
                args=[_, ast.Constant(value=str() as key), *_],
            ):
                yield key
        yield from _set_in(node, own)
