"""One statement of the backward sweep: what its adjoint gives to the adjoints of its operands.

In: an operation, and which names are active.
Out: statements; ``Adjoints`` knows which adjoints are bound, and how large they are.
Next: reverse.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import rules, syntax
from tangentlite.analysis.kinds import CONTAINERS, SCALAR, Inert, Kind, Num, Shape
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    UserCall,
)
from tangentlite.analysis.versions import Scope, Version
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import ANY, LARGER, Shapes, shape_of_kind
from tangentlite.rules import Part, Rule, Term

Body = list[gast.stmt]


class Adjoints:
    """The adjoints that are bound at the current point of the backward sweep, with their shapes."""

    def __init__(self, session: Session, buffers: frozenset[str]) -> None:
        self.session, self.buffers = session, buffers
        self.shapes = Shapes(session)
        self.bound: dict[str, Shape] = {}
        self.extra: dict[gast.stmt, dict[str, Version]] = {}
        self.before: frozenset[str] = frozenset()
        self.statement: gast.stmt | None = None

    # What a statement reads -----------------------------------------------------------------

    def kind(self, name: str) -> Kind | None:
        """The kind of an operand of the current statement."""
        assert self.statement is not None
        return self.session.facts.kind_before(self.statement, name)

    def operand(self, node: gast.expr) -> gast.expr:
        """An operand with its names replaced by the versions that the statement reads."""
        assert self.statement is not None
        reads = self.session.facts.versions.reads[self.statement]
        holes = {n: self.shapes.read(reads[n], self.kind(n)) for n in syntax.loads(node) if n in reads}
        return syntax.substitute(node, holes) if holes else node

    def result(self) -> gast.Name:
        """The version that the current statement made."""
        assert self.statement is not None
        version = self.session.facts.versions.made[self.statement]
        return self.shapes.read(version, self.session.facts.kind_after(self.statement, version.name))

    def adjoint(self, name: str) -> str:
        """The name of an adjoint."""
        return self.session.letter("b", name)

    # Exactness ------------------------------------------------------------------------------

    def exact(self, name: str, like: gast.expr, kind: Kind | None) -> Body:
        """Give a bound adjoint the exact shape of its primal."""
        have, want = self.bound[name], shape_of_kind(kind)
        if have == want or isinstance(kind, CONTAINERS):
            return []
        self.bound[name] = want
        call = "spread(bx, x)" if have < want and LARGER not in have else "unbroadcast(bx, x)"
        bx = self.adjoint(name)
        return [syntax.assign(bx, self.session.runtime(call, bx=bx, x=like))]

    # Contributions --------------------------------------------------------------------------

    def start(self, name: str, like: gast.expr, kind: Kind | None) -> Body:
        """Bind an adjoint to nothing, where nothing has reached it on some path."""
        self.bound[name] = shape_of_kind(kind)
        zero = self.session.runtime("ZERO")
        if isinstance(kind, Num) and kind.python and kind.exact == "float":
            zero = syntax.constant(0.0)
        if name in self.buffers:
            zero = self.session.runtime("zeros(x)", x=like)
        return [syntax.assign(self.adjoint(name), zero)]

    def give(self, name: str, value: gast.expr, shape: Shape, sign: int = 1) -> Body:
        """``b[name] += value``, or ``=`` where it is the first."""
        if name not in self.before:
            return []
        kind = self.kind(name)
        value, shape = self.conformed(name, value, shape, kind)
        if name in self.buffers:
            return self._give_buffer(name, value, shape, kind, sign)
        bx = self.adjoint(name)
        if name not in self.bound:
            self.bound[name] = shape
            return [syntax.assign(bx, value if sign > 0 else negated(value))]
        if isinstance(kind, CONTAINERS):
            return [syntax.assign(bx, self.session.runtime("add(bx, e)", bx=bx, e=value))]
        body, value, shape = self._summable(name, value, shape, kind)
        self.bound[name] |= shape
        return body + syntax.quote("bx = bx + e" if sign > 0 else "bx = bx - e", bx=bx, e=value)

    def _summable(
        self, name: str, value: gast.expr, shape: Shape, kind: Kind | None
    ) -> tuple[Body, gast.expr, Shape]:
        """Only adjoints of one shape may be added: a larger one would count a smaller one several times."""
        want, body = shape_of_kind(kind), []
        if not shape <= want:
            like = self.operand(syntax.name(name))
            value, shape = self.session.runtime("unbroadcast(e, x)", e=value, x=like), want
        if not self.bound[name] <= want:
            body = self.exact(name, self.operand(syntax.name(name)), kind)
        return body, value, shape

    def _give_buffer(self, name: str, value: gast.expr, shape: Shape, kind: Kind | None, sign: int) -> Body:
        start = [] if name in self.bound else self.start(name, self.operand(syntax.name(name)), kind)
        value = value if sign > 0 else negated(value)
        bx = self.adjoint(name)
        if isinstance(kind, Num):
            return [*start, self.add_at(bx, syntax.constant(...), value, False)]
        return [*start, syntax.assign(bx, self.session.runtime("add(bx, e)", bx=bx, e=value))]

    def give_at(self, name: str, index: gast.expr, value: gast.expr, exact: bool, sign: int = 1) -> Body:
        """``b[name][index] += value`` into a buffer."""
        if name not in self.before:
            return []
        kind = self.kind(name)
        start = [] if name in self.bound else self.start(name, self.operand(syntax.name(name)), kind)
        plain = exact and isinstance(kind, Num) and self._basic(index)
        value = value if sign > 0 else negated(value)
        return [*start, self.add_at(self.adjoint(name), self.operand(index), value, plain)]

    def add_at(self, bx: str, index: gast.expr, value: gast.expr, plain: bool) -> gast.stmt:
        """The statement that adds into a buffer."""
        if plain:
            return syntax.quote("bx[i] += e", bx=bx, i=index, e=value)[0]
        return gast.Expr(self.session.runtime("add_at(bx, i, e)", bx=bx, i=as_value(self.session, index), e=value))

    def _basic(self, index: gast.expr) -> bool:
        match index:
            case gast.Tuple(elts=parts):
                return all(map(self._basic, parts))
            case gast.Slice():
                return True
            case gast.Constant(value=value):
                return not isinstance(value, bool)
            case gast.UnaryOp(operand=gast.Constant()):
                return True
            case gast.Name(id=name):
                kind = self.kind(name)
                integer = isinstance(kind, Num) and kind.exact == "int" and kind.python and kind.scalar
                return integer or isinstance(kind, Inert) and kind.type == "slice"
        return False

    def conformed(
        self, name: str, value: gast.expr, shape: Shape, kind: Kind | None
    ) -> tuple[gast.expr, Shape]:
        """Sum a contribution down to the shape of its target, at once if that is free, later if not."""
        want = shape_of_kind(kind)
        if shape == want or shape == SCALAR or not isinstance(kind, Num):
            return value, shape
        assert self.statement is not None
        version = self.session.facts.versions.reads[self.statement].get(name)
        like = self.shapes.carrier(version, kind)
        if like is None:
            return value, shape | want | {LARGER}
        return self.session.runtime("unbroadcast(e, x)", e=value, x=like), want


def as_value(session: Session, index: gast.expr) -> gast.expr:
    """An index as an argument: ``1:3`` is ``slice(1, 3)``."""
    match index:
        case gast.Slice(lower=lower, upper=upper, step=step):
            bounds = [b or syntax.constant(None) for b in (lower, upper, step)]
            return gast.Call(syntax.name(session.alias("slice", slice)), bounds if step else bounds[:2], [])
        case gast.Tuple(elts=parts):
            return gast.Tuple([as_value(session, p) for p in parts], gast.Load())
    return index


def negated(value: gast.expr) -> gast.expr:
    """``-value``."""
    return gast.UnaryOp(gast.USub(), value)


def contributions(adjoints: Adjoints, operation: Operation, name: str, scope: Scope, position: int) -> Body:
    """The backward statements of one active simple statement that binds ``name``."""
    bx = syntax.name(adjoints.adjoint(name))
    match operation:
        case Copy(source=source):
            shape = adjoints.bound.pop(name)
            return adjoints.give(source, bx, shape)
        case Primitive():
            return _primitive(adjoints, operation, name, bx)
        case Display(elements=elements, keys=keys):
            adjoints.bound.pop(name)
            return _display(adjoints, elements, keys, bx)
        case Slot(container=container, index=index):
            exact = _exact(adjoints, name)
            adjoints.bound.pop(name)
            return exact + adjoints.give_at(container, index, bx, False)
        case Accumulate(index=index, value=gast.Name(id=source)):
            part = gast.Subscript(bx, adjoints.operand(index), gast.Load())
            return adjoints.give(source, part, ANY)
        case Push(value=value):
            return _push(adjoints, value, bx)
        case Pop(stack=stack):
            return _pop(adjoints, stack, name)
        case UserCall():
            return _call(adjoints, operation, name, bx, scope, position)
    return []


def _exact(adjoints: Adjoints, name: str) -> Body:
    assert adjoints.statement is not None
    kind = adjoints.session.facts.kind_after(adjoints.statement, name)
    if adjoints.bound[name] == shape_of_kind(kind) or isinstance(kind, CONTAINERS):
        return []
    version = adjoints.session.facts.versions.made[adjoints.statement]
    like = adjoints.shapes.carrier(version, kind) or adjoints.result()
    return adjoints.exact(name, like, kind)


def _primitive(adjoints: Adjoints, operation: Primitive, name: str, bx: gast.Name) -> Body:
    rule = selected(operation)
    active = frozenset(p for p, n in operation.flowing() if n in adjoints.before)
    if not active:
        adjoints.bound.pop(name)
        return []
    body = [] if _tolerant(adjoints, operation, rule, name) else _exact(adjoints, name)
    shape = adjoints.bound.pop(name)
    part, local = written(adjoints, rule, adjoints.session.part(adjoints.statement, rule.adjoint, active), operation.bound, _slots(rule, "b", bx))
    local[bx.id] = shape
    for statement in part.shared:
        local[statement.targets[0].id] = adjoints.shapes.of(statement.value, local)
    body += part.shared
    for term in part.terms:
        body += _term(adjoints, operation, term, local)
    return body


def _tolerant(adjoints: Adjoints, operation: Primitive, rule: Rule, name: str) -> bool:
    """Whether the statement can do with an adjoint that is larger than its result, or a scalar for it."""
    if rule.algebra != "elementwise":
        return False
    assert adjoints.statement is not None
    want = shape_of_kind(adjoints.session.facts.kind_after(adjoints.statement, name))
    if not adjoints.bound[name] < want:
        return True
    operands = [n for _, n in operation.flowing() if n in adjoints.before]
    return all(shape_of_kind(adjoints.kind(n)) == want for n in operands)


def selected(operation: Primitive) -> Rule:
    """The tidiest variant of a statement's rule."""
    facts: dict[str, object] = dict(operation.kinds)
    for parameter in operation.rule.params:
        if parameter.name not in facts and parameter.default is not rules.EMPTY:
            facts[parameter.name] = Num(SCALAR, literal=parameter.default)
    return operation.rule.select(facts)


