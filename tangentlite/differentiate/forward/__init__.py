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
from tangentlite.analysis.joining import is_row
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num, Object, floating
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Inserted,
    Joined,
    Mutate,
    NoFlow,
    Opaque,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    Store,
    UserCall,
    target,
)
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.guards import Strict
from tangentlite.differentiate.blocks.surgery import in_tangents
from tangentlite.differentiate.entries import copies, ended, entry, jointly, noted, tuple_of
from tangentlite.differentiate.forward import calls as forward_calls, writes as forward_writes
from tangentlite.differentiate.forward.rules import Tangents
from tangentlite.differentiate.motion import built
from tangentlite.differentiate.pieces import displayed
from tangentlite.differentiate.record import unbound
from tangentlite.differentiate.session import Session
from tangentlite.lines import credit
from tangentlite.lowering.flow.guards import attempted


def tangent(session: Session) -> tuple[ir.Function, ...]:
    """The function of forward mode."""
    writer = Writer(session)
    writer.tangents.check()
    body = [*entry(session), *copies(session), *writer.opening()]
    inner = writer.block(session.facts.versions.root)
    body += [*unbound.opening(session), *inner]
    body += noted(session)
    body.append(writer.closing(body))
    credit(body[-1:], session.lines(session.function.body[-1]))
    credit(body, session.function.head)
    body = ended(session, body)
    request = session.request
    name = (
        request.name
        or f"{session.function.name if session.function.name.isidentifier() else 'f'}_tangent"
    )
    params = [session.function.params, writer.directions()]
    if request.seed == "given":
        params.reverse()
    return (built(session, name, (*params[0], *params[1]), body),)


