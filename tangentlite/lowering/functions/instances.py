"""Which names only ever hold what is made where they are bound: objects of one class, lists.

In: ``ir.Function``.
Out: their names.
Next: context.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.ir import Function


def instances(function: Function) -> dict[str, type]:
    """The classes of which some names only ever hold new objects: they are bound by ``x = C(…)``."""
    found: dict[str, type] = {}
    if not any(_has_made(s, function) for s in syntax.statements(function.body)):
        return found
    bound, made = Counter(param.name for param in function.params), Counter[str]()
    for node in (n for s in function.body for n in syntax.walk(s)):
        match node:
            case gast.Name(id=name, ctx=gast.Store() | gast.Del()):
                bound[name] += 1
            case gast.Assign(targets=[target], value=value):
                for name, owner in _all_made(target, value, function):
                    if found.setdefault(name, owner) is owner:
                        made[name] += 1
            case gast.Nonlocal(names=names) | gast.Global(names=names):
                bound.update(names)
    return {name: owner for name, owner in found.items() if made[name] == bound[name]}


def lists(function: Function) -> set[str]:
    """The names that only ever hold lists made where they are bound.

    >>> from tangentlite.lowering.example import function
    >>> lists(function("xs = []\\nys = []\\nys = xs"))
    {'xs'}
    """
    bound, fresh = Counter[str](), Counter[str]()
    for node in (n for s in function.body for n in syntax.walk(s)):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.List() | gast.ListComp()):
                fresh[name] += 1
            case gast.Name(id=name, ctx=gast.Store()):
                bound[name] += 1
    params = {p.name for p in function.params}
    return {name for name in fresh if fresh[name] == bound[name]} - params


def _has_made(statement: Any, function: Function) -> bool:
    """Whether a statement gives names to new objects."""
    if not isinstance(statement, gast.Assign):
        return False
    return any(_all_made(statement.targets[0], statement.value, function))


def _all_made(target: Any, value: Any, function: Function) -> Iterator[tuple[str, type]]:
    """The names that an assignment gives to new objects: ``x = C(…)``, ``x, y = C(…), D(…)``."""
    match target, value:
        case gast.Name(id=name), gast.Call(func=gast.Name(id=of)) if function.namespace.binds(of):
            known = function.namespace.lookup(of)
            if isinstance(known, type):
                yield name, known
        case gast.Tuple(elts=targets), gast.Tuple(elts=values) if len(targets) == len(values):
            for one, other in zip(targets, values):
                yield from _all_made(one, other, function)
