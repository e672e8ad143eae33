"""Attempts as they are printed, and the marks of the normal form.

In: an attempt with its blocks; a statement.
Out: a ``try``; which mark the statement is.
Next: differentiate.
"""

from __future__ import annotations

import contextlib
import io
import threading
import warnings
from typing import Any

import gast
import numpy as np

from tangentlite import syntax
from tangentlite.lowering.context import Context, remade

Body = list[gast.stmt]
PASSING = (
    np.errstate, open, io.StringIO, io.BytesIO, warnings.catch_warnings,
    contextlib.nullcontext, contextlib.closing,
    contextlib.redirect_stdout, contextlib.redirect_stderr,
    type(threading.Lock()), type(threading.RLock()), threading.Lock, threading.RLock,
    threading.Condition, threading.Semaphore,
)  # fmt: skip
MARKS = ("begin_with", "end_with", "error_caught")  # names that no method of the user has


def attempted(attempt: Any, blocks: list[Body], flag: str | None = None) -> Body:
    """``try: body; except errors: orelse``; ``flag`` tells whether the body was done."""
    name, (body, orelse) = None, blocks
    for statement in orelse:
        if called(statement) == "error_caught":
            name = syntax.copy(statement.targets[0])
            orelse = [s for s in orelse if s is not statement]
    handler = gast.ExceptHandler(attempt.errors, name, orelse or [gast.Pass()])
    start, done = syntax.quote("t = False\nt = True", t=flag) if flag else (None, None)
    whole = [*body, done] if done else body or [gast.Pass()]
    guard = syntax.at(gast.Try(whole, [syntax.at(handler, attempt)], [], []), attempt)
    return [syntax.at(start, attempt), guard] if start else [guard]


def written(body: Body) -> Body:
    """The statements with attempts as a person writes them."""

    def step(statement: gast.stmt) -> Body:
        if isinstance(statement, syntax.Attempt):
            return attempted(statement, [statement.body, statement.orelse])
        return [statement]

    return syntax.rewrite(body, step)


def called(statement: gast.stmt) -> str | None:
    """``begin_with``, ``end_with`` or ``error_caught``, if the statement is such a mark."""
    match statement:
        case (
            gast.Assign(value=gast.Call(func=gast.Attribute(attr=attr)))
            | gast.Expr(value=gast.Call(func=gast.Attribute(attr=attr)))
        ):
            return attr if attr in MARKS else None
    return None


def folded(body: Body, context: Context) -> Body:
    """What stands between ``begin_with`` and ``end_with``, as one; ``plain`` if the manager ignores exceptions."""
    result: Body = []
    waiting: list[tuple[gast.stmt, Body]] = []
    for statement in body:
        mark = called(statement)
        if mark == "begin_with":
            waiting.append((statement, result))
            result = []
        elif mark == "end_with":
            enter, before = waiting.pop()
            new = syntax.at(gast.With([enter, statement], result, None), enter)
            new.plain = bool(before) and _is_plain(before[-1], context)
            context.sources[new] = context.sources[enter]
            result = [*before, new]
        else:
            parts = {
                n: folded(b, context) for n in syntax.BLOCKS if (b := getattr(statement, n, None))
            }
            if parts:
                new = remade(statement, **parts)
                context.sources[new] = context.sources[statement]
                statement = new
            result.append(statement)
    return result


def is_generated(context: Context) -> bool:
    """Whether this is the text of a derivative."""
    return context.function.generated


def _is_plain(statement: Any, context: Context) -> bool:
    if is_generated(context):
        return True
    match statement:
        case gast.Assign(value=gast.Call(func=func)):
            return context.meaning(func) in PASSING
        case gast.Assign(value=value):
            return type(context.meaning(value)) in PASSING
    return False


def unfolded(body: Body) -> Body:
    """The marks again; what ``folded`` has made is changed in place."""
    result: Body = []
    for statement in body:
        for name in syntax.BLOCKS:
            if block := getattr(statement, name, None):
                setattr(statement, name, unfolded(block))
        if isinstance(statement, gast.With):
            enter, leave = statement.items
            result += [enter, *statement.body, leave]
        else:
            result.append(statement)
    return result
