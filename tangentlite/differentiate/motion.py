"""Assembling sweeps into functions: one that does both, or a forward and a backward one.

In: a session.
Out: the functions of an ``ir.Derived``.
Next: forward.
"""

from __future__ import annotations

from inspect import Parameter
from types import CellType

import gast

from tangentlite import ir, syntax
from tangentlite.analysis.kinds import FLOAT, Kind, Num, floating
from tangentlite.analysis.storage.memory import memory
from tangentlite.differentiate import entries, seeds
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.blocks.guards import entered
from tangentlite.differentiate.blocks.surgery import check_copies
from tangentlite.differentiate.record import unbound
from tangentlite.differentiate.record.exposed import certain, live
from tangentlite.differentiate.record.outlines import outline
from tangentlite.differentiate.record.recording import record
from tangentlite.differentiate.record.sizes import bound_again
from tangentlite.differentiate.reverse import Sweep
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import shape_of_kind
from tangentlite.lines import credit
from tangentlite.rules.reads import reads


def reverse(session: Session) -> tuple[ir.Function, ...]:
    """The functions of reverse mode."""
    sweep = Sweep(session)
    result = session.facts.result or "y"
    twice = result in session.facts.kept or result in sweep.adjoints.shadowed
    seed_name = session.names.fresh("by") if twice else session.letter("b", result)
    begun = seeds.opening(sweep, seed_name)
    sweep.function()
    closing = _closing(sweep)
    credit(begun, session.lines(session.function.body[-1]))
    credit(closing, session.function.head)
    own = _owns_record(sweep, [*begun, *closing])
    lent = [gast.Expr(n) for n in _lent(sweep)]
    forward, backward = record(sweep, around := [*lent, *begun, gast.Pass(), *closing])
    forward = [
        *entries.entry(session),
        *entries.copies(session),
        *entries.shadowed_inputs(sweep),
        *forward,
        *entries.noted(session),
    ]
    credit(forward, session.function.head)
    cut = next(k for k, s in enumerate(around) if isinstance(s, gast.Pass))
    begun, closing = around[len(lent) : cut], around[cut + 1 :]
    if session.request.motion == "split":
        given = tuple(ir.Param(s.value.id) for s in around[: len(lent)])
        return _split(sweep, forward, [*begun, *backward, *closing], seed_name, given, own)
    return (_joint(session, forward, begun, [*backward, *closing], seed_name),)


def _lent(sweep: Sweep) -> list[gast.Name]:
    """The shadows that the caller lends, as backward code reads them."""
    start = sweep.facts.versions.at_start
    return [sweep.adjoints.shadow(start[name]) for name in sweep.session.request.lent]


def _owns_record(sweep: Sweep, around: Body) -> bool:
    """Whether nothing in the record is a shadow that the caller has lent, or part of one."""
    if not sweep.session.request.lent:
        return True
    given = {name.id for name in _lent(sweep)}
    shadows = {v.placeholder for v in sweep.adjoints.shadows.values()} - given
    read = syntax.loads([*sweep.backward[sweep.facts.versions.root], *around])
    return not (shadows & read or sweep.lends or sweep.undone)


def _closing(sweep: Sweep) -> Body:
    """The gradients, each as its argument is."""
    session, facts = sweep.session, sweep.facts
    parts: list[gast.expr] = []
    for name in facts.inputs:
        if name in session.request.lent:
            continue
        version, kind = facts.versions.at_start[name], facts.kinds.before[0].get(name)
        bound = name in sweep.adjoints.bound
        value = syntax.name(session.letter("b", name)) if bound else session.runtime("ZERO")
        if name in sweep.adjoints.shadowed:
            value = sweep.adjoints.shadow(version)
        parts.append(_finished(sweep, name, value, sweep.adjoints.shapes.read(version, kind), kind))
    if not parts:
        return [gast.Return(syntax.constant(None))]
    several = len(parts) > 1 or (session.request.several and session.request.seed != "given")
    result: gast.expr = gast.Tuple(parts, gast.Load()) if several else parts[0]
    if len(parts) > 1 and sweep.adjoints.shared and session.request.seed != "given":
        result = session.runtime("distinct(gradients)", gradients=result)
    return [gast.Return(result)]


