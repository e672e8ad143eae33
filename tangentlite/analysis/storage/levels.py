"""How deep inside a list, dict or object there is memory from outside of the function.

In: an operation, and the names and levels with which its source may share memory.
Out: those with which its target may.
Next: aliases.

A name that is paired with the first level may be memory from outside itself; one that is paired with the second holds
such memory, and may be written. Lists and dicts from outside that hold no arrays have levels of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangentlite import ir, syntax
from tangentlite.analysis.classes.members import PLAIN
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Mutate,
    Operation,
    Pop,
    Primitive,
    Slot,
    Store,
)

ARRAYS = ("<outside>", "<inside 1>", "<inside 2>", "<inside 3>")
LISTS = ("<lists outside>", "<lists inside 1>", "<lists inside 2>", "<lists inside 3>")
LEVELS = {name: (ladder, k) for ladder in (ARRAYS, LISTS) for k, name in enumerate(ladder)}
WALKS = ("sequence", "some")  # give what they are given


def outer(statement: gast.stmt, namespace: ir.Namespace) -> str:
    """The level of what a statement reads from outside."""
    path = syntax.dotted(getattr(statement, "value", statement))
    try:
        return LISTS[0] if path and _holds_numbers(namespace.resolve(path)) else ARRAYS[0]
    except (KeyError, AttributeError):
        return ARRAYS[0]


def _holds_numbers(value: Any) -> bool:
    if type(value) is dict:
        return all(map(_holds_numbers, value.values()))
    if type(value) in (list, tuple):
        return all(map(_holds_numbers, value))
    return type(value) in PLAIN


def handed_on(operation: Operation, others: Iterable[str]) -> Iterator[str]:
    """What the target of a statement gets of what its source is paired with."""
    for name in others:
        ladder, level = LEVELS.get(name, ((), 0))
        if not ladder or _is_whole(operation):
            yield name
        elif isinstance(operation, Display):
            yield inside(name)
        elif isinstance(operation, Copy):
            yield ladder[max(level, 1)]
        elif not isinstance(operation, Slot | Pop):
            yield from ladder[: level + 1]
        else:
            yield ladder[max(level - 1, 0)]
            yield from ladder[3:] if level == 3 else ()


def put_in(others: Iterable[str]) -> Iterator[str]:
    """What a list, or one that holds it, gets when something is put into it."""
    for name in others:
        yield from LEVELS[name][0][1:] if name in LEVELS else (name,)


def reached(operation: Operation, kind: Kind | None) -> Iterator[str]:
    """The levels that a write reaches: a function, or ``+=`` of an array, writes into what something holds."""
    shallow = isinstance(operation, Store | Mutate | Accumulate)
    if isinstance(operation, Accumulate) and operation.holds and not operation.number:
        shallow = False
    yield from ARRAYS[:1] if shallow else ARRAYS
    if not isinstance(kind, Num):
        yield from LISTS[:1] if shallow else LISTS


def inside(name: str) -> str:
    """The level of what holds a thing of one level."""
    ladder, level = LEVELS[name]
    return ladder[min(level + 1, 3)]


def _is_whole(operation: Operation) -> bool:
    match operation:
        case Copy(fresh=fresh):
            return not fresh
        case Primitive(rule=rule):
            return rule.name in WALKS
    return False
