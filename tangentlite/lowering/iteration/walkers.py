"""Loops over objects that have ``__next__``: its statements, in a loop that goes on until it is left.

In: the statements of a function.
Out: the same statements; where ``__next__`` raises StopIteration the loop is left.
Next: payloads.
"""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.lowering import effects
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration.borrowed import standing_in

Body = list[Any]
DECIDING = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.NamedExpr)
YIELDS = (gast.Yield, gast.YieldFrom)
WHOLE = (list, tuple, sum, sorted, max, min, enumerate)


def walked(body: Body, context: Context) -> Body:
    """``for v in C(x)`` makes the object, and takes what its ``__next__`` gives.

    ``for v in Halves(x): body`` of a class that halves what it holds becomes ::

        walker = Halves(x)
        while True:
            if walker.x < 1:
                break
            else:
                walker.x = walker.x / 2
                y = walker.x
            v = y
            body
    """
    makers = [context.meaning(call.func) for call in context.contents(body).calls]
    owners = [c for c in (*makers, *context.instances.values()) if isinstance(c, type)]
    if all(_method(owner, "__next__") is None for owner in owners):
        return body
    return [new for statement in body for new in _statement(statement, context)]


def _statement(statement: Any, context: Context) -> Body:
    if isinstance(statement, scopes.FUNCTIONS):
        return [statement]
    if isinstance(statement, gast.For) and not statement.orelse:
        made = _loop(statement, context)
        if made is not None:
            return [new for s in made for new in _statement(s, context)]
    before, asked = _asked(statement, context)
    if before or asked is not statement:
        return [new for s in (*before, asked) for new in _statement(s, context)]
    fields: dict[str, Any] = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            inner = [new for s in block for new in _statement(s, context)]
            if len(inner) != len(block) or any(a is not b for a, b in zip(inner, block)):
                fields[name] = inner
    if not fields:
        return [statement]
    new = remade(statement, **fields)
    context.made[new] = context.made.get(statement, statement)
    return [new]


def _asked(statement: Any, context: Context) -> tuple[Body, Any]:
    """``next(c)`` is ``c.__next__()``; what is taken whole is a list that a loop before has made."""
    before: Body = []
    if isinstance(statement, gast.For):
        places: dict[str, Any] = {"iter": statement.iter}
    elif isinstance(statement, gast.Assign | gast.AugAssign | gast.Return | gast.Expr):
        places = {"value": statement.value}
    else:
        return [], statement
    if any(isinstance(n, DECIDING) for n in scopes.inside([p for p in places.values() if p])):
        return [], statement
    inner = [n for p in places.values() if p for n in syntax.walk(p)]
    bound = syntax.stores([n.target for n in inner if isinstance(n, gast.comprehension)])
    if any(
        bound & syntax.loads(n) for n in inner if isinstance(n, gast.Call) and _ends(n, context)
    ):
        return [], statement
    new = {n: p and _taken(p, statement, before, context) for n, p in places.items()}
    if all(new[n] is places[n] for n in new):
        return [], statement
    made = remade(statement, **new)
    context.made[made] = context.made.get(statement, statement)
    return before or [], made


def _taken(node: Any, place: Any, before: Body, context: Context) -> Any:
    if isinstance(node, gast.Call) and context.meaning(node.func) is next and len(node.args) == 1:
        owner = context.instances.get(getattr(node.args[0], "id", ""))
        if owner is not None and _method(owner, "__next__") is not None:
            called = syntax.at(gast.Attribute(node.args[0], "__next__", gast.Load()), node)
            return syntax.at(gast.Call(called, [], []), node)
    fields: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            fields[name] = [
                _taken(v, place, before, context) if isinstance(v, ast.AST) else v for v in value
            ]
            if all(a is b for a, b in zip(fields[name], value)):
                del fields[name]
        elif isinstance(value, ast.AST):
            fields[name] = _taken(value, place, before, context)
            if fields[name] is value:
                del fields[name]
    new = remade(node, **fields) if fields else node
    match new:
        case gast.Call(func=func, args=[gast.Call() as made, *rest], keywords=[]):
            if context.meaning(func) in WHOLE and _ends(made, context):
                return remade(new, args=[_listed(made, place, before, context), *rest])
        case gast.comprehension(iter=gast.Call() as made) if _ends(made, context):
            return remade(new, iter=_listed(made, place, before, context))
    return new


def _ends(call: gast.Call, context: Context) -> bool:
    """Whether a call makes an object whose ``__next__`` may raise StopIteration."""
    owner = context.meaning(call.func)
    step = _method(owner, "__next__") if isinstance(owner, type) else None
    if step is None:
        return False
    nodes = scopes.inside(frontend.read(step, fenced=False).body)
    return any(isinstance(n, gast.Name) and n.id == "StopIteration" for n in nodes)


def _listed(call: gast.Call, place: Any, before: Body, context: Context) -> Any:
    items, item = context.local("items"), context.local("item")
    text = "xs = []\nfor v in e:\n    xs.append(v)"
    before += context.quote(text, place, xs=items, v=item, e=call)
    return read(items, call)


def _loop(statement: Any, context: Context) -> Body | None:
    before: Body = []
    match statement.iter:
        case gast.Name(id=name) if name in context.instances:
            owner, walker = context.instances[name], name
        case gast.Call(func=func) as call if isinstance(context.meaning(func), type):
            owner, walker = context.meaning(func), ""
        case _:
            return None
    step, start = _method(owner, "__next__"), _method(owner, "__iter__")
    if step is None or start is None or not _gives_itself(start):
        return None
    if not walker:
        walker = context.local("walker")
        before = context.quote("w = e", statement, w=walker, e=call)
    place = read(walker, statement.iter)
    made = standing_in(step, syntax.at(gast.Call(place, [place], []), statement.iter), context)
    inner = None if made is None else _left(made[0], context)
    if made is None or inner is None:
        return None
    if len(frontend.read(start, fenced=False).body) > 1:
        before += context.quote("w.__iter__()", statement, w=place)
    text = "while True:\n    inner\n    v = e\n    body"
    holes = {"inner": inner, "v": statement.target, "e": made[1], "body": statement.body}
    return [*before, *context.quote(text, statement, **holes)]


def _method(owner: type, name: str) -> FunctionType | None:
    found = inspect.getattr_static(owner, name, None)
    plain = isinstance(found, FunctionType) and not effects.is_library(found)
    return found if plain else None


def _gives_itself(start: FunctionType) -> bool:
    """Whether ``__iter__`` ends in ``return self``, and nowhere else."""
    match frontend.read(start, fenced=False).body:
        case [*before, gast.Return(value=gast.Name(id=name))]:
            ends = any(isinstance(n, (gast.Return, *YIELDS)) for n in scopes.inside(before))
            return not ends and bool(name == next(iter(inspect.signature(start).parameters)))
    return False


def _left(body: Body, context: Context) -> Body | None:
    """The statements with ``break`` for ``raise StopIteration``; None where that is inside of something."""
    result: Body = []
    for statement in body:
        match statement:
            case gast.Raise(exc=error):
                error = error.func if isinstance(error, gast.Call) else error
                if context.meaning(error) is not StopIteration:
                    return None
                result += context.quote("break", statement)
            case gast.If():
                then, other = _left(statement.body, context), _left(statement.orelse, context)
                if then is None or other is None:
                    return None
                result.append(remade(statement, body=then, orelse=other))
            case _:
                if any(isinstance(n, gast.Raise) for n in scopes.inside([statement])):
                    return None
                result.append(statement)
    return result