def _finished(
    sweep: Sweep, name: str, value: gast.expr, like: gast.expr, kind: Kind | None
) -> gast.expr:
    session = sweep.session
    if kind == FLOAT and name not in sweep.adjoints.bound:
        return syntax.constant(0.0)
    if session.request.seed == "given":
        if name in sweep.adjoints.shadowed and not isinstance(kind, Num):
            return session.runtime("collected(bx)", bx=value)
        if name in sweep.adjoints.bound and sweep.adjoints.bound[name] != shape_of_kind(kind):
            if isinstance(kind, Num):
                return session.runtime("unbroadcast(bx, x)", bx=value, x=like)
        return value
    if kind == FLOAT:
        return value
    return session.runtime("like(bx, x)", bx=value, x=like)


def _joint(
    session: Session, forward: Body, opening: Body, backward: Body, seed: str
) -> ir.Function:
    request = session.request
    result = session.function.body[-1].value
    forward = unbound.begun(session, forward, [*opening, *backward])
    body = [syntax.comment("Forward"), *forward, syntax.comment("Backward"), *opening, *backward]
    if request.output != "gradient" or request.has_aux:
        gradient = body.pop().value
        kept = _kept_result(session, body, result)
        if request.output == "gradient":
            kept = gast.Subscript(kept, syntax.constant(1), gast.Load())
        pair = [kept, gradient] if request.output == "value, gradient" else [gradient, kept]
        body.append(gast.Return(gast.Tuple(pair, gast.Load())))
    params = (*session.function.params, _seed_param(seed, request))
    return built(session, name(session.function, request), params, entries.ended(session, body))


def _kept_result(session: Session, body: Body, result: gast.expr) -> gast.expr:
    """The primal's result, under a name that the backward sweep does not bind."""
    mark = next(
        k
        for k, s in enumerate(body)
        if isinstance(s, syntax.Comment) and vars(s)["text"] == "Backward"
    )
    if not isinstance(result, gast.Name):
        return result
    facts = session.facts
    restored = facts.aliases.is_written(result.id) and memory(facts.kinds.result)
    if restored or result.id in syntax.stores(body[mark:]):
        kept = session.names.fresh("value")
        value = session.runtime("private(y)", y=result) if restored else result
        body.insert(mark, syntax.assign(kept, value))
        return syntax.name(kept)
    return result


def _seed_param(seed: str, request: ir.Request) -> ir.Param:
    if request.motion == "split":
        return (
            ir.Param(seed)
            if request.seed != "one"
            else ir.Param(seed, default=1.0, shown=syntax.constant(1.0))
        )
    if request.seed == "required":
        return ir.Param(seed, Parameter.KEYWORD_ONLY)
    return ir.Param(seed, Parameter.KEYWORD_ONLY, 1.0, syntax.constant(1.0))


def name(function: ir.Function, request: ir.Request) -> str:
    """What a function that does both sweeps is called."""
    return request.name or gradient_name(function.name, request.wrt)


def gradient_name(function: str, wrt: tuple[str, ...]) -> str:
    """``df_dx``, ``df_dw_db``, and ``df`` for more than three."""
    name = function if function.isidentifier() else "f"
    return f"d{name}" if len(wrt) > 3 else "_".join([f"d{name}", *(f"d{w}" for w in wrt)])


