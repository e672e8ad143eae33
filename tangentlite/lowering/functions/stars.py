"""Calls with ``*`` and ``**``, said by calls without: of displays, and where the callee tells how many it takes.

In: a call of the user.
Out: the same call with fewer stars; what must be evaluated before is lowered into the block.
Next: consumers.
"""

from __future__ import annotations

import inspect
import math
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangentlite import rules, syntax
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.iteration import lazy
from tangentlite.rules.model import EMPTY

SHAPES = ("reshape", "transpose")


def unstarred(node: gast.Call, context: Context) -> gast.Call:
    """Arguments one by one, where it is known how many they are.

    >>> from tangentlite.lowering.example import lowered
    >>> def g(a, b, c): ...
    >>> print(lowered("return g(*x, *[2.0], **{'c': x})", "x", g=g))
    t1 = rt.unpack(x, 1)
    t2 = t1[0]
    y = g(t2, 2.0, c=x)
    return y
    >>> print(lowered("return max(*x, 2.0)", "x"))
    t1 = list(x)
    t2 = [2.0]
    t3 = t1 + t2
    y = max(t3)
    return y
    """
    if not is_starred(node):
        return node
    node = _spliced(lazy.read_at_once(node, context))
    meaning, args = context.meaning(node.func), node.args
    if not is_starred(node):
        return node
    if meaning in (max, min) and all(k.arg for k in node.keywords):
        one = args[0].value if len(args) == 1 else syntax.at(gast.List(args, gast.Load()), node)
        return remade(node, args=[one])
    if meaning is np.ndindex and len(args) == 1 and not node.keywords:
        return remade(node, args=[args[0].value])
    if meaning is zip and len(args) == 1:
        before, rows = context.named(args[0].value)
        context.run(before)
        return remade(node, args=[remade(args[0], value=rows)]) if before else node
    if isinstance(node.func, gast.Attribute) and node.func.attr in SHAPES and len(args) == 1:
        return remade(node, args=[args[0].value]) if meaning is None else node
    required = _required(meaning, any(k.arg is None for k in node.keywords))
    return node if required is None else _counted(node, required, context)


def is_starred(node: gast.Call) -> bool:
    """Whether a call has ``*`` or ``**`` arguments."""
    return any(isinstance(a, gast.Starred) for a in node.args) or any(
        k.arg is None for k in node.keywords
    )


def _spliced(node: gast.Call) -> gast.Call:
    """``f(*(a, b), **{"c": d})`` is ``f(a, b, c=d)``."""
    args: list[gast.expr] = []
    for argument in node.args:
        match argument:
            case gast.Starred(value=gast.Tuple(elts=elements) | gast.List(elts=elements)):
                args += elements
            case _:
                args.append(argument)
    keywords = [k for given in node.keywords for k in _named(given)]
    if _same(args, node.args) and _same(keywords, node.keywords):
        return node
    return _spliced(remade(node, args=args, keywords=keywords))


def _same(new: list[Any], old: list[Any]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old))


def _named(given: gast.keyword) -> list[gast.keyword]:
    match given:
        case gast.keyword(arg=None, value=gast.Dict(keys=keys, values=values)):
            if all(isinstance(k, gast.Constant) and isinstance(k.value, str) for k in keys):
                pairs = zip(keys, values, strict=True)
                return [syntax.at(gast.keyword(k.value, v), v) for k, v in pairs]
    return [given]


def _required(callee: Any, named: bool) -> list[str] | None:
    """The parameters of a callee, if it must be given all of them; those by position, unless more are ``named``."""
    if isinstance(callee, FunctionType) and rules.find(callee) is None:
        params = list(inspect.signature(callee, follow_wrapped=False).parameters.values())
        if not named:
            params = [p for p in params if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
        variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        if any(p.kind in variadic or p.default is not p.empty for p in params):
            return None
        return [p.name for p in params]
    rule = rules.find(callee)
    if rule is None or rule.algebra == "inactive" or callee is math.hypot:
        return None
    if any(p.variadic or p.default is not EMPTY for p in rule.params):
        return None
    return [p.name for p in rule.params]


def _counted(node: gast.Call, required: list[str], context: Context) -> gast.Call:
    """The call of a function that takes just so many arguments."""
    stars = [k for k, a in enumerate(node.args) if isinstance(a, gast.Starred)]
    tables = [k.value for k in node.keywords if k.arg is None]
    by_name = {k.arg for k in node.keywords} & set(required)
    given = by_name | set(required[: len(node.args) - len(stars)])
    if len(stars) + len(tables) != 1 or (tables and rules.find(context.meaning(node.func))):
        return node
    left = [p for p in required if p not in given]
    if stars:
        at = stars[0]
        before = [context.named(a) for a in node.args[:at]]
        for statements, _ in before:
            context.run(statements)
        values = _elements(node.args[at].value, len(required) - len(given), context)
        args = [*(a for _, a in before), *values, *node.args[at + 1 :]]
        return remade(node, args=args)
    statements, table = context.named(tables[0])
    names = syntax.at(gast.Tuple([syntax.constant(n) for n in left], gast.Load()), node)
    check = context.quote("rt.keyed(d, names)", node, rt=context.rt(), d=table, names=names)
    context.run(statements + check)
    keywords = [k for k in node.keywords if k.arg is not None]
    for name in left:
        value = context.quote("d[k]", node, d=table, k=syntax.constant(name))[0].value
        keywords.append(syntax.at(gast.keyword(name, value), node))
    return remade(node, keywords=keywords)


def _elements(value: gast.expr, count: int, context: Context) -> list[gast.expr]:
    """The elements of an iterable of which there must be ``count``."""
    holes = {"rt": context.rt(), "v": value, "n": syntax.constant(count)}
    taken = context.quote("rt.unpack(v, n)", value, **holes)[0].value
    statements, items = context.named(taken)
    context.run(statements)
    return [context.quote(f"t[{k}]", value, t=items)[0].value for k in range(count)]
