"""What must not run twice: statements that draw random numbers, read files or ask the clock.

In: statements and facts.
Out: what is called there, as the user wrote it.
Next: differentiate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Protocol

import gast
import numpy as np

from tangentlite import rules, runtime, syntax
from tangentlite.analysis.kinds import CONTAINERS, Inert, Kind, Num
from tangentlite.analysis.operations import NoFlow, Operation, Summary, UserCall
from tangentlite.ir import Function
from tangentlite.runtime.checkpoints import checkpointed, slots_of

STEADY = ("str", "JoinedStr", "shape", "slice", "range", "limits", "key", "type")
STEADY_OWNERS = (np.ndarray, np.generic, str, int, float, complex, tuple, list, dict)
SHOWING = ("logging", "warnings")


class Known(Protocol):
    """The facts that are asked for."""

    def operation(self, statement: gast.stmt) -> Operation | None:
        """The operation of a simple statement."""

    def kind_before(self, statement: gast.stmt, name: str) -> Kind | None:
        """The kind of a name before a statement."""


Summarize = Callable[[Any, tuple[Kind, ...]], Summary]


def observes(statement: gast.stmt, facts: Known, function: Function) -> bool:
    """Whether a statement only shows something: it is left out where the others run again."""
    match statement:
        case gast.Assert():
            return True
        case gast.Expr(value=gast.Call(func=func)) if isinstance(
            facts.operation(statement), NoFlow
        ):
            callee = _meant(func, function)
            module = (getattr(callee, "__module__", None) or "").partition(".")[0]
            return any(callee is f for f in (print, checkpointed)) or module in SHOWING
    return False


def once(
    body: Sequence[gast.stmt], facts: Known, function: Function, summary: Summarize, helper: bool
) -> tuple[gast.stmt, str] | None:
    """The first statement that must not run twice, and what it calls; ``helper``: what it shows counts."""
    for statement in syntax.statements(body):
        if observes(statement, facts, function) and not helper:
            continue
        operation = facts.operation(statement)
        if isinstance(operation, UserCall):
            found = summary(operation.function, operation.kinds).once
            if found:
                return statement, found
            continue
        for call in _calls(statement):
            if not _repeats(call, statement, facts, function):
                return statement, syntax.unparse(call.func)
    return None


def _calls(statement: gast.stmt) -> list[gast.Call]:
    inner = {id(s) for block in syntax.blocks(statement) for s in block}
    heads = [c for c in syntax.children(statement) if id(c) not in inner]
    return [n for head in heads for n in syntax.walk(head) if isinstance(n, gast.Call)]


def _repeats(call: gast.Call, statement: gast.stmt, facts: Known, function: Function) -> bool:
    """Whether a call gives the same again."""
    match call.func:
        case gast.Attribute(value=gast.Name(id=name)) if name in function.local:
            kind = facts.kind_before(statement, name)
            if isinstance(kind, Inert):
                return kind.type in STEADY
            return isinstance(kind, (Num, *CONTAINERS))
    callee = _meant(call.func, function)
    return callee is not rules.UNKNOWN and _is_steady(callee)


def _meant(func: gast.expr, function: Function) -> Any:
    path = syntax.dotted(func)
    if path is None or path.partition(".")[0] in function.local:
        return rules.UNKNOWN
    try:
        return function.namespace.resolve(path)
    except (KeyError, AttributeError):
        return rules.UNKNOWN


def _is_steady(callee: Any) -> bool:
    if any(callee is f for f in (runtime.begin_with, runtime.end_with)):
        return False
    if any(callee is f for f in (checkpointed, slots_of, np.copyto)):
        return True
    if getattr(runtime, getattr(callee, "__name__", ""), None) is callee:
        return True
    if isinstance(getattr(callee, "__self__", None), STEADY_OWNERS):
        return True
    rule = rules.find(callee)
    if rule is not None and rule.algebra != "inactive":
        return True
    if isinstance(callee, type):
        return not issubclass(callee, np.random.Generator)
    module = (getattr(callee, "__module__", None) or "").partition(".")[0]
    return rules.is_pure(callee) or (module == "math" and not isinstance(callee, FunctionType))
