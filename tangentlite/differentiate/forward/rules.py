"""Tangents of primitives: the rule's total differential, or the primal itself where it is linear.

In: an operation with a rule.
Out: the primal statement followed by its tangent.
Next: forward.
"""

from __future__ import annotations

import gast

from tangentlite import rules, syntax
from tangentlite.analysis.calling.callees import of_runtime
from tangentlite.analysis.calling.choices import perhaps_closure
from tangentlite.analysis.kinds import CONTAINERS, Kind, Nothing, Num, Shape
from tangentlite.analysis.operations import Primitive
from tangentlite.analysis.storage.memory import is_view
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.finite import masked, saturating
from tangentlite.differentiate.forward.storage import Storage
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import Shapes, shape_of_kind
from tangentlite.rules import Part, Rule


class Tangents(Storage):
    """The tangents that are bound at the current point."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.shapes = Shapes(session)
        self.statement: gast.stmt | None = None

    def of(self, node: gast.expr) -> gast.expr:
        """The tangent of an atom: zero if it has none."""
        match node:
            case gast.Name(id=name) if name in self.bound:
                return syntax.name(self.name(name))
            case gast.Name(id=name):
                assert self.statement is not None
                return self.zero(name, self.session.facts.kind_before(self.statement, name))
        absent = isinstance(node, gast.Constant) and node.value is None
        return syntax.constant(None if absent else 0.0)

    def zero(self, name: str, kind: Kind | None) -> gast.expr:
        """The tangent of a value that has none: of its shape, in all its parts."""
        if perhaps_closure(kind):
            return self.session.runtime("ZERO")
        if isinstance(kind, Nothing):
            return syntax.constant(None)
        if isinstance(kind, CONTAINERS):
            return self.session.runtime(
                "filled(zero, x)", zero=self.session.runtime("ZERO"), x=name
            )
        return self.session.runtime("zeros(x)", x=name)

    def primitive(self, statement: gast.stmt, operation: Primitive, name: str) -> Body:
        """The statement and its tangent."""
        rule = self.session.variant(operation)
        active = frozenset(p for p, n in operation.flows if n in self.bound)
        self.session.check_kinds(statement, operation, active)
        part = self.session.part(statement, rule.tangent, active)
        dx = self.name(name)
        if part.apply:
            value = self._applied(statement.value, operation, rule, part.apply)
            value = self.settled(statement, operation, value, linear=True)
            return [*self._primal(statement, operation, rule, part, {}), syntax.assign(dx, value)]
        local = {n: self.session.names.fresh(n) for n in dict.fromkeys((*part.locals, *part.kept))}
        written = self._written(operation, rule, part, name, local)
        value = self._result(rule, written, name, operation)
        for root in self.session.roots.get(statement, ()):
            value = masked.tangent(value, self.name(root), self.session.rt)
        for source in operation.sources() if statement in self.session.flat else ():
            value = saturating.cancelling(value, self.name(source), self.session.rt)
        linear = rule.name == "getitem" and is_view(operation)
        value = self.settled(statement, operation, value, linear)
        primal = self._primal(statement, operation, rule, part, local)
        return [*primal, *written.shared, syntax.assign(dx, value)]

    def _primal(
        self,
        statement: gast.stmt,
        operation: Primitive,
        rule: Rule,
        part: Part,
        local: dict[str, str],
    ) -> Body:
        """The primal, or the lines that the rule puts in its place: one, or those whose locals the tangent reads."""
        if not part.kept and len(rule.replaces) != 1:
            return [statement]
        modules = {wish: self.session.alias(wish, value) for wish, value in rule.named.items()}
        holes: dict[str, syntax.Hole] = {**modules, **local, **operation.bound}
        for parameter in rule.params:
            if parameter.name not in holes and parameter.shown is not None:
                holes[parameter.name] = parameter.shown
        holes[rule.results[0]] = statement.targets[0].id
        names = {n for line in rule.replaces for n in syntax.stores(line)} - set(rule.results)
        for name in sorted(names - set(local)):
            holes[name] = self.session.names.fresh(name)
        return [syntax.substitute(line, holes) for line in rule.replaces]

    def _written(
        self, operation: Primitive, rule: Rule, part: Part, name: str, local: dict[str, str]
    ) -> Part:
        slots = {
            f"d[{p}]": self._slot(rule, part, operation, p, n)
            for p, n in operation.flows
            if n in self.bound
        }
        bindings = {
            p: self.session.as_array(rule, part, p, v, operation.kinds.get(p))
            for p, v in operation.bound.items()
        }
        if len(rule.results) == 1:
            bindings[rule.results[0]] = syntax.name(name)
        else:
            for k, result in enumerate(rule.results):
                bindings[result] = gast.Subscript(
                    syntax.name(name), syntax.constant(k), gast.Load()
                )
        modules = {wish: self.session.alias(wish, value) for wish, value in part.globals.items()}
        return rules.instantiate(part, bindings, slots, local, modules)

    def _slot(
        self, rule: Rule, part: Part, operation: Primitive, parameter: str, name: str
    ) -> gast.expr:
        """The tangent of an argument; that of a list with which the rule computes, as an array."""
        dx, kind = syntax.name(self.name(name)), operation.kinds.get(parameter)
        if not isinstance(kind, CONTAINERS):
            return dx
        filled = self.session.runtime("filled(dx, x)", dx=dx, x=name)
        array = self.session.as_array(rule, part, f"d[{parameter}]", filled, kind)
        return array if array is not filled else dx

    def _result(self, rule: Rule, part: Part, name: str, operation: Primitive) -> gast.expr:
        if len(rule.results) > 1:
            terms = {t.target: t.value for t in part.terms}
            of_one = [
                self._of_several(rule, terms.get(result), syntax.expression(f"y[{k}]", y=name))
                for k, result in enumerate(rule.results)
            ]
            return gast.Tuple(of_one, gast.Load())
        value = self._total(part, operation)
        if rule.algebra != "elementwise":
            return value
        return self._conformed(part, value, name)

    def _total(self, part: Part, operation: Primitive) -> gast.expr:
        """The sum of the terms; where the runtime is given lists it may give lists."""
        total: gast.expr | None = None
        for term in part.terms:
            if total is None:
                total = term.value if term.sign > 0 else gast.UnaryOp(gast.USub(), term.value)
            else:
                total = gast.BinOp(total, gast.Add() if term.sign > 0 else gast.Sub(), term.value)
        assert total is not None
        nests = any(isinstance(k, CONTAINERS) for k in operation.kinds.values())
        return self._added(total) if nests and of_runtime(operation.rule.callee) else total

    def _added(self, tree: gast.expr) -> gast.expr:
        match tree:
            case gast.BinOp(left=a, op=gast.Add(), right=b):
                return self.session.runtime("add(a, b)", a=self._added(a), b=self._added(b))
        return tree

    def _of_several(self, rule: Rule, value: gast.expr | None, result: gast.expr) -> gast.expr:
        """The tangent of one of several results: of its shape, as it is taken out alone."""
        if value is None:
            return self.session.runtime("zeros(y)", y=result)
        if rule.algebra != "elementwise" or len(rule.params) == 1:
            return value
        return self.session.runtime("broadcast(e, y)", e=value, y=result)

    def _conformed(self, part: Part, value: gast.expr, name: str) -> gast.expr:
        """A tangent is as large as its primal: where an operand without tangent broadcast, blow it up."""
        assert self.statement is not None
        before = self.session.facts.kinds.before[self.session.facts.graph.first[self.statement]]
        after = self.session.facts.kinds.after[self.session.facts.graph.last[self.statement]]
        local: dict[str, Shape] = {n: shape_of_kind(k) for n, k in before.items()}
        local[name] = shape_of_kind(after.get(name))
        for bound in self.bound:
            local.setdefault(self.name(bound), shape_of_kind(before.get(bound)))
        for statement in part.shared:
            local[statement.targets[0].id] = self.shapes.of(statement.value, local)
        if self.shapes.of(value, local) == local[name] or not isinstance(after.get(name), Num):
            return value
        return self.session.runtime("broadcast(e, x)", e=value, x=name)

    def _applied(
        self, node: gast.expr, operation: Primitive, rule: Rule, active: frozenset[str]
    ) -> gast.expr:
        """The primal's own call with tangents in place of the arguments that it is linear in."""
        places: dict[int, gast.expr] = {}
        for parameter, value in operation.bound.items():
            linear = rule.in_ is None or parameter.split("[")[0] in rule.in_
            if parameter in active:
                assert isinstance(value, gast.Name)
                places[id(value)] = syntax.name(self.name(value.id))
            elif linear and rule.in_ is not None and parameter.split("[")[0] in rule.differentiable:
                places[id(value)] = self.of(value)
        return _swapped(node, places)


def _swapped(node: gast.AST, places: dict[int, gast.expr]) -> gast.expr:
    """A copy of ``node`` with the sub-trees in ``places`` exchanged."""
    if id(node) in places:
        return places[id(node)]
    new = node.__class__.__new__(node.__class__)
    for field, value in node.__dict__.items():
        if isinstance(value, gast.AST):
            value = _swapped(value, places)
        elif isinstance(value, list):
            value = [_swapped(v, places) if isinstance(v, gast.AST) else v for v in value]
        new.__dict__[field] = value
    return new
