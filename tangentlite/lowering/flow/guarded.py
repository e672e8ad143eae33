"""Generators that rest inside of ``try``: each part that may fail gets the handlers for itself.

In: statements of a generator between two of its places, and the frames around them.
Out: the same statements in a ``try`` of their own.
Next: machines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering.context import read, remade
from tangentlite.lowering.iteration.frames import Frame, Guarded, TangledError, matters, outwards

Body = list[Any]
STEADY: tuple[Any, ...] = (
    gast.Name,
    gast.Constant,
    gast.Assign,
    gast.Tuple,
    gast.expr_context,
    gast.Pass,
)
STEADY += (gast.AugAssign, gast.BinOp, gast.UnaryOp, gast.unaryop, gast.Add, gast.Sub, gast.Mult)
STEADY += (gast.Compare, gast.cmpop, gast.BoolOp, gast.boolop, gast.Expr, gast.If)


def entered(attempt: Any, inner: Frame) -> Frame:
    """The frame of the body of a ``try``."""
    named = any(h.name is not None for h in attempt.handlers)
    if named or any(map(matters, attempt.finalbody)):
        raise TangledError
    if attempt.finalbody:
        inner = Guarded(inner, (), (), tuple(attempt.finalbody))
    if attempt.handlers:
        inner = Guarded(inner, tuple(attempt.orelse), tuple(attempt.handlers))
    elif attempt.orelse:
        raise TangledError
    return inner


def held(statement: Any, frame: Frame | None, machine: Any) -> tuple[Body, Any]:
    """What may fail in a statement that rests, before it."""
    if not any(isinstance(f, Guarded) for f in outwards(frame)):
        return [], statement
    match statement:
        case gast.Expr(value=gast.Yield(value=gast.expr() as value) as shown):
            before, name = _named(value, machine)
            return before, remade(statement, value=remade(shown, value=name))
        case gast.Assign(value=gast.Yield(value=gast.expr() as value) as shown):
            before, name = _named(value, machine)
            return before, remade(statement, value=remade(shown, value=name))
        case gast.Return(value=gast.expr() as value):
            before, name = _named(value, machine)
            return before, remade(statement, value=name)
        case gast.If(test=test):
            before, name = _named(test, machine)
            return before, remade(statement, test=name)
        case gast.While(test=test) if _fails([test]):
            raise TangledError
    return [], statement


def _named(value: Any, machine: Any) -> tuple[Body, Any]:
    if not _fails([value]):
        return [], value
    name = machine.context.local("held")
    return machine.quote("v = e", v=name, e=syntax.copy(value)), read(name, value)


def watched(plain: Body, frame: Frame | None, then: Callable[[], Body], machine: Any) -> Body:
    """Statements with the handlers around them, and what follows where they do not fail."""
    guards = [f for f in outwards(frame) if isinstance(f, Guarded)]
    if not guards or not _fails(plain):
        return [*plain, *then()]
    ways: list[tuple[str, Guarded]] = []
    for guard in guards:
        if guard.final:
            machine.context.builtin("BaseException", machine.step.place)
            text = "try:\n    body\nexcept BaseException:\n    final\n    raise"
            final = list(map(syntax.copy, guard.final))
            plain = machine.quote(text, body=plain, final=final)
            continue
        failed = machine.context.local("failed")
        handlers = [
            remade(h, body=machine.quote("t = k", t=failed, k=machine.constant(k)))
            for k, h in enumerate(guard.handlers, 1)
        ]
        (attempt,) = machine.quote("try:\n    body\nfinally:\n    pass", body=plain)
        attempt = remade(attempt, handlers=handlers, finalbody=[])
        plain = [*machine.quote("t = 0", t=failed), attempt]
        ways.append((failed, guard))
    after = then()
    for failed, guard in ways:
        for k, handler in reversed(list(enumerate(guard.handlers, 1))):
            caught = machine.block(tuple(handler.body), guard.outer) or machine.quote("pass")
            test = machine.quote("t == k", t=failed, k=machine.constant(k))[0].value
            after = machine.quote(
                "if c:\n    a\nelse:\n    b", c=test, a=caught, b=after or machine.quote("pass")
            )
    return [*plain, *after]


def _fails(parts: Body) -> bool:
    """Whether an exception may come from somewhere."""
    return any(not isinstance(n, STEADY) for n in scopes.inside(parts))
