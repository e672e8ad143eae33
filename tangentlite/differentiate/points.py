"""Between two points of the backward sweep: what appears is bound to ZERO, what disappears is forgotten.

In: the sets of active names at neighboring points.
Out: ``Points``, the ground of the sweep.
Next: loops.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite.analysis.kinds import Kind, Num
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shadows.buffers import buffers, rooms
from tangentlite.differentiate.shapes import shape_of_kind


class Points:
    """The adjoints of a sweep, and the steps between points."""

    def __init__(self, session: Session) -> None:
        self.session, self.facts = session, session.facts
        self.adjoints = Adjoints(session, buffers(session))
        self.adjoints.rooms = rooms(session)
        self.adjoints.unsure = self._unsure() & self.adjoints.buffers

    def _unsure(self) -> frozenset[str]:
        """Names that are active where they need not have a value: their adjoints begin as ZERO there."""
        graph, versions, active = self.facts.graph, self.facts.versions, self.facts.activity
        return frozenset(
            name
            for statement, starts in versions.starts.items()
            for name in active.before(graph.first[statement])
            if name not in starts[0]
        )

    def _read(self, statement: gast.stmt, version: Version) -> gast.Name:
        return self.adjoints.shapes.read(version, self.facts.kind_before(statement, version.name))

    def _keep(self, names: frozenset[str]) -> None:
        self.adjoints.bound = {n: s for n, s in self.adjoints.bound.items() if n in names}

    def _reset(
        self,
        wanted: frozenset[str],
        versions: Mapping[str, Version],
        statement: gast.stmt,
        after: bool = False,
    ) -> Body:
        """Bind to ZERO what is wanted and not bound."""
        body: Body = []
        for name in sorted(wanted - set(self.adjoints.bound)):
            kind = self._kind(statement, name, after)
            if name in versions:
                like = self.adjoints.shapes.read(versions[name], kind)
                body += self.adjoints.start(name, like, kind)
            else:
                body += self.adjoints.start_unsure(name, kind)
        return body

    def _kind(self, statement: gast.stmt, name: str, after: bool) -> Kind | None:
        kind = (
            self.facts.kind_after(statement, name)
            if after
            else self.facts.kind_before(statement, name)
        )
        return kind or self.facts.kind_after(statement, name)

    def _settle(self, statement: gast.stmt, after: bool) -> Body:
        """Before a compound statement, scalars that stand for whole arrays are spread out."""
        body: Body = []
        made = self.facts.versions.made_after(statement)
        for name, shape in sorted(self.adjoints.bound.items()):
            kind = self._kind(statement, name, after)
            want = shape_of_kind(kind)
            if shape < want and isinstance(kind, Num) and name in made:
                body += self.adjoints.exact(name, self.adjoints.shapes.read(made[name], kind), kind)
        return body

    def _spread(self, statement: gast.stmt, name: str, versions: Mapping[str, Version]) -> Body:
        kind = self.facts.kind_before(statement, name)
        if not (self.adjoints.bound[name] < shape_of_kind(kind)) or not isinstance(kind, Num):
            return []
        return self.adjoints.exact(name, self.adjoints.shapes.read(versions[name], kind), kind)
