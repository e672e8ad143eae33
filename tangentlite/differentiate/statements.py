"""Simple statements, walked back: what each of them adds to the forward and to the backward sweep.

In: a session.
Out: ``Statements``, what the sweep knows of simple statements.
Next: reverse.
"""

from __future__ import annotations

import gast

from tangentlite import ir, syntax
from tangentlite.analysis.calling.callees import parameters
from tangentlite.analysis.operations import (
    Accumulate,
    Inserted,
    Mutate,
    Opaque,
    Operation,
    Pop,
    Primitive,
    Push,
    Store,
    UserCall,
    altered,
    inserts,
    target,
)
from tangentlite.analysis.storage.memory import restructured
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.again import Repeated
from tangentlite.differentiate.blocks.surgery import spliced, watched
from tangentlite.differentiate.calls import (
    active_arguments,
    lent_arguments,
    pair_names,
    written_arguments,
)
from tangentlite.differentiate.contributions import contributions
from tangentlite.differentiate.loops import Loops
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shadows import names as shadows
from tangentlite.differentiate.shadows.structures import Structures


class Restored(gast.Pass):  # type: ignore[misc]
    """A place in the backward sweep where what a statement overwrote may have to come back."""

    _fields = ()

    def __init__(self, statement: gast.stmt) -> None:
        super().__init__()
        self.key = (statement,)


