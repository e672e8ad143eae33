"""Names whose adjoints live in the forward sweep, aliased there as the names are.

In: a statement that binds such a name.
Out: what binds its shadow, beside the statement; and what the shadow gives to the operands, backward.
Next: contributions.
"""

from __future__ import annotations

import gast
import numpy as np

from tangentlite import runtime, syntax
from tangentlite.analysis.kinds import Num, Object
from tangentlite.analysis.operations import (
    Copy,
    Display,
    Joined,
    NoFlow,
    Operation,
    Pop,
    Primitive,
    Slot,
)
from tangentlite.analysis.shapes import ranks
from tangentlite.analysis.storage.memory import is_view, shared
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.pieces import displayed
from tangentlite.differentiate.primitives import primitive
from tangentlite.differentiate.record import unbound
from tangentlite.differentiate.shapes import ANY, shape_of_kind
from tangentlite.errors import UnsupportedSyntaxError

RECURSION = "a second derivative in reverse through a recursive helper and arrays that are written"
CONVERSIONS = ("array", "require", "astype")
FORWARD = "Take it in forward mode: tl.jvp(tl.grad(f))."


def bound(adjoints: Adjoints, operation: Operation | None, version: Version) -> Body:
    """The statements beside a binding of a shadowed name that bind its shadow."""
    session, name = adjoints.session, version.name
    statement = version.statement
    shadow = syntax.name(adjoints.shadow(version).id.partition("@")[0])
    if statement is None or operation is None:
        return [syntax.assign(shadow, session.runtime("shadow(x)", x=name))]
    if isinstance(operation, Primitive):
        _check(adjoints, operation, name)
    if isinstance(operation, Display):
        return [syntax.assign(shadow, _display(adjoints, operation, statement))]
    if isinstance(operation, Slot) and operation.container in adjoints.shadowed:
        container = syntax.name(adjoints.adjoint(operation.container))
        part = gast.Subscript(container, operation.index, gast.Load())
        return [syntax.assign(shadow, part)]
    whole = isinstance(session.facts.kind_after(statement, name), Object)
    if isinstance(operation, Copy) and (whole or isinstance(statement.value, gast.Name)):
        if operation.source in adjoints.shadowed:
            return [syntax.assign(shadow, _present(adjoints, syntax.name(operation.source)))]
    if isinstance(operation, Joined):
        left, right = (
            _present(adjoints, syntax.name(n)) for n in (operation.left, operation.right)
        )
        joined = session.runtime("joined(a, b)", a=left, b=right)
        return [syntax.assign(shadow, joined)]
    kind = session.facts.kind_after(statement, name)
    sources = [n for n in shared(operation, statement) if n in adjoints.shadowed]
    if taken := taken_out(adjoints, statement, operation, name):
        return _taken(adjoints, version, [*sources, *taken])
    if isinstance(kind, Num) and kind.array:
        native = _native(adjoints, operation, statement, sources, kind)
        if native is not None:
            return [syntax.assign(shadow, native)]
    value = session.runtime("shadow(x)", x=name)
    if sources:
        value = session.runtime("view(y)", y=name)
        for source in dict.fromkeys(sources):
            value.args += [syntax.name(source), syntax.name(adjoints.adjoint(source))]
    return [syntax.assign(shadow, value)]


def taken_out(
    adjoints: Adjoints, statement: gast.stmt, operation: Operation, name: str
) -> list[str]:
    """Names with shadows that may be what a call takes out of a list or dict, and gives."""
    facts = adjoints.session.facts
    point = facts.graph.first[statement]
    found = facts.aliases.taken(point, operation, facts.kinds.before[point]) - {name}
    shadows = {n: adjoints.adjoint(n) for n in found & adjoints.shadowed}
    unbound.begin(adjoints.session, statement, shadows)
    return sorted(shadows)


