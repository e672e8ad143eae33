"""``contextlib.ExitStack`` as the managers and calls that it ends with, one inside the other.

In: a ``with`` statement.
Out: the statements that it stands for.
Next: managers.
"""

from __future__ import annotations

import contextlib
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context

Body = list[Any]


def nested(statement: Any, context: Context) -> Body | None:
    """``with ExitStack() as s`` whose managers are entered in its own block; None where others know ``s``.

    >>> from tangentlite.lowering.example import function
    >>> text = "with ExitStack() as s:\\n    m = s.enter_context(g(x))\\n    s.callback(h, x)\\n    y = m * x"
    >>> f = function(text, "x", ExitStack=contextlib.ExitStack)
    >>> print("\\n".join(map(syntax.unparse, nested(f.body[0], Context.of(f, print)))))
    with g(x) as m:
        held = x
        try:
            y = m * x
        finally:
            h(held)
    """
    match statement.items:
        case [
            gast.withitem(
                context_expr=gast.Call(func=func, args=[], keywords=[]),
                optional_vars=gast.Name(id=stack),
            )
        ]:
            if context.meaning(func) is not contextlib.ExitStack:
                return None
            body = _block(list(statement.body), stack, context)
            after = _mentions(context.function.body, stack) - _mentions([statement], stack)
            return None if body is None or after else body
    return None


def _mentions(body: Body, name: str) -> int:
    return sum(isinstance(n, gast.Name) and n.id == name for s in body for n in syntax.walk(s))


def _block(body: Body, stack: str, context: Context) -> Body | None:
    """The statements, of which those behind an entered manager are inside of it."""
    for place, statement in enumerate(body):
        if not _mentions([statement], stack):
            continue
        call: Any = statement.value if isinstance(statement, gast.Assign | gast.Expr) else None
        rest = _block(body[place + 1 :], stack, context)
        if rest is None or not _is_method(call, stack):
            return None
        rest = rest or context.quote("pass", statement)
        if _mentions([*call.args, *(k.value for k in call.keywords)], stack):
            return None
        if call.func.attr == "enter_context" and len(call.args) == 1 and not call.keywords:
            targets = getattr(statement, "targets", [None])
            item = gast.withitem(call.args[0], targets[0])
            made = [syntax.at(gast.With([item], rest, None), statement)]
            made += [] if len(targets) == 1 else [None]
        else:
            made = _called(statement, call, rest, context)
        return None if None in made else [*body[:place], *made]
    return body


def _is_method(call: Any, stack: str) -> bool:
    match call:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), args=[_, *_]):
            return name == stack and attr in ("enter_context", "callback")
    return False


def _called(statement: Any, call: gast.Call, rest: Body, context: Context) -> Body:
    """``s.callback(f, x)`` calls f with what x is now, at the end."""
    function, *args = call.args
    starred = any(isinstance(a, gast.Starred) for a in args)
    if isinstance(statement, gast.Assign) or starred or None in [k.arg for k in call.keywords]:
        return [None]
    if syntax.loads(function) & syntax.stores(rest):
        return [None]
    before: Body = []

    def held(value: Any) -> Any:
        if isinstance(value, gast.Constant):
            return value
        name = context.local("held")
        before.extend(context.quote("t = e", statement, t=name, e=value))
        return syntax.at(syntax.name(name), statement)

    keywords = [gast.keyword(k.arg, held(k.value)) for k in call.keywords]
    last = syntax.at(gast.Call(function, [held(a) for a in args], keywords), statement)
    last = syntax.at(gast.Expr(last), statement)
    text = "try:\n    rest\nfinally:\n    last"
    return [*before, *context.quote(text, statement, rest=rest, last=[last])]