def _slots(rule: Rule, letter: str, tree: gast.expr) -> dict[str, gast.expr]:
    if len(rule.results) == 1:
        return {f"{letter}[{rule.results[0]}]": tree}
    return {
        f"{letter}[{r}]": gast.Subscript(tree, syntax.constant(k), gast.Load()) for k, r in enumerate(rule.results)
    }


def written(
    adjoints: Adjoints, rule: Rule, part: Part, bound: Mapping[str, gast.expr], slots: Mapping[str, gast.expr]
) -> tuple[Part, dict[str, Shape]]:
    """A rule's part in the names of the current statement."""
    session = adjoints.session
    bindings = {p: adjoints.operand(v) for p, v in bound.items()}
    if part.reads & set(rule.results) or part.shapes & set(rule.results):
        result: gast.expr = adjoints.result()
        if len(rule.results) == 1:
            bindings[rule.results[0]] = result
        else:
            for k, r in enumerate(rule.results):
                bindings[r] = gast.Subscript(result, syntax.constant(k), gast.Load())
    local_names = {n: session.names.fresh(n) for n in part.locals if n not in part.kept}
    assert adjoints.statement is not None
    for name in part.kept:
        version = adjoints.extra[adjoints.statement][name]
        local_names[name] = adjoints.shapes.read(version, None).id
    modules = {wish: session.alias(wish, value) for wish, value in part.globals.items()}
    return rules.instantiate(part, bindings, slots, local_names, modules), {}


