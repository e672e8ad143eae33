"""Which names may hold the same memory where it is written.

In: a graph, operations, kinds, and which statements the user wrote as ``s op= e``.
Out: ``Aliases``.
Next: activity.

A name that is the only one alive for the memory it writes is a value that changes: its adjoint is a plain array
of the backward sweep. Where another living name sees the write both are *shadowed*: their adjoints are made in the
forward sweep and aliased as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import combinations, product

import gast

from tangentlite import ir, syntax
from tangentlite.analysis import dataflow
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.inference import Inference
from tangentlite.analysis.joining import may_be_tuple, stays
from tangentlite.analysis.kinds import CONTAINERS, Dict, Kind, Tuple, is_persistent
from tangentlite.analysis.living import living, rebound
from tangentlite.analysis.operations import Copy, Display, Operation, UserCall, target
from tangentlite.analysis.storage.levels import (
    ARRAYS,
    LEVELS,
    handed_on,
    inside,
    outer,
    put_in,
    reached,
)
from tangentlite.analysis.storage.memory import (
    held,
    memory,
    restructured,
    shared,
    with_memory,
    written,
)
from tangentlite.analysis.storage.overseas import viewed
from tangentlite.analysis.storage.pairs import Pairs, other_of, pair, partners, union, with_sources
from tangentlite.values import field, mutable

CALLER = "@"


@mutable
class Aliases:
    """``written``: names through which arrays are written. ``shadowed``: those with living aliases, and where
    they come from. ``undecided``: statements that end ``s op= e`` where s has other names, and is a "list", a "row"
    that may be a tuple, or "unknown", or may be an array from "outside". ``tangled``: for each shadowed name a write
    that another sees. ``outside``: statements that may write into what lives outside the function. ``effects``:
    parameters whose arrays are written, ``handed``: those whose memory the result may share, ``gathers``: those whose
    adjoints the caller gives, ``holds``: pairs of parameters, of which the first may hold memory of the second at last.
    """

    written: frozenset[str] = frozenset()
    shadowed: frozenset[str] = frozenset()
    undecided: dict[gast.stmt, str] = field(default_factory=dict)
    tangled: dict[str, gast.stmt] = field(default_factory=dict)
    outside: set[gast.stmt] = field(default_factory=set)
    effects: set[str] = field(default_factory=set)
    gathers: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    holds: frozenset[tuple[str, str]] = frozenset()
    parents: dict[str, str] = field(default_factory=dict)
    hot: frozenset[str] | None = None
    may_write: bool = False
    lives: Callable[[], list[frozenset[str]]] = list
    pairs: list[Pairs] = field(default_factory=list)

    @cached_property
    def live(self) -> list[frozenset[str]]:
        """The names that are read after each point, found when somebody asks."""
        return self.lives()

    def is_written(self, name: str) -> bool:
        """Whether memory that a name may hold is written in place somewhere."""
        if self.hot is None:
            self.hot = frozenset(map(self.family, self.written))
        return bool(self.hot) and self.family(name) in self.hot

    def overlap(self, point: int, a: str, b: str) -> bool:
        """Whether two names may share memory just before a point."""
        return a == b or pair(a, b) in self.pairs[point]

    def holders(self, point: int, name: str) -> set[str]:
        """The names that may share memory with a name just before a point."""
        return partners(self.pairs[point], name) | {name}

    def taken(self, point: int, operation: Operation, kinds: Mapping[str, Kind]) -> set[str]:
        """Living names that may be what a call takes out of a list or dict and gives: it is not in there any more."""
        if not isinstance(operation, UserCall) or not self.pairs:
            return set()
        given = {p: v.id for p, v in operation.bound.items() if isinstance(v, gast.Name)}
        changed = {given[p] for p in operation.shares & operation.writes if p in given}
        changed = {n for n in changed if isinstance(kinds.get(n), CONTAINERS)}
        others = self.live[point] - {given[p] for p in operation.shares if p in given}
        return {n for c in changed for n in self.holders(point, c) & others}

    def family(self, name: str) -> str:
        """The class of a name: names of different classes never share memory."""
        parents, top = self.parents, name
        while (above := parents.get(top, top)) != top:
            top = above
        while name != top:  # the next one who asks has a shorter way
            parents[name], name = top, parents[name]
        return top


def study(
    graph: Graph,
    inference: Inference,
    sources: Mapping[gast.stmt, gast.stmt],
    function: ir.Function,
    helper: bool,
    stacks: frozenset[str],
    overlapping: tuple[str, ...],
) -> Aliases:
    """Follow the pairs of names that may share memory through the function.

    The caller of a ``helper`` sees what becomes of the arguments; those of ``overlapping`` may share memory.
    """
    return _Study(graph, inference, sources, function, helper, stacks, overlapping).run()


class _Study:
    def __init__(
        self,
        graph: Graph,
        inference: Inference,
        sources: Mapping[gast.stmt, gast.stmt],
        function: ir.Function,
        helper: bool,
        stacks: frozenset[str],
        overlapping: tuple[str, ...],
    ) -> None:
        self.overlapping, self.stacks = overlapping, stacks
        self.graph, self.inference = graph, inference
        bound = function.bound
        value = getattr(function.body[-1], "value", None)
        self.result = value.id if isinstance(value, gast.Name) else ""
        self.params = [p.name for p in function.params]
        self.local = bound | set(self.params)
        self.scope = function.namespace, self.local
        self.callers = {CALLER + p: p for p in self.params}
        self.rebound = bound & set(self.params)
        self.helper = helper
        operations = inference.operations
        self.writes = {s: tuple(written(o)) for s, o in operations.items()}
        self.augmented = {
            s: name
            for s in operations
            if (name := rebound(s, sources)) is not None and self._memory_before(s, name)
        }
        self.containers = {
            s
            for s, name in self.augmented.items()
            if stays(inference.before[graph.first[s]], inference.after[graph.first[s]], name)
        }
        self.fills = {s: tuple(self._fills(s, o)) for s, o in operations.items()}
        self.edges = {s: (*self._edges(s, o), *self.fills[s]) for s, o in operations.items()}
        end = frozenset(self.params) - self.rebound if helper else frozenset()
        self.found = Aliases(lives=partial(living, graph, end, self.augmented))

    def run(self) -> Aliases:
        found = self.found
        found.may_write = bool(self.augmented)
        found.written = frozenset(n for names in self.writes.values() for n in names)
        for edges in self.edges.values():
            for name, others in edges:
                for other in others:
                    found.parents[found.family(other)] = found.family(name)
        for statement, operation in self.inference.operations.items():
            if bound := target(statement, operation):
                kinds = self.inference.before[self.graph.first[statement]]
                for other in viewed(statement, shared(operation, statement), *self.scope, kinds):
                    found.parents[found.family(other)] = found.family(bound)
        for statement, name in self.augmented.items():
            if statement not in self.containers:  # s may become what was computed
                for other in syntax.loads(statement):
                    found.parents[found.family(other)] = found.family(name)
        if not any(self.writes.values()) and not self.augmented and not self.helper:
            return found
        start = frozenset(
            pair(p, alias)
            for alias, p in self.callers.items()
            if memory(self.inference.before[0].get(p))
        ) | frozenset(pair(*two) for two in combinations(self.overlapping, 2))
        before, after = dataflow.forward(self.graph, start, self._transfer, union)
        found.pairs = before
        for name in self.overlapping:
            found.tangled[name] = self.graph.statements[1] or gast.Pass()
            for other in self.overlapping:
                found.parents[found.family(other)] = found.family(name)
        for statement in self.inference.operations:
            self._tangle(statement, before[self.graph.first[statement]])
        if self.helper:
            found.gathers = {p for p in self.params if self._gathers(p)}
        found.handed = {p for a, p in self.callers.items() if pair(self.result, a) in after[-1]}
        found.holds = frozenset(self._holds(after[-1]))
        tangled = [n for n in found.tangled if n in self.local]
        found.shadowed = with_sources(tangled, self.edges.values())
        return found

    def _edges(
        self, statement: gast.stmt, operation: Operation
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Names with those whose memory they may share after a statement."""
        point = self.graph.first[statement]
        before, after = self.inference.before[point], self.inference.after[point]
        name = target(statement, operation)
        if name is not None and syntax.binds(statement, name) and memory(after.get(name)):
            if statement not in self.augmented or statement in self.containers:
                names = with_memory(shared(operation, statement), statement, *self.scope)
                level = outer(statement, self.scope[0])
                if isinstance(operation, Display) or getattr(operation, "fresh", False):
                    level = inside(level)
                yield name, self._memories(names, name, before, level)

    def _fills(
        self, statement: gast.stmt, operation: Operation
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Lists and dicts with those whose memory a statement puts into them."""
        before = self.inference.before[self.graph.first[statement]]
        if isinstance(operation, UserCall):
            for p, q in sorted(operation.holds):
                one, other = operation.bound.get(p), operation.bound.get(q)
                if isinstance(one, gast.Name) and isinstance(other, gast.Name):
                    yield one.id, self._memories([other.id], one.id, before)
        container, values = held(operation)
        if container:
            names = with_memory(values, statement, *self.scope)
            level = inside(outer(statement, self.scope[0]))
            yield container, self._memories(names, container, before, level)

    def _memories(
        self, names: Iterable[str], name: str, before: Mapping[str, Kind], level: str = ARRAYS[1]
    ) -> tuple[str, ...]:
        others = dict.fromkeys(n for n in sorted(names) if n != name)
        return tuple(
            n if n in self.local else level
            for n in others
            if n not in self.local or memory(before.get(n))
        )

    def _memory_before(self, statement: gast.stmt, name: str) -> bool:
        kind = self.inference.before[self.graph.first[statement]].get(name)
        immutable = isinstance(kind, Tuple) and kind.type == "tuple"
        return memory(kind) and not immutable and not isinstance(kind, Dict)

    def _transfer(self, point: int, pairs: Pairs) -> Pairs:
        statement = self.graph.statements[point]
        if isinstance(statement, gast.For):
            name = statement.target.id
            if self.graph.bindings.get(statement) == point:
                pairs = frozenset(p for p in pairs if name not in p)
            return pairs
        operation = self.inference.operations.get(statement) if statement is not None else None
        if statement is None or operation is None:
            return pairs
        name = target(statement, operation)
        if isinstance(operation, Copy) and operation.source == name:
            return pairs
        binds = name and syntax.binds(statement, name) and statement not in self.augmented
        kept = {p for p in pairs if p[0] != name != p[1]} if binds else set(pairs)
        for name, sources in self.edges[statement]:
            for source in sources:
                kept.add(pair(name, source))
                others = partners(pairs, source) - {name}
                kept |= {pair(name, n) for n in handed_on(operation, others)}
        # What is the same list, or holds it, holds that, too.
        for name, sources in self.fills[statement]:
            others = {n for n in partners(kept, name) if self._holds_others(n, point)}
            new = set(put_in(set(sources).union(*(partners(kept, s) for s in sources))))
            kept |= {pair(a, b) for a in others for b in new if a != b}
        live = self.found.live[point] | {*LEVELS, self.result, *self.callers}
        return frozenset([p for p in kept if p[0] in live and p[1] in live])

    def _holds_others(self, name: str, point: int) -> bool:
        """Whether a name is that of a list or a dict."""
        if name in self.callers:
            return isinstance(self.inference.before[0].get(self.callers[name]), CONTAINERS)
        return isinstance(self.inference.before[point].get(name), CONTAINERS)

    def _tangle(self, statement: gast.stmt, pairs: Pairs) -> None:
        """A write that another living name sees ties both."""
        operation = self.inference.operations[statement]
        names = list(self.writes[statement])
        live = self.found.live[self.graph.first[statement]]
        if isinstance(operation, UserCall):
            bound = [v.id for v in operation.bound.values() if isinstance(v, gast.Name)]
            live = live.union(bound)
            if not operation.writes <= operation.bound.keys():  # a default is written
                self.found.outside.add(statement)
            for name in names:
                if bound.count(name) > 1:
                    self.found.tangled.setdefault(name, statement)
        names += [self.augmented[statement]] if statement in self.augmented else []
        changed = restructured(operation)
        if changed is not None and changed not in self.stacks:
            self.found.tangled.setdefault(changed, statement)
        if any(n not in self.local for n in names):
            self.found.outside.add(statement)
        kinds = self.inference.before[self.graph.first[statement]]
        for name in names:
            levels = set(reached(operation, kinds.get(name)))
            if any(pair(name, n) in pairs for n in levels):
                if statement in self.augmented and statement not in self.containers:
                    self.found.undecided[statement] = "outside"
                else:
                    self.found.outside.add(statement)
            for two in pairs:
                other = other_of(two, name)
                if other in self.callers:
                    self.found.effects.add(self.callers[other])
                if other is not None and (
                    other in live or other in levels or self._seen(name, other)
                ):
                    self.found.tangled.setdefault(name, statement)
                    self.found.tangled.setdefault(other, statement)
                    if statement in self.augmented:
                        row = "row" if may_be_tuple(kinds.get(name)) else "list"
                        what = row if statement in self.containers else "unknown"
                        self.found.undecided.setdefault(statement, what)

    def _holds(self, pairs: Pairs) -> Iterator[tuple[str, str]]:
        """Lists and dicts among the parameters, with the other parameters of which they may hold memory at the end."""
        first = self.inference.before[0]
        containers = [p for p in self.params if isinstance(first.get(p), CONTAINERS)]
        for p, q in product(containers, self.params):
            both = pair(CALLER + p, CALLER + q), pair(p, CALLER + q), pair(CALLER + p, q)
            if p != q and not pairs.isdisjoint(both):
                yield p, q

    def _gathers(self, param: str) -> bool:
        """Whether a parameter's adjoint is gathered in the caller's, so that a call makes no zeros for it."""
        return param not in self.rebound and is_persistent(self.inference.before[0].get(param))

    def _seen(self, name: str, alias: str) -> bool:
        """Whether the caller sees a write that no name of this function will show at its end."""
        return self.helper and self.callers.get(alias) in self.rebound
