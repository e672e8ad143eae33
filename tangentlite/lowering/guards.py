"""Attempts as they are printed, and the marks of the normal form.

In: an attempt with its blocks; a statement.
Out: a ``try``; which mark the statement is.
Next: differentiate.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax

Body = list[gast.stmt]
MARKS = ("enter", "leave", "exception")


def attempted(attempt: Any, blocks: list[Body], flag: str | None = None) -> Body:
    """``try: body; except errors: orelse``; ``flag`` tells whether the body was done."""
    name, (body, orelse) = None, blocks
    for statement in orelse:
        if called(statement) == "exception":
            name = syntax.copy(statement.targets[0])
            orelse = [s for s in orelse if s is not statement]
    handler = gast.ExceptHandler(attempt.errors, name, orelse or [gast.Pass()])
    start, done = syntax.quote("t = False\nt = True", t=flag) if flag else (None, None)
    whole = [*body, done] if done else body or [gast.Pass()]
    guard = syntax.at(gast.Try(whole, [syntax.at(handler, attempt)], [], []), attempt)
    return [syntax.at(start, attempt), guard] if start else [guard]


def called(statement: gast.stmt) -> str | None:
    """``enter``, ``leave`` or ``exception``, if the statement is such a mark."""
    match statement:
        case (
            gast.Assign(value=gast.Call(func=gast.Attribute(attr=attr)))
            | gast.Expr(value=gast.Call(func=gast.Attribute(attr=attr)))
        ):
            return attr if attr in MARKS else None
    return None
