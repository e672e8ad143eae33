"""How deep inside a list, dict or object there is memory from outside of the function.

In: an operation, and the names and levels with which its source may share memory.
Out: those with which its target may.
Next: aliases.

A name that is paired with the first level may be memory from outside itself; one that is paired with the second holds
such memory, and may be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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

LEVELS = ("<outside>", "<inside 1>", "<inside 2>", "<inside 3>")
OUTSIDE, INSIDE = LEVELS[:2]
WALKS = ("sequence", "some")  # give what they are given


def handed_on(operation: Operation, others: Iterable[str]) -> Iterator[str]:
    """What the target of a statement gets of what its source is paired with."""
    for name in others:
        level = LEVELS.index(name) if name in LEVELS else 0
        if name not in LEVELS or _is_whole(operation):
            yield name
        elif isinstance(operation, Display):
            yield _deeper(name)
        elif not isinstance(operation, Slot | Pop):
            yield from LEVELS[: level + 1]
        else:
            yield LEVELS[max(level - 1, 0)]
            yield from LEVELS[3:] if level == 3 else ()


def put_in(others: Iterable[str]) -> Iterator[str]:
    """What a list, or one that holds it, gets when something is put into it."""
    for name in others:
        yield from LEVELS[1:] if name in LEVELS else (name,)


def reached(operation: Operation) -> tuple[str, ...]:
    """The levels that a write reaches: a function, or ``+=`` of an array, writes into what something holds."""
    match operation:
        case Store() | Mutate() | Accumulate(number=True):
            return LEVELS[:1]
    return LEVELS


def _is_whole(operation: Operation) -> bool:
    match operation:
        case Copy():
            return True
        case Primitive(rule=rule):
            return rule.name in WALKS
    return False


def _deeper(name: str) -> str:
    return LEVELS[min(LEVELS.index(name) + 1, 3)]