def _term(adjoints: Adjoints, operation: Primitive, term: Term, local: Mapping[str, Shape]) -> Body:
    target = operation.bound[term.target]
    assert isinstance(target, gast.Name)
    kind = adjoints.kind(target.id)
    if term.index is not None:
        return adjoints.give_at(target.id, operation.bound["i"], term.value, True, term.sign)
    value, shape = term.value, shape_of_kind(kind)
    scalar = _spread(adjoints, value, local) if target.id not in adjoints.buffers else None
    if scalar is not None and isinstance(kind, Num):
        value, shape = scalar, SCALAR
    elif term.elementwise:
        shape = adjoints.shapes.of(value, local)
    return adjoints.give(target.id, value, shape, term.sign)


def _spread(adjoints: Adjoints, value: gast.expr, local: Mapping[str, Shape]) -> gast.expr | None:
    """The scalar that a full reduction hands to every element, if the value is that."""
    match value:
        case gast.Call(func=func, args=[scalar, _], keywords=[]):
            if syntax.dotted(func) in (f"{adjoints.session.rt}.unreduce", f"{adjoints.session.rt}.spread"):
                if adjoints.shapes.of(scalar, local) == SCALAR:
                    return scalar
    return None


def _display(adjoints: Adjoints, elements: tuple[gast.expr, ...], keys: tuple[gast.expr, ...], bx: gast.Name) -> Body:
    body: Body = []
    for element, key in zip(elements, keys):
        if isinstance(element, gast.Name):
            kind = adjoints.kind(element.id)
            slot = gast.Subscript(bx, key, gast.Load())
            body += adjoints.give(element.id, slot, shape_of_kind(kind))
    return body


