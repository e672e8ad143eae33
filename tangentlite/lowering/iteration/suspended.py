"""Generators that are followed step by step: their variables, and the statements from one value to the next.

In: the statements of a function.
Out: the same statements; where the generator was made its variables begin. ``iterators.following`` says ``next``.
Next: yielding.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from tangentlite import scopes, syntax
from tangentlite.frontend.consumers import CONSUMERS, LAZY, LEFT, is_one
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.iteration import delegated, generators, yielding
from tangentlite.lowering.iteration.frames import TangledError, matters, unmixed
from tangentlite.lowering.iteration.listing import meanwhile, stored
from tangentlite.lowering.iteration.machines import ENDED, Machine, Step, header
from tangentlite.values import immutable

Body = list[Any]
METHODS = ("send", "__next__", "close")
PLAIN: tuple[Any, ...] = (
    gast.Name,
    gast.Constant,
    gast.BinOp,
    gast.UnaryOp,
    gast.operator,
    gast.unaryop,
)
PLAIN += (gast.expr_context, gast.List, gast.Tuple, gast.Assign, gast.Subscript, gast.Slice)
PLAIN += (gast.Attribute,)
WALKS = (range, len, enumerate, zip, reversed, itertools.count, float, int, abs, math.sqrt)
EAGER = tuple(f for f in CONSUMERS if f not in (any, all, next, *LAZY))


@immutable(eq=False)
class Suspended:
    """A generator between two values."""

    machine: Machine
    context: Context

    def onward(
        self,
        bind: Callable[[Any], Body],
        end: Callable[[Any], Body],
        place: Any,
        sent: Any = None,
        target: Any = None,
    ) -> Body:
        """The statements up to the next value; ``end``: what is done where there is none; ``target``: what is bound."""
        none = syntax.at(syntax.constant(None), place)
        states = self.machine.states(Step(bind, end, none if sent is None else sent, place))
        knots = bool(self.machine.knots)
        body = self.quote("break", place) if knots else end(none)
        for number, inner in reversed(states):
            text = "if at == k:\n    inner\nelse:\n    body"
            inner = inner or self.quote("pass", place)
            body = self.quote(text, place, at=self.machine.at, k=number, inner=inner, body=body)
        if not knots:
            return body
        start = [] if target is None else self.quote("v = None", place, v=syntax.copy(target))
        text = "while True:\n    body\nif at == k:\n    end"
        holes = {"at": self.machine.at, "k": ENDED, "body": body, "end": end(none)}
        return [*start, *self.quote(text, place, **holes)]

    def given(self, name: str, node: gast.Call, default: Any) -> Body:
        """``y = next(it)``, ``y = it.send(v)``."""

        def bind(value: Any) -> Body:
            return self.quote("y = e", node, y=name, e=value)

        def end(value: Any) -> Body:
            if default is not None:
                return self.quote("y = e", node, y=name, e=syntax.copy(default))
            if isinstance(value, gast.Constant) and value.value is None:
                return self.quote("raise StopIteration", node)
            return self.quote("raise StopIteration(e)", node, e=value)

        before: Body = []
        sent = None
        if isinstance(node.func, gast.Attribute) and node.func.attr == "send":
            before, sent = self.context.named(node.args[0])
            if not isinstance(sent, gast.Constant):
                text = "if at == 0:\n    if v is not None:\n        raise TypeError(m)"
                said = syntax.at(
                    syntax.constant("can't send non-None value to a just-started generator"), node
                )
                before += self.quote(text, node, at=self.machine.at, v=sent, m=said)
        return [*before, *self.onward(bind, end, node, sent, read(name, node))]

    def walked(self, loop: gast.For, body: Body) -> Body:
        """``for v in it`` goes on from where ``next(it)`` was."""
        target, start, end = unmixed(loop, self.context, bool(self.machine.knots))

        def bind(value: Any) -> Body:
            return self.quote("v = e", loop, v=syntax.copy(target), e=value)

        inner = [*start, *self.onward(bind, lambda _: self.quote("break", loop), loop), *end]
        return self.quote("while True:\n    inner\n    body", loop, inner=inner, body=body)

    def rest(self, name: str, node: Any) -> Body:
        """The list of all that it still gives."""

        def bind(value: Any) -> Body:
            return self.quote("xs.append(e)", node, xs=name, e=value)

        inner = self.onward(bind, lambda _: self.quote("break", node), node)
        return self.quote("xs = []\nwhile True:\n    inner", node, xs=name, inner=inner)

    def closed(self, node: Any) -> Body:
        """``it.close()``."""
        result: Body = []
        for number, final in self.machine.closing():
            text = "if at == k:\n    final"
            result += self.quote(text, node, at=self.machine.at, k=number, final=final)
        return [*result, *self.quote("at = k", node, at=self.machine.at, k=ENDED)]

    def quote(self, text: str, place: Any, **holes: Any) -> Body:
        """Statements at a place; numbers are written as such."""
        plain = {
            n: syntax.at(syntax.constant(v), place) if isinstance(v, int) else v
            for n, v in holes.items()
        }
        made: Body = self.context.quote(text, place, **plain)
        return made


def followed(body: Body, context: Context) -> Body:
    """``it = g(x)`` begins what ``next(it)`` goes on with.

    >>> from tangentlite.lowering.example import lowered
    >>> def powers(x):
    ...     y = x
    ...     while True:
    ...         yield y
    ...         y = y * x
    >>> print(lowered("it = powers(x)\\na = next(it)\\nreturn a", "x", powers=powers))
    x_1 = x
    y = x_1
    at = 0
    if at == 0:
        a = y
        at = 2
    elif at == 2:
        t1 = y * x_1
        y = t1
        a = y
        at = 2
    else:
        raise StopIteration
    return a
    """
    if not any(generators.generating(call, context) for call in context.contents(body).calls):
        return body
    body = _with_names(body, context)
    nodes = list(scopes.inside(body))
    held = Counter(n.id for n in nodes if isinstance(n, gast.Name))
    steps = Counter(name for n in nodes if (name := asked(n, context)))
    taken = Counter(p.id for n in nodes for p in _places(n, context))
    known = {name for name in {**steps, **taken} if held[name] == steps[name] + taken[name] + 1}
    known -= {name for n in nodes if isinstance(n, scopes.FUNCTIONS) for name in scopes.free(n)}
    return _block(body, body, known, context) if known else body


def _with_names(body: Body, context: Context) -> Body:
    """``for v in g(x)`` of generators that only the steps can say, as ``it = g(x)``, and ``for v in it``.

    ``a, b = g(x), g(y)`` are two statements.
    """
    loops = [n for n in scopes.inside(body) if isinstance(n, gast.For) and not n.orelse]
    left = {id(n): n for n in loops if yielding.is_left(n, context)}
    pairs = {n for n in scopes.inside(body) if _makes_several(n, context)}
    if not left and not pairs:
        return body

    def named(statement: Any) -> Body:
        if isinstance(statement, gast.Assign) and statement in pairs:
            (several,) = statement.targets
            parts = zip(several.elts, statement.value.elts)
            return [s for v, e in parts for s in context.quote("v = e", statement, v=v, e=e)]
        if not isinstance(statement, gast.For) or id(statement.iter) not in places:
            return [statement]
        name = context.local("values")
        start = context.quote("it = e", statement, it=name, e=statement.iter)
        loop = remade(statement, iter=read(name, statement.iter))
        context.made[loop] = context.made.get(statement, statement)
        return [*start, loop]

    places = {id(n.iter) for n in left.values()}
    return syntax.rewrite(body, named)


def _makes_several(node: Any, context: Context) -> bool:
    """Whether a statement gives names to several generators."""
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=left)], value=gast.Tuple(elts=right)):
            named = all(isinstance(t, gast.Name) for t in left) and len(left) == len(right)
            made = all(generators.generating(e, context) is not None for e in right)
            return named and made and not syntax.stores(left) & syntax.loads(right)
    return False


def asked(node: Any, context: Context) -> str:
    """The name of the generator of which a call asks the next value, or the end."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)) if attr in METHODS:
            return str(name)
        case gast.Call(func=func, args=[gast.Name(id=name), *_]) if context.meaning(func) is next:
            return str(name)
    return ""


