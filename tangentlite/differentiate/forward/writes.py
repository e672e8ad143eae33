"""Statements that write into arrays, lists and dicts, with tangents: the same is done to the tangent.

In: a statement that writes, and the tangents that are bound.
Out: the statement, and what it does to the tangent of what it writes into.
Next: forward.
"""

from __future__ import annotations

from collections.abc import Set

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.analysis.operations import Accumulate, Mutate, Store
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.forward.rules import Tangents
from tangentlite.differentiate.shadows import changes


def store(tangents: Tangents, statement: gast.stmt, operation: Store) -> Body:
    """``da[i] = dv``."""
    value: gast.expr = syntax.constant(0.0)
    if operation.holds:
        value = tangents.of(operation.value)
    elif isinstance(operation.value, gast.Name) and operation.value.id in tangents.bound:
        value = syntax.name(tangents.name(operation.value.id))
        kind = tangents.facts.kind_before(statement, operation.container)
        if not (isinstance(kind, Num) and kind.exact in ("float", "complex")):
            holes = {"dv": value, "a": operation.container, "v": operation.value}
            value = tangents.session.runtime("stored(dv, a, v)", **holes)
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


def mutate(tangents: Tangents, statement: gast.stmt, operation: Mutate, wanted: Set[str]) -> Body:
    """``y = xs.method(…)`` on a list or a dict; ``wanted``: the names that are active after it."""
    target = next(iter(syntax.stores(statement)), None)
    numbered = tangents.session.names.numbered
    y = target or numbered("t")
    dy = tangents.name(y) if target in wanted else numbered("t")
    holes = changes.holes(operation, tangents.of)
    holes |= {"xs": syntax.name(operation.container), "y": syntax.name(y), "by": syntax.name(dy)}
    holes["bxs"] = syntax.name(tangents.name(operation.container))
    text = changes.both(operation, lambda v: _kind(tangents, statement, v))
    if text is None:
        text = f"y, by = rt.mutate(xs, bxs, {operation.method!r}, args, tangents, named)"
        holes |= _asked(tangents, operation)
    elif "i = " in text:
        holes["i"] = syntax.name(numbered("t"))
    body = [syntax.at(line, statement) for line in syntax.quote(text, **holes)]
    if target in wanted:
        settled = tangents.settled(statement, operation, syntax.name(dy))
        if not isinstance(settled, gast.Name):
            body.append(syntax.assign(dy, settled))
    elif target is not None and operation.method not in changes.RESULTS:
        body.append(syntax.assign(target, syntax.constant(None)))
    return body


def _kind(tangents: Tangents, statement: gast.stmt, value: gast.expr) -> Kind | None:
    return tangents.facts.kind_before(statement, value.id) if isinstance(value, gast.Name) else None


def _asked(tangents: Tangents, operation: Mutate) -> dict[str, gast.expr]:
    """What the runtime needs to look at the arguments itself."""
    keys: list[gast.expr] = [syntax.constant(k) for k in operation.named]
    given = gast.Dict(list(keys), [tangents.of(v) for v in operation.named.values()])
    args = gast.Dict(keys, list(operation.named.values()))
    return {
        "rt": syntax.name(tangents.session.rt),
        "args": gast.Tuple(list(operation.args), gast.Load()),
        "tangents": gast.Tuple([tangents.of(a) for a in operation.args], gast.Load()),
        "named": gast.Tuple([args, given], gast.Load()),
    }
