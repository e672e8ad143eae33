"""Calls of the user's functions, walked back.

In: a call, and the adjoints of its result and of what it wrote.
Out: the call of its backward function, and what that gives to the arguments.
Next: contributions.
"""

from __future__ import annotations

import gast

from tangentlite import ir, syntax
from tangentlite.analysis.calling.callees import parameters
from tangentlite.analysis.kinds import CONTAINERS, Dict, List, Num
from tangentlite.analysis.operations import UserCall
from tangentlite.analysis.storage.memory import memory
from tangentlite.analysis.versions import Scope
from tangentlite.differentiate.adjoints import Adjoints, Body
from tangentlite.differentiate.blocks import halves
from tangentlite.differentiate.primitives import exact
from tangentlite.differentiate.record.unseen import is_unseen
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shadows.names import FORWARD, taken_out
from tangentlite.differentiate.shapes import shape_of_kind
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.naming import shown
from tangentlite.runtime.checkpoints import runs_again

RECURSION = "a second derivative in reverse through a recursive helper and lists that change"
PLAIN = (bool, int, float, str, type(None))


def contributions(
    adjoints: Adjoints, operation: UserCall, name: str | None, scope: Scope, position: int
) -> Body:
    """The backward statements of a call; ``name`` is bound to its result."""
    assert adjoints.statement is not None
    session = adjoints.session
    _check(session, operation, adjoints.statement)
    lent = lent_arguments(adjoints, operation)
    given = {p: n for p, n in written_arguments(operation).items() if p not in lent}
    changed = {
        p: n for p, n in given.items() if p in operation.writes or n not in adjoints.shadowed
    }
    reached = name is not None and adjoints.reaches(name)
    active = active_arguments(operation, adjoints.before)
    if not (reached or lent or any(map(adjoints.reaches, changed.values())) or operation.inserts):
        return []
    seed, body = _seed(adjoints, operation, name if reached else None)
    body += _begun(adjoints, operation)
    if not active and not operation.inserts:
        return body + _ended(adjoints, changed)
    halves.check(session, adjoints.statement, operation, bool(lent))
    unseen = not lent and is_unseen(adjoints, operation, name, scope, position)
    backward, known = _linked(adjoints, operation, tuple(active), tuple(lent), unseen)
    record = _given(adjoints, operation, known) if known and not lent else None
    if record is None:
        saved = session.facts.versions.new(session.names.fresh("saved"), scope, position)
        adjoints.extra[adjoints.statement] = {"saved": saved}
        adjoints.recorded[adjoints.statement] = _held(operation, known, name)
        record = adjoints.shapes.read(saved, None)
        record = halves.spent(session, operation, None if lent else known, record)
    call = syntax.expression("g(saved, by)", g=backward, saved=record, by=seed)
    for parameter in sorted((operation.writes | operation.gathers) - lent.keys()):
        argument = given.get(parameter, "")  # none where a default is written
        reaching = parameter in changed and adjoints.reaches(argument)
        call.args.append(adjoints.at(argument) if reaching else session.runtime("ZERO"))
    call.args += [adjoints.shadow_of(argument) for argument in lent.values()]
    active = {p: n for p, n in active.items() if p not in lent}
    if not active:
        return [*body, gast.Expr(call), *_ended(adjoints, changed)]
    return body + _handed_out(adjoints, call, active, changed)


def _linked(
    adjoints: Adjoints,
    operation: UserCall,
    active: tuple[str, ...],
    lent: tuple[str, ...],
    unseen: bool,
) -> tuple[str, ir.Record | None]:
    """The name of the backward function of a call, and what it is given."""
    session = adjoints.session
    session.bare |= _recorded(adjoints, operation, active) if unseen else set()
    bare = adjoints.statement in session.bare
    _, backward = pair_names(session, operation, active, lent, bare)
    asked = operation.function, operation.kinds, active, lent
    return backward, session.linker.record(*asked, bare)


def _recorded(
    adjoints: Adjoints, operation: UserCall, active: tuple[str, ...]
) -> set[gast.stmt | None]:
    """The current statement, if its call must keep what its arguments do not tell, and computes more than that."""
    linker, asked = adjoints.session.linker, (operation.function, operation.kinds, active)
    linker.pair(*asked)
    known = linker.record(*asked)
    if known is None or _given(adjoints, operation, known) is not None:
        return set()
    if not (operation.writes or known.heavy):
        return set()
    linker.leave_out(*asked)
    return {adjoints.statement}


