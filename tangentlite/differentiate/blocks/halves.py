"""The pair of a helper that was given to ``tl.checkpoint``: its record is its arguments.

In: the helper, its own pair, and what it writes.
Out: a forward function that keeps copies of arguments that are written, and a backward function that runs both.
Next: motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter
from types import CellType
from typing import Any

import gast

from tangentlite import ir, runtime, syntax
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import UserCall
from tangentlite.analysis.storage.memory import memory
from tangentlite.differentiate.session import Session
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.naming import Names
from tangentlite.runtime.checkpoints import runs_again

TWICE = (
    "`{}` in a function given to `tl.checkpoint`, which runs twice, does not give the same again"
)
BEFORE = "Hand the value to the function: `block(x, rng.normal(size=n))`."
LENT = "a function given to `tl.checkpoint` changes lists, dicts or objects, or arrays that overlap"
RETURN = "Let it return what it makes, or call it without `tl.checkpoint`."


def check(session: Session, statement: gast.stmt, operation: UserCall, lent: bool) -> None:
    """Refuse what cannot run twice."""
    if not runs_again(operation.function):
        return
    place = session.function.origin.place(statement)
    if lent:
        raise UnsupportedSyntaxError(LENT, place, RETURN)
    once = session.linker.summary(operation.function, operation.kinds).once
    if once:
        raise UnsupportedSyntaxError(TWICE.format(once), place, BEFORE)


def spent(
    session: Session, operation: UserCall, known: ir.Record | None, record: gast.expr
) -> gast.expr:
    """The record of a call for its backward function, which may take the memory where nobody reads it again."""
    request, result = session.request, session.facts.kinds.result
    handles = any(isinstance(k, Num) and k.persistent for k in operation.kinds)
    if known is None or not known.restores or handles:
        return record
    if request.seed == "given":
        within = syntax.name(session.record_name)
        return session.runtime("spent(x, within)", x=record, within=within)
    shown = request.output != "gradient" or request.has_aux
    if (request.motion == "split" and not session.facts.in_place) or (shown and memory(result)):
        return record
    return session.runtime("spent(x)", x=record)


def again(
    function: ir.Function,
    request: ir.Request,
    cells: Mapping[str, CellType],
    written: Sequence[str],
) -> ir.Derived:
    """The pair in terms of the ``cells``: ``plain`` (the helper), ``forward`` and ``backward``."""
    params, base = function.params, request.name or function.name
    base = base if base.isidentifier() else "lambda_"
    names = Names([*(p.name for p in params), *function.namespace.globals])
    own = {wish: names.fresh(f"{base}_{wish}") for wish in cells}
    rt, saved, seed, result = (names.fresh(w) for w in ("rt", "saved", "by", "y"))
    bound = {own[w]: cell for w, cell in cells.items()} | {rt: CellType(runtime)}
    record = gast.Tuple([syntax.name(p.name) for p in params], gast.Load())
    mine = syntax.expression("rt.private(x)", rt=rt, x=record) if written else record
    taken = syntax.expression("rt.private(x)", rt=rt, x=saved) if written else syntax.name(saved)
    given = {"y": result, "saved": saved, "by": seed}
    begun = [syntax.assign(saved, mine), syntax.assign(result, _call(own["plain"], params))]
    begun += syntax.quote("return y, saved", **given)
    back = [syntax.assign(record, taken)] if params else []
    pair = gast.Tuple([syntax.name(result), syntax.name(saved)], gast.Load())
    back.append(syntax.assign(pair, _call(own["forward"], params)))
    seeds = [seed, *(names.fresh(f"b{p}") for p in written)]
    call = gast.Call(syntax.name(own["backward"]), [syntax.name(n) for n in (saved, *seeds)], [])
    back.append(gast.Return(call))
    space = ir.Namespace(function.namespace.globals, bound)
    forward = _made(function, space, f"{base}_kept", params, begun)
    inputs = tuple(ir.Param(n) for n in (saved, *seeds))
    return ir.Derived(
        (forward, _made(function, space, f"{base}_again", inputs, back)), function, request
    )


def _made(
    function: ir.Function,
    space: ir.Namespace,
    name: str,
    params: tuple[ir.Param, ...],
    body: list[gast.stmt],
) -> ir.Function:
    tree = function.tree.__class__.__new__(function.tree.__class__)
    tree.__dict__.update(function.tree.__dict__)
    tree.body, tree.name, tree.decorator_list = body, name, []
    return ir.Function(tree, name, params, space, function.origin)


def _call(callee: str, params: Sequence[ir.Param]) -> gast.Call:
    args: list[Any] = []
    keywords: list[Any] = []
    for p in params:
        value = syntax.name(p.name)
        if p.kind is Parameter.KEYWORD_ONLY:
            keywords.append(gast.keyword(p.name, value))
        elif p.kind is Parameter.VAR_KEYWORD:
            keywords.append(gast.keyword(None, value))
        elif p.kind is Parameter.VAR_POSITIONAL:
            args.append(gast.Starred(value, gast.Load()))
        else:
            args.append(value)
    return gast.Call(syntax.name(callee), args, keywords)