def _places(node: Any, context: Context) -> list[Any]:
    """The names of what is taken whole, or walked over."""
    match node:
        case (
            gast.For(iter=part, orelse=[])
            | gast.comprehension(iter=part)
            | gast.Starred(value=part)
        ):
            found = [part]
        case gast.Assign(targets=[gast.Tuple() | gast.List()], value=part):
            found = [part]
        case gast.Call(func=func, args=args) if is_one(context.meaning(func), EAGER):
            found = args[:1]
        case _:
            found = []
    return [p for p in found if isinstance(p, gast.Name)]


def _block(body: Body, whole: Body, known: set[str], context: Context) -> Body:
    result: Body = []
    for statement in body:
        result += _statement(statement, whole, known, context)
    return result


def _statement(statement: Any, whole: Body, known: set[str], context: Context) -> Body:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=call) if name in known:
            begun = _begun(name, call, whole, statement, context)
            return [_with_rests(statement, context)] if begun is None else begun
        case gast.For(iter=gast.Name(id=name), orelse=[]) if name in context.suspended:
            inner = _block(statement.body, whole, known, context)
            return list(context.suspended[name].walked(statement, inner))
        case gast.Expr(value=gast.Call() as call) if asked(call, context) in context.suspended:
            if isinstance(call.func, gast.Attribute) and call.func.attr == "close":
                return list(context.suspended[asked(call, context)].closed(statement))
            return context.quote("v = e", statement, v=context.local("item"), e=call)
    fields = {}
    for field in syntax.BLOCKS:
        block = getattr(statement, field, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            fields[field] = _block(block, whole, known, context)
    if any(a is not b for n in fields for a, b in zip(fields[n], getattr(statement, n))):
        new = remade(statement, **fields)
        context.made[new] = context.made.get(statement, statement)
        statement = new
    return [_with_rests(statement, context)]


def _with_rests(node: Any, context: Context) -> Any:
    """A statement in which what is left of a generator is asked for where it is taken whole."""
    places = [p for n in scopes.inside([node]) for p in _places(n, context)]
    found = {id(p) for p in places if p.id in context.suspended}
    if not found:
        return node
    return _replaced(node, found)


def _replaced(node: Any, found: set[int]) -> Any:
    """A tree in which names stand for what is left of generators."""
    fields: dict[str, Any] = {}
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            fields[field] = [_part(v, found) if isinstance(v, ast.AST) else v for v in value]
        elif isinstance(value, ast.AST):
            fields[field] = _part(value, found)
    return remade(node, **fields) if fields else node


def _part(node: Any, found: set[int]) -> Any:
    if id(node) in found:
        return syntax.at(gast.Call(read(LEFT, node), [node], []), node)
    return _replaced(node, found)


def _begun(name: str, call: Any, whole: Body, place: Any, context: Context) -> Body | None:
    """What a generator begins with; None where it cannot be followed."""
    function = generators.generating(call, context)
    if function is None:
        return None
    try:
        before, body = delegated.statements(function, call, context)
        first, rest = _hoisted(function, call, body, meanwhile(whole, place), context)
        machine = Machine(rest, context.local("at"), context)
        shared = machine.follow(place)
    except TangledError:
        return None
    context.suspended[name] = Suspended(machine, context)
    missing = sorted(shared - {n for s in (*before, *first) for n in syntax.stores(s)})
    begun = [s for n in missing for s in context.quote("v = None", place, v=n)]
    return [*before, *first, *begun, *context.quote("at = 0", place, at=machine.at)]


def _hoisted(
    function: Any, call: gast.Call, body: Body, later: Body, context: Context
) -> tuple[Body, Body]:
    """The statements before all others that only bind numbers, and the rest: nobody sees when those run."""
    captured = call.args[: getattr(function, "__captured__", 0)]
    count = 0
    while count < len(body) and _is_plain(body[count], context):
        count += 1
    first, rest = body[:count], body[count:]
    late = syntax.loads(call) & stored(later)
    if late or syntax.loads(captured) & syntax.loads(first) & syntax.stores(later):
        return [], body
    match rest:
        case [gast.For(iter=walked) as loop, *others] if _only_binds(walked, context):
            if syntax.loads(captured) & syntax.loads(walked) & syntax.stores(later):
                return first, rest
            start, test, ahead = header(loop, context)
            test = syntax.at(syntax.constant(True), loop) if test is None else test
            turned = gast.While(test, [*ahead, *loop.body], loop.orelse)
            return [*first, *start], [syntax.at(turned, loop), *others]
    return first, rest


def _is_plain(statement: Any, context: Context) -> bool:
    """Whether a statement gives names to what is computed of numbers."""
    plain = isinstance(statement, gast.Assign) and not matters(statement)
    return plain and _only_binds(statement, context)


def _only_binds(node: Any, context: Context) -> bool:
    for part in syntax.walk(node):
        known = isinstance(part, gast.Call) and is_one(context.meaning(part.func), WALKS)
        if not known and not isinstance(part, PLAIN):
            return False
    return True