def _check(session: Session, operation: UserCall, statement: gast.stmt) -> None:
    """The records of a recursive helper that changes lists hold how long these were, each another time."""
    code = getattr(operation.function, "__code__", None)
    if code is None or code.co_filename != session.function.origin.file:
        return
    kinds = zip(code.co_varnames, operation.kinds)
    changed = any(p in operation.writes and isinstance(k, List | Dict) for p, k in kinds)
    if changed and session.facts.generated and code.co_name == session.function.name:
        place = session.function.origin.place(statement)
        raise UnsupportedSyntaxError(RECURSION, place, FORWARD)


def _held(operation: UserCall, record: ir.Record | None, result: str | None) -> tuple[str, ...]:
    """The arguments, and the result, whose memory is read when a record is."""
    bound = operation.bound.items()
    names = [(p, v.id) for p, v in bound if isinstance(v, gast.Name)]
    found = [name for p, name in names if record is None or p in record.values]
    if result is not None and (record is None or record.result):
        found.append(result)
    return tuple(found)


def _given(adjoints: Adjoints, operation: UserCall, record: ir.Record) -> gast.expr | None:
    """The record of a call whose backward function needs nothing but arguments; None if it needs more."""
    if not record.given or operation.gathers or record.values & operation.writes:
        return None
    defaults = dict(parameters(operation.function))
    parts: list[gast.expr] = []
    for name in record.names:
        value = operation.bound.get(name)
        if value is None:
            if type(defaults[name]) not in PLAIN:
                return None
            value = syntax.constant(defaults[name])
        elif isinstance(value, gast.Name):
            value = _argument(adjoints, value, name in record.values)
        parts.append(value)
    return gast.Tuple(parts, gast.Load())


def _argument(adjoints: Adjoints, value: gast.Name, by_value: bool) -> gast.expr:
    """An argument as the backward function gets it: if only its shape is read, anything of that shape will do."""
    kind = adjoints.kind(value.id)
    if by_value or not memory(kind):
        return adjoints.operand(value)
    assert adjoints.statement is not None
    version = adjoints.session.facts.versions.reads[adjoints.statement].get(value.id)
    like = version and version.scope.repeats and adjoints.shapes.carrier(version, kind)
    return adjoints.session.runtime("outline(x)", x=like or adjoints.operand(value))


def _begun(adjoints: Adjoints, operation: UserCall) -> Body:
    """Zeros where nothing has reached an array yet whose adjoint the callee adds to."""
    body: Body = []
    for parameter, name in written_arguments(operation).items():
        if parameter in operation.gathers and name in adjoints.before:
            if not adjoints.reaches(name):
                like = adjoints.operand(syntax.name(name))
                body += adjoints.start(name, like, adjoints.kind(name))
    return body


def _seed(adjoints: Adjoints, operation: UserCall, name: str | None) -> tuple[gast.expr, Body]:
    """The adjoint of the result; none where the result is an argument, whose shadow holds it."""
    session = adjoints.session
    if name is None:
        return session.runtime("ZERO"), []
    if name in adjoints.shadowed:
        assert adjoints.statement is not None
        version = session.facts.versions.made[adjoints.statement]
        taken = taken_out(adjoints, adjoints.statement, operation, name)
        seed: gast.expr = adjoints.shadow(version)
        if taken:
            seed = adjoints.shapes.read(adjoints.own_shadow(version), None)
        for parameter in [] if taken else sorted(operation.shares):
            value = operation.bound.get(parameter)
            if isinstance(value, gast.Name) and value.id in adjoints.shadowed:
                shadow = adjoints.shadow_of(value.id)
                seed = session.runtime("apart(by, bx)", by=seed, bx=shadow)
        if not isinstance(session.facts.kind_after(adjoints.statement, name), Num):
            seed = session.runtime("collected(by)", by=seed)
        return seed, []
    body = exact(adjoints, name)
    adjoints.bound.pop(name)
    return syntax.name(adjoints.adjoint(name)), body


