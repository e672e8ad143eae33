"""The first lines of a derivative: its arguments are checked, and copied where they are written.

In: a session.
Out: statements.
Next: seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CellType

import gast

from tangentlite import ir, runtime, syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.defaults import first_checks
from tangentlite.analysis.kinds import (
    CONTAINERS,
    FLOAT,
    Kind,
    Nothing,
    Num,
    Value,
    is_complex,
    is_persistent,
)
from tangentlite.analysis.operations import Primitive, UserCall
from tangentlite.analysis.storage.memory import memory
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.publishing import effects, published
from tangentlite.differentiate.reverse import Sweep
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shadows import names as shadows
from tangentlite.frontend.source import GENERATED


def entry(session: Session) -> Body:
    """The check that the arguments are of the kinds that this text was written for."""
    if session.request.seed == "given":
        return []
    start = session.facts.kinds.before[0]
    names = [n for n in relevant(session) if start[n] != FLOAT and not _chosen(start[n])]
    body: Body = []
    if names:
        call = session.runtime("numbers()")
        call.args = [syntax.name(n) for n in names]
        body.append(gast.Expr(call))
    return body + _defaults(session)


def _defaults(session: Session) -> Body:
    """Where the text was written for defaults that are no numbers: other arguments are like these."""
    if session.request.kinds is not None:
        return []
    body: Body = []
    for name, default in written_for(session.facts, session.function):
        known = session.names.fresh(f"default_{name}")
        session.cells[known] = CellType(default)
        body.append(gast.Expr(session.runtime("alike(x, y)", x=name, y=known)))
    return body


def written_for(facts: Facts, function: ir.Function) -> list[tuple[str, object]]:
    """The parameters whose kinds are those of their defaults, and no numbers."""
    start, done = facts.kinds.before[0], first_checks(function.body, "alike")
    return [
        (p.name, p.default)
        for p in function.params
        if isinstance(start[p.name], (Value, Nothing, *CONTAINERS)) and p.name not in done
    ]


def _chosen(kind: Kind) -> bool:
    """Whether the door sends only arguments of this kind here: there is nothing to check."""
    return is_persistent(kind) or is_complex(kind)


def taken_as_own(session: Session) -> Body:
    """Where nobody sees what a helper writes into its arguments, it writes into copies."""
    if not session.request.bare:
        return []
    start, changed = session.facts.kinds.before[0], session.facts.aliases.effects
    names = [p.name for p in session.function.params if p.name in changed]
    arrays = [syntax.name(n) for n in names if memory(start.get(n))]
    return [syntax.assign(x.id, session.runtime("own(x)", x=x)) for x in arrays]


def copies(session: Session) -> Body:
    """Arguments that are written are copied: what the user gave stays as it is."""
    if session.request.seed == "given":
        return []
    changed, together = session.facts.aliases.effects, session.request.together
    start = session.facts.kinds.before[0]
    arrays = [p.name for p in session.function.params if memory(start.get(p.name))]
    body: Body = []
    seen = published(session)
    kept = [gast.keyword("effects", syntax.name(effects(session)))] if seen else []
    if seen:
        body.append(syntax.assign(effects(session), session.runtime("effects()")))
    whole = session.runtime("own(xs)", xs=tuple_of(together))
    whole.keywords += kept if set(seen) & set(together) else []
    body += jointly(together, whole)
    for k, name in enumerate(arrays):
        if name in together:
            continue
        if name in changed:
            call = session.runtime("own(x)", x=name)
            others = [n for i, n in enumerate(arrays) if i > k or n not in changed]
            call.args += [syntax.name(n) for n in others if n != name]
            call.keywords += kept if name in seen else []
            body.append(syntax.assign(name, call))
    return body


def noted(session: Session) -> Body:
    """After the forward sweep the user's objects are to be what the plain call makes of them."""
    seen = published(session)
    if not seen:
        return []
    call = session.runtime("note(kept)", kept=effects(session))
    call.args += [syntax.name(n) for n in seen]
    return [gast.Expr(call)]


def ended(session: Session, body: Body) -> Body:
    """What happens to the user's objects happens last: until then they are read as they were."""
    late = [s for s in body if _publishes(session, s)]
    if published(session):
        late.append(gast.Expr(session.runtime("publish(kept)", kept=effects(session))))
    if not late:
        return body
    *rest, last = [s for s in body if s not in late]
    result = syntax.name(session.names.fresh("result"))
    return [*rest, syntax.assign(result, last.value), *late, gast.Return(result)]


def _publishes(session: Session, statement: gast.stmt) -> bool:
    space = session.function.namespace
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=name)) as called)):
            known = called.attr == "publish" and space.binds(name)
            return known and space.lookup(name) is runtime
    return False


def jointly(names: Sequence[str], value: gast.expr) -> Body:
    """``p, q = value``, if there are any names."""
    return [gast.Assign([syntax.store(tuple_of(names))], value, None)] if names else []


def tuple_of(names: Sequence[str]) -> gast.expr:
    """A display of names."""
    return gast.Tuple([syntax.name(n) for n in names], gast.Load())


def shadowed_inputs(sweep: Sweep) -> Body:
    """The shadows of parameters."""
    start, together = sweep.facts.versions.at_start, sweep.session.request.together
    shadowed = [n for n in together if n in sweep.adjoints.shadowed]
    targets = [sweep.adjoints.shadow(start[n]).id.partition("@")[0] for n in shadowed]
    body = jointly(targets, sweep.session.runtime("shadow(xs)", xs=tuple_of(shadowed)))
    names = [p.name for p in sweep.session.function.params]
    for param in sweep.session.function.params:
        if param.name in shadowed:
            continue
        if param.name in sweep.session.request.lent:
            shadow = sweep.adjoints.shadow(start[param.name]).id.partition("@")[0]
            body.append(syntax.assign(shadow, syntax.name(ir.lent(param.name, names))))
        elif param.name in sweep.adjoints.shadowed:
            body += shadows.bound(sweep.adjoints, None, start[param.name])
    return body


def _calls_derivatives(session: Session) -> bool:
    """Whether a derivative is called inside, which is written for numbers as the function is."""
    calls = (o for o in session.facts.kinds.operations.values() if isinstance(o, UserCall))
    codes = (getattr(call.function, "__code__", None) for call in calls)
    return any(code is not None and code.co_filename.startswith(GENERATED) for code in codes)


def relevant(session: Session) -> list[str]:
    """The parameters that must be numbers or arrays: those that rules are applied to."""
    facts = session.facts
    read = {
        n
        for op in facts.kinds.operations.values()
        if isinstance(op, Primitive)
        for n in op.sources()
    }
    wanted = read | set(facts.inputs) | first_checks(session.function.body, "numbers")
    everything = _calls_derivatives(session)
    start = facts.kinds.before[0]
    return [
        p.name
        for p in session.function.params
        if (everything or p.name in wanted) and isinstance(start[p.name], Num)
    ]
