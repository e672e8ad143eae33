"""Calls of the user's functions with tangents: those of the arguments that the callee writes too.

In: a call, and the tangents that are bound.
Out: the call of the callee's forward-mode function.
Next: forward.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import combinations

import gast

from tangentlite import syntax
from tangentlite.analysis.operations import UserCall
from tangentlite.analysis.storage import steps
from tangentlite.analysis.storage.memory import memory
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.calls import active_arguments, written_arguments
from tangentlite.differentiate.forward.rules import Tangents
from tangentlite.naming import shown


def call(tangents: Tangents, statement: gast.stmt, operation: UserCall, wanted: Set[str]) -> Body:
    """The call with its tangents; ``wanted``: the names that are active after it."""
    session = tangents.session
    name = next(iter(syntax.stores(statement)), None)
    given = _given(tangents, operation, wanted)
    reached = name is not None and name in wanted
    if not given or not (reached or set(written_arguments(operation).values()) & wanted):
        if name is None or not reached:
            tangents.bound.discard(name or "")
            return [statement]
        zero = tangents.settled(statement, operation, None)
        return [statement, syntax.assign(tangents.name(name), zero)]
    body: Body = []
    for argument in dict.fromkeys(given.values()):
        if argument not in tangents.bound:
            tangents.bound.add(argument)
            zero = session.runtime("still(x)", x=argument)
            body.append(syntax.assign(tangents.name(argument), zero))
    made = syntax.copy(statement.value)
    made.func = syntax.name(_linked(tangents, operation, tuple(given)))
    made.args = [*(syntax.name(tangents.name(a)) for a in given.values()), *made.args]
    return [*body, *_assigned(tangents, statement, operation, made, reached)]


def _assigned(
    tangents: Tangents, statement: gast.stmt, operation: UserCall, made: gast.Call, reached: bool
) -> Body:
    if isinstance(statement, gast.Expr):
        return [syntax.at(gast.Expr(made), statement)]
    primal = statement.targets[0]
    if not reached:
        tangents.bound.discard(primal.id)
        unused = syntax.name(tangents.session.names.numbered("t"))
        return [_both(primal, unused, made, statement)]
    tangent = syntax.name(tangents.name(primal.id))
    settled = tangents.settled(statement, operation, tangent)
    body: Body = [_both(primal, tangent, made, statement)]
    return body if settled is tangent else [*body, syntax.assign(tangent.id, settled)]


def _both(
    primal: gast.Name, tangent: gast.Name, made: gast.Call, statement: gast.stmt
) -> gast.stmt:
    targets = gast.Tuple([primal, syntax.store(tangent)], gast.Store())
    return syntax.at(gast.Assign([targets], made, None), statement)


def _given(tangents: Tangents, operation: UserCall, wanted: Set[str]) -> dict[str, str]:
    """The parameters that are called with tangents: active ones, written ones, and what may be the same arrays."""
    active = active_arguments(operation, frozenset(tangents.bound))
    if not active:
        return {}
    names = {p: v.id for p, v in operation.bound.items() if isinstance(v, gast.Name)}
    written = written_arguments(operation)
    family = tangents.aliases.family
    families = [family(n) for n in names.values()]
    shared = {
        family(a)
        for p, a in names.items()
        if p in written and (p in active or a in wanted or families.count(family(a)) > 1)
    }
    assert tangents.statement is not None
    kinds = tangents.facts.kinds.before[tangents.facts.graph.first[tangents.statement]]
    return {
        p: a
        for p, a in names.items()
        if p in active or (family(a) in shared and memory(kinds.get(a)))
    }


def _linked(tangents: Tangents, operation: UserCall, wrt: tuple[str, ...]) -> str:
    """The name of the callee's forward-mode function."""
    session, callee, kinds = tangents.session, operation.function, operation.kinds
    near = _near(tangents, operation)
    (name,) = session.link(
        (callee, kinds, wrt, near),
        (f"{shown(callee)}_tangent",),
        lambda: (session.linker.tangent(callee, kinds, wrt, near),),
    )
    return name


def _near(tangents: Tangents, operation: UserCall) -> tuple[str, ...]:
    """The parameters whose arguments may overlap while one of them is written."""
    assert tangents.statement is not None
    facts, request = tangents.facts, tangents.session.request
    point = facts.graph.first[tangents.statement]
    names = [(p, v.id) for p, v in sorted(operation.bound.items()) if isinstance(v, gast.Name)]
    found: set[str] = set()
    for (p, a), (q, b) in combinations(names, 2):
        if {p, q} & operation.writes and steps.overlap(request, facts.aliases, point, a, b):
            found |= {p, q}
    return tuple(sorted(found))
