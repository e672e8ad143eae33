"""Forward mode: every active statement is followed by the one that makes its tangent.

In: a session.
Out: one function: the primal with tangents.
Next: optimize.

A tangent has the shape of its primal. Where a name is active after a join but not on one of the paths, that path
gives it a zero tangent.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter

import gast

from tangentlite import ir, syntax
from tangentlite.analysis.kinds import Kind, Num, floating
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Joined,
    Opaque,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    UserCall,
    target,
)
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.contributions import active_arguments, selected
from tangentlite.differentiate.motion import built, entry
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.tangents import Tangents


def tangent(session: Session) -> tuple[ir.Function, ...]:
    """The function of forward mode."""
    writer = Writer(session)
    body = [*entry(session), *writer.opening()]
    body += writer.block(session.facts.versions.root)
    body.append(writer.closing())
    request = session.request
    name = (
        request.name
        or f"{session.function.name if session.function.name.isidentifier() else 'f'}_tangent"
    )
    given = request.seed == "given"
    params = (
        (*writer.directions(), *session.function.params)
        if given
        else (*session.function.params, *writer.directions())
    )
    return (built(session, name, params, body),)


class Writer:
    """Writes the tangents of one function."""

    def __init__(self, session: Session) -> None:
        self.session, self.facts = session, session.facts
        self.tangents = Tangents(session)
        operations = self.facts.kinds.operations.values()
        self.stacks = {op.stack for op in operations if isinstance(op, (Push, Pop))}
        self.defined = {p.name for p in session.function.params}
        self.partial = False

    # Ends -----------------------------------------------------------------------------------

    def directions(self) -> list[ir.Param]:
        """The parameters for the tangents of the inputs."""
        request = self.session.request
        names = [self.tangents.name(w) for w in self.facts.inputs]
        if request.seed == "given":
            return [ir.Param(n, Parameter.POSITIONAL_ONLY) for n in names]
        if request.seed == "one" and len(names) == 1:
            return [ir.Param(names[0], Parameter.KEYWORD_ONLY, 1.0, syntax.constant(1.0))]
        return [ir.Param(n, Parameter.KEYWORD_ONLY) for n in names]

    def opening(self) -> Body:
        """The tangents of the inputs, checked."""
        body: Body = []
        for name in self.facts.inputs:
            self.tangents.bound.add(name)
            kind = self.facts.kinds.before[0].get(name)
            if self.session.request.seed != "given" and not (isinstance(kind, Num) and kind.scalar):
                call = self.session.runtime("tangent(dx, x)", dx=self.tangents.name(name), x=name)
                body.append(syntax.assign(self.tangents.name(name), call))
        return body

    def closing(self) -> gast.stmt:
        """The tangent of the result, with the value if that was asked for."""
        value = self.session.function.body[-1].value or syntax.constant(None)
        name = self.facts.result
        if name is not None and name in self.tangents.bound:
            result: gast.expr = syntax.name(self.tangents.name(name))
        else:
            result = self.session.runtime("zeros(y)", y=value)
        nest = self.session.request.seed != "given" and not isinstance(self.facts.kinds.result, Num)
        if self.partial or nest:  # no ZERO leaves a derivative
            result = self.session.runtime("like(dy, y)", dy=result, y=value)
        if self.session.request.output == "gradient":
            return gast.Return(result)
        parts = (
            [value, result] if self.session.request.output == "value, gradient" else [result, value]
        )
        return gast.Return(gast.Tuple(parts, gast.Load()))

    # Statements -----------------------------------------------------------------------------

    def block(self, scope: Scope) -> Body:
        """A block with its tangents."""
        body: Body = []
        for position, statement in enumerate(scope.block):
            match statement:
                case gast.Return():
                    pass
                case gast.If():
                    body.append(self._if(statement))
                case gast.For() | gast.While():
                    body += self._loop(statement)
                case _:
                    body += self._simple(statement, scope, position)
                    self.defined |= syntax.stores(statement)
        return body

    def _simple(self, statement: gast.stmt, scope: Scope, position: int) -> Body:
        operation, name = self.facts.operation(statement), target(statement)
        if isinstance(operation, Opaque) and isinstance(statement, gast.Expr):
            self.session.refuse(statement, operation)
        checks = self.session.alias_check(statement)
        if operation is None or name is None:
            return [*checks, statement]
        return [*checks, *self._bound(statement, operation, name)]

    def _bound(self, statement: gast.stmt, operation: Operation, name: str) -> Body:
        active = self.facts.activity.after(self.facts.graph.first[statement])
        self.tangents.statement = statement
        if isinstance(operation, (Accumulate, Push)):
            return self._in_place(statement, operation, name, name in active)
        if name not in active and name not in self.stacks:
            self.tangents.bound.discard(name)
            if isinstance(operation, Pop) and operation.stack in self.tangents.bound:
                top = syntax.expression("ds.pop()", ds=self.tangents.name(operation.stack))
                return [statement, gast.Expr(top)]
            return [statement]
        if isinstance(operation, Opaque):
            self.session.refuse(statement, operation)
        body = self._bind(statement, operation, name)
        self.tangents.bound.add(name)
        return body

    def _bind(self, statement: gast.stmt, operation: Operation, name: str) -> Body:
        dx = self.tangents.name(name)
        if isinstance(operation, UserCall):
            return self._call(statement, operation, name)
        if isinstance(operation, Primitive) and any(
            n in self.tangents.bound for _, n in operation.flowing()
        ):
            return [*self.tangents.primitive(statement, operation, name), *self._aligned(name)]
        return [statement, syntax.assign(dx, self._value(statement, operation, name))]

    def _aligned(self, name: str) -> Body:
        """The tangent of a stack is a list, whatever its rule made."""
        if name not in self.stacks:
            return []
        dx = self.tangents.name(name)
        return [syntax.assign(dx, self.session.runtime("aligned(dx, x)", dx=dx, x=name))]

    def _value(self, statement: gast.stmt, operation: Operation, name: str) -> gast.expr:
        tangents = self.tangents
        match operation:
            case Copy(source=source) if source in tangents.bound:
                value = syntax.name(tangents.name(source))
                if name in self.stacks:
                    return self.session.runtime("aligned(dx, x)", dx=value, x=name)
                return value
            case Display(elements=elements):
                parts = [tangents.of(e) for e in elements]
                if isinstance(statement.value, gast.Dict):
                    return gast.Dict(list(statement.value.keys), parts)
                return type(statement.value)(parts, gast.Load())
            case Joined(left=left, right=right):
                parts = [
                    self.session.runtime("stack(xs)", xs=tangents.of(syntax.name(n)))
                    for n in (left, right)
                ]
                return gast.BinOp(parts[0], gast.Add(), parts[1])
            case Slot(container=container, index=index) if container in tangents.bound:
                return gast.Subscript(syntax.name(tangents.name(container)), index, gast.Load())
            case Pop(stack=stack) if stack in tangents.bound:
                return syntax.expression("ds.pop()", ds=tangents.name(stack))
        return self.session.runtime("zeros(x)", x=name)

    def _in_place(
        self, statement: gast.stmt, operation: Accumulate | Push, name: str, active: bool
    ) -> Body:
        tangents = self.tangents
        if isinstance(operation, Push):
            if name not in tangents.bound:
                return [statement]
            push = syntax.expression(
                "ds.append(e)", ds=tangents.name(name), e=tangents.of(operation.value)
            )
            return [statement, gast.Expr(push)]
        if not active:
            return [statement]
        body: Body = []
        if name not in tangents.bound:
            body = [syntax.assign(tangents.name(name), self.session.runtime("zeros(x)", x=name))]
            tangents.bound.add(name)
        if isinstance(operation.value, gast.Name) and operation.value.id in tangents.bound:
            holes: dict[str, syntax.Hole] = {name: tangents.name(name)}
            holes[operation.value.id] = tangents.name(operation.value.id)
            index = syntax.loads(operation.index) & set(holes)
            assert not index, "a buffer is not its own index"
            body.append(syntax.substitute(statement, holes))
        return [*body, statement] if body[:1] and len(body) == 2 else [statement, *body]

    def _call(self, statement: gast.stmt, operation: UserCall, name: str) -> Body:
        before = frozenset(self.tangents.bound)
        active = active_arguments(operation, before)
        if not active:
            return [
                statement,
                syntax.assign(self.tangents.name(name), self.session.runtime("zeros(x)", x=name)),
            ]
        callee, kinds, wrt = operation.function, operation.kinds, tuple(active)
        wish = callee.__name__ if callee.__name__.isidentifier() else "lambda_"
        linked = self.session.link(
            (callee, kinds, wrt),
            (f"{wish}_tangent",),
            lambda: (self.session.linker.tangent(callee, kinds, wrt),),
        )
        call = syntax.copy(statement.value)
        call.func = syntax.name(linked[0])
        call.args = [*(syntax.name(self.tangents.name(a)) for a in active.values()), *call.args]
        targets = gast.Tuple(
            [statement.targets[0], syntax.store(syntax.name(self.tangents.name(name)))],
            gast.Store(),
        )
        return [syntax.at(gast.Assign([targets], call, None), statement)]

    # Control --------------------------------------------------------------------------------

    def _if(self, statement: gast.If) -> gast.stmt:
        graph, entering, defined = self.facts.graph, set(self.tangents.bound), set(self.defined)
        join = graph.last[statement]
        wanted = self.facts.activity.before(join)
        blocks, leaving, ends = [], [], []
        for scope in self.facts.versions.scopes[statement]:
            self.tangents.bound, self.defined = set(entering), set(defined)
            blocks.append(self.block(scope))
            leaving.append(self.tangents.bound)
            ends.append(self.defined)
        stacks = self.stacks & (leaving[0] | leaving[1])
        for block, bound, self.defined in zip(blocks, leaving, ends):
            block += self._zeros(sorted((wanted | stacks) - bound), self.facts.kinds.before[join])
        self.tangents.bound, self.defined = set(wanted | stacks), ends[0] & ends[1]
        return syntax.at(gast.If(statement.test, blocks[0] or [gast.Pass()], blocks[1]), statement)

    def _loop(self, statement: gast.For | gast.While) -> Body:
        graph = self.facts.graph
        head = graph.first[statement]
        wanted = self.facts.activity.before(head) | (self.stacks & self.tangents.bound)
        before = self._zeros(
            sorted(wanted - self.tangents.bound),
            self.facts.kinds.after[graph.predecessors[head][0]],
        )
        (scope,) = self.facts.versions.scopes[statement]
        self.tangents.bound, defined = set(wanted), set(self.defined)
        if isinstance(statement, gast.For):
            self.tangents.bound.discard(statement.target.id)
            self.defined.add(statement.target.id)
        body = self.block(scope)
        body += self._zeros(sorted(wanted - self.tangents.bound), self.facts.kinds.before[head])
        self.tangents.bound, self.defined = set(wanted), defined
        body = body or [gast.Pass()]
        if isinstance(statement, gast.For):
            return [
                *before,
                syntax.at(gast.For(statement.target, statement.iter, body, [], None), statement),
            ]
        return [*before, syntax.at(gast.While(statement.test, body, []), statement)]

    def _zeros(self, names: list[str], kinds: Mapping[str, Kind]) -> Body:
        body: Body = []
        for name in names:
            known = name in self.defined and name in kinds and floating(kinds[name])
            self.partial = self.partial or not known
            zero = (
                self.session.runtime("zeros(x)", x=name) if known else self.session.runtime("ZERO")
            )
            body.append(syntax.assign(self.tangents.name(name), zero))
        return body


__all__ = ["selected", "tangent"]
