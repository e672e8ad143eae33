"""Generators that are followed step by step: their variables, and the statements from one value to the next.

In: the statements of a function.
Out: the same statements; where the generator was made stand its first ones. ``iterators.following`` says ``next``.
Next: yielding.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.lowering import generators, leaving
from tangentlite.lowering.borrowed import borrowed
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.listing import meanwhile, stored
from tangentlite.values import mutable

Body = list[Any]


@mutable
class Suspended:
    """A generator between two values: ``started`` is the flag that it gave one already."""

    test: gast.expr | None
    ahead: list[gast.stmt]
    value: gast.expr
    behind: list[gast.stmt]
    started: str = ""

    def onward(
        self, target: Any, end: list[gast.stmt], rests: bool, place: Any, context: Context
    ) -> list[gast.stmt]:
        """The statements up to the next value; ``end``: what is done where there is none, ``rests``: in its place."""
        ahead, behind = ([syntax.copy(s) for s in part] for part in (self.ahead, self.behind))
        result: list[gast.stmt] = []
        if behind:
            text = "if t:\n    behind\nt = True"
            result += context.quote(text, place, t=self.started, behind=behind)
        value = syntax.copy(self.value)
        ahead += context.quote("v = e", place, v=target, e=value)
        if self.test is None:
            return [*result, *ahead]
        if rests:
            text = "if c:\n    ahead\nelse:\n    end"
            holes = {"c": syntax.copy(self.test), "ahead": ahead, "end": end}
            return [*result, *context.quote(text, place, **holes)]
        test = syntax.at(gast.UnaryOp(gast.Not(), syntax.copy(self.test)), self.test)
        return [*result, *context.quote("if c:\n    end", place, c=test, end=end), *ahead]


def followed(body: Body, context: Context) -> Body:
    """``it = g(x)`` begins what ``next(it)`` goes on with.

    >>> from tangentlite.lowering.example import lowered
    >>> def powers(x):
    ...     y = x
    ...     while True:
    ...         yield y
    ...         y = y * x
    >>> print(lowered("it = powers(x)\\na = next(it)\\nreturn a * next(it)", "x", powers=powers))
    x_1 = x
    y = x_1
    started = False
    if started:
        t1 = y * x_1
        y = t1
    started = True
    a = y
    if started:
        t3 = y * x_1
        y = t3
    started = True
    t2 = y
    y_1 = a * t2
    return y_1
    """
    if not any(generators.generating(call, context) for call in context.contents(body).calls):
        return body
    nodes = list(scopes.inside(body))
    if not any(isinstance(n, gast.Call) and context.meaning(n.func) is next for n in nodes):
        return body
    held = Counter(n.id for n in nodes if isinstance(n, gast.Name))
    asked = Counter(n.args[0].id for n in nodes if _is_next(n, context))
    walked = Counter(n.iter.id for n in nodes if isinstance(n, gast.For) and _is_name(n.iter))
    known = {name for name in asked if held[name] == asked[name] + walked[name] + 1}
    known -= {name for n in nodes if isinstance(n, scopes.FUNCTIONS) for name in scopes.free(n)}
    return _block(body, body, known, context) if known else body


def _is_name(node: Any) -> bool:
    return isinstance(node, gast.Name)


def _is_next(node: Any, context: Context) -> bool:
    if not isinstance(node, gast.Call) or context.meaning(node.func) is not next:
        return False
    return bool(node.args) and _is_name(node.args[0])


def _has_default(node: Any, name: str, context: Context) -> bool:
    return _is_next(node, context) and node.args[0].id == name and len(node.args) > 1


def _block(body: Body, whole: Body, known: set[str], context: Context) -> Body:
    result: Body = []
    for statement in body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=call) if name in known:
                begun = _begun(name, call, whole, statement, context)
                result += [statement] if begun is None else begun
                continue
            case gast.For(iter=gast.Name(id=name), orelse=[]) if name in context.suspended:
                inner = _block(statement.body, whole, known, context)
                result += _loop(statement, context.suspended[name], inner, context)
                continue
        fields = {}
        for field in syntax.BLOCKS:
            block = getattr(statement, field, None)
            if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
                fields[field] = _block(block, whole, known, context)
        if any(a is not b for n in fields for a, b in zip(fields[n], getattr(statement, n))):
            new = remade(statement, **fields)
            context.made[new] = context.made.get(statement, statement)
            statement = new
        result.append(statement)
    return result


def _begun(name: str, call: Any, whole: Body, place: Any, context: Context) -> Body | None:
    """The first statements of a generator; None where it is not of a simple form."""
    function = generators.generating(call, context)
    later = meanwhile(whole, place)
    if function is None or syntax.loads(call) & stored(later):
        return None
    captured = call.args[: getattr(function, "__captured__", 0)]
    made = borrowed(function, call, context)
    if made is None:
        return None
    before, body = made
    parts = _parts(body)
    if parts is None or syntax.loads(captured) & syntax.loads(parts[0]) & syntax.stores(later):
        return None
    first, loop, ahead, value, behind = parts
    if behind and any(_has_default(n, name, context) for n in scopes.inside(whole)):
        return None
    start, test, more = _header(loop, place, context)
    steps = Suspended(test, [*more, *ahead], value, behind)
    if behind:
        steps.started = context.local("started")
        start += context.quote("t = False", place, t=steps.started)
    context.suspended[name] = steps
    return [*before, *first, *start]


def _parts(body: Body) -> tuple[Body, Any, Body, Any, Body] | None:
    """What comes before the loop; the loop; before what it yields, that, and behind it."""
    if any(isinstance(n, gast.Try | gast.With) for n in scopes.inside(body)):
        return None
    *first, loop = _turned(body)
    if any(_leaves(s) or isinstance(s, gast.Expr) for s in first):
        return None
    if not isinstance(loop, gast.For | gast.While) or loop.orelse:
        return None
    places = [k for k, s in enumerate(loop.body) if _is_yield(s)]
    if len(places) != 1 or sum(isinstance(n, gast.Yield) for n in scopes.inside([loop])) != 1:
        return None
    (k,) = places
    ahead, behind = loop.body[:k], loop.body[k + 1 :]
    if any(map(_leaves, [*ahead, *behind])):
        return None
    value = loop.body[k].value.value or syntax.at(syntax.constant(None), loop.body[k])
    return first, loop, ahead, value, behind


def _turned(body: Body) -> Body:
    """``yield v; while True: …; yield v`` is ``while True: yield v; …``."""
    match body:
        case [*first, gast.Expr(value=gast.Yield(value=a)) as shown, gast.While() as loop] if a:
            match loop:
                case gast.While(
                    test=gast.Constant(value=True),
                    body=[*rest, gast.Expr(value=gast.Yield(value=b))],
                ) if b is not None and syntax.unparse(a) == syntax.unparse(b):
                    return [*first, remade(loop, body=[shown, *rest])]
    return body


def _is_yield(statement: Any) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Yield)


def _leaves(statement: Any) -> bool:
    return any(leaving.exits([statement])) or any(
        isinstance(n, gast.Yield | gast.YieldFrom) for n in scopes.inside([statement])
    )


def _header(loop: Any, place: Any, context: Context) -> tuple[Body, Any, Body]:
    """What a loop begins with, its test, and what binds its variable."""
    if isinstance(loop, gast.While):
        always = isinstance(loop.test, gast.Constant) and loop.test.value
        return [], None if always else loop.test, []
    at = context.local("place")
    start = context.quote("k = 0", place, k=at)
    holes: dict[str, Any] = {"k": at, "v": loop.target}
    call = loop.iter
    if isinstance(call, gast.Call) and context.meaning(call.func) is itertools.count:
        if len(call.args) < 2 and not call.keywords:
            first = call.args[0] if call.args else syntax.at(syntax.constant(0), place)
            name = context.local("first")
            start += context.quote("a = e", place, a=name, e=first)
            return start, None, context.quote("v = a + k\nk = k + 1", place, a=name, **holes)
    items = context.local("items")
    holes |= {"xs": items, "rt": context.rt(), "count": context.builtin("len", place)}
    start += context.quote("xs = rt.sequence(e)", place, e=call, **holes)
    test = context.quote("k < count(xs)", place, **holes)[0].value
    return start, test, context.quote("v = xs[k]\nk = k + 1", place, **holes)


def _loop(statement: Any, steps: Suspended, body: Body, context: Context) -> Body:
    """``for v in it`` goes on from where ``next(it)`` was."""
    end = context.quote("break", statement)
    inner = steps.onward(statement.target, end, False, statement, context)
    return context.quote("while True:\n    inner\n    body", statement, inner=inner, body=body)
