"""One statement of the backward sweep: what its adjoint gives to the adjoints of its operands.

In: an operation, and the adjoints that are bound after it.
Out: statements, and the adjoints that are bound before it.
Next: reverse.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
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
    Store,
    UserCall,
)
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate import calls, writes
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.parting import part
from tangentlite.differentiate.primitives import exact, primitive, tolerant
from tangentlite.differentiate.shadows import names as shadows
from tangentlite.differentiate.shapes import ANY, shape_of_kind


def contributions(
    adjoints: Adjoints, operation: Operation, name: str, scope: Scope, position: int
) -> Body:
    """The backward statements of one active simple statement that binds ``name``."""
    match operation:
        case UserCall():
            return calls.contributions(adjoints, operation, name, scope, position)
        case Store():
            return writes.store(adjoints, operation)
        case Accumulate():
            return writes.accumulate(adjoints, operation)
    if name in adjoints.shadowed:
        return shadows.contributions(adjoints, operation, name)
    bx = syntax.name(adjoints.adjoint(name))
    if name not in adjoints.bound and not isinstance(operation, (Pop, Push)):
        return []  # whatever reads it has no derivative there
    match operation:
        case Copy(source=source):
            shape = adjoints.bound.pop(name)
            handed = adjoints.hand_over(source, name, shape)
            return adjoints.give(source, bx, shape) if handed is None else handed
        case Primitive():
            return _primitive(adjoints, operation, name, bx)
        case Display(elements=elements, keys=keys):
            adjoints.bound.pop(name)
            return _display(adjoints, elements, keys, bx)
        case Joined(left=left, right=right):
            adjoints.bound.pop(name)
            return _joined(adjoints, left, right, bx)
        case Slot():
            body = exact(adjoints, name)
            adjoints.bound.pop(name)
            return body + part(adjoints, operation, name)
        case Push(value=value):
            return _push(adjoints, value, bx)
        case Pop(stack=stack):
            return _pop(adjoints, stack, name)
    return []


def _primitive(adjoints: Adjoints, operation: Primitive, name: str, bx: gast.Name) -> Body:
    rule = adjoints.session.variant(operation)
    active = frozenset(p for p, n in operation.flows if n in adjoints.before)
    if not active:
        adjoints.bound.pop(name)
        return []
    body = [] if tolerant(adjoints, operation, rule, name) else exact(adjoints, name)
    return body + primitive(adjoints, operation, bx, adjoints.bound.pop(name), active)


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
        body = exact(adjoints, name)
        adjoints.bound.pop(name)
        value = syntax.name(adjoints.adjoint(name))
    bs = syntax.name(adjoints.adjoint(stack))
    return [*body, gast.Expr(syntax.expression("bs.append(e)", bs=bs, e=value))]
