"""The kinds of parameters where nothing is known of the arguments.

In: a function and a request.
Out: a kind for each parameter.
Next: inference.
"""

from __future__ import annotations

import gast

from tangentlite import ir, syntax
from tangentlite.analysis.given import of
from tangentlite.analysis.kinds import Kind, Nothing, Num, forget


def default_kinds(function: ir.Function, request: ir.Request) -> tuple[Kind, ...]:
    """The kinds of the parameters where nothing is known of the arguments."""
    numbers, alike = first_checks(function.body, "numbers"), first_checks(function.body, "alike")
    kinds: list[Kind] = []
    for param in function.params:
        number = param.name in request.wrt or param.name in numbers
        absent = request.absent or param.name in alike
        kinds.append(_default_kind(param, number and param.name not in alike, absent))
    return tuple(kinds)


def first_checks(body: list[gast.stmt], check: str) -> set[str]:
    """What the first lines of a text that is differentiated again check, by ``rt.numbers`` or ``rt.alike``."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr=attr), args=args)):
                if attr == check:
                    found |= syntax.loads(args if check == "numbers" else args[0])
    return found


def _default_kind(param: ir.Param, number: bool, absent: bool) -> Kind:
    """A number, an array or None; a default that is a function, a list or a text says what else."""
    if param.default is ir.EMPTY or number:
        return Num(optional=True)
    kind = forget(of(param.default))
    number = isinstance(kind, Num) or (kind == Nothing() and not absent)
    return Num(optional=True) if number else kind
