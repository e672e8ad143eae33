"""What a helper keeps of its arguments in lists, dicts and objects that live outside of all functions.

In: the facts of a helper, the summaries of those that it calls.
Out: for each parameter the containers that numbers flow into from it.
Next: outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis.operations import Summary, UserCall
from tangentlite.ir import Function
from tangentlite.runtime.containers.objects import opened

Kept = frozenset[tuple[str, int]]
MOST = 1000  # parts that are looked at


def kept(facts: Any, summary: Callable[[Any, tuple[Any, ...]], Summary]) -> Kept:
    """Pairs of a parameter and the identity of a container."""
    into = _into(facts, summary)
    if not into:
        return frozenset()
    params = [p.name for p in facts.normal.function.params]
    flows = {name: _reached(name, facts) for name in params}
    return frozenset(
        (name, container)
        for name, reached in flows.items()
        for source, containers in into.items()
        if source in reached
        for container in containers
    )


def _into(facts: Any, summary: Any) -> dict[str, set[int]]:
    """Names whose values go into containers outside, with these."""
    function = facts.normal.function
    found: dict[str, set[int]] = {}
    for statement, operation in facts.kinds.operations.items():
        if isinstance(operation, UserCall):
            for param, container in summary(operation.function, operation.kinds).keeps:
                value = operation.bound.get(param)
                if isinstance(value, gast.Name):
                    found.setdefault(value.id, set()).add(container)
        if statement in facts.aliases.outside and operation is not None:
            names = set(facts.writes(statement))
            held = containers(function, names) or containers(function, function.read)
            for name in operation.sources():
                found.setdefault(name, set()).update(held)
    return found


def _reached(name: str, facts: Any) -> set[str]:
    """The names that a value may flow to, in whatever order statements are carried out."""
    reached, grown = {name}, True
    while grown:
        grown = False
        for statement, operation in facts.kinds.operations.items():
            if operation is None or reached.isdisjoint(operation.sources()):
                continue
            new = (syntax.stores(statement) | set(facts.writes(statement))) - reached
            grown = grown or bool(new)
            reached |= new
    return reached


def containers(function: Function, names: Any) -> set[int]:
    """The lists, dicts and objects that free names mean, and those inside of them, by identity."""
    return {id(value) for value in values(function, names) if isinstance(value, list | dict)}


def values(function: Function, names: Any) -> list[Any]:
    """What free names mean, and what is in it."""
    own = function.local
    waiting = []
    for name in names:
        try:
            waiting += [] if name in own else [function.namespace.lookup(name)]
        except KeyError:
            continue
    return list(_parts(waiting))


def _parts(waiting: list[Any]) -> Iterator[Any]:
    seen: dict[int, Any] = {}
    while waiting and len(seen) < MOST:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen[id(part)] = part
        value = opened(part)
        yield value
        if isinstance(value, list | tuple | dict):
            waiting += value.values() if isinstance(value, dict) else value
        elif isinstance(value, type) and value.__module__ != "builtins":
            waiting += vars(value).values()
