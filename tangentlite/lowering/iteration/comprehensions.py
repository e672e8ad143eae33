"""Comprehensions, and generators that a builtin consumes, as explicit loops.

In: a list comprehension, or ``any``/``all`` of a generator.
Out: statements, still to be lowered; loop variables that clash with other names are renamed.
Next: loops, anf.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering import effects
from tangentlite.lowering.arrays import flat
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.iteration import lazy

SCOPES = (gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp)


def is_search(node: ast.AST, context: Context) -> bool:
    """Whether ``node`` is ``any`` or ``all`` of a generator, or a ``sum``."""
    match node:
        case gast.Call(func=gast.Name(id="any" | "all" as name), args=[gast.GeneratorExp()]):
            return not node.keywords and context.is_builtin(name)
        case gast.Call(func=gast.Name(id="sum"), args=[_, *rest], keywords=keywords):
            named = {k.arg for k in keywords} <= {"start"}
            return named and len(rest) + len(keywords) < 2 and context.is_builtin("sum")
    return False


def total(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``sum`` is the loop that adds up.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return sum(v * v for v in x)", "x"))
    y = 0
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        t3 = v * v
        t4 = y + t3
        y = t4
    return y
    """
    start = next(iter([*node.args[1:], *(k.value for k in node.keywords)]), syntax.constant(0))
    first = context.quote("t = start", node, t=name, start=start)
    match node.args[0]:
        case gast.GeneratorExp() as inner:
            inner = renamed(inner, context)
            body = context.quote("t = t + e", inner.elt, t=name, e=inner.elt)
            for generator in reversed(inner.generators):
                body = loop(generator, filtered(generator, body, context), context)
            return first + body
        case _:
            items = flat.flattened(node, context).args[0]
            values, term = context.temporary(), context.temporary()
            text = "values = xs\nt = start\nfor v in values:\n    t = t + v"
            return context.quote(text, node, t=name, start=start, v=term, xs=items, values=values)


def search(name: str, node: gast.Call, context: Context) -> list[gast.stmt]:
    """``any`` and ``all`` of a generator evaluate nothing after the first hit.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("return any(g(v) for v in x)", "x"))
    y = False
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        if not y:
            t3 = g(v)
            if t3:
                y = True
    return y
    """
    if node.func.id == "sum":
        return total(name, node, context)
    inner = renamed(node.args[0], context)
    any_ = node.func.id == "any"
    value, hit = ("False", "if e:\n    t = True") if any_ else ("True", "if not e:\n    t = False")
    found = context.local("found") if not any_ and may_act(inner, context) else None
    if found is not None:
        value, hit = f"{value}\nfound = False", f"{hit}\n    found = True"
    holes = {"found": found} if found is not None else {}
    body = context.quote(hit, inner.elt, t=name, e=inner.elt, **holes)
    body = until(found or name, any_ or found is not None, inner, body, context)
    return context.quote(f"t = {value}", node, t=name, **holes) + body


def may_act(node: Any, context: Context) -> bool:
    """Whether to make an element of what the generators of ``node`` walk over may do something."""
    return any(effects.acts(g.iter, context) for g in node.generators)


def until(
    name: str, end: bool, node: Any, body: list[gast.stmt], context: Context
) -> list[gast.stmt]:
    """``body`` for all that the generators of ``node`` walk over, until ``name`` has the truth value ``end``.

    No further element is made then, if that may do something.
    """
    test, leaves = "not t" if end else "t", may_act(node, context)
    for generator in reversed(node.generators):
        body = filtered(generator, body, context)
        body = context.quote(f"if {test}:\n    body", node, t=name, body=body)
        if leaves:
            body += context.quote("if t:\n    break", node, t=name)
        body = loop(generator, body, context)
    return body


