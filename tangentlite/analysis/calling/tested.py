"""What is asked in conditions and comparisons, through which nothing flows: it may run methods of the user that write.

In: a normal form, and the kinds of its names.
Out: nothing; an error where a property or an operator of an object writes when it is asked so.
Next: analysis.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.joining import element
from tangentlite.analysis.kinds import CONTAINERS, Inert, Kind, Nothing, Num, Object, floating
from tangentlite.analysis.operations import Accumulate, Copy, NoFlow, Primitive, Store
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering import Normal, effects, truth

NAMED = "Give what it gives a name before, by a method: `now = x.find()`, and ask for that."
TESTED = (gast.If, gast.While, gast.Assert)
PLAIN = {Accumulate, Copy, NoFlow, Primitive, Store}
NOTHING = {Num, Inert, Nothing}
OPERATORS = {
    gast.Eq: ("__eq__", "__eq__"),
    gast.NotEq: ("__ne__", "__ne__"),
    gast.Lt: ("__lt__", "__gt__"),
    gast.LtE: ("__le__", "__ge__"),
    gast.Gt: ("__gt__", "__lt__"),
    gast.GtE: ("__ge__", "__le__"),
    gast.In: ("", "__contains__"),
    gast.NotIn: ("", "__contains__"),
    gast.Add: ("__add__", "__radd__"),
    gast.Sub: ("__sub__", "__rsub__"),
    gast.Mult: ("__mul__", "__rmul__"),
    gast.Div: ("__truediv__", "__rtruediv__"),
}
CALLED = {"len": "__len__", "float": "__float__", "abs": "__abs__", "bool": "__bool__"}
Kinds = Mapping[str, Kind]


def check(normal: Normal, graph: Graph, inferred: Inference, given: tuple[Kind, ...]) -> None:
    """Refuse what writes where it is only asked: the derivative of what it writes would be lost."""
    made = {operation.__class__ for operation in inferred.operations.values()}
    plain = made <= PLAIN and {kind.__class__ for kind in given} <= NOTHING
    if plain or normal.function.generated:
        return
    for statement in syntax.statements(normal.function.body):
        for node in _inert(statement) if statement in graph.first else ():
            for owner, name in _asked(node, inferred.before[graph.first[statement]]):
                if _writes(owner, name):
                    place = normal.function.origin.place(node)
                    place = place or normal.function.origin.place(normal.sources[statement])
                    what = f"`{name}` of a `{owner.__name__}`, which writes, in a condition"
                    raise UnsupportedSyntaxError(f"{what} is not supported yet", place, NAMED)


def _inert(statement: Any) -> list[gast.expr]:
    """The conditions, comparisons and texts of a statement."""
    if isinstance(statement, syntax.Attempt):
        return []
    if isinstance(statement, TESTED):
        return [statement.test]
    if isinstance(statement, gast.Raise):
        return [statement.exc] if statement.exc is not None else []
    value = getattr(statement, "value", None)
    return [n for n in syntax.walk(value) if _is_inert(n)] if value is not None else []


def _is_inert(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="bool")) | gast.JoinedStr():
            return True
    return truth.is_truth(node)


def _asked(tested: gast.expr, kinds: Kinds) -> Iterator[tuple[type, str]]:
    """The classes of objects that are asked, and for what."""
    owner = _owner(tested, kinds)
    if owner:
        yield from ((owner, "__bool__"), (owner, "__len__"))
    for node in syntax.walk(tested):
        for part, name in _uses(node):
            owner = _owner(part, kinds)
            if owner and name:
                yield owner, name


def _uses(node: Any) -> Iterator[tuple[Any, str]]:
    match node:
        case gast.Attribute(value=value, attr=name):
            yield value, name
        case gast.Subscript(value=value):
            yield value, "__getitem__"
        case gast.Compare(left=left, ops=ops, comparators=right):
            for a, op, b in zip([left, *right], ops, right):
                first, second = OPERATORS.get(type(op), ("", ""))
                yield from ((a, first), (b, second))
        case gast.BinOp(left=left, op=op, right=right):
            first, second = OPERATORS.get(type(op), ("", ""))
            yield from ((left, first), (right, second))
        case gast.UnaryOp(operand=operand):
            yield operand, "__neg__" if isinstance(node.op, gast.USub) else "__bool__"
        case gast.BoolOp(values=values):
            yield from ((v, "__bool__") for v in values)
        case gast.Call(func=gast.Name(id=name), args=[first, *_]):
            yield first, CALLED.get(name, "__iter__")


def _owner(node: Any, kinds: Kinds) -> type | None:
    """The class of the object that an expression gives, if it holds floats."""
    kind = _kind(node, kinds)
    return kind.owner if isinstance(kind, Object) and not kind.fields and floating(kind) else None


def _kind(node: Any, kinds: Kinds) -> Kind | None:
    match node:
        case gast.Name(id=name):
            return kinds.get(name)
        case gast.Attribute(value=value, attr=name):
            owner = _kind(value, kinds)
            if isinstance(owner, Object) and name in owner.keys:
                return owner.items[owner.keys.index(name)]
        case gast.Subscript(value=value):
            owner = _kind(value, kinds)
            return element(owner) if isinstance(owner, CONTAINERS) else None
    return None


@functools.cache
def _writes(owner: type, name: str) -> bool:
    """Whether to ask an object of a class for something may write."""
    found = inspect.getattr_static(owner, name, None)
    if name == "__ne__" and found is object.__ne__:
        return _writes(owner, "__eq__")
    found = found.fget if isinstance(found, property) else found
    found = found.func if isinstance(found, functools.cached_property) else found
    return isinstance(found, FunctionType) and not _compares(owner, found) and effects.writes(found)


def _compares(owner: type, method: FunctionType) -> bool:
    """Whether ``@dataclass(order=True)`` has written a method, which compares field by field."""
    return dataclasses.is_dataclass(owner) and method.__code__.co_filename == "<string>"
