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
from tangentlite.analysis.kinds import CONTAINERS, FLOAT, Kind, Num, floating
from tangentlite.analysis.operations import Pop, Primitive, Push
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.recording import record
from tangentlite.differentiate.reverse import Sweep
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import shape_of_kind


def reverse(session: Session) -> tuple[ir.Function, ...]:
    """The functions of reverse mode."""
    sweep = Sweep(session)
    seed_name = session.letter("b", session.facts.result or "y")
    opening = _opening(sweep, seed_name)
    sweep.function()
    closing = _closing(sweep)
    forward, backward = record(sweep, around := [*opening, gast.Pass(), *closing])
    forward = [*entry(session), *forward]
    cut = next(k for k, s in enumerate(around) if isinstance(s, gast.Pass))
    opening, closing = around[:cut], around[cut + 1 :]
    if session.request.motion == "split":
        return _split(session, forward, [*opening, *backward, *closing], seed_name)
    return (_joint(session, forward, opening, [*backward, *closing], seed_name),)


def entry(session: Session) -> Body:
    """The check that the arguments are of the kinds that this text was written for."""
    if session.request.seed == "given":
        return []
    start = session.facts.kinds.before[0]
    names = [n for n in relevant(session) if start[n] != FLOAT]
    if not names:
        return []
    call = session.runtime("numbers()")
    call.args = [syntax.name(n) for n in names]
    return [gast.Expr(call)]


def relevant(session: Session) -> list[str]:
    """The parameters that must be numbers or arrays: those that rules are applied to."""
    facts = session.facts
    read = {
        n
        for op in facts.kinds.operations.values()
        if isinstance(op, Primitive)
        for n in op.sources()
    }
    wanted = read | set(facts.inputs) | _checked(session.function.body)
    start = facts.kinds.before[0]
    return [
        p.name
        for p in session.function.params
        if p.name in wanted and isinstance(start[p.name], Num)
    ]


def _checked(body: Body) -> set[str]:
    """What a text that is differentiated again checks at its own entry."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="numbers"), args=args)):
                found |= syntax.loads(args)
    return found


def _opening(sweep: Sweep, seed: str) -> Body:
    """The seed, checked against the result, and the shadows of stacks."""
    session, facts = sweep.session, sweep.facts
    end = facts.graph.statements and facts.activity.before(len(facts.graph.statements) - 1)
    body: Body = []
    stacks = {op.stack for op in facts.kinds.operations.values() if isinstance(op, (Push, Pop))}
    for name in sorted(end or ()):
        version, kind = facts.versions.at_end[name], facts.kinds.after[-1].get(name)
        like = sweep.adjoints.shapes.read(version, kind)
        if name == facts.result:
            sweep.adjoints.bound[name] = shape_of_kind(kind)
            body += (
                _seed_pair(session, seed, like)
                if session.request.has_aux
                else _seed(session, seed, like, kind, name in stacks)
            )
        else:
            body += sweep.adjoints.start(name, like, kind)
    if facts.result is None or facts.result not in (end or ()):
        body += _unused_seed(sweep, seed)
    return body


def _unused_seed(sweep: Sweep, seed: str) -> Body:
    """A result that depends on no input still has to be a scalar."""
    session, facts = sweep.session, sweep.facts
    result = session.function.body[-1].value
    if session.request.seed == "given" or result is None:
        return []
    value: gast.expr = result
    if facts.result is not None:
        kind = facts.kinds.after[-1].get(facts.result)
        if isinstance(kind, Num) and kind.scalar:
            return []
        value = sweep.adjoints.shapes.read(facts.versions.at_end[facts.result], kind)
    elif isinstance(result, gast.Constant) and isinstance(result.value, (int, float)):
        return []
    return [syntax.assign(seed, session.runtime("seed(by, y)", by=seed, y=value))]


def _seed(session: Session, seed: str, like: gast.expr, kind: Kind | None, stack: bool) -> Body:
    by = syntax.name(seed)
    if session.request.seed == "given" or not session.request.check_dims:
        checked: gast.expr = by
    elif isinstance(kind, Num) and kind.scalar:
        checked = by
    else:
        checked = session.runtime("seed(by, y)", by=by, y=like)
    if stack or isinstance(kind, CONTAINERS):
        checked = session.runtime("stack(by)", by=checked) if stack else checked
    return [] if checked is by else [syntax.assign(seed, checked)]


def _seed_pair(session: Session, seed: str, like: gast.expr) -> Body:
    """The result is (value, aux): only the value gets a seed."""
    value = gast.Subscript(like, syntax.constant(0), gast.Load())
    checked = session.runtime("seed(by, y)", by=seed, y=value)
    return [syntax.assign(seed, gast.Tuple([checked, session.runtime("ZERO")], gast.Load()))]


def _closing(sweep: Sweep) -> Body:
    """The gradients, each as its argument is."""
    session, facts = sweep.session, sweep.facts
    parts: list[gast.expr] = []
    for name in facts.inputs:
        version, kind = facts.versions.at_start[name], facts.kinds.before[0].get(name)
        bound = name in sweep.adjoints.bound
        value = syntax.name(session.letter("b", name)) if bound else session.runtime("ZERO")
        parts.append(_finished(sweep, name, value, sweep.adjoints.shapes.read(version, kind), kind))
    several = len(parts) > 1 or (session.request.several and session.request.seed != "given")
    result: gast.expr = gast.Tuple(parts, gast.Load()) if several else parts[0]
    if len(parts) > 1 and sweep.adjoints.shared and session.request.seed != "given":
        result = session.runtime("distinct(gradients)", gradients=result)
    return [gast.Return(result)]


def _finished(
    sweep: Sweep, name: str, value: gast.expr, like: gast.expr, kind: Kind | None
) -> gast.expr:
    session = sweep.session
    if session.request.seed == "given":
        if name in sweep.adjoints.bound and sweep.adjoints.bound[name] != shape_of_kind(kind):
            if isinstance(kind, Num):
                return session.runtime("unbroadcast(bx, x)", bx=value, x=like)
        return value
    if kind == FLOAT:
        return value if name in sweep.adjoints.bound else syntax.constant(0.0)
    return session.runtime("like(bx, x)", bx=value, x=like)


def _joint(
    session: Session, forward: Body, opening: Body, backward: Body, seed: str
) -> ir.Function:
    request = session.request
    result = session.function.body[-1].value
    body = [syntax.comment("Forward"), *forward, syntax.comment("Backward"), *opening, *backward]
    if request.output != "gradient" or request.has_aux:
        gradient = body.pop().value
        kept = _kept_result(session, body, result)
        if request.output == "gradient":
            kept = gast.Subscript(kept, syntax.constant(1), gast.Load())
        pair = [kept, gradient] if request.output == "value, gradient" else [gradient, kept]
        body.append(gast.Return(gast.Tuple(pair, gast.Load())))
    params = (*session.function.params, _seed_param(seed, request))
    name = request.name or gradient_name(session.function.name, request.wrt)
    return built(session, name, params, body)


def _kept_result(session: Session, body: Body, result: gast.expr) -> gast.expr:
    """The primal's result, under a name that the backward sweep does not bind."""
    mark = next(
        k
        for k, s in enumerate(body)
        if isinstance(s, syntax.Comment) and vars(s)["text"] == "Backward"
    )
    if isinstance(result, gast.Name) and result.id in syntax.stores(body[mark:]):
        kept = session.names.fresh("value")
        body.insert(mark, syntax.assign(kept, result))
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


