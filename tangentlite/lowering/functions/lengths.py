"""Calls ``f(*xs)`` of what has defaults: one call for each number of arguments that it takes.

In: a call of the user with one ``*`` argument, the last.
Out: a choice between calls without stars, by the length of what is starred.
Next: stars, consumers.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import gast

from tangentlite import rules
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.iteration import lazy
from tangentlite.runtime.containers.objects import LIBRARIES

MOST = 8
TEST = "n = len(t)\nif not {} <= n <= {}:\n    raise TypeError({!r})"
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def by_length(node: gast.Call, context: Context) -> gast.expr:
    """The call, or the choice where arguments may be left away.

    >>> from tangentlite.lowering.example import lowered
    >>> def g(a, b=2.0): ...
    >>> print(lowered("return g(*x)", "x", g=g))
    t1 = rt.sequence(x)
    t2 = len(t1)
    if not 1 <= t2 <= 2:
        raise TypeError('g() takes from 1 to 2 arguments there')
    if t2 == 1:
        t3 = t1[0]
        y = g(t3)
    else:
        t4 = t1[0]
        t5 = t1[1]
        y = g(t4, t5)
    return y
    """
    *first, last = node.args or [None]
    if not isinstance(last, gast.Starred) or any(isinstance(a, gast.Starred) for a in first):
        return node
    if isinstance(last.value, gast.Tuple | gast.List):
        return node
    counts = _counts(context.meaning(node.func), len(first), {k.arg for k in node.keywords})
    return _chosen(node, first, last.value, counts, context) if 1 < len(counts) <= MOST else node


def _counts(callee: Any, first: int, named: set[str | None]) -> range:
    """How many arguments may follow the first ones; nothing where that is not known."""
    if not _is_own(callee) or rules.find(callee) is not None or None in named:
        return range(0)
    try:
        params = inspect.signature(callee, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):
        return range(0)
    if any(p.kind in VARIADIC for p in params):
        return range(0)
    places = [p for p in params if p.kind is not p.KEYWORD_ONLY and p.name not in named]
    least = sum(p.default is p.empty for p in places)
    return range(max(0, least - first), len(places) - first + 1)


def _is_own(callee: Any) -> bool:
    if isinstance(callee, type):
        return callee.__module__.partition(".")[0] not in LIBRARIES
    return isinstance(callee, FunctionType)


def _chosen(
    node: gast.Call, first: list[gast.expr], rest: gast.expr, counts: range, context: Context
) -> gast.expr:
    before = [context.named(a) for a in first]
    for statements, _ in before:
        context.run(statements)
    given = [name for _, name in before]
    data = context.quote("rt.sequence(v)", rest, rt=context.rt(), v=lazy.listed(rest, context))
    statements, items = context.named(data[0].value)
    context.run(statements)
    holes = {n: context.builtin(n, node) for n in ("len", "TypeError")}
    holes |= {"t": items, "n": context.temporary()}
    callee = getattr(context.meaning(node.func), "__name__", "the function")
    wrong = f"{callee}() takes from {counts[0]} to {counts[-1]} arguments there"
    context.run(context.quote(TEST.format(counts[0], counts[-1], wrong), node, **holes))
    calls = [
        remade(
            node,
            args=[*given, *(context.quote(f"t[{k}]", rest, t=items)[0].value for k in range(c))],
        )
        for c in counts
    ]
    result: gast.expr = calls.pop()
    for count, call in zip(reversed(counts[:-1]), reversed(calls)):
        text = f"call if n == {count} else other"
        (choice,) = context.quote(text, node, n=holes["n"], call=call, other=result)
        result = choice.value
    return result


__all__ = ["by_length"]