class Writer:
    """Writes the tangents of one function."""

    def __init__(self, session: Session) -> None:
        self.session, self.facts = session, session.facts
        self.tangents = Tangents(session)
        operations = self.facts.kinds.operations.values()
        self.stacks = {op.stack for op in operations if isinstance(op, (Push, Pop))}
        self.defined = {p.name for p in session.function.params}
        self.partial = False
        self.strict = Strict(session)

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
        """The tangents of the inputs, checked, and of the other parameters that others see."""
        together = [n for n in self.session.request.together if n in self.tangents.shadowed]
        zeros = self.session.runtime("still(xs)", xs=tuple_of(together))
        body = jointly([self.tangents.name(n) for n in together], zeros)
        for param in self.session.function.params:
            if param.name in self.facts.inputs:
                self.tangents.bound.add(param.name)
            elif param.name in together:
                continue
            elif param.name in self.tangents.shadowed:
                zero = self.tangents.zeros(param.name)
                body.append(syntax.assign(self.tangents.name(param.name), zero))
        if self.session.request.seed == "given":
            return body
        for name in self.facts.inputs:
            call = self.session.runtime("tangent(dx, x)", dx=self.tangents.name(name), x=name)
            if self.tangents.changes(name):
                call = self.session.runtime("owned(dx, x)", dx=call, x=name)
            body.append(syntax.assign(self.tangents.name(name), call))
        return body

    def closing(self, body: Body) -> gast.stmt:
        """The tangent of the result, with the value if that was asked for."""
        value = self.session.function.body[-1].value or syntax.constant(None)
        name = self.facts.result
        given = self.session.request.seed == "given"
        if name is not None and name in self.tangents.bound:
            result: gast.expr = syntax.name(self.tangents.name(name))
        else:
            result = self.session.runtime("zeros(y)", y=value)
        if not given and self.tangents.from_outside(result, body):
            result = self.session.runtime("owned(dy, y)", dy=result, y=value)
        kind = self.facts.kinds.result
        whole = given and isinstance(kind, (*CONTAINERS, Object))  # what is in it may be ZERO
        if not whole and (self.partial or not (given or isinstance(kind, Num))):
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
                    continue
                case gast.If():
                    group = self._if(statement)
                case gast.For() | gast.While():
                    group = self._loop(statement)
                case _:
                    self.strict.see(statement, scope.block)
                    group = self._simple(statement, scope, position)
                    group = self.strict.apart(statement, group)
                    self.defined |= syntax.stores(statement)
            credit(group, self.session.lines(statement))
            body += group
        return body

    def _simple(self, statement: gast.stmt, scope: Scope, position: int) -> Body:
        operation = self.facts.operation(statement)
        name = target(statement, operation)
        self.tangents.statement = statement
        if isinstance(operation, Opaque) and isinstance(statement, gast.Expr):
            self.session.refuse(statement, operation)
        if isinstance(operation, Inserted):
            raise in_tangents(operation)
        if operation is not None:
            self.session.check_writes(statement, operation)
        if isinstance(operation, (UserCall, Mutate)):
            wanted = self.facts.activity.after(self.facts.graph.first[statement])
            return self._call(statement, operation, name, wanted | self.tangents.shadowed)
        fails = isinstance(operation, NoFlow) and name not in syntax.stores(statement)
        if operation is None or name is None or fails:
            return [statement]
        return self._bound(statement, operation, name)

    def _bound(self, statement: gast.stmt, operation: Operation, name: str) -> Body:
        active = self.facts.activity.after(self.facts.graph.first[statement])
        active |= self.tangents.shadowed
        if isinstance(operation, (Accumulate, Push, Store)):
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

    def _call(
        self,
        statement: gast.stmt,
        operation: UserCall | Mutate,
        name: str | None,
        wanted: frozenset[str],
    ) -> Body:
        if isinstance(operation, UserCall):
            body = forward_calls.call(self.tangents, statement, operation, wanted)
        elif operation.container in self.tangents.bound:
            body = forward_writes.mutate(self.tangents, statement, operation, wanted)
        else:
            return [statement] if name is None else self._bound(statement, operation, name)
        if name is not None and (name in wanted or name in self.stacks):
            self.tangents.bound.add(name)
            body += self._aligned(name)
        return body

    def _bind(self, statement: gast.stmt, operation: Operation, name: str) -> Body:
        dx = self.tangents.name(name)
        if isinstance(operation, Primitive) and any(
            n in self.tangents.bound for _, n in operation.flows
        ):
            return [*self.tangents.primitive(statement, operation, name), *self._aligned(name)]
        value = self._value(statement, operation, name)
        linear = isinstance(operation, (Copy, Slot))
        return [
            statement,
            syntax.assign(dx, self.tangents.settled(statement, operation, value, linear)),
        ]

    def _aligned(self, name: str) -> Body:
        """The tangent of a stack is a list, whatever its rule made."""
        if name not in self.stacks:
            return []
        dx = self.tangents.name(name)
        return [syntax.assign(dx, self.session.runtime("aligned(dx, x)", dx=dx, x=name))]

    def _value(self, statement: gast.stmt, operation: Operation, name: str) -> gast.expr | None:
        tangents = self.tangents
        match operation:
            case Copy(source=source) if source in tangents.bound:
                value = syntax.name(tangents.name(source))
                kind = self.facts.kind_after(statement, name)
                if isinstance(kind, Object):
                    return value  # `vars(x)` and x have one tangent
                if source in tangents.shadowed and isinstance(kind, CONTAINERS):
                    return syntax.substitute(statement.value, {source: value.id})
                if name in self.stacks:
                    return self.session.runtime("aligned(dx, x)", dx=value, x=name)
                return value
            case Display(elements=elements):
                parts = [tangents.of(e) for e in elements]
                return displayed(operation, statement.value, parts)
            case Joined(left=left, right=right) if left == right:
                both = tangents.of(syntax.name(left))
                return self.session.runtime("repeated(xs, n)", xs=both, n=syntax.constant(2))
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
        return tangents.zero(name, self.facts.kind_after(statement, name))

    def _in_place(
        self, statement: gast.stmt, operation: Accumulate | Push | Store, name: str, active: bool
    ) -> Body:
        tangents = self.tangents
        if isinstance(operation, Push):
            if name not in tangents.bound:
                return [statement]
            push = syntax.expression(
                "ds.append(e)", ds=tangents.name(name), e=tangents.of(operation.value)
            )
            return [statement, gast.Expr(push)]
        body, da = [statement], tangents.name(name)
        if name not in tangents.bound:
            if not active:
                return body
            body.append(syntax.assign(da, tangents.zeros(name)))
            tangents.bound.add(name)
        elif name not in self.defined and name not in tangents.shadowed:
            body.append(syntax.assign(da, self.session.runtime("buffer(da, a)", da=da, a=name)))
        if isinstance(operation, Store):
            return [*body, *forward_writes.store(tangents, statement, operation)]
        return [*body, *forward_writes.accumulate(tangents, statement, operation)]

    # Control --------------------------------------------------------------------------------

    def _if(self, statement: gast.If) -> Body:
        graph, entering, defined = self.facts.graph, set(self.tangents.bound), set(self.defined)
        join = graph.last[statement]
        wanted = self.facts.activity.before(join) | self.tangents.shadowed
        blocks, leaving, ends = [], [], []
        for scope in self.facts.versions.scopes[statement]:
            self.tangents.bound, self.defined = set(entering), set(defined)
            blocks.append(self.block(scope))
            leaving.append(self.tangents.bound)
            ends.append(self.defined)
        stacks = self.stacks & (leaving[0] | leaving[1])
        going = 1 if syntax.raises(statement) else 2
        for block, bound, self.defined in zip(blocks[:going], leaving, ends):
            block += self._zeros(sorted((wanted | stacks) - bound), self.facts.kinds.before[join])
        self.tangents.bound, self.defined = set(wanted | stacks), ends[0] & ends[1]
        if isinstance(statement, syntax.Attempt):
            return attempted(statement, blocks)
        new = gast.If(statement.test, blocks[0] or [gast.Pass()], blocks[1])
        return [syntax.at(new, statement)]

    def _loop(self, statement: gast.For | gast.While) -> Body:
        graph = self.facts.graph
        head = graph.first[statement]
        wanted = self.facts.activity.before(head) | (self.stacks & self.tangents.bound)
        wanted |= self.tangents.shadowed
        before = self._zeros(
            sorted(wanted - self.tangents.bound),
            self.facts.kinds.after[graph.predecessors[head][0]],
        )
        (scope,) = self.facts.versions.scopes[statement]
        self.tangents.bound, defined = set(wanted), set(self.defined)
        if isinstance(statement, gast.For):
            self.tangents.bound.discard(statement.target.id)
            self.defined.add(statement.target.id)
        body, end = syntax.parted(self.block(scope))
        body += self._zeros(sorted(wanted - self.tangents.bound), self.facts.kinds.before[head])
        body += end
        self.tangents.bound, self.defined = set(wanted), defined
        body = body or [gast.Pass()]
        if isinstance(statement, gast.For):
            turns = gast.For(statement.target, statement.iter, body, [], None)
            return [*before, syntax.at(turns, statement)]
        return [*before, syntax.at(gast.While(statement.test, body, []), statement)]

    def _zeros(self, names: list[str], kinds: Mapping[str, Kind]) -> Body:
        body: Body = []
        for name in names:
            kind = kinds.get(name) if name in self.defined else None
            known = kind is not None and (floating(kind) or is_row(kind))
            self.partial = self.partial or not known
            zero = self.tangents.zero(name, kind) if known else self.session.runtime("ZERO")
            body.append(syntax.assign(self.tangents.name(name), zero))
        return body
