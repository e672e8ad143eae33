"""The control-flow graph of a normal form.

In: a block of normal statements.
Out: ``Graph``: numbered points, in program order, with their neighbors.
Next: dataflow.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.values import field, mutable


@mutable
class Graph:
    """Points 0, 1, 2 … in program order; ``statements[p]`` is what happens at point p, if anything.

    A simple statement has one point. ``if``: the test, then a join after the branches. ``while``: the test is the
    loop's head, the join comes after the loop. ``for``: the head (where the iterable is asked for its next item), the
    binding of the target, the body, the join. ``first`` and ``last`` are a statement's outermost points; ``around``
    has, for the points in loops, what the outermost one binds: a trip may read what the one before has bound.
    """

    statements: list[gast.stmt | None] = field(default_factory=list)
    successors: list[list[int]] = field(default_factory=list)
    predecessors: list[list[int]] = field(default_factory=list)
    first: dict[gast.stmt, int] = field(default_factory=dict)
    last: dict[gast.stmt, int] = field(default_factory=dict)
    bindings: dict[gast.stmt, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    around: dict[int, frozenset[str]] = field(default_factory=dict)
    _reads: dict[gast.stmt, frozenset[str]] = field(default_factory=dict)

    def reads(self, statement: gast.stmt) -> frozenset[str]:
        """The names that a statement reads, looked for once: every analysis asks."""
        found = self._reads.get(statement)
        if found is None:
            found = self._reads[statement] = frozenset(syntax.loads(statement))
        return found

    def add(self, statement: gast.stmt | None, *before: int) -> int:
        """A new point after the points ``before``."""
        point = len(self.statements)
        self.statements.append(statement)
        self.successors.append([])
        self.predecessors.append([])
        for other in before:
            self.link(other, point)
        return point

    def link(self, a: int, b: int) -> None:
        """An edge from a to b."""
        self.successors[a].append(b)
        self.predecessors[b].append(a)

    def born_inside(self, point: int, head: int) -> bool:
        """Whether ``point`` belongs to the loop with this head."""
        return head <= point < self.ends[head]

    def is_join(self, point: int) -> bool:
        """Whether several paths meet at ``point``."""
        return len(self.predecessors[point]) > 1


def build(body: list[gast.stmt]) -> Graph:
    """The graph of a function body; point 0 is the entry, the last point the exit."""
    graph = Graph()
    end = _block(graph, body, graph.add(None))
    graph.add(None, end)
    last = -1
    for head in sorted(graph.ends):
        loop = graph.statements[head]
        if head > last and loop is not None:
            last, names = graph.ends[head], frozenset(syntax.stores(loop))
            graph.around |= dict.fromkeys(range(head, last), names)
    return graph


def _block(graph: Graph, body: list[gast.stmt], point: int) -> int:
    for statement in body:
        point = _statement(graph, statement, point)
    return point


def _statement(graph: Graph, statement: gast.stmt, before: int) -> int:
    first = graph.first[statement] = graph.add(statement, before)
    match statement:
        case gast.If(body=body, orelse=orelse) if syntax.raises(statement):
            _block(graph, orelse, first)
            last = graph.add(None, _block(graph, body, first))
        case gast.If(body=body, orelse=orelse):
            last = graph.add(None, _block(graph, body, first), _block(graph, orelse, first))
        case gast.For(body=body):
            bind = graph.bindings[statement] = graph.add(statement, first)
            graph.link(_block(graph, body, bind), first)
            last = graph.add(None, first)
            graph.ends[first] = last
        case gast.While(body=body):
            graph.link(_block(graph, body, first), first)
            last = graph.add(None, first)
            graph.ends[first] = last
        case _:
            last = first
    graph.last[statement] = last
    return last
