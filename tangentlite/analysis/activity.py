"""Which names carry a derivative: they depend on an input and reach the output.

In: a graph, operations, kinds, the inputs and the result.
Out: ``Activity``: the active names at every edge of the graph, as sets or bit masks.
Next: versions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import gast

from tangentlite.analysis import dataflow
from tangentlite.analysis import stacks as stacks_
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.kinds import Nothing, floating
from tangentlite.analysis.operations import Accumulate, Operation, Pop, Push, target


class Sets:
    """Bit masks as sets of names. Neighbors differ in few names: each set is made from the one before."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names, self._mask = names, 0
        self._set: frozenset[str] = frozenset()

    def __call__(self, mask: int) -> frozenset[str]:
        """The names whose bits are set."""
        found, changed = [], mask ^ self._mask
        while changed:
            low = changed & -changed
            found.append(self._names[low.bit_length() - 1])
            changed ^= low
        if found:
            self._mask, self._set = mask, self._set.symmetric_difference(found)
        return self._set


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """``varied_after[p]``: names that depend on an input after point p.

    ``useful_before[p]``: names that reach the output.
    """

    names: tuple[str, ...]
    index: dict[str, int]
    varied_before: list[int]
    varied_after: list[int]
    useful_before: list[int]
    useful_after: list[int]
    homes: dict[str, gast.stmt]
    sets: Sets

    def before(self, point: int) -> frozenset[str]:
        """Active just before the point."""
        return self.sets(self.varied_before[point] & self.useful_before[point])

    def after(self, point: int) -> frozenset[str]:
        """Active just after the point."""
        return self.sets(self.varied_after[point] & self.useful_after[point])

    def edge(self, a: int, b: int) -> frozenset[str]:
        """Active between two neighboring points."""
        return self.sets(self.varied_after[a] & self.useful_before[b])


def study(
    graph: Graph,
    inference: Inference,
    body: list[gast.stmt],
    inputs: Iterable[str],
    outputs: Iterable[str],
) -> Activity:
    """Two solves over bit masks, one along and one against the flow."""
    operations = inference.operations
    names = tuple(dict.fromkeys([*inputs, *outputs, *_names(graph, operations)]))
    index = {name: bit for bit, name in enumerate(names)}
    effects = _effects(graph, operations, index)
    inert = [_inert(s, p, inference) for p, s in enumerate(graph.statements)]

    def varied(point: int, state: int) -> int:
        bit, sources, updates = effects[point]
        if not bit:
            return state
        if state & sources and not inert[point]:
            return state | bit
        return state if updates else state & ~bit

    def useful(point: int, state: int) -> int:
        state |= kept.get(point, 0)
        bit, sources, updates = effects[point]
        if not state & bit:
            return state
        return state | sources if updates else state & ~bit | sources

    start = sum(1 << index[n] for n in dict.fromkeys(inputs))
    stacks = _stacks(operations)
    homes = {n: last for n, last in stacks_.homes(body, stacks).items() if n not in outputs}
    end = sum(1 << index[n] for n in {*outputs, *(stacks - set(homes))})
    kept = _kept(graph, homes, index)
    varied_before, varied_after = dataflow.forward(graph, start, varied, _union)
    useful_before, useful_after = dataflow.backward(graph, end, useful, _union)
    for point, mask in kept.items():
        useful_after[point] |= mask
    bits = varied_before, varied_after, useful_before, useful_after
    return Activity(names, index, *bits, homes, Sets(names))


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
        name = target(statement)
        if name is not None:
            yield name
        yield from operation.sources()
    for statement in graph.bindings:
        yield statement.target.id


def _stacks(operations: dict[gast.stmt, Operation]) -> set[str]:
    """A stack keeps its shadow to the end of its block, so that both always have the same height."""
    return {op.stack for op in operations.values() if isinstance(op, (Push, Pop))}


def _effects(
    graph: Graph, operations: dict[gast.stmt, Operation], index: dict[str, int]
) -> list[tuple[int, int, bool]]:
    effects = [_effect(s, operations, index) for s in graph.statements]
    for statement, point in graph.bindings.items():
        effects[point] = 1 << index[statement.target.id], 0, False
    return effects


def _effect(
    statement: gast.stmt | None, operations: dict[gast.stmt, Operation], index: dict[str, int]
) -> tuple[int, int, bool]:
    if isinstance(statement, gast.For):
        return 0, 0, False
    operation = operations.get(statement)
    name = target(statement) if statement is not None else None
    if operation is None or name is None:
        return 0, 0, False
    sources = 0
    for source in operation.sources():
        sources |= 1 << index[source]
    return 1 << index[name], sources, isinstance(operation, (Accumulate, Push))


def _inert(statement: gast.stmt | None, point: int, inference: Inference) -> bool:
    name = target(statement) if statement is not None else None
    if name is None:
        return False
    kind = inference.after[point].get(name)
    return kind is not None and (isinstance(kind, Nothing) or not floating(kind))
