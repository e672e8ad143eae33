"""Kinds of all names at all points, and the operation of every statement.

In: a normal form and the kinds of the parameters.
Out: ``Inference``: environments before and after every point, operations, the kind of the result.
Next: activity.
"""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

import gast

from tangentlite import ir
from tangentlite.analysis import dataflow
from tangentlite.analysis.calling.functions import Changes
from tangentlite.analysis.calling.rewrites import Rewrites
from tangentlite.analysis.cfg import Graph
from tangentlite.analysis.classes.expander import Expander
from tangentlite.analysis.classify import Classifier
from tangentlite.analysis.environment import Environment, merged
from tangentlite.analysis.inside import depth
from tangentlite.analysis.joining import ENDLESS, join
from tangentlite.analysis.kinds import (
    CONTAINERS,
    Dict,
    Kind,
    List,
    Nothing,
    Num,
    Shape,
    Tuple,
    Unknown,
)
from tangentlite.analysis.lists import nesting
from tangentlite.analysis.operations import Copy, NoFlow, Operation, Primitive, Summary, filled_by
from tangentlite.analysis.outcomes import certain, leaves, outcome
from tangentlite.analysis.shapes.amounts import Amount, Amounts
from tangentlite.analysis.shapes.broadcasting import OVER
from tangentlite.analysis.storage.widening import Ties, tied
from tangentlite.rules import UNKNOWN
from tangentlite.values import field, immutable, replace

Summarize = Callable[[Any, tuple[Kind, ...]], Summary]


MOST = 40  # kinds that a name has where paths meet, one after the other


@immutable(eq=False)
class Inference:
    """``before[p]`` and ``after[p]``: the kinds at point p; ``operations``: one per simple statement."""

    before: list[Environment]
    after: list[Environment]
    operations: dict[gast.stmt, Operation]
    result: Kind
    rewrites: Rewrites
    amounts: Amounts = field(default_factory=Amounts)


def infer(
    function: ir.Function,
    graph: Graph,
    kinds: tuple[Kind, ...],
    summary: Summarize,
    stacks: frozenset[str],
    ties: Ties,
    augmented: Mapping[gast.stmt, str],
    fitted: Mapping[gast.stmt, str],
    rewrites: Rewrites,
    expander: Expander | None = None,
) -> Inference:
    """Kinds, run until stable; ``augmented``: ends of ``s op= e``; ``fitted``: what arrays take in for it."""
    classifier = Classifier(function, graph, summary, stacks, rewrites, expander)
    meanings, meetings = _Meanings(classifier, fitted), _Meetings(function.name, graph)

    def transfer(point: int, state: Environment) -> Environment:
        statement = graph.statements[point]
        if (head := meetings.exits.get(point)) is not None:
            return _leave(graph, point, head, state, meetings.entries.get(head, Environment()))
        if statement is None or _only_leads_on(statement, graph, point):
            return state
        if isinstance(statement, gast.For):
            return state.bind(statement.target.id, classifier.item(statement.iter, state, point))
        operation, changes = meanings.of(statement, state, point)
        if _is_array(state.get(augmented.get(statement, ""))):
            return state
        others, filled = ties.get(statement, {}), filled_by(operation)
        return state.binding(tied(state, changes, others, stacks, filled) | changes)

    start = _start(function, kinds)
    before, after = dataflow.forward(graph, start, transfer, meetings.merged, _tests(graph))
    result = _result(function, classifier, after[-1])
    return Inference(before, after, meanings.operations, result, rewrites, classifier.amounts)


def _tests(graph: Graph) -> dict[int, Callable[[Environment], frozenset[int]]]:
    """For each test, the branch that is not taken, as far as is known: whether a name is None, which text it is."""
    return {
        point: functools.partial(
            _not_taken, statement.test, graph.first[statement.body[0]], graph.successors[point]
        )
        for statement, point in graph.first.items()
        if isinstance(statement, gast.If) and not leaves(statement)
    }


def _not_taken(
    test: gast.expr, body: int, behind: Sequence[int], state: Environment
) -> frozenset[int]:
    taken = outcome(test, functools.partial(certain, state, frozenset()))
    if taken is None or len(behind) == 1:
        return dataflow.NOWHERE
    return frozenset(behind) - {body} if taken else frozenset((body,))


class _Meanings:
    """What statements mean. Numbers that meet as they met in the trip of a loop before give what they gave then."""

    def __init__(self, classifier: Classifier, fitted: Mapping[gast.stmt, str]) -> None:
        self._classifier, self._loops = classifier, bool(classifier.graph.ends)
        self._fitted = fitted
        self.operations: dict[gast.stmt, Operation] = {}  # as they were told last
        self._names: dict[gast.stmt, list[str]] = {}
        self._before: dict[gast.stmt, tuple[list[Kind | None], Changes]] = {}

    def of(self, statement: gast.stmt, state: Environment, point: int) -> Changes:
        """The operation of a statement, and the kinds that it changes."""
        plain = self._classifier.meaning
        found = (self._remembered if self._loops else plain)(statement, state, point)
        self.operations[statement] = found[0]
        if statement in self._fitted:
            array = state.get(self._fitted[statement])
            return found[0], {name: _fitting(kind, array) for name, kind in found[1].items()}
        return found

    def _remembered(self, statement: gast.stmt, state: Environment, point: int) -> Changes:
        names = self._names.get(statement)
        if names is None:
            names = self._names[statement] = sorted(self._classifier.graph.reads(statement))
        kinds = list(map(state.get, names))
        known = self._before.get(statement)
        if known is not None and known[0] == kinds:
            return known[1]
        found = self._classifier.meaning(statement, state, point)
        plain = isinstance(found[0], Primitive | Copy) and isinstance(statement, gast.Assign)
        if plain and self._classifier.stands(statement):
            self._before[statement] = kinds, found
        return found


