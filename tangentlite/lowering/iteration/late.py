"""Lambdas in a comprehension that capture what it binds: they all see its last value, as in a loop.

In: ``ir.Function``.
Out: the same function; such a comprehension that is bound to a name, or returned, is a loop.
Next: cached, closures.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.ir import Function
from tangentlite.lowering.context import Context
from tangentlite.lowering.functions.cached import rewritten


def looped(function: Function, context: Context) -> Function:
    """The variable of the comprehension is one of the function.

    >>> from tangentlite.lowering.example import function as example
    >>> f = example("fs = [lambda a: a * i for i in range(3)]\\nreturn fs[0](x)", "x")
    >>> print("\\n".join(map(syntax.unparse, looped(f, Context.of(f, print)).body)))
    fs = []
    for i in range(3):
        fs.append(lambda a: a * i)
    return fs[0](x)
    """
    kinds = function.contents.kinds
    if gast.Lambda not in kinds or kinds.isdisjoint((gast.ListComp, gast.DictComp)):
        return function
    found: list[Any] = []

    def step(statement: Any) -> list[Any]:
        value = getattr(statement, "value", None)
        if not isinstance(value, gast.ListComp | gast.DictComp) or not _captured(value):
            return [statement]
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)]):
                last = []
            case gast.Return():
                name = context.local("values")
                last = context.quote("return xs", statement, xs=name)
            case _:
                return [statement]
        if name in syntax.loads(value) | syntax.stores(value):
            return [statement]
        found.append(value)
        return [*_loop(name, value, function, context), *last]

    body = rewritten(function.body, step)
    return function.with_body(body) if found else function


def _captured(node: Any) -> set[str]:
    """The variables of a comprehension that functions in it capture."""
    made = node.value if isinstance(node, gast.DictComp) else node.elt
    inside = [n for n in syntax.walk(made) if isinstance(n, gast.Lambda)]
    captured = {name for one in inside for name in scopes.free(one)}
    bound = syntax.stores([g.target for g in node.generators])
    hidden = {name for one in inside for name in scopes.own(one)}
    return set() if bound & hidden else bound & captured


def _loop(name: str, node: Any, function: Function, context: Context) -> list[gast.stmt]:
    """The loop; a variable that others use, too, has another name."""
    bound = syntax.stores([g.target for g in node.generators])
    others = [n for s in function.body for n in syntax.walk(s) if isinstance(n, gast.Name)]
    own = {n for n in syntax.walk(node) if isinstance(n, gast.Name)}
    taken = {n.id for n in others if n not in own} | {p.name for p in function.params}
    first = node.generators[0].iter
    node = syntax.substitute(node, {v: context.local(v) for v in sorted(bound & taken)})
    node.generators[0].iter = first
    keyed = isinstance(node, gast.DictComp)
    if keyed:
        body = context.quote("xs[k] = e", node, xs=name, k=node.key, e=node.value)
    else:
        body = context.quote("xs.append(e)", node.elt, xs=name, e=node.elt)
    for generator in reversed(node.generators):
        for test in reversed(generator.ifs):
            body = context.quote("if test:\n    body", test, test=test, body=body)
        holes = {"v": generator.target, "xs": generator.iter, "body": body}
        body = context.quote("for v in xs:\n    body", generator.target, **holes)
    return [*context.quote("xs = {}" if keyed else "xs = []", node, xs=name), *body]
