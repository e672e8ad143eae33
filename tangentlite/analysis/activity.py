"""Which names carry a derivative: they depend on an input and reach the output.

In: a graph, operations, kinds, the inputs and the result.
Out: ``Activity``: the active names at every edge of the graph, as sets or bit masks.
Next: versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import gast

from tangentlite import syntax
from tangentlite.analysis import dataflow
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import CONTAINERS, Kind, Nothing, floating
from tangentlite.analysis.lists import stacks as stacks_
from tangentlite.analysis.operations import (
    Accumulate,
    Inserted,
    Operation,
    Pop,
    Push,
    inserts,
    target,
)
from tangentlite.analysis.storage.aliases import Aliases
from tangentlite.analysis.storage.memory import written
from tangentlite.values import immutable


class Sets:
    """Bit masks as sets of names. Neighbors differ in few names: each set is made from the one before."""

    def __init__(self, names: tuple[str, ...], hidden: int = 0) -> None:
        self._names, self._mask, self._shown = names, 0, ~hidden
        self._set: frozenset[str] = frozenset()

    def shown(self, mask: int) -> int:
        """The bits without those of names that are hidden."""
        return mask & self._shown

    def __call__(self, mask: int) -> frozenset[str]:
        """The names whose bits are set."""
        mask = self.shown(mask)
        found, changed = [], mask ^ self._mask
        while changed:
            low = changed & -changed
            found.append(self._names[low.bit_length() - 1])
            changed ^= low
        if found:
            self._mask, self._set = mask, self._set.symmetric_difference(found)
        return self._set


@immutable(eq=False)
class Activity:
    """``varied_after[p]``: names that depend on an input after point p.

    ``useful_before[p]``: names that reach the output. ``shadowed``: names that are active everywhere, with
    adjoints that live in the forward sweep; the other names appear in the sets.
    """

    names: tuple[str, ...]
    index: dict[str, int]
    varied_before: list[int]
    varied_after: list[int]
    useful_before: list[int]
    useful_after: list[int]
    homes: dict[str, gast.stmt]
    sets: Sets
    shadowed: frozenset[str]
    moving: frozenset[str]

    def before(self, point: int) -> frozenset[str]:
        """Active just before the point."""
        return self.sets(self.varied_before[point] & self.useful_before[point])

    def after(self, point: int) -> frozenset[str]:
        """Active just after the point."""
        return self.sets(self.varied_after[point] & self.useful_after[point])

    def varied(self, names: Iterable[str], point: int) -> set[str]:
        """Those of some names that depend on an input just before the point."""
        mask = self.sets.shown(self.varied_before[point])
        places = {name: self.index.get(name) for name in names}
        varied = {n for n, bit in places.items() if bit is not None and mask >> bit & 1}
        return varied | (places.keys() & self.moving)

    def edge(self, a: int, b: int) -> frozenset[str]:
        """Active between two neighboring points."""
        return self.sets(self.varied_after[a] & self.useful_before[b])


def study(
    graph: Graph,
    inference: Inference,
    body: list[gast.stmt],
    inputs: Iterable[str],
    outputs: Iterable[str],
    aliases: Aliases,
    still: frozenset[gast.stmt] = frozenset(),
) -> Activity:
    """Two solves over bit masks, one along and one against the flow; nothing flows through what is ``still``."""
    operations = inference.operations
    names = dict.fromkeys([*inputs, *outputs, *_names(graph, operations), *aliases.shadowed])
    index = {name: bit for bit, name in enumerate(names)}
    effects = _effects(graph, inference, index)
    for statement in still:
        effects[graph.first[statement]] = Effect(_mask(syntax.stores(statement), index))
    start = _mask(inputs, index)
    stacks = _stacks(operations, outputs)
    homes = {n: last for n, last in stacks_.homes(body, stacks).items() if n not in outputs}
    end = _mask({*outputs, *(stacks - set(homes))}, index)
    kept = _kept(graph, homes, index)
    groups = _groups(aliases, index)

    def varied(point: int, state: int) -> int:
        return effects[point].varied(state)

    def useful(point: int, state: int) -> int:
        return effects[point].useful(state | kept.get(point, 0))

    varied_before, varied_after, moving = _solve(dataflow.forward, graph, start, varied, groups)
    useful_before, useful_after, wanted = _solve(dataflow.backward, graph, end, useful, groups)
    for point, mask in kept.items():
        useful_after[point] |= mask
    bits = varied_before, varied_after, useful_before, useful_after
    sets = Sets(tuple(names), sum(groups))
    shadowed = Sets(tuple(names))(moving & wanted)
    return Activity(tuple(names), index, *bits, homes, sets, shadowed, Sets(tuple(names))(moving))


Solver = Callable[..., tuple[list[int], list[int]]]


def _solve(
    solver: Solver,
    graph: Graph,
    start: int,
    transfer: Callable[[int, int], int],
    groups: list[int],
) -> tuple[list[int], list[int], int]:
    """States before and after; a shadowed name holds everywhere what one of its group holds anywhere."""
    held = 0
    while True:
        step = partial(_held, transfer, held) if held else transfer
        before, after = solver(graph, start | held, step, _union)
        anywhere = start
        for state in (*before, *after):
            anywhere |= state
        found = sum(group for group in groups if anywhere & group)
        if found == held:
            return before, after, held
        held = found


def _held(transfer: Callable[[int, int], int], held: int, point: int, state: int) -> int:
    return transfer(point, state) | held


def _groups(aliases: Aliases, index: dict[str, int]) -> list[int]:
    """The bits of shadowed names, those that may share memory together."""
    groups: dict[str, int] = {}
    for name in aliases.shadowed:
        family = aliases.family(name)
        groups[family] = groups.get(family, 0) | 1 << index[name]
    return list(groups.values())


def _mask(names: Iterable[str], index: dict[str, int]) -> int:
    mask = 0
    for name in names:
        mask |= 1 << index[name]
    return mask


def _union(point: int, arriving: list[tuple[int, int]]) -> int:
    mask = 0
    for _, state in arriving:
        mask |= state
    return mask


def _kept(graph: Graph, homes: dict[str, gast.stmt], index: dict[str, int]) -> dict[int, int]:
    """Where the shadows of stacks are born: they are useful from there backward."""
    kept: dict[int, int] = {}
    for name, last in homes.items():
        kept[graph.last[last]] = kept.get(graph.last[last], 0) | 1 << index[name]
    return kept


def _names(graph: Graph, operations: dict[gast.stmt, Operation]) -> Iterable[str]:
    for statement, operation in operations.items():
        name = target(statement, operation)
        if name is not None:
            yield name
        yield from operation.sources()
        yield from written(operation)
    for statement in graph.bindings:
        yield statement.target.id


def _stacks(operations: dict[gast.stmt, Operation], outputs: Iterable[str]) -> set[str]:
    """A stack keeps its shadow to the end of its block, so that both always have the same height.

    One from which nothing is ever taken has no shadow.
    """
    stacks = {op.stack for op in operations.values() if isinstance(op, (Push, Pop))}
    taken = {
        name
        for op in operations.values()
        for name in op.sources()
        if not (isinstance(op, Push) and name == op.stack)
    }
    return stacks & (taken | set(outputs))


@immutable
class Effect:
    """What a point binds, what it changes in part, and what flows into both; ``born`` and
    ``asked`` are active in any case, after it and before it.
    """

    binds: int = 0
    updates: int = 0
    sources: int = 0
    inert: bool = False
    born: int = 0
    asked: int = 0

    def varied(self, state: int) -> int:
        """Along the flow."""
        if state & self.sources:
            return (state if not self.inert else state & ~self.binds) | (
                self.updates | self.born | (0 if self.inert else self.binds)
            )
        return state & ~self.binds | self.born

    def useful(self, state: int) -> int:
        """Against the flow."""
        if not state & (self.binds | self.updates):
            return state | self.asked
        return state & ~self.binds | self.sources | self.asked


def _effects(graph: Graph, inference: Inference, index: dict[str, int]) -> list[Effect]:
    effects = [_effect(s, p, inference, index) for p, s in enumerate(graph.statements)]
    for statement, point in graph.bindings.items():
        effects[point] = Effect(1 << index[statement.target.id])
    return effects


def _effect(
    statement: gast.stmt | None, point: int, inference: Inference, index: dict[str, int]
) -> Effect:
    operation = inference.operations.get(statement) if statement is not None else None
    if operation is None or isinstance(statement, gast.For):
        return Effect()
    assert statement is not None
    if isinstance(operation, Inserted):
        named = _mask(operation.names, index)
        return Effect(born=named, asked=named)
    name = target(statement, operation)
    bound = {name} if name is not None and syntax.binds(statement, name) else set()
    before, after = inference.before[point], inference.after[point]
    changed = {n for n in written(operation) if n in index and _takes(before.get(n))}
    if isinstance(operation, Push):
        changed.add(operation.stack)
    if isinstance(operation, Accumulate):
        changed.add(operation.buffer)
    if not bound and not changed and not inserts(operation):
        return Effect()
    inert = any(_inert(after.get(n)) for n in bound)
    flow = _mask(bound, index), _mask(changed, index), _mask(operation.sources(), index)
    if not inserts(operation):
        return Effect(*flow, inert)
    numbers = _mask((n for n in operation.sources() if _takes(before.get(n))), index)
    return Effect(*flow, inert, 0 if inert else flow[0], numbers)


def _takes(kind: Kind | None) -> bool:
    """Whether a derivative stays in what is stored: not in integers, but in any list or dict."""
    return isinstance(kind, CONTAINERS) or not _inert(kind)


def _inert(kind: Kind | None) -> bool:
    return kind is not None and (isinstance(kind, Nothing) or not floating(kind))
