"""The seed of a backward sweep, checked against the result, and what the caller gives for written arguments.

In: a sweep that has not begun.
Out: the statements before it.
Next: motion.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.kinds import CONTAINERS, Kind, Num
from tangentlite.analysis.operations import Pop, Push
from tangentlite.analysis.versions import Version
from tangentlite.differentiate.adjoints import Body
from tangentlite.differentiate.reverse import Sweep
from tangentlite.differentiate.session import Session
from tangentlite.differentiate.shapes import shape_of_kind


def opening(sweep: Sweep, seed: str) -> Body:
    """The seed, checked against the result, and the shadows of stacks."""
    session, facts = sweep.session, sweep.facts
    end = facts.graph.statements and facts.activity.before(len(facts.graph.statements) - 1)
    body: Body = []
    stacks = {op.stack for op in facts.kinds.operations.values() if isinstance(op, (Push, Pop))}
    for name in sorted(end or ()):
        version, kind = facts.versions.at_end[name], facts.kinds.after[-1].get(name)
        like = sweep.adjoints.shapes.read(version, kind)
        if name in facts.kept:
            body += _written(sweep, name, seed, like, kind)
        elif name == facts.result:
            sweep.adjoints.bound[name] = shape_of_kind(kind)
            body += (
                _seed_pair(session, seed, like)
                if session.request.has_aux
                else _seed(session, seed, _told(sweep, version, kind) or like, kind, name in stacks)
            )
            if sweep.adjoints.is_buffer(name, kind):
                told = sweep.adjoints.shapes.carrier(version, kind)
                body.append(_writable(session, seed, told or like))
        else:
            body += sweep.adjoints.start(name, like, kind)
    body += _shadow_seeds(sweep, seed)
    if not sweep.adjoints.shadowed.issuperset({facts.result}):
        if facts.result is None or facts.result not in (end or ()):
            body += _unused_seed(sweep, seed)
    return body


def _told(sweep: Sweep, version: Version, kind: Kind | None) -> gast.expr | None:
    """What tells the shape of the result, where only the gradient is asked for; None if the result itself does.

    A sum or a product is not read backward. That with a number which was computed takes more than to ask an argument.
    """
    request = sweep.session.request
    asked = request.seed != "given" and request.output == "gradient" and request.motion == "joint"
    match version.maker:
        case (
            gast.Assign(
                value=gast.BinOp(left=left, op=gast.Add() | gast.Sub() | gast.Mult(), right=right)
            ) as maker
        ) if asked:
            shapes, facts = sweep.adjoints.shapes, sweep.facts
            known = facts.kinds.before[facts.graph.first[maker]]
            sides = [known.get(e.id) for e in (left, right) if isinstance(e, gast.Name)]
            has_number = any(isinstance(side, Num) and side.scalar for side in sides)
            given = shapes.given(shape_of_kind(kind)) if has_number else None
            return shapes.maker(kind) or given
    return None


def _writable(session: Session, seed: str, like: gast.expr) -> gast.stmt:
    """The sweep writes into its seed: what a caller gave may be the adjoint of other names too."""
    given = session.request.seed == "given"
    by = session.runtime("own(by)", by=seed) if given else syntax.name(seed)
    return syntax.assign(seed, session.runtime("buffer(by, y)", by=by, y=like))


def _written(sweep: Sweep, name: str, seed: str, like: gast.expr, kind: Kind | None) -> Body:
    """The adjoint of an argument that the function wrote, given by the caller."""
    session = sweep.session
    sweep.adjoints.bound[name] = shape_of_kind(kind)
    adjoint = session.letter("b", name)
    body = [syntax.assign(adjoint, session.runtime("buffer(ba, a)", ba=adjoint, a=like))]
    if name == session.facts.result:  # the caller may have both
        body += syntax.quote("rt.add_at(ba, ..., by)", rt=session.rt, ba=adjoint, by=seed)
    return body


def _shadow_seeds(sweep: Sweep, seed: str) -> Body:
    """What the caller gives for the result and for written arguments goes into their shadows."""
    session, facts = sweep.session, sweep.facts
    body: Body = []
    for name in facts.kept:
        if name in sweep.adjoints.shadowed:
            shadow = sweep.adjoints.shadow(facts.versions.at_start[name])
            given = syntax.name(caller_seed(sweep, name))
            kind = facts.kinds.before[0].get(name)
            if not isinstance(kind, Num):  # what it holds may have changed, or the name
                rebound = name in session.function.bound
                kind = None if rebound else facts.kinds.after[-1].get(name)
            body += sweep.adjoints.pour(shadow, given, kind)
    if facts.result in sweep.adjoints.shadowed:
        version, kind = facts.versions.at_end[facts.result], facts.kinds.after[-1].get(facts.result)
        body += _seed(session, seed, sweep.adjoints.shapes.read(version, kind), kind, False)
        shadow, by = sweep.adjoints.shadow(version), syntax.name(seed)
        body += sweep.adjoints.pour(shadow, by, kind)
    return body


def caller_seed(sweep: Sweep, name: str) -> str:
    """The parameter by which the caller gives the adjoint of an argument that the function wrote."""
    letter = "b" if name not in sweep.adjoints.shadowed else "seed_b"
    return sweep.session.letter(letter, name)


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