def _push(adjoints: Adjoints, value: gast.expr, bx: gast.Name) -> Body:
    pop = syntax.expression("bx.pop()", bx=bx)
    if isinstance(value, gast.Name) and value.id in adjoints.before:
        if value.id in adjoints.bound:
            top = adjoints.session.names.numbered("t")
            return [syntax.assign(top, pop), *adjoints.give(value.id, syntax.name(top), shape_of_kind(adjoints.kind(value.id)))]
        return adjoints.give(value.id, pop, shape_of_kind(adjoints.kind(value.id)))
    return [gast.Expr(pop)]


def _pop(adjoints: Adjoints, stack: str, name: str) -> Body:
    body: Body = []
    value = adjoints.session.runtime("ZERO")
    if name in adjoints.bound:
        body = _exact(adjoints, name)
        adjoints.bound.pop(name)
        value = syntax.name(adjoints.adjoint(name))
    bs = syntax.name(adjoints.adjoint(stack))
    return [*body, gast.Expr(syntax.expression("bs.append(e)", bs=bs, e=value))]


def _call(
    adjoints: Adjoints, operation: UserCall, name: str, bx: gast.Name, scope: Scope, position: int
) -> Body:
    assert adjoints.statement is not None
    session = adjoints.session
    active = active_arguments(operation, adjoints.before)
    body = _exact(adjoints, name)
    adjoints.bound.pop(name)
    if not active:
        return body
    _, backward = pair_names(session, operation, tuple(active))
    saved = session.facts.versions.new(session.names.fresh("saved"), scope, position)
    adjoints.extra[adjoints.statement] = {"saved": saved}
    call = syntax.expression("g(saved, bx)", g=backward, saved=adjoints.shapes.read(saved, None), bx=bx)
    if len(active) == 1:
        (argument,) = active.values()
        return body + adjoints.give(argument, call, shape_of_kind(adjoints.kind(argument)))
    parts = [syntax.name(session.names.fresh("b" + p)) for p in active]
    body.append(syntax.assign(gast.Tuple(list(parts), gast.Load()), call))
    for part, argument in zip(parts, active.values()):
        body += adjoints.give(argument, part, shape_of_kind(adjoints.kind(argument)))
    return body


def active_arguments(operation: UserCall, active: frozenset[str]) -> dict[str, str]:
    """The parameters whose arguments are active, with those arguments."""
    return {p: v.id for p, v in operation.bound.items() if isinstance(v, gast.Name) and v.id in active}


def pair_names(session: Session, operation: UserCall, active: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the forward and backward function of a callee."""
    callee, kinds = operation.function, operation.kinds
    wishes = (f"{callee.__name__}_forward", f"{callee.__name__}_backward")
    wishes = tuple(w.replace("<lambda>", "lambda") for w in wishes)
    return session.link((callee, kinds, active), wishes, lambda: session.linker.pair(callee, kinds, active))
