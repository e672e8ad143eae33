"""Managers of the user in plain text: what they hand over is a value like any other.

In: the statements of a function.
Out: the same statements; a ``with`` is what its manager does before, the body, and what it does after.
Next: payloads.
"""

from __future__ import annotations

import contextlib
import inspect
from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, runtime, scopes, syntax
from tangentlite.lowering import effects
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.flow import exit_stacks, leaving, tries
from tangentlite.lowering.iteration.borrowed import borrowed

Body = list[Any]
HELPER = contextlib.contextmanager(iter).__code__


def opened(body: Body, context: Context) -> Body:
    """``with g(x) as y`` of a generator is its own text, with the body where it yields.

    >>> import contextlib
    >>> from tangentlite.lowering.example import function
    >>> @contextlib.contextmanager
    ... def squared(x):
    ...     try:
    ...         yield x * x
    ...     finally:
    ...         x = 0
    >>> f = function("with squared(x) as y:\\n    z = x * y\\nreturn z", "x", squared=squared)
    >>> print("\\n".join(map(syntax.unparse, opened(f.body, Context.of(f, print)))))
    x_1 = x
    try:
        y = x_1 * x_1
        z = x * y
    finally:
        x_1 = 0
    return z
    """
    if gast.With not in context.contents(body).kinds:
        return body
    return [new for statement in body for new in _statement(statement, context)]


def _statement(statement: Any, context: Context) -> Body:
    if isinstance(statement, scopes.FUNCTIONS):
        return [statement]
    if isinstance(statement, gast.With):
        statement = tries.one_manager(statement)
        made = _plain(statement, context)
        if made is not None:
            return [new for s in made for new in _statement(s, context)]
    fields = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            fields[name] = [new for s in block for new in _statement(s, context)]
    if not any(
        len(fields[n]) != len(getattr(statement, n))
        or any(a is not b for a, b in zip(fields[n], getattr(statement, n)))
        for n in fields
    ):
        return [statement]
    new = remade(statement, **fields)
    context.made[new] = context.made.get(statement, statement)
    return [new]


def _plain(statement: Any, context: Context) -> Body | None:
    """What a ``with`` stands for; None where it stays."""
    if (inside := exit_stacks.nested(statement, context)) is not None:
        return inside
    (item,) = statement.items
    call, target = item.context_expr, item.optional_vars
    if isinstance(call, gast.Name) and (owner := context.instances.get(call.id)) is not None:
        return _with_object(statement, call.id, owner, [], context) if _is_manager(owner) else None
    if not isinstance(call, gast.Call):
        return None
    function = context.meaning(call.func)
    if function is contextlib.nullcontext and len(call.args) == 1 and target is not None:
        bound = context.quote("v = e", statement, v=target, e=call.args[0])
        return [*bound, *statement.body]
    if function is contextlib.closing and len(call.args) == 1:
        name = context.local("closing")
        start = context.quote("c = e", statement, c=name, e=call.args[0])
        bound = [] if target is None else context.quote("v = c", statement, v=target, c=name)
        text = "try:\n    bound\n    body\nfinally:\n    c.close()"
        return [*start, *context.quote(text, statement, bound=bound, body=statement.body, c=name)]
    match call.func:
        case gast.Name(id=name) if name in context.locals:
            if (nested := _nested(call, context)) is not None:
                return _generated(statement, *nested, target, context)
        case gast.Attribute(value=gast.Name(id=name) as owner, attr=attr):
            if (made := context.instances.get(name)) is not None:
                function = inspect.getattr_static(made, attr, None)
                call = remade(call, args=[owner, *call.args])
    holds = target is not None or bool(syntax.loads(call) & context.locals)
    if getattr(function, "__code__", None) is HELPER and holds:
        return _generated(statement, function.__wrapped__, call, target, context)
    if isinstance(function, type) and _is_manager(function):
        if holds or tries.may_swallow(inspect.getattr_static(function, "__exit__")):
            manager = context.local("manager")
            before = context.quote("m = e", statement, m=manager, e=call)
            return _with_object(statement, manager, function, before, context)
    return None


