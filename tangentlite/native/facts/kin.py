"""Which names a statement makes share memory: of a helper it is known which arguments its results come from.

In: an assignment, what is known of its value.
Out: groups of names.
Next: ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tangentlite import runtime
from tangentlite.native.facts.known import Known, is_one_of
from tangentlite.native.facts.names import bound, loads, statements, stores

OF_FIRST = (runtime.buffer, runtime.summed)  # what they give is their first argument, or new
Kin = tuple[tuple[int, ...], ...]


def tied(
    target: ast.expr, value: ast.expr, known: Known, meaning: Callable[[ast.expr], Any]
) -> list[list[str]]:
    """The names that share memory once a value that is not new is bound.

    >>> statement = ast.parse("b, c = helper(x, y)").body[0]
    >>> known = Known(parts=(Known(), Known()), kin=((0,), (1,), (1,), (2,)))
    >>> tied(statement.targets[0], statement.value, known, lambda node: None)
    [['x'], ['y', 'b'], ['c']]
    """
    whole = [*stores([target]), *loads(value)]
    if not isinstance(value, ast.Call) or not whole:
        return [whole]
    if is_one_of(meaning(value.func), OF_FIRST) and value.args:
        return [[*stores([target]), *loads(value.args[0])]]
    results = len(known.kin) - len(value.args)
    if not known.kin or results != (1 if known.parts is None else len(known.parts)):
        return [whole]
    targets = [target] * results
    if isinstance(target, ast.Tuple) and len(target.elts) == results:
        targets = target.elts
    named = [list(loads(a)) for a in value.args] + [list(stores([t])) for t in targets]
    groups: dict[int, list[str]] = {}
    for names, numbers in zip(named, known.kin):
        for number in numbers:
            groups.setdefault(number, []).extend(names)
    return list(groups.values())


def _given_back(body: list[ast.stmt]) -> list[ast.expr] | None:
    """The parts of what a function gives back at its end; None if it gives nothing, or something elsewhere, too."""
    last = body[-1] if body else None
    if not isinstance(last, ast.Return) or last.value is None:
        return None
    if sum(isinstance(n, ast.Return) for s in body for n in ast.walk(s)) > 1:
        return None
    return last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]


def kin(names: Any, params: list[str], body: list[ast.stmt]) -> Kin:
    """For each parameter, then for each part of what is given back, numbers: one for each family that is in it."""
    parts = _given_back(body)
    if parts is None:
        return ()
    numbers: dict[str, int] = {}
    found: list[tuple[int, ...]] = [
        (numbers.setdefault(names.family(p), len(numbers)),) for p in params
    ]
    for part in parts:
        held = [] if names.is_fresh(part) else [n for n in loads(part) if names.ranks.get(n) != 0]
        held = held or [f"nothing else {len(found)}"]
        met = dict.fromkeys(numbers.setdefault(names.family(n), len(numbers)) for n in held)
        found.append(tuple(met))
    return tuple(found)


def same(
    names: Any, params: list[str], body: list[ast.stmt], meaning: Callable[[ast.expr], Any]
) -> tuple[int, ...]:
    """For each part of what is given back the number of the parameter that it is, which is an array; -1 for others."""
    parts = _given_back(body)
    if parts is None:
        return ()
    anew = {n for s in statements(body) if not _is_itself(s, meaning) for n in bound(s)}
    held = [getattr(part, "id", "") for part in parts]
    found = [
        params.index(n) if n in params and n not in anew and names.ranks.get(n, -1) > 0 else -1
        for n in held
    ]
    return tuple(found) if max(found, default=-1) >= 0 else ()


def _is_itself(statement: ast.stmt, meaning: Callable[[ast.expr], Any]) -> bool:
    """Whether an array is bound to its name: ``ba = rt.buffer(ba, a)``."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=value)):
            return name == value
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=func, args=[ast.Name(id=value), *_])
        ):
            return name == value and is_one_of(meaning(func), OF_FIRST)
    return False
