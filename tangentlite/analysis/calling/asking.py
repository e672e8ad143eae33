"""Which parameters of a function decide by their text what it does.

In: a function that is called.
Out: the parameters that it compares with texts, looks up, or hands on under their name.
Next: calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentlite.analysis.given import of
from tangentlite.analysis.kinds import Inert, Kind, general
from tangentlite.errors import DerivativeError
from tangentlite.frontend.source import find

_known: WeakKeyDictionary[FunctionType, tuple[CodeType, frozenset[str]]] = WeakKeyDictionary()


def passed(kind: Kind, parameter: str, callee: FunctionType) -> Kind:
    """The kind of an argument as a function sees it: which text it is, only where the function asks for that."""
    text = type(kind) is Inert and isinstance(kind.literal, str)
    return kind if text and parameter in asks(callee) else general(kind)


def by_default(value: Any, parameter: str, callee: FunctionType) -> Kind:
    """The kind of what a parameter is if it is not passed."""
    text = type(value) is str
    return passed(Inert("str", literal=value) if text else of(value), parameter, callee)


def asks(callee: FunctionType) -> frozenset[str]:
    """The names of which a function asks what text they are; none if its source cannot be found.

    >>> import statistics
    >>> sorted(asks(statistics.quantiles))
    ['method']
    """
    found = _known.get(callee)
    if found is None or found[0] is not callee.__code__:
        found = _known[callee] = callee.__code__, _asked(callee)
    return found[1]


def _asked(callee: FunctionType) -> frozenset[str]:
    try:
        tree = find(callee).node
    except DerivativeError:
        return frozenset()
    return frozenset(name for node in gast.walk(tree) for name in _decided(node))


def _decided(node: gast.AST) -> Iterator[str]:
    match node:
        case gast.Compare(left=left, comparators=others):
            sides = [left, *others]
            if any(_is_text(side) for side in sides):
                yield from (side.id for side in sides if isinstance(side, gast.Name))
        case gast.Subscript(slice=gast.Name(id=name)) | gast.Match(subject=gast.Name(id=name)):
            yield name
        case gast.keyword(arg=str() as arg, value=gast.Name(id=name)) if arg == name:
            yield name


def _is_text(node: gast.AST) -> bool:
    match node:
        case gast.Constant(value=str()):
            return True
        case gast.Tuple(elts=items) | gast.List(elts=items) | gast.Set(elts=items):
            return any(map(_is_text, items))
    return False
