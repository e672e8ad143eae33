"""Statements about objects: what stands for them is classified in their place.

In: a statement and the kinds before it.
Out: the operation of what stands for it.
Next: classify.
"""

from __future__ import annotations

from functools import partial

import gast

from tangentlite import syntax
from tangentlite.analysis import callees, objects
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.functions import Changes, Functions
from tangentlite.analysis.kinds import Kind, Object, Unknown
from tangentlite.analysis.operations import NoFlow, Opaque, Operation, UserCall
from tangentlite.lowering.owned import FOUND, place_of


class MistakenError(Exception):
    """What was lowered as a method of arrays or dicts is one of an object: the function is lowered anew."""


class Expanded(Functions):
    """The part of the classifier for what is done to objects."""

    def mistaken(self, statement: gast.stmt, state: Environment) -> Changes | None:
        """The refusal of a method that has the name of one of dicts or arrays."""
        source = self.expander.normal.sources.get(statement) if self.expander else None
        found = objects.mistaken(statement, source, partial(self.kind, state=state))
        if not found:
            return None
        places = {place_of(node, self.function) for _, node in found if hasattr(node, "lineno")}
        if not places <= FOUND:
            FOUND.update(places)
            raise MistakenError
        path, _ = found[0]
        reason = f"`{path}` is taken for a method of arrays or dicts, which has the same name"
        hint = f"Write `{path}(x, …)` for `x.{path.partition('.')[2]}(…)`, or give it another name."
        names = tuple(sorted(syntax.loads(statement) & self.locals))
        return Opaque(names, reason, hint, refused=True), dict.fromkeys(
            syntax.stores(statement), Unknown(reason)
        )

    def resolved(
        self, statement: gast.stmt, state: Environment, point: int
    ) -> list[gast.stmt] | None:
        """What stands for a call of a value."""
        found = super().resolved(statement, state, point)
        if found is not None and self.expander is not None:
            self.expander.inherit(statement, found)
        return found

    def expanded(self, statement: gast.stmt, state: Environment) -> list[gast.stmt] | None:
        """What stands for a statement that calls methods of the user's objects."""
        if self.expander is None:
            return None
        kind_of = partial(self.kind, state=state)
        found = self.expander.expanded(statement, kind_of, self.locals)
        if len(self.expander.cells) != self.known:
            self.known = len(self.expander.cells)
            self.rewrites.namespace = self.namespace.extended(self.expander.cells)
        return found

    def inlined(self, statement: gast.stmt, operation: Operation) -> None:
        """Calls that write into objects are said by the statements of the function."""
        assert self.expander is not None
        new, self.expander.new = self.expander.new, None
        if new is not None and isinstance(statement, gast.Assign):
            self.expander.construct(statement, *new, self.locals)
        elif isinstance(operation, UserCall):
            kinds = dict(
                zip((p for p, _ in callees.parameters(operation.function)), operation.kinds)
            )
            if any(isinstance(kinds.get(p), Object) for p in operation.writes):
                self.expander.inline(statement, operation.function, operation.bound, self.locals)

    def several(
        self, statements: list[gast.stmt], state: Environment, point: int
    ) -> tuple[Operation, dict[str, Kind]]:
        """The last operation of several, and what all of them change."""
        changes: dict[str, Kind] = {}
        operation: Operation = NoFlow()
        for statement in statements:
            operation, changed = self.meaning(statement, state.binding(changes), point)
            changes |= changed
        return operation, changes
