"""Functions of one name in one text, as a helper has that is written for several kinds: each is called otherwise.

In: a unit and the units of its helpers.
Out: their texts.
Next: assemble.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tangentlite.emit.module import Unit
from tangentlite.emit.printer import function_text
from tangentlite.ir import Function


def told_apart(units: Sequence[Unit]) -> Iterator[str]:
    """The texts; where two functions have one name, each is called what its caller calls it."""
    names = [part.name for one in units for part in one.parts]
    if len(set(names)) == len(names):
        yield from (one.source for one in units)
        return
    known = _names(units, _same(units))
    for one in units:
        own = {part.name: id(function) for part, function in zip(one.parts, one.functions)}
        yield "\n\n".join(_renamed(part, own | _called(part), known) for part in one.parts)


def _renamed(part: Function, called: Mapping[str, int], known: Mapping[int, str]) -> str:
    told = {name: known[key] for name, key in called.items() if key in known}
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, told))})\b") if told else None
    text = function_text(part)
    return words.sub(lambda found: told[found[0]], text) if words else text


def _names(units: Sequence[Unit], same: Mapping[int, int]) -> dict[int, str]:
    """What each function is called in the whole text: as its first caller calls it, if nothing else is called that."""
    own = {same[id(f)]: part.name for one in units for f, part in zip(one.functions, one.parts)}
    found: dict[int, str] = {}
    for name, key in [i for one in units for part in one.parts for i in _called(part).items()]:
        if key in same and same[key] not in found and name not in found.values():
            found[same[key]] = name
    for key, name in own.items():
        taken, number = {*found.values()}, 1
        if key not in found:
            found[key] = name
            while found[key] in taken:
                found[key], number = f"{name}_{number}", number + 1
    return {key: found[shown] for key, shown in same.items()}


def _same(units: Sequence[Unit]) -> dict[int, int]:
    """For each function the one that is shown: the first of the same text, which calls the same functions."""
    same = {id(f): id(f) for one in units for f in one.functions}
    while True:
        first: dict[tuple[str, tuple[int, ...]], list[int]] = {}
        found: dict[int, int] = {}
        for one in units:
            own = list(map(id, one.functions))
            others = [k for part in one.parts for k in _called(part).values() if k not in own]
            called = tuple(same.get(k, k) for k in others)
            found |= zip(own, first.setdefault((one.source, called), own))
        if found == same:
            return same
        same = found


def _called(function: Function) -> dict[str, int]:
    """The functions that a text names, each known by what it is."""
    space = function.namespace
    bound = [name for name in sorted(space.cells) if name in function.read and space.binds(name)]
    return {name: id(space.lookup(name)) for name in bound}
