"""``try`` and ``with`` in simple forms: one handler, no ``else``, no ``finally``; one manager.

In: a ``try`` or a ``with`` of the user.
Out: statements with a ``try`` of one handler, or a ``with`` of one manager.
Next: exits.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow.guards import PASSING, is_generated
from tangentlite.lowering.flow.leaving import LOOPS
from tangentlite.parsing import parsed

Body = list[gast.stmt]
SWALLOWS = "a `with` whose manager may swallow an exception is not supported yet"
NAMED = "Write `try` and `except`, or make the manager by naming its class in the `with`."


def alone(statement: Any, context: Context) -> tuple[Body, Any, Body]:
    """What comes before a ``try`` without ``finally``, the ``try`` with one handler, what comes after it.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered('''
    ... try:
    ...     y = 1.0 / x
    ... except ZeroDivisionError:
    ...     y = 0.0
    ... else:
    ...     y = y + 1.0
    ... return y''', "x"))
    completed = False
    try:
        y = 1.0 / x
        completed = True
    except ZeroDivisionError:
        y = 0.0
    if completed:
        t1 = y + 1.0
        y = t1
    return y
    """
    body, before, after = list(statement.body), list[gast.stmt](), list[gast.stmt]()
    context.source = context.made.get(statement, statement)
    if statement.orelse:
        flag = context.local("completed")
        before = context.quote("t = False", statement, t=flag)
        body += context.quote("t = True", statement, t=flag)
        after = context.quote("if t:\n    rest", statement, t=flag, rest=statement.orelse)
    handler = _one(statement, context)
    return before, remade(statement, body=body, handlers=[handler], orelse=[]), after


def _one(statement: Any, context: Context) -> Any:
    """Several handlers are one that asks what it caught."""
    handlers = statement.handlers
    if len(handlers) == 1:
        return handlers[0]
    name = context.local("error")
    rest: Body = context.quote("raise", statement)
    for handler in reversed(handlers):
        body = list(handler.body)
        if handler.name is not None:
            body = [*context.quote("e = t", handler, e=handler.name.id, t=name), *body]
        if handler.type is None:
            rest = body
            continue
        context.builtin("isinstance", handler)
        text = "if isinstance(t, c):\n    body\nelse:\n    rest"
        rest = context.quote(text, handler, t=name, c=handler.type, body=body, rest=rest)
    types = [h.type for h in handlers]
    kind = None if None in types else syntax.at(_all(types), statement)
    target = syntax.store(read(name, statement))
    return remade(handlers[0], type=kind, name=target, body=rest)


def _all(types: list[Any]) -> gast.Tuple:
    return gast.Tuple(
        [e for t in types for e in (t.elts if isinstance(t, gast.Tuple) else [t])], gast.Load()
    )


def undone(place: Any, body: Body, again: Body, context: Context) -> gast.stmt:
    """``except BaseException: again; raise``: what ``finally`` does when an exception passes.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("try:\\n    y = 1.0 / x\\nfinally:\\n    print(x)\\nreturn y", "x"))
    try:
        y = 1.0 / x
    except BaseException:
        print(x)
        raise
    print(x)
    return y
    """
    context.source = context.made.get(place, place)
    text = "try:\n    body\nexcept BaseException:\n    again\n    raise"
    context.builtin("BaseException", place)
    return context.quote(text, place, body=body, again=again)[0]


def passed_over(place: Any, body: Body, handler: Body, context: Context) -> gast.stmt:
    """``try: body; except BaseException: handler``, where that does not raise again in any case.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("try:\\n    y = 1.0 / x\\nfinally:\\n    return x", "x"))
    done = False
    try:
        y = 1.0 / x
    except BaseException:
        pass
    done = True
    y_1 = x
    if not done:
        y_1 = None
    return y_1
    """
    context.source = context.made.get(place, place)
    text = "try:\n    body\nexcept BaseException:\n    again"
    context.builtin("BaseException", place)
    again = handler or [syntax.at(gast.Pass(), place)]
    return context.quote(text, place, body=body, again=again)[0]


def forgetting(body: Body, names: tuple[str, str], context: Context) -> Body:
    """Exits of a ``finally`` take back what its ``try`` said of a loop: that it stops, that the function returns."""
    result: Body = []
    for statement in body:
        again = isinstance(statement, gast.Continue)
        if again or isinstance(statement, gast.Break):
            for name in filter(None, dict.fromkeys(names if again else names[1:])):
                result += context.quote("t = False", statement, t=name)
        parts: dict[str, Any] = {}
        if not isinstance(statement, LOOPS):
            parts = {
                name: forgetting(block, names, context)
                for name in syntax.BLOCKS
                if (block := getattr(statement, name, None))
            }
        result.append(remade(statement, **parts) if parts else statement)
    return result


def one_manager(statement: Any) -> Any:
    """``with a, b:`` is a ``with`` in a ``with``."""
    first, *rest = statement.items
    if not rest:
        return statement
    return remade(statement, items=[first], body=[remade(statement, items=rest)])


def suppressing(statement: Any, context: Context) -> Any:
    """``with suppress(E):`` is ``try: … except E: pass``; else None.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("with suppress(KeyError):\\n    x = g(x)\\nreturn x", "x", suppress=contextlib.suppress))
    try:
        t1 = g(x)
        x = t1
    except KeyError:
        pass
    return x
    """
    match statement.items[0]:
        case gast.withitem(context_expr=gast.Call(func=func, args=args, keywords=[])):
            if context.meaning(func) is contextlib.suppress:
                nothing = [syntax.at(gast.Pass(), statement)]
                kind = syntax.at(_all(args), statement) if len(args) != 1 else args[0]
                handler = syntax.at(gast.ExceptHandler(kind, None, nothing), statement)
                return syntax.at(gast.Try(statement.body, [handler], [], []), statement)
    return None


def passes(item: Any, context: Context) -> bool:
    """Whether a manager is known to let every exception pass; those in generated text have been looked at."""
    if is_generated(context):
        return True
    expression = made_as(item.context_expr, context)
    if isinstance(expression, gast.Call):
        meaning = context.meaning(expression.func)
    else:
        meaning = type(context.meaning(expression))
    if meaning in PASSING:
        return True
    if isinstance(meaning, type):
        return not may_swallow(getattr(meaning, "__exit__", None))
    generator = getattr(meaning, "__wrapped__", None)
    return inspect.isgeneratorfunction(generator) and not _catches(generator)


def made_as(expression: Any, context: Context) -> Any:
    """What a local name is bound to, if that is one expression."""
    params = {param.name for param in context.function.params}
    name = getattr(expression, "id", None)
    if name not in context.locals or name in params:
        return expression
    nodes = [n for s in context.function.body for n in syntax.walk(s)]
    stored = [
        n for n in nodes if isinstance(n, gast.Name) and n.id == name and name in syntax.stores(n)
    ]
    for node in nodes:
        match node:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if target == name:
                return value if len(stored) == 1 else expression
    return expression


def _tree(function: Any) -> ast.AST | None:
    try:
        tree: ast.AST = parsed(textwrap.dedent(inspect.getsource(function)))
        return tree
    except (OSError, TypeError, SyntaxError):
        return None


def may_swallow(exit_: Any) -> bool:
    """Whether ``__exit__`` may return what is true."""
    tree = _tree(exit_)
    if tree is None:
        return True
    returns = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return)]
    return any(v is not None and getattr(v, "value", v) not in (None, False) for v in returns)


def _catches(generator: Any) -> bool:
    """Whether a generator catches what is raised where it yields."""
    tree = _tree(generator)
    return tree is None or any(isinstance(n, ast.ExceptHandler) for n in ast.walk(tree))
