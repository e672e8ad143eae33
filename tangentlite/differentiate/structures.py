"""Lists and dicts with shadows: what is stored in them, and what changes them.

In: a statement that changes a shadowed list or dict.
Out: forward, the same with its shadow and a record; backward, what puts both back.
Next: contributions.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.operations import Accumulate, Mutate, Store
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.adjoints import Adjoints, Body, as_value
from tangentlite.differentiate.shapes import ANY


class Structures:
    """Writes one change of a shadowed list or dict."""

    def __init__(self, adjoints: Adjoints, scope: Scope, position: int) -> None:
        self.adjoints, self.session = adjoints, adjoints.session
        self.scope, self.position = scope, position
        self.forward: Body = []
        self.given: Body = []

    def kept(self, wish: str) -> tuple[str, gast.Name]:
        """A name that the forward sweep binds, and how backward code reads it."""
        version = self.session.facts.versions.new(
            self.session.names.fresh(wish), self.scope, self.position
        )
        return version.name, self.adjoints.shapes.read(version, None)

    def shadow_now(self, name: str) -> gast.expr:
        """The shadow of a name, as forward code reads it."""
        return syntax.name(self.adjoints.shadow_of(name).id.partition("@")[0])

    def held(self, value: gast.expr) -> gast.expr:
        """The shadow of what the container will hold: one of its own if the value has none."""
        match value:
            case gast.Name(id=name) if name in self.adjoints.shadowed:
                return self.shadow_now(name)
            case gast.Name(id=name) if name in self.adjoints.before:
                shadow, back = self.kept("b" + name)
                fresh = self.session.runtime("shadow(x)", x=value)
                self.forward.append(syntax.assign(shadow, fresh))
                drained = self.session.runtime("drained(bx)", bx=back)
                self.given += self.adjoints.give(name, drained, ANY)
                return syntax.name(shadow)
        return self.session.runtime("shadow(x)", x=value)

    def store(self, statement: gast.stmt, operation: Store) -> tuple[Body, Body]:
        """``xs[i] = v``."""
        xs, index = operation.container, operation.index
        held = self.held(operation.value)
        record, back = self.kept("undo")
        i = as_value(self.session, index)
        call = self.session.runtime("store_in(xs, bxs, i, v, bv)", xs=xs, i=i, v=operation.value)
        call.args[1], call.args[4] = self.shadow_now(xs), held
        self.forward.append(syntax.at(syntax.assign(record, call), statement))
        undo = self.session.runtime("unstore(xs, bxs, i, undo)", undo=back)
        undo.args[:3] = [
            self.adjoints.operand(syntax.name(xs)),
            self.adjoints.shadow_of(xs),
            as_value(self.session, self.adjoints.operand(index)),
        ]
        return self.forward, [gast.Expr(undo), *self.given]

    def sum(self, statement: gast.stmt, operation: Accumulate) -> tuple[Body, Body]:
        """``xs[i] += v``."""
        xs, value, index = operation.buffer, operation.value, operation.index
        record, back = self.kept("undo")
        i = as_value(self.session, index)
        call = self.session.runtime("sum_in(xs, bxs, i, v, bv)", xs=xs, i=i, v=value)
        call.args[1], call.args[4] = self.shadow_now(xs), self.session.runtime("shadow(x)", x=value)
        if operation.sign < 0:
            call.args.append(gast.UnaryOp(gast.USub(), syntax.constant(1)))
        forward = [syntax.at(syntax.assign(record, call), statement)]
        undo = self.session.runtime("unsum(xs, bxs, i, undo)", undo=back)
        undo.args[:3] = [
            self.adjoints.operand(syntax.name(xs)),
            self.adjoints.shadow_of(xs),
            as_value(self.session, self.adjoints.operand(index)),
        ]
        gained = self.session.names.numbered("t")
        self.adjoints.shapes.known[gained] = ANY
        body: Body = [syntax.assign(gained, undo)]
        if isinstance(value, gast.Name):
            body += self.adjoints.give(value.id, syntax.name(gained), ANY, operation.sign)
        return forward, body

    def mutate(
        self, statement: gast.stmt, operation: Mutate, result: Version | None
    ) -> tuple[Body, Body]:
        """``y = xs.method(…)``."""
        xs = operation.container
        shadows = gast.Tuple([self.held(a) for a in operation.args], gast.Load())
        args = gast.Tuple(list(operation.args), gast.Load())
        call = self.session.runtime(
            "mutate(xs, bxs, m, args, shadows)",
            xs=xs,
            m=syntax.constant(operation.method),
            args=args,
            shadows=shadows,
        )
        call.args[1] = self.shadow_now(xs)
        if operation.named:
            call.args.append(self.named(operation))
        record, back = self.kept("undo")
        y, by, ended = self.result(result)
        targets = gast.Tuple([syntax.name(n) for n in (y, by, record)], gast.Load())
        self.forward.append(syntax.at(syntax.assign(targets, call), statement))
        undo = self.session.runtime("undo(xs, bxs, undo)", undo=back)
        undo.args[:2] = [self.adjoints.operand(syntax.name(xs)), self.adjoints.shadow_of(xs)]
        return self.forward, [*ended, gast.Expr(undo), *self.given]

    def named(self, operation: Mutate) -> gast.expr:
        """Keyword arguments with their shadows."""
        keys: list[gast.expr] = [syntax.constant(k) for k in operation.named]
        args = gast.Dict(keys, list(operation.named.values()))
        shadows = gast.Dict(list(keys), [self.held(v) for v in operation.named.values()])
        return gast.Dict([syntax.constant("args"), syntax.constant("shadows")], [args, shadows])

    def result(self, version: Version | None) -> tuple[str, str, Body]:
        """The names of the result and of its shadow, and what its adjoint gives backward."""
        numbered = self.session.names.numbered
        if version is None:
            return numbered("t"), numbered("t"), []
        name = version.name
        if name in self.adjoints.shadowed:
            return name, self.adjoints.shadow(version).id.partition("@")[0], []
        if name not in self.adjoints.bound:
            return name, numbered("t"), []
        shadow, back = self.kept("b" + name)
        self.adjoints.bound.pop(name)
        poured = self.session.runtime("pour(bx, e)", bx=back, e=self.adjoints.adjoint(name))
        return name, shadow, [gast.Expr(poured)]