def _ended(adjoints: Adjoints, changed: dict[str, str]) -> Body:
    """What a call without active arguments wrote has no derivative."""
    body: Body = []
    for argument in changed.values():
        if argument in adjoints.bound and argument not in adjoints.before:
            adjoints.bound.pop(argument)
        elif adjoints.reaches(argument):
            raise AssertionError("a written argument is active before its call")
    return body


def _handed_out(
    adjoints: Adjoints, call: gast.expr, active: dict[str, str], changed: dict[str, str]
) -> Body:
    """What the backward function returns: new adjoints of what was written, contributions to the others."""
    session, body = adjoints.session, []
    if len(active) == 1:
        parts = [call]
    else:
        own = [a for p, a in active.items() if p in changed and a not in adjoints.shadowed]
        direct = {p for p, a in active.items() if p in changed and own.count(a) == 1}
        names = [
            adjoints.adjoint(a) if p in direct else session.names.fresh("b" + p)
            for p, a in active.items()
        ]
        parts = [syntax.name(n) for n in names]
        body.append(syntax.assign(gast.Tuple(list(parts), gast.Load()), call))
    for part, (parameter, argument) in zip(parts, active.items()):
        if parameter in changed:
            body += _returned(adjoints, argument, part)
    for part, (parameter, argument) in zip(parts, active.items()):
        if parameter not in changed:
            body += adjoints.give(argument, part, shape_of_kind(adjoints.kind(argument)))
    for parameter, argument in changed.items():
        if parameter not in active:
            adjoints.bound.pop(argument, None)
    return body


def _returned(adjoints: Adjoints, argument: str, part: gast.expr) -> Body:
    """The adjoint of an array before it was written in place of the one after."""
    session = adjoints.session
    if argument in adjoints.shadowed:
        shadow = adjoints.shadow_of(argument)
        return [gast.Expr(session.runtime("settle(ba, e)", ba=shadow, e=part))]
    adjoints.bound[argument] = shape_of_kind(adjoints.kind(argument))
    name = adjoints.adjoint(argument)
    return [] if syntax.same(part, syntax.name(name)) else [syntax.assign(name, part)]


def lent_arguments(adjoints: Adjoints, operation: UserCall) -> dict[str, str]:
    """The parameters whose shadows the caller lends: lists and dicts that the callee changes, all that it may put
    into these, and arguments that overlap while one of them is written."""
    assert adjoints.statement is not None
    facts = adjoints.session.facts
    point = facts.graph.first[adjoints.statement]
    names = {
        p: v.id
        for p, v in operation.bound.items()
        if isinstance(v, gast.Name) and v.id in adjoints.shadowed
    }
    found = {
        p: a
        for p, a in names.items()
        if p in operation.writes
        and isinstance(facts.kind_before(adjoints.statement, a), CONTAINERS)
    }
    if found:
        found = names
    for p, a in names.items():
        for q, b in names.items():
            if p != q and {p, q} & operation.writes and facts.aliases.overlap(point, a, b):
                found[p] = a
    return found


def written_arguments(operation: UserCall) -> dict[str, str]:
    """The parameters whose adjoints go in and out, in order, with the names they are bound to."""
    return {
        p: v.id
        for p, v in sorted(operation.bound.items())
        if p in operation.writes | operation.gathers and isinstance(v, gast.Name)
    }


def active_arguments(operation: UserCall, active: frozenset[str]) -> dict[str, str]:
    """The parameters whose arguments are active, with those arguments."""
    return {
        p: v.id for p, v in operation.bound.items() if isinstance(v, gast.Name) and v.id in active
    }


def pair_names(
    session: Session,
    operation: UserCall,
    active: tuple[str, ...],
    lent: tuple[str, ...] = (),
    bare: bool = False,
) -> tuple[str, ...]:
    """The names of the forward and backward function of a callee."""
    callee, kinds = operation.function, operation.kinds
    name = shown(callee)
    kept = runs_again(callee)
    wishes = (f"{name}_kept", f"{name}_again") if kept else (f"{name}_forward", f"{name}_backward")
    return session.link(
        (callee, kinds, active, lent, bare),
        wishes,
        lambda: session.linker.pair(callee, kinds, active, lent, bare),
    )