def _split(
    sweep: Sweep,
    forward: Body,
    backward: Body,
    seed: str,
    given: tuple[ir.Param, ...],
    own: bool,
) -> tuple[ir.Function, ...]:
    """``given``: the shadows that the caller lends; ``own``: the record holds nothing of them."""
    session, base = sweep.session, sweep.session.request.name or sweep.session.function.name
    base = base if base.isidentifier() else "lambda_"
    bound = {p.name for p in session.function.params} | syntax.stores(forward)
    lent, outer = {p.name for p in given}, session.request.seed != "given"
    read = sorted(live(backward) & bound - lent)
    backward = [*bound_again(session, forward, read, sizes=not outer), *backward]
    kept = sorted(live(backward) & bound - lent)
    sure = {p.name for p in session.function.params} | certain(forward)
    missing = {n for n in kept if n not in sure}
    start = [syntax.assign(n, syntax.constant(None)) for n in sorted(missing)]
    forward = [*entries.taken_as_own(session), *forward]
    saved = _record(session, kept, backward)
    result = session.function.body[-1].value or syntax.constant(None)
    *forward, _ = unbound.guarded(session, [*forward, gast.Return(result)], missing)
    writes = sweep.puts_back or bool(sweep.adjoints.shadowed)
    private = bool(kept) and ((outer and session.facts.in_place) or (own and writes))
    stacks = set() if writes and not (own or outer) else _stacks(backward)
    check_copies(session, kept if private else ())
    kept_now = session.runtime("private(saved)", saved=saved) if private and outer else saved
    ending = gast.Return(gast.Tuple([_told(session, result), kept_now], gast.Load()))
    record_name = session.record_name
    credit([ending], session.lines(session.function.body[-1]))
    opening = _taken(session, kept, record_name, private, stacks)
    changed = (ir.Param(seeds.caller_seed(sweep, n)) for n in session.facts.kept)
    params = (ir.Param(record_name), _seed_param(seed, session.request), *changed, *given)
    body = [*start, *forward, ending]
    return (
        built(session, f"{base}_forward", _params(session), entries.ended(session, body)),
        built(session, f"{base}_backward", params, [*opening, *backward]),
    )


def _record(session: Session, kept: list[str], backward: Body) -> gast.expr:
    """What the forward function saves; where nobody sees what it writes, some is kept for its shape only."""
    parts: list[gast.expr] = [syntax.name(n) for n in kept]
    if session.request.bare:
        read = reads(backward)[0]
        parts = [p if p.id in read else session.runtime("outline(x)", x=p) for p in parts]
    return gast.Tuple(parts, gast.Load())


def _told(session: Session, result: gast.expr) -> gast.expr:
    """The result; where nobody sees what the function computes, what has its shape."""
    kind = session.facts.kinds.result
    if session.request.bare and isinstance(kind, Num) and isinstance(result, gast.Name):
        return outline(session, result)
    return result


def _params(session: Session) -> tuple[ir.Param, ...]:
    """What the forward function takes: the arguments, and the shadows that the caller lends."""
    names = [p.name for p in session.function.params]
    lent = (ir.lent(n, names) for n in session.request.lent)
    return (*session.function.params, *(ir.Param(n, Parameter.KEYWORD_ONLY) for n in lent))


def _taken(
    session: Session, kept: list[str], record_name: str, private: bool, stacks: set[str]
) -> Body:
    """The names of a record, as the backward function may change them."""
    if not kept:
        return []
    taken = _unpacked(session, kept, record_name, private, stacks)
    credit(taken, session.function.head)
    return taken


def _unpacked(
    session: Session, kept: list[str], record_name: str, private: bool, stacks: set[str]
) -> Body:
    record: gast.expr = syntax.name(record_name)
    record = session.runtime("private(saved)", saved=record) if private else record
    names = gast.Tuple([syntax.name(n) for n in kept], gast.Load())
    return [
        syntax.assign(names, record),
        *(
            syntax.assign(name, session.runtime("stack(xs)", xs=syntax.name(name)))
            for name in kept
            if name in stacks and not private
        ),
    ]


def _stacks(body: Body) -> set[str]:
    """Names that are popped from: a pullback may be called again, so it works on a copy."""
    found = set()
    for statement in body:
        for node in syntax.walk(statement):
            match node:
                case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[]):
                    found.add(name)
    return found


def built(session: Session, name: str, params: tuple[ir.Param, ...], body: Body) -> ir.Function:
    """A function with the cells of the session."""
    primal = session.function
    tree = primal.tree.__class__.__new__(primal.tree.__class__)
    tree.__dict__.update(primal.tree.__dict__)
    tree.body, tree.name, tree.decorator_list = entered(body), name, []
    cells: dict[str, CellType] = dict(session.cells)
    return ir.Function(tree, name, params, primal.namespace.extended(cells), primal.origin)


__all__ = ["built", "floating", "gradient_name", "name", "reverse"]
