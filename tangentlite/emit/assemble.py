"""One text out of several: a derivative and the pairs of the helpers that it calls.

In: a unit and the units of its helpers.
Out: the text that ``.source`` shows.
Next: travel.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from tangentlite.emit.module import Unit
from tangentlite.emit.printer import function_text
from tangentlite.ir import Function
from tangentlite.values import replace


def sources(unit: Unit, helpers: Iterable[Unit] = ()) -> str:
    """The derivative first, then its helpers in the order given, each text once.

    >>> f, g = Unit("def df(): pass\\n", "f"), Unit("def dg(): pass\\n", "g")
    >>> print(sources(f, [g, f, g]), end="")
    def df(): pass
    <BLANKLINE>
    <BLANKLINE>
    def dg(): pass
    """
    units = list({id(one): one for one in (unit, *helpers)}.values())
    texts = dict.fromkeys(_told_apart(units))
    for one in units:
        for part in one.parts:
            texts |= dict.fromkeys(lifted(part))
    return "\n\n".join(texts)


def _told_apart(units: Sequence[Unit]) -> Iterator[str]:
    """The texts; where two functions have one name, each is called what its caller calls it."""
    names = [part.name for one in units for part in one.parts]
    if len(set(names)) == len(names):
        yield from (one.source for one in units)
        return
    known = _names(units)
    for one in units:
        own = dict(zip((part.name for part in one.parts), map(id, one.functions)))
        for part in one.parts:
            told = {name: known[key] for name, key in (own | _called(part)).items() if key in known}
            words = re.compile(rf"\b(?:{'|'.join(map(re.escape, told))})\b")
            yield (
                words.sub(partial(_by_name, told), function_text(part))
                if told
                else function_text(part)
            )


def _by_name(told: dict[str, str], found: re.Match[str]) -> str:
    return told[found[0]]


def _names(units: Sequence[Unit]) -> dict[int, str]:
    """What each function is called in the whole text: as its first caller calls it, if nothing else is called that."""
    found: dict[int, str] = {}
    first = {one.source: one.functions for one in reversed(units)}  # of equal texts one is shown
    same = {id(f): id(k) for one in units for f, k in zip(one.functions, first[one.source])}
    functions = {
        same[id(f)]: part.name for one in units for f, part in zip(one.functions, one.parts)
    }
    for name, key in [
        item for one in units for part in one.parts for item in _called(part).items()
    ]:
        if key in same and same[key] not in found and name not in found.values():
            found[same[key]] = name
    for key, name in functions.items():
        taken, number = {*found.values()}, 1
        if key not in found:
            found[key] = name
            while found[key] in taken:
                found[key], number = f"{name}_{number}", number + 1
    return {key: found[shown] for key, shown in same.items()}


def _called(function: Function) -> dict[str, int]:
    """The functions that a text names, each known by what it is."""
    space = function.namespace
    bound = [name for name in sorted(space.cells) if name in function.read and space.binds(name)]
    return {name: id(space.lookup(name)) for name in bound}


def lifted(function: Function) -> Iterator[str]:
    """The texts of functions that the compiler made of nested ones, which a text calls or hands on."""
    for name in sorted(function.namespace.cells):
        found = function.namespace.lookup(name) if function.namespace.binds(name) else None
        source: Function | None = getattr(found, "__lifted__", None)
        if source is not None and name in function.read:
            yield function_text(replace(source, name=name))
