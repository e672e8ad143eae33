"""One statement of the backward sweep: what its adjoint gives to the adjoints of its operands.

In: an operation, and the adjoints that are bound after it.
Out: statements, and the adjoints that are bound before it.
Next: reverse.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite import rules, syntax
from tangentlite.analysis.kinds import CONTAINERS, SCALAR, Num, Shape
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Display,
    Joined,
    Operation,
    Pop,
    Primitive,
    Push,
    Slot,
    UserCall,
)
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import ANY, shape_of_kind
from tangentlite.rules import Part, Rule, Term


def contributions(
    adjoints: Adjoints, operation: Operation, name: str, scope: Scope, position: int
) -> Body:
    """The backward statements of one active simple statement that binds ``name``."""
    bx = syntax.name(adjoints.adjoint(name))
    if name not in adjoints.bound and not isinstance(operation, (Pop, Push)):
        return []  # whatever reads it has no derivative there
    match operation:
        case Copy(source=source):
            shape = adjoints.bound.pop(name)
            return adjoints.give(source, bx, shape)
        case Primitive():
            return _primitive(adjoints, operation, name, bx)
        case Display(elements=elements, keys=keys):
            adjoints.bound.pop(name)
            return _display(adjoints, elements, keys, bx)
        case Joined(left=left, right=right):
            adjoints.bound.pop(name)
            return _joined(adjoints, left, right, bx)
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
    part, local = written(
        adjoints,
        rule,
        adjoints.session.part(adjoints.statement, rule.adjoint, active),
        operation.bound,
        _slots(rule, "b", bx),
    )
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
        f"{letter}[{r}]": gast.Subscript(tree, syntax.constant(k), gast.Load())
        for k, r in enumerate(rule.results)
    }


def written(
    adjoints: Adjoints,
    rule: Rule,
    part: Part,
    bound: Mapping[str, gast.expr],
    slots: Mapping[str, gast.expr],
) -> tuple[Part, dict[str, Shape]]:
    """A rule's part in the names of the current statement."""
    session = adjoints.session
    bindings = {
        p: adjoints.session.as_array(rule, adjoints.operand(v), adjoints.kind_of(v))
        for p, v in bound.items()
    }
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
            if syntax.dotted(func) in (
                f"{adjoints.session.rt}.unreduce",
                f"{adjoints.session.rt}.spread",
            ):
                if adjoints.shapes.of(scalar, local) == SCALAR:
                    return scalar
    return None


def _display(
    adjoints: Adjoints, elements: tuple[gast.expr, ...], keys: tuple[gast.expr, ...], bx: gast.Name
) -> Body:
    body: Body = []
    for element, key in zip(elements, keys):
        if isinstance(element, gast.Name):
            kind = adjoints.kind(element.id)
            slot = gast.Subscript(bx, key, gast.Load())
            body += adjoints.give(element.id, slot, shape_of_kind(kind))
    return body


def _joined(adjoints: Adjoints, left: str, right: str, bx: gast.Name) -> Body:
    """``y = a + b`` of lists: the first ``len(a)`` adjoints belong to a, the others to b."""
    length = adjoints.session.alias("len", len)
    body: Body = []
    for name, text in ((left, "bx[: n(a)]"), (right, "bx[n(a) :]")):
        if name in adjoints.before:
            part = syntax.expression(text, bx=bx, n=length, a=adjoints.operand(syntax.name(left)))
            body += adjoints.give(name, part, ANY)
    return body


def _push(adjoints: Adjoints, value: gast.expr, bx: gast.Name) -> Body:
    pop = syntax.expression("bx.pop()", bx=bx)
    if isinstance(value, gast.Name) and value.id in adjoints.before:
        if value.id in adjoints.bound:
            top = adjoints.session.names.numbered("t")
            return [
                syntax.assign(top, pop),
                *adjoints.give(value.id, syntax.name(top), shape_of_kind(adjoints.kind(value.id))),
            ]
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
    call = syntax.expression(
        "g(saved, bx)", g=backward, saved=adjoints.shapes.read(saved, None), bx=bx
    )
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
    return {
        p: v.id for p, v in operation.bound.items() if isinstance(v, gast.Name) and v.id in active
    }


def pair_names(session: Session, operation: UserCall, active: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the forward and backward function of a callee."""
    callee, kinds = operation.function, operation.kinds
    name = callee.__name__.replace("<lambda>", "lambda")
    wishes = (f"{name}_forward", f"{name}_backward")
    return session.link(
        (callee, kinds, active), wishes, lambda: session.linker.pair(callee, kinds, active)
    )