def gradient_name(function: str, wrt: tuple[str, ...]) -> str:
    """``df_dx``, ``df_dw_db``, and ``df`` for more than three."""
    name = function if function.isidentifier() else "f"
    return f"d{name}" if len(wrt) > 3 else "_".join([f"d{name}", *(f"d{w}" for w in wrt)])


def _split(session: Session, forward: Body, backward: Body, seed: str) -> tuple[ir.Function, ...]:
    base = session.request.name or session.function.name
    base = base if base.isidentifier() else "lambda_"
    bound = {p.name for p in session.function.params} | syntax.stores(forward)
    kept = sorted(_live(backward) & bound)
    certain = {p.name for p in session.function.params} | _certain(forward)
    missing = [n for n in kept if n not in certain]
    start = [syntax.assign(n, syntax.constant(None)) for n in missing]
    saved = gast.Tuple([syntax.name(n) for n in kept], gast.Load())
    result = session.function.body[-1].value or syntax.constant(None)
    ending = gast.Return(gast.Tuple([result, saved], gast.Load()))
    record_name = session.names.fresh("saved")
    opening: Body = []
    if kept:
        opening.append(syntax.assign(saved, syntax.name(record_name)))
    for name in kept:
        if name in _stacks(backward):
            opening.append(syntax.assign(name, session.runtime("stack(xs)", xs=syntax.name(name))))
    params = (ir.Param(record_name), _seed_param(seed, session.request))
    return (
        built(session, f"{base}_forward", session.function.params, [*start, *forward, ending]),
        built(session, f"{base}_backward", params, [*opening, *backward]),
    )


def _stacks(body: Body) -> set[str]:
    """Names that are popped from: a pullback may be called again, so it works on a copy."""
    found = set()
    for statement in body:
        for node in syntax.walk(statement):
            match node:
                case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[]):
                    found.add(name)
    return found


def _live(body: Body) -> set[str]:
    """The names that a block reads before it binds them."""
    live: set[str] = set()
    bound: set[str] = set()
    for statement in body:
        live |= _exposed(statement) - bound
        bound |= _certain([statement])
    return live


def _exposed(statement: gast.stmt) -> set[str]:
    match statement:
        case gast.If(test=test, body=body, orelse=orelse):
            return syntax.loads(test) | _live(body) | _live(orelse)
        case gast.For(target=target, iter=iterable, body=body):
            return syntax.loads(iterable) | (_live(body) - syntax.stores(target))
        case gast.While(test=test, body=body):
            return syntax.loads(test) | _live(body)
    return syntax.loads(statement)


def _certain(body: Body) -> set[str]:
    """The names that a block binds on every path."""
    bound: set[str] = set()
    for statement in body:
        match statement:
            case gast.If(body=then, orelse=orelse):
                bound |= _certain(then) & _certain(orelse)
            case gast.For() | gast.While():
                pass
            case _:
                bound |= syntax.stores(statement)
    return bound


def built(session: Session, name: str, params: tuple[ir.Param, ...], body: Body) -> ir.Function:
    """A function with the cells of the session."""
    primal = session.function
    tree = primal.tree.__class__.__new__(primal.tree.__class__)
    tree.__dict__.update(primal.tree.__dict__)
    tree.body, tree.name, tree.decorator_list = body, name, []
    cells: dict[str, CellType] = dict(session.cells)
    return ir.Function(tree, name, params, primal.namespace.extended(cells), primal.origin)


__all__ = ["built", "floating", "gradient_name", "reverse"]
