"""Which names may hold a list or dict that is changed through another name: their kinds change too.

In: kinds, and the names that may share memory.
Out: by statement and changed name, the other names.
Next: inference.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.inside import unknown_inside
from tangentlite.analysis.kinds import CONTAINERS, Kind, forget
from tangentlite.analysis.operations import Operation, UserCall, filled_by
from tangentlite.analysis.storage import origins
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.memory import written
from tangentlite.analysis.storage.widening import Ties, tied
from tangentlite.lowering import Normal
from tangentlite.lowering.arrays.augmented import augmented


def changes(normal: Normal, graph: Graph, inferred: Inference) -> dict[gast.stmt, tuple[str, ...]]:
    """The statements that put something into a list or dict, with the names through which they do.

    What they put there may be of the kind that the name has before, if it is one list or another.
    """
    found, added = {}, augmented(normal)
    for statement, operation in inferred.operations.items():
        point = graph.first[statement]
        before, after = inferred.before[point], inferred.after[point]
        names = tuple(
            n
            for n in dict.fromkeys([*written(operation), *_one(added.get(statement))])
            if isinstance(before.get(n), CONTAINERS)
            and (before.get(n) != after.get(n) or _puts_in(operation, before.get(n)))
        )
        if names:
            found[statement] = names
    return found


def fills(normal: Normal, graph: Graph, inferred: Inference) -> frozenset[Kind]:
    """The lists, dicts and objects of others into which a function puts something, as they are before."""
    found: set[Kind] = set()
    for statement, names in changes(normal, graph, inferred).items():
        filled = filled_by(inferred.operations[statement])
        before = inferred.before[graph.first[statement]]
        found.update([before[name] for name in names] if filled is None else filled)
    return frozenset(forget(kind) for kind in found if origins.may_be_given(kind))


def _one(name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


def _puts_in(operation: Operation, kind: Kind | None) -> bool:
    """Whether something comes into a list or dict of which it is known what it holds, or leaves it."""
    if isinstance(operation, UserCall) and not operation.filled:
        return False
    return not unknown_inside(kind)


def ties(
    graph: Graph,
    inferred: Inference,
    changed: Mapping[gast.stmt, tuple[str, ...]],
    shared: Aliases,
    known: Ties,
) -> dict[gast.stmt, dict[str, frozenset[str]]]:
    """By statement and changed name: the names that may share its memory, with those ``known`` before."""
    found = {statement: dict(names) for statement, names in known.items()}
    for statement, names in changed.items():
        point = graph.first[statement]
        before, after = inferred.before[point], inferred.after[point]
        filled = filled_by(inferred.operations[statement])
        for name in names:
            pairs = shared.pairs[point] if shared.pairs else ()
            others = frozenset(b if a == name else a for a, b in pairs if name in (a, b))
            if before[name] == after.get(name):
                wider = tied(before, {name: after[name]}, {name: others}, filled=filled)
                others = frozenset(n for n, kind in wider.items() if kind != before[n])
            if others:
                old = found.setdefault(statement, {}).get(name, frozenset())
                found[statement][name] = old | others
    return found
