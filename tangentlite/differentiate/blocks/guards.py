"""``try`` and ``with`` as they are printed.

In: attempts and marks of the normal form, with what a sweep puts into them.
Out: the statements of Python.
Next: recording, forward.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.analysis.operations import UserCall
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.session import Session
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.flow.guards import called

HELPER = "forward mode through a helper under an `np.errstate` that raises, in a `try`, is not written yet"
INSIDE = "Put the `try` and the `np.errstate` into the helper, or use reverse mode."


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
        for name in syntax.BLOCKS if syntax.nests(statement.__class__) else ():
            if getattr(statement, name, None):
                setattr(statement, name, flat(getattr(statement, name)))
        match statement:
            case gast.If(test=gast.Constant(value=True), body=inner):
                result += inner
            case _:
                result.append(statement)
    return result


def entered(body: Body) -> Body:
    """What stands between ``rt.begin_with(m)`` and ``rt.end_with(m)`` goes into a ``with``, in all blocks.

    >>> body = syntax.quote("t1 = open(p)\\nf = rt.begin_with(t1)\\ny = g(f)\\nrt.end_with(t1)\\nz = y")
    >>> print("\\n".join(map(syntax.unparse, entered(body))))
    with open(p) as f:
        y = g(f)
    z = y
    """
    result: Body = []
    waiting: list[tuple[Any, Body]] = []
    for statement in body:
        mark = called(statement)
        if mark == "begin_with":
            waiting.append((statement, result))
            result = []
        elif mark == "end_with":
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
    if not syntax.nests(statement.__class__):
        return statement
    for name in syntax.BLOCKS:
        if getattr(statement, name, None):
            setattr(statement, name, entered(getattr(statement, name)))
    for handler in getattr(statement, "handlers", []):
        handler.body = entered(handler.body)
    return statement


class Strict:
    """Where ``np.errstate`` makes operations raise: tangents must not, for they would take the path of an error."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.open: list[bool] = []

    def see(self, statement: gast.stmt, block: Body) -> None:
        """Take in a mark."""
        mark = called(statement)
        if mark == "begin_with":
            name = statement.value.args[0].id
            self.open.append(any(_raises(s, name) for s in block))
        elif mark == "end_with":
            self.open.pop()

    def apart(self, statement: gast.stmt, group: Body) -> Body:
        """The statements that stand for one of the primal, those of tangents under ``np.errstate(all="ignore")``."""
        if not any(self.open) or len(group) < 2:
            return group
        operation = self.session.facts.operation(statement)
        if statement in self.session.tried and isinstance(operation, UserCall):
            place = self.session.function.origin.place(statement)
            raise UnsupportedSyntaxError(HELPER, place, INSIDE)
        bound = syntax.stores(statement)
        last = max(k for k, s in enumerate(group) if s is statement or syntax.stores(s) & bound)
        tangents = group[last + 1 :]
        if not tangents:
            return group
        call = 'np.errstate(all="ignore")'
        item = gast.withitem(syntax.expression(call, np=self.session.alias("np", np)), None)
        return [*group[: last + 1], syntax.at(gast.With([item], tangents, None), statement)]


def _raises(statement: gast.stmt, manager: str) -> bool:
    """Whether a statement makes a manager that may turn warnings of NumPy into exceptions."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=func, keywords=given)):
            if name != manager or (syntax.dotted(func) or "").split(".")[-1] != "errstate":
                return False
            values = [getattr(k.value, "value", None) for k in given]
            return not all(v in ("ignore", "warn", "print", "log") for v in values)
    return False
