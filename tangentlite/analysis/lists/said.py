"""What is known in one trip of a loop: the number of the trip, and the texts that are written with it.

In: the statements of the trip.
Out: the same with these in place of their names.
Next: unrolled.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function

LONGEST = 100  # characters of a text
OPERATIONS: dict[type[gast.operator], Callable[[Any, Any], Any]] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mod: operator.mod,
}


def say(body: list[gast.stmt], index: str, trip: int, function: Function) -> None:
    """Put the number of a trip in place of its name, in statements that were made for it, and so on.

    >>> from tangentlite.frontend import read
    >>> body = syntax.parse("name = f'layer{k + 1}'\\nlayers[name] = layer\\nx = k * y")
    >>> say(body, "k", 2, read(say))
    >>> [syntax.unparse(s) for s in body]
    ["name = 'layer3'", "layers['layer3'] = layer", 'x = 2 * y']
    """
    known: dict[str, int | str] = {index: trip}
    for statement in body:
        _put(statement, {n: v for n, v in known.items() if n not in syntax.stores(statement)})
        learn(statement, known, function)
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in known:
                statement.value = syntax.at(syntax.constant(known[name]), value)


def learn(statement: gast.stmt, known: dict[str, int | str], function: Function) -> None:
    """What is known after a statement."""
    found = None
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value):
            found = _value(syntax.substitute(value, _constants(value, known)), function)
    for name in syntax.stores(statement):
        known.pop(name, None)
        if found is not None:
            known[name] = found


def _constants(value: gast.expr, known: dict[str, int | str]) -> dict[str, gast.expr]:
    names = syntax.loads(value) & set(known) if known else ()
    return {name: syntax.constant(known[name]) for name in names}


def _put(statement: gast.stmt, known: dict[str, int | str]) -> None:
    """Say what is known in place of its names."""
    for node in syntax.walk(statement):
        for field, value in node.__dict__.items():
            many = isinstance(value, list)
            said = [_said(v, known) for v in (value if many else [value])]
            node.__dict__[field] = said if many else said[0]


def _said(part: Any, known: dict[str, int | str]) -> Any:
    if isinstance(part, gast.Name) and part.id in known and isinstance(part.ctx, gast.Load):
        return syntax.at(syntax.constant(known[part.id]), part)
    return part


def _value(node: gast.expr, function: Function) -> int | str | None:
    """The whole number or the text that an expression of constants is; None if it is none of these."""
    match node:
        case gast.Constant(value=bool()):
            return None
        case gast.Constant(value=int() | str() as value):
            return value
        case gast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            return _calculated(
                OPERATIONS[type(op)], _value(left, function), _value(right, function)
            )
        case gast.Call(func=gast.Name(id="str"), args=[given], keywords=[]):
            text = _value(given, function)
            return None if text is None or not _is_builtin(function) else str(text)
        case gast.Call(
            func=gast.Attribute(value=gast.Constant(value=str() as form), attr="format"),
            args=given,
            keywords=[],
        ):
            values = [_value(v, function) for v in given]
            return None if None in values else _calculated(str.format, form, *values)
        case gast.JoinedStr(values=parts):
            texts = [_written(p, function) for p in parts]
            return None if None in texts else "".join(t for t in texts if t is not None)
    return None


def _written(part: gast.expr, function: Function) -> str | None:
    """A part of an f-string."""
    match part:
        case gast.Constant(value=str() as text):
            return text
        case gast.FormattedValue(value=value, conversion=-1, format_spec=None):
            found = _value(value, function)
            return None if found is None else str(found)
    return None


def _calculated(operation: Callable[..., Any], *given: int | str | None) -> int | str | None:
    """What an operation gives; None if it fails, or gives too much."""
    if None in given:
        return None
    try:
        found: Any = operation(*given)
    except (TypeError, ValueError, ArithmeticError, LookupError):
        return None
    return found if type(found) is int or (type(found) is str and len(found) <= LONGEST) else None


def _is_builtin(function: Function) -> bool:
    return "str" not in function.local and function.namespace.lookup("str") is str
