"""Statements that write into arrays, lists and dicts, with tangents: the same is done to the tangent.

In: a statement that writes, and the tangents that are bound.
Out: the statement, and what it does to the tangent of what it writes into.
Next: forward.
"""

from __future__ import annotations

from collections.abc import Set

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import CONTAINERS, List, Num, Tuple
from tangentlite.analysis.operations import Accumulate, Mutate, Store
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.tangents import Tangents

# Methods of lists that do to the tangents what they do to the elements, and the argument that the list will hold.
PLAIN = {"append": 0, "insert": 1, "reverse": -1, "clear": -1, "pop": -1, "__delitem__": -1}


def store(tangents: Tangents, statement: gast.stmt, operation: Store) -> Body:
    """``da[i] = dv``."""
    value: gast.expr = syntax.constant(0.0)
    if operation.holds:
        value = tangents.of(operation.value)
    elif isinstance(operation.value, gast.Name) and operation.value.id in tangents.bound:
        value = syntax.name(tangents.name(operation.value.id))
        kind = tangents.facts.kind_before(statement, operation.container)
        if not (isinstance(kind, Num) and kind.exact in ("float", "complex")):
            call = "stored(dv, a)"
            value = tangents.session.runtime(call, dv=value, a=operation.container)
    da = syntax.name(tangents.name(operation.container))
    place = gast.Subscript(da, operation.index, gast.Store())
    return [syntax.at(syntax.copy(gast.Assign([place], value, None)), statement)]


def accumulate(tangents: Tangents, statement: gast.stmt, operation: Accumulate) -> Body:
    """``da[i] += dv``, spelled as the user did; in a list, a sum of constants may still change the shape."""
    bound = isinstance(operation.value, gast.Name) and operation.value.id in tangents.bound
    if not bound and not operation.holds:
        return []
    da, dv = syntax.name(tangents.name(operation.buffer)), tangents.of(operation.value)
    new = syntax.copy(statement)
    if isinstance(new, gast.AugAssign):
        new.target.value, new.value = da, dv
    else:
        new.value.args = [da, new.value.args[1], dv]
    return [new]


def renewed(tangents: Tangents, statement: gast.Assign, name: str) -> Body:
    """``s op= e`` on a name that may hold what others hold too."""
    session, value = tangents.session, statement.value
    if name not in tangents.shadowed:
        call = session.runtime("renewed(s, t)", s=name, t=value)
        return [syntax.at(syntax.assign(name, call), statement)]
    text = """
old = s
s = rt.renewed(s, t)
ds = rt.renewed_tangent(ds, s, old)
ds[...] = dt
"""
    if isinstance(tangents.facts.kind_after(statement, name), CONTAINERS):
        text = text.replace("...", ":")
    ds, old = tangents.name(name), session.names.fresh(name)
    holes = {"old": old, "s": name, "t": value, "ds": ds, "dt": tangents.of(value)}
    return syntax.quote(text, rt=session.rt, **holes)


def mutate(tangents: Tangents, statement: gast.stmt, operation: Mutate, wanted: Set[str]) -> Body:
    """``y = xs.method(…)`` on a list or a dict; ``wanted``: the names that are active after it."""
    target = next(iter(syntax.stores(statement)), None)
    kind = tangents.facts.kind_before(statement, operation.container)
    if not isinstance(kind, (List, Tuple)) or operation.method not in PLAIN:
        return _both(tangents, statement, operation, target, wanted)
    call = syntax.copy(statement.value)
    call.func.value = syntax.name(tangents.name(operation.container))
    held = PLAIN[operation.method]
    call.args = [tangents.of(a) if k == held else a for k, a in enumerate(call.args)]
    if target is None or target not in wanted:
        return [statement, gast.Expr(call)]
    settled = tangents.settled(statement, operation, call)
    return [statement, syntax.assign(tangents.name(target), settled)]


def _both(
    tangents: Tangents,
    statement: gast.stmt,
    operation: Mutate,
    target: str | None,
    wanted: Set[str],
) -> Body:
    """The list or dict and its tangent in one call, where the one decides what becomes of the other."""
    session, xs = tangents.session, operation.container
    call = session.runtime(
        "mutate(xs, dxs, method, args, tangents)",
        xs=xs,
        dxs=tangents.name(xs),
        method=syntax.constant(operation.method),
        args=gast.Tuple(list(operation.args), gast.Load()),
        tangents=gast.Tuple([tangents.of(a) for a in operation.args], gast.Load()),
    )
    if operation.named:
        keys: list[gast.expr] = [syntax.constant(k) for k in operation.named]
        args = gast.Dict(keys, list(operation.named.values()))
        given = gast.Dict(list(keys), [tangents.of(v) for v in operation.named.values()])
        parts: list[gast.expr] = [syntax.constant("args"), syntax.constant("shadows")]
        call.args.append(gast.Dict(parts, [args, given]))
    if target is None:
        return [syntax.at(gast.Expr(call), statement)]
    unused = session.names.numbered("t")
    tangent = tangents.name(target) if target in wanted else session.names.numbered("t")
    names = gast.Tuple([syntax.name(n) for n in (target, tangent, unused)], gast.Load())
    body: Body = [syntax.at(syntax.assign(names, call), statement)]
    if target in wanted:
        settled = tangents.settled(statement, operation, syntax.name(tangent))
        if not isinstance(settled, gast.Name):
            body.append(syntax.assign(tangent, settled))
    return body
