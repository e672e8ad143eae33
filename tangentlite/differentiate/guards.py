"""``try`` and ``with`` as they are printed.

In: attempts and marks of the normal form, with what a sweep puts into them.
Out: the statements of Python.
Next: recording, forward.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.session import Session
from tangentlite.lowering.guards import called


def cut_back(guard: Body, tapes: list[str], session: Session) -> Body:
    """What a body that fails has recorded in its branches and loops is taken off again."""
    *before, attempt = guard
    inner = [s for s in attempt.body if syntax.blocks(s)]
    pushed = {
        node.func.value.id
        for s in inner
        for node in syntax.walk(s)
        if isinstance(node, gast.Call)
        and isinstance(node.func, gast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, gast.Name)
    }
    (handler,) = attempt.handlers
    if isinstance(handler.body[-1], gast.Raise):
        return guard
    for tape in [t for t in tapes if t in pushed]:
        size = session.names.fresh("size")
        before += syntax.quote("n = len(tape)", n=size, tape=tape)
        text = "while len(tape) > n:\n    tape.pop()"
        handler.body = [*syntax.quote(text, n=size, tape=tape), *handler.body]
    return [*before, attempt]


def flat(body: Body) -> Body:
    """``if True:`` is a block that had to be one while it was written."""
    result: Body = []
    for statement in body:
        for name in syntax.BLOCKS:
            if getattr(statement, name, None):
                setattr(statement, name, flat(getattr(statement, name)))
        match statement:
            case gast.If(test=gast.Constant(value=True), body=inner):
                result += inner
            case _:
                result.append(statement)
    return result


def entered(body: Body) -> Body:
    """What stands between ``rt.enter(m)`` and ``rt.leave(m)`` goes into a ``with``, in all blocks.

    >>> body = syntax.quote("t1 = open(p)\\nf = rt.enter(t1)\\ny = g(f)\\nrt.leave(t1)\\nz = y")
    >>> print("\\n".join(map(syntax.unparse, entered(body))))
    with open(p) as f:
        y = g(f)
    z = y
    """
    result: Body = []
    waiting: list[tuple[Any, Body]] = []
    for statement in body:
        mark = called(statement)
        if mark == "enter":
            waiting.append((statement, result))
            result = []
        elif mark == "leave":
            enter, before = waiting.pop()
            result = [*before[:-1], _with(before[-1:], enter, result)]
        else:
            result.append(_inside(statement))
    return result


def _with(before: Body, enter: Any, body: Body) -> gast.stmt:
    manager = enter.value.args[0]
    match before:
        case [gast.Assign(targets=[gast.Name(id=name)], value=value)] if name == manager.id:
            manager = value
    target = syntax.copy(enter.targets[0]) if isinstance(enter, gast.Assign) else None
    item = gast.withitem(manager, target)
    return syntax.at(gast.With([item], body or [gast.Pass()], None), enter)


def _inside(statement: Any) -> Any:
    for name in syntax.BLOCKS:
        if getattr(statement, name, None):
            setattr(statement, name, entered(getattr(statement, name)))
    for handler in getattr(statement, "handlers", []):
        handler.body = entered(handler.body)
    return statement
