"""Generators that write into what is read between their elements: all of these may not be computed first.

In: what is walked over, and what happens meanwhile.
Out: the names that a generator writes into, and something else reads.
Next: generators.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.lowering.context import Context
from tangentlite.lowering.flow import early

Calls = list[tuple[Any, FunctionType]]
Known = frozenset[FunctionType]


def seen(calls: Calls, meanwhile: list[Any], own: set[str], context: Context) -> set[str]:
    """The names of what the generators that are called write into, and what happens meanwhile, or another, reads.

    ``own``: the names of what is yielded, of which the generators' own writes are looked at elsewhere.
    """
    found: set[str] = set()
    for call, function in calls:
        given = _written(call, function)
        if given:
            others = [c for c, _ in calls if c is not call]
            read = (syntax.loads(meanwhile) - own) | syntax.loads(others)
            found |= {n for n in given if not early.near(n, context).isdisjoint(read)}
    return found


def _written(call: Any, function: FunctionType) -> set[str]:
    """What is given to a generator that writes into its parameters, and what it writes of its surroundings."""
    source = frontend.read(function, fenced=False)
    stored = _stored(source, frozenset((function,)))
    given = syntax.loads([*call.args, *call.keywords])
    params = {p.name for p in source.params}
    return (given if stored & params else set()) | (stored & scopes.free(source.tree))


def _stored(source: Any, known: Known) -> set[str]:
    """The names of what a function may write into, itself or by helpers that are not among those it is called by."""
    found: set[str] = set()
    for node in scopes.inside(source.body):
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                found |= syntax.loads(node.value)
            case gast.AugAssign(target=gast.Name(id=name)):
                found.add(name)
            case gast.Call(func=func):
                found |= _by_call(node, func, source, known)
    return found


def _by_call(node: Any, func: Any, source: Any, known: Known) -> set[str]:
    """What a call may write into."""
    outs = syntax.loads([k.value for k in node.keywords if k.arg == "out"])
    meaning = _meaning(func, source)
    if meaning is None and isinstance(func, gast.Attribute):
        return outs if func.attr in early.LOOKING else outs | syntax.loads(func.value)
    if not isinstance(meaning, FunctionType) or _is_library(meaning) or meaning in known:
        return outs
    if _stored(frontend.read(meaning, fenced=False), known | {meaning}):
        return outs | syntax.loads([*node.args, *node.keywords])
    return outs


def _is_library(function: FunctionType) -> bool:
    return function.__module__.partition(".")[0] in ("numpy", "scipy", "math", "tangentlite")


def _meaning(func: Any, source: Any) -> Any:
    path = syntax.dotted(func)
    try:
        return source.namespace.resolve(path) if path else None
    except (KeyError, AttributeError):
        return None