def _taken(adjoints: Adjoints, version: Version, sources: list[str]) -> Body:
    """The shadow, and what of it is nobody else's: where that is, can be told as long as all have names."""
    session, shadow = adjoints.session, adjoints.shadow(version).id.partition("@")[0]
    value, own = session.runtime("view(y)", y=version.name), syntax.name(shadow)
    for source in dict.fromkeys(sources):
        value.args += [syntax.name(source), syntax.name(adjoints.adjoint(source))]
        own = session.runtime("apart(by, bx)", by=own, bx=syntax.name(adjoints.adjoint(source)))
    kept = adjoints.own_shadow(version)
    return [syntax.assign(shadow, value), syntax.assign(kept.name, own)]


def _check(adjoints: Adjoints, operation: Primitive, name: str) -> None:
    """The record of a recursive helper holds records, so that no kind describes it: what it shares is not known."""
    unknown = any(isinstance(kind, Num) for kind in operation.kinds.values())
    written = adjoints.session.facts.aliases.is_written(name)
    if operation.rule.callee is runtime.private and unknown and written:
        place = adjoints.session.function.origin.place(adjoints.statement)
        raise UnsupportedSyntaxError(RECURSION, place, FORWARD)


def _native(
    adjoints: Adjoints,
    operation: Operation,
    statement: gast.stmt,
    sources: list[str],
    kind: Num,
) -> gast.expr | None:
    """What the user would write for the shadow of an array: zeros, or the same view of a shadow."""
    assert isinstance(statement, gast.Assign)
    name, session = statement.targets[0].id, adjoints.session
    if not sources and kind.exact == "float" and not kind.persistent:
        np_ = session.alias("np", np)
        return syntax.expression("np.zeros_like(x)", np=np_, x=syntax.name(name))
    match operation:
        case Copy(source=source) if source in sources:
            return syntax.name(adjoints.adjoint(source))
        case Primitive(rule=rule) if rule.name in ("diagonal", "diag", "broadcast_to"):
            return None  # a read-only view
        case Primitive(rule=rule) if rule.name in ("imag", "followed"):
            return None  # an adjoint with the other sign; a tangent of its own, or a view
        case Primitive(rule=rule) if rule.name in ("diff", "matrix_power"):
            return None  # the array itself, or what of zeros is not zeros
        case Primitive(rule=rule) if rule.name in CONVERSIONS and kind.exact != "float":
            return (
                None  # maybe of integers, of which the shadow is no array that could be converted
            )
        case Primitive(rule=rule) if len(sources) == 1 and "templates" in rule.file:
            (source,) = sources
            return syntax.substitute(statement.value, {source: adjoints.adjoint(source)})
    return None


def _present(adjoints: Adjoints, value: gast.expr) -> gast.expr:
    """The shadow of an operand as forward code reads it, a new one if it has none."""
    if isinstance(value, gast.Name) and value.id in adjoints.shadowed:
        if not _is_integer(adjoints, value.id):
            return syntax.name(adjoints.adjoint(value.id))
    return adjoints.session.runtime("shadow(x)", x=value)


def _is_integer(adjoints: Adjoints, name: str) -> bool:
    """Whether a name holds an integer here: the index of a loop has no shadow, though the name has one elsewhere."""
    assert adjoints.statement is not None
    kind = adjoints.session.facts.kind_before(adjoints.statement, name)
    return isinstance(kind, Num) and kind.inert and kind.scalar


def _display(adjoints: Adjoints, operation: Display, statement: gast.stmt) -> gast.expr:
    """A display of the shadows of its elements."""
    assert isinstance(statement, gast.Assign)
    parts = [_present(adjoints, e) for e in operation.elements]
    return displayed(operation, statement.value, parts)


