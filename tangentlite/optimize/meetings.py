"""Meetings: whether the trips of a loop come to places of their own in the arrays that it writes.

In: a loop.
Out: the names of the arrays, or ``Apart`` where trips may meet.
Next: together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from tangentlite import syntax
from tangentlite.optimize.vectors import Apart

if TYPE_CHECKING:
    from tangentlite.optimize.together import Loop

Body = list[gast.stmt]
REMARKS = (syntax.Comment, syntax.Blank, gast.Pass)


def written(loop: Loop) -> set[str]:
    """The arrays that a loop writes, each trip at its own places, unless it only adds there."""
    found: set[str] = set()
    body = [s for s in loop.body if not isinstance(s, REMARKS)]
    for statement in body:
        facts = loop.uses.scope.facts(statement)
        if facts.effect or facts.seen or syntax.blocks(statement):
            raise Apart
        found |= facts.writes
    for name in found:
        _look(loop, name, body)
    return found


def _look(loop: Loop, name: str, body: Body) -> None:
    """Raise ``Apart`` unless the places in one array can be told apart."""
    uses = loop.uses
    others = uses.buffers.sharing(name) - {name}
    local = {n for n in others if uses.is_temporary(n, loop.loop.body)}
    touched = {*syntax.loads(body), *syntax.stores(body)}
    plain = uses.scope.adjoint(name) and uses.buffers.is_buffer(name)
    if not plain or not touched.isdisjoint(others - local):
        raise Apart
    places = [p for s in body for p in _parts_of(s, name)]
    if len(places) != sum(n.id == name for n in syntax.names(body)):
        raise Apart
    if all(adds for _, adds in places):
        return
    found = [loop.place(part) for part, _ in places]
    own = {(axis, plus) for _, _, axis, plus in found if axis is not None}
    if len(own) != 1:
        raise Apart
    ((axis, plus),) = own
    for (_, entries, along, _), (_, adds) in zip(found, places):
        if along is None and not (adds and plus == 0 and _is_before(entries[axis], loop)):
            raise Apart


def _is_before(entry: gast.expr, loop: Loop) -> bool:
    """Whether a slice ends where the loop begins to count."""
    if not isinstance(entry, gast.Slice) or entry.upper is None:
        return False
    return syntax.same(entry.upper, loop.span.low)


def _parts_of(statement: gast.stmt, name: str) -> list[tuple[gast.Subscript, bool]]:
    """The parts of an array that a statement comes to, and whether it only adds there."""
    found = []
    for node in syntax.walk(statement):
        match node:
            case gast.Subscript(value=gast.Name(id=base)) if base == name:
                target = getattr(statement, "target", None) is node
                found.append((node, target and isinstance(statement.op, gast.Add | gast.Sub)))
    return found
