"""Shapes of adjoints round a loop: which are steady, which are made exact, and where.

In: the kinds before, in and after a loop.
Out: ``Loops``, what the sweep knows of loops.
Next: reverse.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tangentlite.analysis.kinds import Num, Shape
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.points import Points
from tangentlite.differentiate.shapes import LARGER, shape_of_kind


class Loops(Points):
    """Adjoints that a loop carries."""

    def _exact_before(self, statement: gast.stmt, steady: frozenset[str]) -> Body:
        """Adjoints of steady names enter the first trip in their exact shape."""
        body: Body = []
        made = self.facts.versions.made_after(statement)
        for name in sorted(steady & set(self.adjoints.bound)):
            kind = self._kind(statement, name, after=True)
            if LARGER in self.adjoints.bound[name] and name in made:
                body += self.adjoints.exact(name, self.adjoints.shapes.read(made[name], kind), kind)
        return body

    def _before(self, statement: gast.stmt) -> frozenset[str]:
        graph, active = self.facts.graph, self.facts.activity
        head = graph.first[statement]
        entry = graph.predecessors[head][0]
        return active.edge(entry, head)

    def _steady(self, statement: gast.stmt, names: Iterable[str]) -> frozenset[str]:
        """Names whose shape is the same before, in and after the loop."""
        graph, kinds = self.facts.graph, self.facts.kinds
        head = graph.first[statement]
        entry = graph.predecessors[head][0]
        found = []
        for name in names:
            shapes = {
                shape_of_kind(kinds.after[p].get(name)) for p in (entry, *graph.predecessors[head])
            }
            if len(shapes) == 1 and isinstance(kinds.after[entry].get(name), Num):
                found.append(name)
        return frozenset(found)

    def _trip_shape(self, statement: gast.stmt, name: str, steady: frozenset[str]) -> Shape:
        graph = self.facts.graph
        end = graph.predecessors[graph.first[statement]][-1]
        shape = shape_of_kind(self.facts.kinds.after[end].get(name))
        return shape if name in steady else shape | {LARGER}

    def _outer_shape(self, statement: gast.stmt, name: str, steady: frozenset[str]) -> Shape:
        shape = shape_of_kind(self.facts.kind_before(statement, name))
        return shape if name in steady else shape | {LARGER}

    def _steadied(self, statement: gast.stmt, steady: frozenset[str]) -> Body:
        """At the end of a trip, adjoints of steady names have their exact shape again."""
        body: Body = []
        starts = self.facts.versions.starts[statement][0]
        for name in sorted(self.adjoints.bound):
            kind = self.facts.kind_before(statement, name)
            if name not in steady:
                body += self._spread(statement, name, starts)
            elif self.adjoints.bound[name] != shape_of_kind(kind):
                like = self.adjoints.shapes.carrier(starts.get(name), kind)
                like = like or self.adjoints.shapes.read(starts[name], kind)
                body += self.adjoints.exact(name, like, kind)
        return body