def contributions(adjoints: Adjoints, operation: Operation, name: str) -> Body:
    """What the shadow of a bound name gives to the operands."""
    statement = adjoints.statement
    assert statement is not None
    match operation:
        case Display(elements=elements, keys=keys):
            return _parts(adjoints, elements, keys)
        case Joined():
            return _joined(adjoints, operation)
        case Copy(source=source) if source not in adjoints.shadowed:
            return adjoints.give(source, _drained(adjoints, _made(adjoints)), ANY)
        case Slot(container=container, index=index) if container not in adjoints.shadowed:
            return adjoints.give_at(container, index, _drained(adjoints, _made(adjoints)), False)
        case Pop(stack=stack):
            stacked = syntax.name(adjoints.adjoint(stack))
            given = _drained(adjoints, _made(adjoints))
            return [gast.Expr(syntax.expression("bs.append(e)", bs=stacked, e=given))]
        case Primitive():
            return _primitive(adjoints, operation, statement, name)
        case Copy() | Slot() | NoFlow():
            return []  # the shadow is that of the source, or nothing flows
    raise AssertionError(f"{type(operation).__name__} binds a shadow that nobody reads")


def _primitive(adjoints: Adjoints, operation: Primitive, statement: gast.stmt, name: str) -> Body:
    active = frozenset(p for p, n in operation.flows if n in adjoints.before)
    if not active or _certain(adjoints, operation, statement):
        return []
    by, body = _made(adjoints), list[gast.stmt]()
    if is_view(operation):
        by, body = _apart(adjoints, operation, by)
    kind = adjoints.session.facts.kind_after(statement, name)
    if not isinstance(kind, Num):
        whole = adjoints.session.runtime("collected(bx)", bx=by)
        by = syntax.name(adjoints.session.names.numbered("t"))
        adjoints.shapes.known[by.id] = ANY
        body = [*body, syntax.assign(by.id, whole)]
    return body + primitive(adjoints, operation, by, shape_of_kind(kind), active)


def _certain(adjoints: Adjoints, operation: Primitive, statement: gast.stmt) -> bool:
    """Whether the target is a view of a shadowed name, whatever happens."""
    if not any(n in adjoints.shadowed for n in shared(operation, statement)):
        return False
    kind = adjoints.session.facts.kind_after(statement, statement.targets[0].id)
    array = isinstance(kind, Num) and kind.array
    return array and ranks.certain_view(operation.rule, operation.bound, operation.kinds)


def _parts(
    adjoints: Adjoints, elements: tuple[gast.expr, ...], keys: tuple[gast.expr, ...]
) -> Body:
    """What the shadow of a display gives to those elements that have none of their own."""
    by, body = _made(adjoints), []
    for element, key in zip(elements, keys):
        if isinstance(element, gast.Name) and element.id not in adjoints.shadowed:
            part = gast.Subscript(by, key, gast.Load())
            body += adjoints.give(element.id, _drained(adjoints, part), ANY)
    return body


def _joined(adjoints: Adjoints, operation: Joined) -> Body:
    """What the shadow of ``a + b`` gives to a list that has none of its own."""
    by, body = _made(adjoints), []
    length = adjoints.session.alias("len", len)
    for name, text in ((operation.left, "by[: n(a)]"), (operation.right, "by[n(a) :]")):
        if name not in adjoints.shadowed and name in adjoints.before:
            a = adjoints.operand(syntax.name(operation.left))
            part = syntax.expression(text, by=by, n=length, a=a)
            body += adjoints.give(name, _drained(adjoints, part), ANY)
    return body


def _made(adjoints: Adjoints) -> gast.Name:
    assert adjoints.statement is not None
    return adjoints.shadow(adjoints.session.facts.versions.made[adjoints.statement])


def _drained(adjoints: Adjoints, shadow: gast.expr) -> gast.Call:
    """What a shadow has gathered, for a name that has none."""
    return adjoints.session.runtime("drained(bx)", bx=shadow)


def _apart(adjoints: Adjoints, operation: Operation, by: gast.Name) -> tuple[gast.Name, Body]:
    """The shadow, if it is no view of an operand's: what is one has given already."""
    assert adjoints.statement is not None
    value: gast.expr = by
    for source in dict.fromkeys(shared(operation, adjoints.statement)):
        if source in adjoints.shadowed:
            bx = adjoints.shadow_of(source)
            value = adjoints.session.runtime("apart(by, bx)", by=value, bx=bx)
    if value is by:
        return by, []
    name = adjoints.session.names.numbered("t")
    adjoints.shapes.known[name] = ANY
    return syntax.name(name), [syntax.assign(name, value)]
