"""Loops that run again: one over ``tl.checkpoint_loop(range(n), slots=k)`` is one over ``range(n)`` with a mark.

In: a function.
Out: the function with plain loops; the first statement of such a loop is ``checkpointed(slots)``.
Next: read.
"""

from __future__ import annotations

from types import CellType
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.ir import Function, Namespace
from tangentlite.naming import Names
from tangentlite.runtime.checkpoints import checkpoint_loop, checkpointed, slots_of
from tangentlite.values import replace

ONLY = "`tl.checkpoint_loop` outside the head of a `for` is not supported"
HEAD = "Write `for t in tl.checkpoint_loop(range(n), slots=k):` and the body below it."
CALL = "`tl.checkpoint_loop` takes what is walked over, and `slots`"


def resolved(function: Function) -> Function:
    """A loop over ``tl.checkpoint_loop`` is a plain one whose first statement says how many states are kept.

    >>> from tangentlite.ir import Origin
    >>> text = "def f(x, k):\\n    for t in checkpoint_loop(range(9), slots=k):\\n        x = g(x)\\n    return x"
    >>> space = Namespace({"checkpoint_loop": checkpoint_loop})
    >>> made = resolved(Function(gast.parse(text).body[0], "f", (), space, Origin("f.py", 1, ())))
    >>> print(syntax.unparse(made.tree))
    def f(x, k):
        slots = slots_of(k)
        for t in range(9):
            checkpointed(slots)
            x = g(x)
        return x
    """
    if not _is_mentioned(function):
        return function
    taken = set(function.contents.names) | {p.name for p in function.params}
    names = Names(taken | set(function.namespace.cells) | function.namespace.globals.keys())
    cells = {names.fresh(f.__name__): CellType(f) for f in (slots_of, checkpointed)}

    def step(statement: Any) -> list[Any]:
        call: Any = getattr(statement, "iter", None)
        if not isinstance(statement, gast.For) or not _is_loop(call, function):
            return [statement]
        return _marked(statement, _parts(call, function), names, list(cells))

    made = function.with_body(syntax.rewrite(function.body, step))
    for node in (n for s in made.body for n in syntax.walk(s)):
        if isinstance(node, gast.Name | gast.Attribute) and _means(node, function):
            raise UnsupportedSyntaxError(ONLY, function.origin.place(node), HEAD)
    return replace(made, namespace=function.namespace.extended(cells))


def _marked(
    statement: gast.For, parts: tuple[gast.expr, gast.expr], names: Names, callees: list[str]
) -> list[gast.stmt]:
    """The loop with its mark, and before it what counts the slots."""
    (trips, slots), (asked, mark) = parts, callees
    before, count = [], slots
    if not (isinstance(slots, gast.Constant) and type(slots.value) is int and slots.value > 0):
        count = syntax.name(names.fresh("slots"))
        before = [syntax.assign(count, syntax.expression("f(k)", f=asked, k=slots))]
    first = syntax.quote("f(k)", f=mark, k=count)
    for node in (n for s in (*before, *first) for n in syntax.walk(s)):
        syntax.at(node, statement.iter)
    fields = (statement.target, trips, [*first, *statement.body], statement.orelse, None)
    return [*before, syntax.at(gast.For(*fields), statement)]


def slots(statement: gast.stmt, namespace: Namespace) -> gast.expr | None:
    """How many states a loop keeps; None of any other loop."""
    for inner in statement.body if isinstance(statement, gast.For | gast.While) else []:
        if is_mark(inner, namespace):
            found: gast.expr = inner.value.args[0]
            return found
    return None


def is_mark(statement: gast.stmt, namespace: Namespace) -> bool:
    """Whether a statement is the mark in such a loop."""
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name() as func)):
            return _found(func, namespace) is checkpointed
    return False


def _parts(call: gast.Call, function: Function) -> tuple[gast.expr, gast.expr]:
    given = dict(zip(("trips", "slots"), call.args)) | {k.arg: k.value for k in call.keywords}
    starred = any(isinstance(a, gast.Starred) for a in call.args)
    if starred or len(call.args) > 2 or given.keys() != {"trips", "slots"}:
        raise UnsupportedSyntaxError(CALL, function.origin.place(call), HEAD)
    return given["trips"], given["slots"]


def _is_loop(call: Any, function: Function) -> bool:
    return isinstance(call, gast.Call) and _means(call.func, function)


def _means(node: Any, function: Function) -> bool:
    path = syntax.dotted(node)
    if path is None or path.partition(".")[0] in function.local:
        return False
    return _found(node, function.namespace) is checkpoint_loop


def _found(node: Any, namespace: Namespace) -> Any:
    path = syntax.dotted(node)
    try:
        return namespace.resolve(path) if path is not None else None
    except (KeyError, AttributeError):
        return None


def _is_mentioned(function: Function) -> bool:
    if checkpoint_loop.__name__ in function.contents.attributes:
        return True
    names = (n for n in function.contents.loads if function.namespace.binds(n))
    return any(function.namespace.lookup(n) is checkpoint_loop for n in names)