class Statements(Loops):
    """Writes the statements of a sweep that are neither branches nor loops.

    ``replaced``: what the forward sweep does instead of a statement, ``beside``: what it does after it; ``plain``: what
    stands for it where nothing is recorded. ``again``: loops that run again.
    ``undone``: statements whose changes their own backward statements undo.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.replaced: dict[gast.stmt, Body] = {}
        self.beside: dict[gast.stmt, Body] = {}
        self.plain: dict[gast.stmt, Body] = {}
        self.again: dict[gast.stmt, Repeated] = {}
        self.undone: set[gast.stmt] = set()
        self.puts_back = self.lends = False

    def _simple(self, statement: gast.stmt, scope: Scope, position: int) -> Body:
        operation = self.facts.operation(statement)
        name = target(statement, operation)
        if operation is None:
            return []
        if isinstance(operation, Opaque) and isinstance(statement, gast.Expr):
            self.session.refuse(statement, operation)
        self.session.check_writes(statement, operation)
        point = self.facts.graph.first[statement]
        shadowed = self.facts.activity.shadowed
        after = self.facts.activity.after(point) | shadowed
        self.adjoints.statement = statement
        self.adjoints.before = self.facts.activity.before(point) | shadowed
        if name in shadowed and syntax.binds(statement, name):
            version = self.facts.versions.made[statement]
            self.beside[statement] = shadows.bound(self.adjoints, operation, version)
        if isinstance(operation, Inserted):
            self.replaced[statement] = self.plain[statement] = []
            group = spliced(self.adjoints, statement, operation, scope, self._before)
            return watched(self.session, group) if altered(operation) else group
        operation = self._as_change(operation)
        if restructured(operation) in shadowed:
            return self._restructure(statement, operation, scope, position)
        anchors = {operation.stack if isinstance(operation, (Push, Pop)) else name}
        if isinstance(operation, UserCall):
            anchors |= set(written_arguments(operation).values())
        if anchors.isdisjoint(after) and not inserts(operation):
            return []
        group = self._active(statement, operation, name, anchors, scope, position)
        return watched(self.session, group) if group and altered(operation) else group

    def _active(
        self,
        statement: gast.stmt,
        operation: Operation,
        name: str | None,
        anchors: set[str | None],
        scope: Scope,
        position: int,
    ) -> Body:
        """The backward statements of a statement with a derivative."""
        if isinstance(operation, Opaque):
            self.session.refuse(statement, operation)
        if isinstance(operation, Primitive):
            self._replace(statement, operation, scope, position)
        body = contributions(self.adjoints, operation, name or "", scope, position)
        for anchor in anchors | {name}:
            if anchor not in self.adjoints.before:  # a buffer, empty so far
                self.adjoints.bound.pop(anchor or "", None)
        if isinstance(operation, UserCall):
            self._forward_call(statement, operation)
        return body

    def _as_change(self, operation: Operation) -> Operation:
        """A stack with a shadow changes as any other list."""
        shadowed = self.facts.activity.shadowed
        match operation:
            case Push(stack=stack, value=value) if stack in shadowed:
                return Mutate(stack, "append", (value,))
            case Pop(stack=stack) if stack in shadowed:
                return Mutate(stack, "pop", ())
        return operation

    def _restructure(
        self, statement: gast.stmt, operation: Operation, scope: Scope, position: int
    ) -> Body:
        """A list or dict changes, and its shadow with it."""
        writer = Structures(self.adjoints, scope, position)
        match operation:
            case Store():
                forward, backward = writer.store(operation)
            case Accumulate():
                forward, backward = writer.sum(operation)
            case Mutate():
                made = self.facts.versions.made.get(statement)
                forward, backward = writer.mutate(operation, made)
        self.replaced[statement] = [syntax.at(s, statement) for s in forward]
        self.puts_back = True
        self.beside.pop(statement, None)
        self.undone.add(statement)
        return backward

    def _restored(self, statement: gast.stmt) -> Body:
        """Where what a statement overwrote comes back, if something before it reads that backward."""
        writes = self.facts.writes(statement)
        return [Restored(statement)] if writes else []

    def _replace(
        self, statement: gast.stmt, operation: Primitive, scope: Scope, position: int
    ) -> None:
        """A rule that computes its result: its lines stand in for the call, its locals may be read backward."""
        rule = self.session.variant(operation)
        if not rule.replaces:
            return
        session = self.session
        names = [n for line in rule.replaces for n in syntax.stores(line) if n not in rule.results]
        local = {n: session.names.fresh(n) for n in dict.fromkeys(names)}
        result = statement.targets[0]
        modules = {wish: session.alias(wish, value) for wish, value in rule.named.items()}
        holes: dict[str, syntax.Hole] = {
            **modules,
            **local,
            **operation.bound,
            rule.results[0]: result.id,
        }
        for parameter in rule.params:
            if parameter.name not in holes and parameter.shown is not None:
                holes[parameter.name] = parameter.shown
        self.replaced[statement] = [syntax.substitute(line, holes) for line in rule.replaces]
        self.plain[statement] = self.replaced[statement]
        new = self.facts.versions.new
        self.adjoints.extra[statement] = {n: new(local[n], scope, position) for n in local}

    def _forward_call(self, statement: gast.stmt, operation: UserCall) -> None:
        """The call of a user's function keeps what its backward function needs."""
        saved = self.adjoints.extra.get(statement, {}).get("saved")
        if saved is None:
            return
        active = tuple(active_arguments(operation, self.adjoints.before))
        lent = lent_arguments(self.adjoints, operation)
        bare = statement in self.session.bare
        forward, _ = pair_names(self.session, operation, active, tuple(lent), bare)
        call = syntax.copy(statement.value)
        call.func = syntax.name(forward)
        self.lends = self.lends or bool(lent)
        names = [name for name, _ in parameters(operation.function)]
        for parameter, name in lent.items():
            shadow = syntax.name(self.adjoints.shadow_of(name).id.partition("@")[0])
            call.keywords.append(gast.keyword(ir.lent(parameter, names), shadow))
        unused = isinstance(statement, gast.Expr)
        result = (
            syntax.store(syntax.name(self.session.names.numbered("t")))
            if unused
            else statement.targets[0]
        )
        targets = gast.Tuple([result, syntax.store(syntax.name(saved.name))], gast.Store())
        self.replaced[statement] = [syntax.at(gast.Assign([targets], call, None), statement)]