def build(name: str, node: gast.ListComp, context: Context) -> list[gast.stmt]:
    """A list comprehension becomes a loop that appends.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("ys = [g(v) for v in x if v]\\nreturn ys", "x"))
    ys = []
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        v = t1[i]
        if v:
            t3 = g(v)
            ys.append(t3)
    return ys
    """
    node = renamed(node, context)
    body = context.quote("t.append(e)", node.elt, t=name, e=node.elt)
    for generator in reversed(node.generators):
        body = loop(generator, filtered(generator, body, context), context)
    return context.quote("t = []", node, t=name) + body


def unrolled(statement: gast.For, context: Context) -> list[gast.stmt]:
    """A loop over a generator is the generator's own loop.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("for v in (w * w for w in x if w):\\n    g(v)", "x"))
    t1 = rt.sequence(x)
    t2 = len(t1)
    for i in range(t2):
        w = t1[i]
        if w:
            v = w * w
            g(v)
    return None
    """
    found = lazy.generator(statement.iter, context)
    if found is None or len(found.generators) > 1 or statement.orelse:
        listed = lazy.listed(statement.iter, context)
        before, items = context.named(listed)
        return [*before, remade(statement, iter=items)]
    found = renamed(found, context)
    (inner,) = found.generators
    first = context.quote("v = e", statement.target, v=statement.target, e=found.elt)
    body, end = syntax.parted(statement.body)  # elements that are left out end the loop as well
    return loop(inner, filtered(inner, first + body, context) + end, context)


def filtered(
    generator: gast.comprehension, body: list[gast.stmt], context: Context
) -> list[gast.stmt]:
    """``body`` under the conditions of a generator."""
    for test in reversed(generator.ifs):
        body = context.quote("if test:\n    body", test, test=test, body=body)
    return body


def loop(generator: gast.comprehension, body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """``body`` for every element that a generator walks over."""
    target, text = generator.target, "for v in xs:\n    body"
    return context.quote(text, target, v=target, xs=generator.iter, body=body)


def renamed(node: Any, context: Context) -> Any:
    """Variables that nobody else uses; the first iterable stays outside.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("x = [x * 2 for x in x]\\nreturn x", "x"))
    t1 = []
    t2 = rt.sequence(x)
    t3 = len(t2)
    for i in range(t3):
        x_1 = t2[i]
        t4 = x_1 * 2
        t1.append(t4)
    x = t1
    return x
    """
    if context.outer is None:
        context.outer = {p.name for p in context.function.params}
        context.outer |= _free(context.function.body)
    bound = sorted(syntax.stores([g.target for g in node.generators]))
    fresh = {name: context.local(name) for name in bound if name in context.outer}
    first = node.generators[0]
    if fresh:
        node = syntax.substitute(node, fresh)
        node.generators[0].iter = first.iter
    inner = {g for item in syntax.walk(node) if isinstance(item, SCOPES) for g in _targets(item)}
    context.outer |= {fresh.get(name, name) for name in bound} & _nested(node, inner)
    return node


def _targets(node: Any) -> set[str]:
    return syntax.stores([g.target for g in node.generators])


def _nested(node: Any, inner: set[str]) -> set[str]:
    """Variables of ``node`` that a comprehension inside it must not take."""
    holds = any(isinstance(n, SCOPES) for n in syntax.walk(node) if n is not node)
    return inner if holds else set()


def _free(nodes: list[Any]) -> set[str]:
    """The names that occur outside comprehensions, or free in them."""
    found: set[str] = set()
    stack: list[Any] = list(nodes)
    while stack:
        item = stack.pop()
        if isinstance(item, gast.Name):
            found.add(item.id)
        elif isinstance(item, gast.Lambda):
            found |= _free([item.body]) - {p.id for p in item.args.args}
        elif isinstance(item, SCOPES):
            walrus = {n.target.id for n in syntax.walk(item) if isinstance(n, gast.NamedExpr)}
            found |= walrus | (_free(list(syntax.children(item))) - _targets(item))
            found |= _free([item.generators[0].iter])
        else:
            stack.extend(syntax.children(item))
    return found