class _Meetings:
    """Where paths meet; what holds itself without end, or never settles, stays unknown there."""

    def __init__(self, function: str, graph: Graph) -> None:
        self.function = function
        self.exits = {last: head for head, last in graph.ends.items()}
        self.entries: dict[int, Environment] = {}  # what held before a loop
        self._endless: dict[tuple[int, str], Kind] = {}
        self._last: dict[tuple[int, str], tuple[Kind, int]] = {}
        self._graph = graph

    def merged(self, point: int, arriving: list[tuple[int, Environment]]) -> Environment:
        """What holds where paths meet; shapes that a trip of a loop has named end with it."""
        states, graph = [state for _, state in arriving], self._graph
        if point in graph.ends:
            old = self.entries[point] = states[0]
            back = (graph.born_inside(p, point) for p, _ in arriving)
            states = [_expire(graph, point, s, old) if b else s for s, b in zip(states, back)]
        return merged(states, functools.partial(self.joined, point))

    def joined(self, point: int, name: str, known: Kind, kind: Kind) -> Kind:
        """What holds of a name on both paths."""
        place = point, name
        found = self._endless.get(place) or join(known, kind, place)
        last, changes = self._last.get(place, (found, 0))
        if last is not found and last != found:
            found, changes = nesting.folded(last, found, (self.function, *place)), changes + 1
            if depth(found) > depth(last) > 1:
                found = nesting.tied(last, found, (self.function, *place)) or found
        self._last[place] = found, changes
        if changes > MOST:
            found = Unknown(ENDLESS)
        if isinstance(found, Unknown) and found.why == ENDLESS:
            self._endless[place] = found
        return found


def _only_leads_on(statement: gast.stmt, graph: Graph, point: int) -> bool:
    """Whether nothing is bound or done at a point."""
    walks = isinstance(statement, gast.For) and graph.bindings.get(statement) != point
    return walks or isinstance(statement, (gast.If, gast.While))


def _is_array(kind: Kind | None) -> bool:
    return isinstance(kind, Num) and kind.array


def _fitting(kind: Kind, array: Any) -> Kind:
    """The kind of what an array takes in as a whole: it has its shape (what has more axes is refused before)."""
    if not (isinstance(kind, Num) and _is_array(array)) or array.shape is None:
        return kind
    return replace(kind, shape=array.shape, ndim=array.ndim if kind.ndim is None else kind.ndim)


def _start(function: ir.Function, kinds: tuple[Kind, ...]) -> Environment:
    """The kinds of the parameters: an unknown shape gets the parameter's name as its symbol."""
    start = Environment()
    for param, kind in zip(function.params, kinds):
        start = start.bind(param.name, named(kind, param.name))
    return start


def named(kind: Kind, symbol: Hashable) -> Kind:
    """The kind with a symbol in place of an unknown shape."""
    if isinstance(kind, Num) and kind.shape is None:
        return replace(kind, shape=frozenset({symbol}))
    return kind


def _result(function: ir.Function, classifier: Classifier, environment: Environment) -> Kind:
    match function.body[-1]:
        case gast.Return(value=gast.Name(id=name)) if name in classifier.locals:
            return environment.get(name, Unknown("it is not bound on every path"))
        case gast.Return(value=gast.expr() as value):
            return classifier.kind(value, environment)
    return Nothing()


def _expire(graph: Graph, head: int, state: Environment, entry: Environment) -> Environment:
    """A shape named in this trip says nothing in the next one; ``entry`` held before the loop."""

    def forgotten(name: str, kind: Kind) -> Kind:
        if _born_inside(kind, graph, head):
            return replace(kind, shape=frozenset({(head, name)}), literal=UNKNOWN)
        return kind

    return state.mapped(forgotten, entry)


def _leave(
    graph: Graph, point: int, head: int, state: Environment, entry: Environment
) -> Environment:
    """A shape named in the loop's last trip gets another name after the loop."""

    def renamed(name: str, kind: Kind) -> Kind:
        return (
            replace(kind, shape=frozenset({(point, name)}))
            if _born_inside(kind, graph, head)
            else kind
        )

    return state.mapped(renamed, entry)


def _born_inside(kind: Kind, graph: Graph, head: int) -> TypeGuard[Num]:
    if not isinstance(kind, Num) or not kind.shape:
        return False
    births = _births(kind.shape)
    first = bisect_left(births, head)
    return first < len(births) and graph.born_inside(births[first], head)


@functools.lru_cache(maxsize=1024)
def _births(shape: Shape) -> list[int]:
    """The points at which the symbols of a shape were born, in order; shapes of long sums have many."""
    return sorted(_points(shape))


def _points(shape: Iterable[Hashable]) -> Iterator[int]:
    """The points at which the symbols of a shape were born."""
    for symbol in shape:
        if isinstance(symbol, tuple) and symbol[0] in ("part", OVER):
            yield from _points(symbol[1])
            if symbol[0] == "part":
                yield from _bounds(symbol[2])
            continue
        point = symbol[0] if isinstance(symbol, tuple) else symbol
        if isinstance(point, int):
            yield point


def _bounds(parts: Iterable[Hashable]) -> Iterator[int]:
    """The points at which the bounds of slices were bound."""
    for part in parts:
        for bound in part if isinstance(part, tuple) else ():
            if isinstance(bound, Amount):
                yield from (point for (point, _), _ in bound.terms)


__all__ = [
    "CONTAINERS",
    "Dict",
    "Environment",
    "Inference",
    "List",
    "NoFlow",
    "Tuple",
    "infer",
    "named",
]
