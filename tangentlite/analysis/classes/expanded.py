"""Statements about objects: what stands for them is classified in their place.

In: a statement and the kinds before it.
Out: the operation of what stands for it.
Next: classify.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import gast

from tangentlite import syntax
from tangentlite.analysis.calling import callees
from tangentlite.analysis.calling.functions import Changes, Functions
from tangentlite.analysis.classes import objects
from tangentlite.analysis.classes.objects import Super
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num, Object, Tuple, Unknown
from tangentlite.analysis.operations import Copy, Inserted, NoFlow, Opaque, Operation, UserCall
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.frontend.inserted import Insertion
from tangentlite.lowering.lists.owned import FOUND, place_of

FIXED = "`insert_grad_of` of an element of a tuple, which cannot be put back"
UNPACK = "Unpack it first: `a, b = xs`, then `with tl.insert_grad_of(a) as da:`."


ASKED_OF_SUPER = "this use of `super()` is not supported yet"
CALL_IT = "Call the method where it is asked for: `super().method(x)`."


class MistakenError(Exception):
    """What was lowered as a method of arrays or dicts is one of an object: the function is lowered anew."""


class Expanded(Functions):
    """The part of the classifier for what is done to objects."""

    def meaning(self, statement: gast.stmt, state: Environment, point: int) -> Changes:
        """Inserted code is none of the calls that others make sense of; an operator on numbers means what it says."""
        if self._computes(statement, state) and self.stands(statement):
            return self.plainly(statement, state, point)
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Name() as func, args=args)):
                insertion = self.value(func, state)
                if isinstance(insertion, Insertion):
                    named = tuple(a.id for a in args[: len(insertion.targets)])
                    read = zip(insertion.reads or (), args[len(named) :])
                    held = {a.id for n, a in read if insertion.alters(n) and self._holds(a, state)}
                    return Inserted(insertion, named, frozenset(held)), {}
            case gast.Assign(targets=[gast.Subscript(value=gast.Name() as base)]):
                kind = self.kind(base, state)
                fixed = isinstance(kind, Tuple) and kind.type == "tuple"
                if fixed and getattr(statement, "puts_back", False):
                    return Opaque((), FIXED, UNPACK, refused=True), {}
        return super().meaning(statement, state, point)

    def _computes(self, statement: gast.stmt, state: Environment) -> bool:
        """Whether a statement binds what an operator makes of two numbers or arrays."""
        if statement.__class__ is not gast.Assign or statement.value.__class__ is not gast.BinOp:
            return False
        kinds = self.kind(statement.value.left, state), self.kind(statement.value.right, state)
        plain = isinstance(kinds[0], Num) and isinstance(kinds[1], Num)
        return plain and isinstance(statement.targets[0], gast.Name)

    @abstractmethod
    def plainly(self, statement: gast.stmt, state: Environment, point: int) -> Changes:
        """The operation of a statement for which nothing stands, and the kinds it changes."""

    def _holds(self, node: gast.expr, state: Environment) -> bool:
        return isinstance(node, gast.Name) and isinstance(self.kind(node, state), CONTAINERS)

    def source(self, statement: gast.stmt) -> gast.stmt | None:
        """What the user wrote for a statement."""
        return self.expander.normal.sources.get(statement) if self.expander else None

    def mistaken(self, statement: gast.stmt, state: Environment) -> Changes | None:
        """The refusal of a method that has the name of one of dicts or arrays."""
        found = objects.mistaken(statement, self.source(statement), partial(self.kind, state=state))
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

    def lost_to_super(self, statement: gast.stmt, found: Changes, state: Environment) -> Changes:
        """What is asked of ``super()`` and not said otherwise is refused: what comes of it would be lost."""
        if isinstance(found[0], Copy):
            return found
        read = self.graph.reads(statement)
        asked = {k.name for k in map(state.get, read) if isinstance(k, Super)}
        if not asked:
            return found
        lost: dict[str, Kind] = {n: Unknown(ASKED_OF_SUPER) for n in syntax.stores(statement)}
        told = all(isinstance(state.get(name), Object) for name in asked)
        names, error = tuple(sorted((read | asked) & self.locals)), UnsupportedSyntaxError
        return Opaque(names, ASKED_OF_SUPER, CALL_IT, error, of_kinds=not told), lost

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

    def stands(self, statement: gast.stmt) -> bool:
        """Whether a statement stands for itself, and nothing is done in its place."""
        other = self.expander.table if self.expander is not None else {}
        return statement not in other and statement not in self.rewrites.found

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