def _is_manager(owner: type) -> bool:
    found = [inspect.getattr_static(owner, n, None) for n in ("__enter__", "__exit__")]
    return all(isinstance(f, FunctionType) and not effects.is_library(f) for f in found)


def _with_object(
    statement: Any, manager: str, owner: type, before: Body, context: Context
) -> Body | None:
    """``y = m.__enter__()``, the body, ``m.__exit__(None, None, None)``."""
    target = statement.items[0].optional_vars
    text = "m.__enter__()" if target is None else "v = m.__enter__()"
    holes: dict[str, Any] = {"m": manager} | ({} if target is None else {"v": target})
    before = [*before, *context.quote(text, statement, **holes)]
    leave = inspect.getattr_static(owner, "__exit__")
    source = frontend.read(leave, fenced=False)
    asked = {p.name for p in source.params[1:]} & {n for s in source.body for n in syntax.loads(s)}
    holes = {"m": manager, "body": statement.body}
    if not asked and not tries.may_swallow(leave):
        text = "try:\n    body\nfinally:\n    m.__exit__(None, None, None)"
        return [*before, *context.quote(text, statement, **holes)]
    if any(leaving.exits(statement.body)):
        return None
    holes["e"] = context.local("error")
    holes["type"] = context.builtin("type", statement)
    context.builtin("BaseException", statement)
    text = """
try:
    body
except BaseException as e:
    if not m.__exit__(type(e), e, None):
        raise
else:
    m.__exit__(None, None, None)
"""
    return [*before, *context.quote(text.strip(), statement, **holes)]


def _nested(call: gast.Call, context: Context) -> tuple[FunctionType, gast.Call] | None:
    """The generator that a manager made inside the function decorates, with what it captures as arguments."""
    match tries.made_as(call.func, context):
        case gast.Call(func=maker, args=[made]) if (
            context.meaning(maker) is contextlib.contextmanager
        ):
            inner, held = made, []
            if isinstance(made, gast.Call) and context.meaning(made.func) is runtime.closure:
                inner, *held = made.args
            function = context.meaning(inner)
            if isinstance(function, FunctionType):
                return function, remade(call, args=[*held, *call.args])
    return None


def _generated(
    statement: Any, function: Any, call: gast.Call, target: Any, context: Context
) -> Body | None:
    made = borrowed(function, call, context)
    if made is None:
        return None
    before, body = made
    yields = [n for n in scopes.inside(body) if isinstance(n, gast.Yield)]
    loops = [n for n in scopes.inside(body) if isinstance(n, scopes.LOOPS)]
    if len(yields) != 1 or any(isinstance(n, gast.Yield) for n in scopes.inside(loops)):
        return None
    if any(isinstance(n, gast.Return) for n in scopes.inside(body)):
        return None
    leaves = any(leaving.exits(statement.body))
    result = _filled(body, statement, target, leaves, context)
    return None if result is None else [*before, *result]


def _filled(body: Body, statement: Any, target: Any, leaves: bool, context: Context) -> Body | None:
    """The statements of a generator with the body of the ``with`` in place of its ``yield``."""
    for place, part in enumerate(body):
        if not any(isinstance(n, gast.Yield) for n in scopes.inside([part])):
            continue
        if leaves and body[place + 1 :]:
            return None
        match part:
            case gast.Expr(value=gast.Yield(value=value)):
                inner = list(statement.body)
                if target is not None:
                    value = value or syntax.at(syntax.constant(None), part)
                    inner = [*context.quote("v = e", statement, v=target, e=value), *inner]
                return [*body[:place], *inner, *body[place + 1 :]]
            case gast.Try() | gast.With() | gast.If():
                if isinstance(part, gast.Try) and leaves and part.orelse:
                    return None
                filled = _filled(part.body, statement, target, leaves, context)
                if filled is None:
                    return None
                new = remade(part, body=filled)
                return [*body[:place], new, *body[place + 1 :]]
        return None
    return None
