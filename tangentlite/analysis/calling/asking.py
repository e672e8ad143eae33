"""Which parameters of a function decide what it does, by the text or the truth that they are.

In: a function that is called.
Out: the parameters that it tests, compares with texts, looks up, or hands on: under their name, or if they are options.
Next: calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentlite.analysis import results
from tangentlite.analysis.calling.callees import parameters
from tangentlite.analysis.given import of
from tangentlite.analysis.kinds import Inert, Kind, Num, general
from tangentlite.analysis.outcomes import SAID, SPELLED, said, spelled
from tangentlite.errors import DerivativeError
from tangentlite.frontend.source import find
from tangentlite.values import replace

_known: WeakKeyDictionary[FunctionType, tuple[CodeType, frozenset[str]]] = WeakKeyDictionary()


def seen(callee: FunctionType, given: dict[str, Kind]) -> tuple[Kind, ...]:
    """The kinds of all parameters as a function sees them: which text one is, or True, only where it asks for that."""
    return tuple(
        _seen(given[p] if p in given else _default(value), p, callee)
        for p, value in parameters(callee)
    )


def _seen(kind: Kind, parameter: str, callee: FunctionType) -> Kind:
    like, value = general(kind), getattr(kind, "literal", None)
    told = isinstance(value, (str, bool)) and type(kind) in (Inert, Num)
    return replace(like, literal=value) if told and parameter in asks(callee) else like


def _default(value: Any) -> Kind:
    return results.literal(value) if type(value) in (str, bool) else of(value)


def answered(kind: Kind, method: str, given: list[Kind]) -> str | bool | None:
    """What a method gives of a text that is known; None of any other."""
    text = getattr(kind, "literal", None)
    args = [getattr(k, "literal", None) for k in given]
    found = None if given else spelled(text, method)
    return said(text, method, args) if found is None else found


def asks(callee: FunctionType) -> frozenset[str]:
    """The names of which a function asks what they are; none if its source cannot be found.

    >>> import statistics
    >>> sorted(asks(statistics.quantiles))
    ['method']
    """
    found = _known.get(callee)
    if found is None or found[0] is not callee.__code__:
        found = _known[callee] = callee.__code__, _asked(callee)
    return found[1]


def _asked(callee: FunctionType) -> frozenset[str]:
    made = getattr(callee, "__lifted__", None)  # of what the compiler made of it
    try:
        tree = find(callee).node if made is None else made.tree
    except DerivativeError:
        return frozenset()
    params = dict(parameters(callee))
    options = {p for p, value in params.items() if isinstance(value, (str, bool, type(None)))}
    nodes = list(gast.walk(tree))
    given = [a for n in nodes if isinstance(n, gast.Call) for a in n.args]
    handed = {a.id for a in given if isinstance(a, gast.Name)}
    decided = {name for node in nodes for name in _decided(node)}
    return frozenset((decided & params.keys()) | (options & handed))


def _decided(node: gast.AST) -> Iterator[str]:
    match node:
        case gast.Compare(left=left, comparators=others):
            sides = [left, *others]
            if any(_is_text(side) for side in sides):
                yield from (side.id for side in sides if isinstance(side, gast.Name))
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
            if attr in SPELLED | SAID:
                yield name
        case gast.Subscript(slice=gast.Name(id=name)) | gast.Match(subject=gast.Name(id=name)):
            yield name
        case gast.keyword(arg=str() as arg, value=gast.Name(id=name)) if arg == name:
            yield name
        case gast.If(test=test) | gast.IfExp(test=test) | gast.While(test=test):
            yield from _tested(test)
        case gast.BoolOp() | gast.UnaryOp():
            yield from _tested(node)


def _tested(test: gast.expr) -> Iterator[str]:
    """The names whose truth is asked for."""
    match test:
        case gast.Name(id=name):
            yield name
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            yield from _tested(operand)
        case gast.BoolOp(values=values):
            for value in values:
                yield from _tested(value)


def _is_text(node: gast.AST) -> bool:
    match node:
        case gast.Constant(value=str()):
            return True
        case gast.Tuple(elts=items) | gast.List(elts=items) | gast.Set(elts=items):
            return any(map(_is_text, items))
    return False
