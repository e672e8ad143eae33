"""The statements of a generator, with those of the generators whose values it hands on.

In: a call of a generator function.
Out: statements that bind its parameters, and its own, in which ``yield`` is a statement or what a name is bound to.
Next: machines.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration import generators
from tangentlite.lowering.iteration.borrowed import borrowed
from tangentlite.lowering.iteration.frames import YIELDS, Delegated, TangledError

Body = list[Any]
DEEPEST = 5
PASSING: tuple[Any, ...] = (
    gast.Name,
    gast.Constant,
    gast.BinOp,
    gast.UnaryOp,
    gast.Compare,
    gast.Yield,
)
PASSING += (gast.operator, gast.unaryop, gast.cmpop, gast.expr_context)


def statements(function: FunctionType, call: gast.Call, context: Context) -> tuple[Body, Body]:
    """What binds the parameters, and the statements; TangledError where they cannot stand elsewhere."""
    return _taken(function, call, context, ())


def _taken(
    function: FunctionType, call: gast.Call, context: Context, chain: tuple[Any, ...]
) -> tuple[Body, Body]:
    made = borrowed(function, call, context, spread=False)
    if made is None or function.__code__ in chain or len(chain) > DEEPEST:
        raise TangledError
    before, body = made
    if any(isinstance(n, gast.With) for n in scopes.inside(body)):
        raise TangledError
    chain = (*chain, function.__code__)
    return before, [new for s in body for new in _spread(s, context, chain)]


def _spread(statement: Any, context: Context, chain: tuple[Any, ...]) -> Body:
    """``yield`` alone, and generators inside."""
    match statement:
        case gast.Expr(value=gast.YieldFrom(value=value)):
            return _handing(value, None, statement, context, chain)
        case gast.Assign(targets=[target], value=gast.YieldFrom(value=value)):
            return _handing(value, target, statement, context, chain)
        case gast.Return(value=gast.YieldFrom(value=value)):
            name = context.local("given")
            target = syntax.store(read(name, statement))
            last = remade(statement, value=read(name, statement))
            return [*_handing(value, syntax.at(target, statement), statement, context, chain), last]
        case gast.Expr(value=gast.Yield()) | gast.Assign(targets=[_], value=gast.Yield()):
            return _without_yields(statement, statement.value.value)
    if not isinstance(statement, gast.If | gast.For | gast.While | gast.Try):
        return _alone(statement, context)
    parts = [getattr(statement, n, None) for n in ("test", "iter", "target")]
    if any(isinstance(n, YIELDS) for n in scopes.inside([p for p in parts if p is not None])):
        raise TangledError
    fields: dict[str, Any] = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block:
            fields[name] = [new for s in block for new in _spread(s, context, chain)]
    if isinstance(statement, gast.Try):
        fields["handlers"] = [
            remade(h, body=[new for s in h.body for new in _spread(s, context, chain)])
            for h in statement.handlers
        ]
    return [remade(statement, **fields)]


def _without_yields(statement: Any, value: Any) -> Body:
    if value is not None and any(isinstance(n, YIELDS) for n in scopes.inside([value])):
        raise TangledError
    return [statement]


def _handing(value: Any, target: Any, place: Any, context: Context, chain: tuple[Any, ...]) -> Body:
    """``target = yield from value``."""
    function = generators.generating(value, context)
    if function is not None:
        before, body = _taken(function, value, context, chain)
        return [*before, syntax.at(Delegated(body, target), place)]
    item = context.local("item")
    text = "for v in xs:\n    inner"
    shown = syntax.at(gast.Expr(syntax.at(gast.Yield(read(item, place)), place)), place)
    made: Body = context.quote(text, place, v=item, xs=value, inner=[shown])
    if target is not None:
        none = syntax.at(syntax.constant(None), place)
        made += context.quote("v = e", place, v=target, e=none)
    return made


def _alone(statement: Any, context: Context) -> Body:
    """``total += yield total`` binds what is sent first."""
    found = [n for n in scopes.inside([statement]) if isinstance(n, YIELDS)]
    if not found:
        return [statement]
    value: Any = getattr(statement, "value", None)
    plain = isinstance(statement, gast.Assign | gast.AugAssign | gast.Return) and value is not None
    if len(found) > 1 or not plain or not isinstance(found[0], gast.Yield):
        raise TangledError
    targets = getattr(statement, "targets", [getattr(statement, "target", value)])
    inner = [n for n in syntax.walk(value) if n not in set(syntax.walk(found[0].value or found[0]))]
    if not all(isinstance(n, PASSING) for n in inner) or found[0] not in set(syntax.walk(value)):
        raise TangledError
    if any(isinstance(t, gast.Subscript | gast.Attribute) for t in targets):
        raise TangledError
    name = context.local("sent")
    (first,) = context.quote("t = e", statement, t=name, e=found[0])
    new = syntax.copy(statement)
    for old, made in zip([*syntax.walk(statement)], [*syntax.walk(new)], strict=True):
        for field, part in list(vars(old).items()):
            if part is found[0]:
                setattr(made, field, read(name, statement))
    return [first, new]
