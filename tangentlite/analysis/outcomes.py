"""Whether a test holds, by what is known of the names in it.

In: a test, and the kinds where it stands.
Out: its outcome, or None where that is not known.
Next: inference, absence.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import (
    CONTAINERS,
    Dict,
    Inert,
    Kind,
    Nothing,
    Num,
    Object,
    Tuple,
    Value,
)

FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc)
COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
}
COUNTED: dict[type, Callable[[Any, Any], Any]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Mod: lambda a, b: a % b if b else None,
    gast.FloorDiv: lambda a, b: a // b if b else None,
}
SPELLED = frozenset(("lower", "upper", "casefold", "strip", "title", "capitalize"))
SAID = frozenset(("startswith", "endswith", "isdigit", "islower", "isupper", "isalpha"))
Ask = Callable[[str], Kind | None]


def leaves(statement: gast.If) -> bool:
    """Whether this is the ``if stop: break`` that ends a loop."""
    return isinstance(statement.body[0], gast.Break)


def certain(state: Environment, given: frozenset[str], name: str) -> Kind | None:
    """The kind of a name, if it tells whether the name is None: paths that meet may hide that."""
    kind = state.get(name)
    if isinstance(kind, CONTAINERS) and kind.optional:
        return None
    if isinstance(kind, Object):
        return kind
    if isinstance(kind, Num) and not kind.optional:
        return kind
    if isinstance(kind, (Num, Inert)) and isinstance(kind.literal, (bool, int, str)):
        return kind
    return kind if kind == Nothing() or name in given else None


def outcome(test: gast.expr, ask: Ask) -> bool | None:
    """Whether a test holds; None if that is not known."""
    match test:
        case gast.Name() | gast.Attribute():
            return _truth(_held(test, ask))
        case gast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(left, op, right, ask)
        case gast.Call(func=gast.Attribute(value=value, attr=attr), args=args, keywords=[]):
            return said(_written(value, ask), attr, [_written(a, ask) for a in args])
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            found = outcome(operand, ask)
            return None if found is None else not found
        case gast.BoolOp(op=op, values=values):
            ends = isinstance(op, gast.Or)
            for value in values:  # a value that is not known hides those behind it
                found = outcome(value, ask)
                if found is None or found == ends:
                    return found
            return not ends
    return None


def _compared(left: gast.expr, op: gast.cmpop, right: gast.expr, ask: Ask) -> bool | None:
    found: bool | None
    match left, op, right:
        case (
            gast.Name() | gast.Attribute(),
            gast.Is() | gast.IsNot(),
            gast.Constant(value=None),
        ):
            kind = _held(left, ask)
            found = None if kind is None else kind == Nothing()
        case gast.Constant(value=value), gast.Is() | gast.IsNot(), gast.Constant(value=None):
            found = value is None
        case gast.Constant(value=str() as key), gast.In() | gast.NotIn(), gast.Name(id=name):
            found = has(ask(name), key)
        case (
            _,
            gast.In() | gast.NotIn(),
            gast.Tuple(elts=items) | gast.List(elts=items) | gast.Set(elts=items),
        ):
            one, others = _written(left, ask), [_written(item, ask) for item in items]
            found = None if one is None or None in others else one in others
        case _ if type(op) in COMPARED:
            two = _written(right, ask)
            first = None if two is None else _written(left, ask)
            known = first is not None and type(first) is type(two)
            return bool(COMPARED[type(op)](first, two)) if known else None
        case _:
            return None
    return None if found is None else found is isinstance(op, (gast.Is, gast.In))


def _held(node: gast.expr, ask: Ask) -> Kind | None:
    """What a name holds, or that an attribute of an object is None; None if that is not known."""
    match node:
        case gast.Name(id=name):
            return ask(name)
        case gast.Attribute(value=gast.Name(id=name), attr=attr):
            kind = ask(name)
            if isinstance(kind, Object) and not kind.optional and attr in kind.keys:
                item = kind.items[kind.keys.index(attr)]
                return item if item == Nothing() and not kind.loose else None
    return None


def _written(node: gast.expr, ask: Ask) -> int | str | None:
    """A whole number or a text that is written in the source, or a length that is known."""
    match node:
        case gast.Constant(value=value):
            pass
        case gast.Name(id=name):
            value = getattr(ask(name), "literal", None)
        case gast.BinOp(left=left, op=op, right=right) if type(op) in COUNTED:
            one, two = (_written(e, ask) for e in (left, right))
            whole = type(one) is int and type(two) is int
            value = COUNTED[type(op)](one, two) if whole else None
        case gast.Call(func=gast.Attribute(value=text, attr=attr), args=[], keywords=[]):
            value = spelled(_written(text, ask), attr)
        case _:
            return None
    return value if type(value) in (int, str) else None


def spelled(text: Any, method: str) -> str | None:
    """A text that is written in the source in other letters.

    >>> spelled("Pair", "lower")
    'pair'
    """
    return getattr(text, method)() if isinstance(text, str) and method in SPELLED else None


def said(text: Any, method: str, args: list[Any]) -> bool | None:
    """What is asked of a text that is written in the source.

    >>> said("square root", "startswith", ["square"])
    True
    """
    known = isinstance(text, str) and method in SAID and all(isinstance(a, str) for a in args)
    return bool(getattr(text, method)(*args)) if known else None


def _truth(kind: Kind | None) -> bool | None:
    match kind:
        case Nothing():
            return False
        case Num(exact="bool", literal=bool() as literal):
            return literal
        case Inert(literal=str() as text):
            return bool(text)
        case Value(value=value) if isinstance(value, FUNCTIONS):
            return True
        case Tuple(items=items, type="tuple"):
            return bool(items)
    return None


def has(kind: Kind | None, key: str) -> bool | None:
    """Whether a dict has a key; None if that is not known."""
    if isinstance(kind, Object) and kind.direct:
        return None if kind.loose and key in kind.keys else key in kind.keys
    if type(kind) is not Dict or kind.optional or not kind.keys:
        return None
    return key in kind.keys if all(isinstance(k, str) for k in kind.keys) else None
