"""Loops over generators that are left, or run for ever: the generator's own loops, with the body where it yields.

In: the statements of a function.
Out: the same statements; where ``yield v`` stood, the target of the loop is bound, and its body follows.
Next: generators.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import gast

from tangentlite import frontend, scopes, syntax
from tangentlite.lowering.context import Context, remade
from tangentlite.lowering.iteration import generators
from tangentlite.lowering.iteration.borrowed import borrowed

Body = list[Any]
MOST = 4  # that often the body of a loop is written
YIELDS = (gast.Yield, gast.YieldFrom)


def inlined(body: Body, context: Context) -> Body:
    """``for v in g(x): …; break`` is the body of g with that of the loop where g yields.

    >>> from tangentlite.lowering.example import lowered
    >>> def powers(x):
    ...     y = x
    ...     while True:
    ...         yield y
    ...         y = y * x
    >>> print(lowered("for v in powers(x):\\n    if v > 9.0:\\n        break\\nreturn v", "x", powers=powers))
    x_2 = x
    y_1 = x_2
    stop = False
    while True:
        v = y_1
        if v > 9.0:
            stop = True
        else:
            t1 = y_1 * x_2
            y_1 = t1
        if stop:
            break
    return v
    """
    if not any(generators.generating(call, context) for call in context.contents(body).calls):
        return body
    return _block(body, context, ())


def is_left(statement: Any, context: Context) -> bool:
    """Whether a loop over a generator can be said neither with a list nor with the loops of the generator."""
    counter, call = _walked(statement, context)
    function = generators.generating(call, context)
    if function is None or counter is not None or generators.recurs(function):
        return False
    if not _matters(statement, call, function, context):
        return False
    return _Loop(statement, call, None, context).over(function) is None


def _block(body: Body, context: Context, active: tuple[Any, ...]) -> Body:
    return [new for statement in body for new in _statement(statement, context, active)]


def _statement(statement: Any, context: Context, active: tuple[Any, ...]) -> Body:
    if isinstance(statement, gast.For):
        counter, call = _walked(statement, context)
        function = generators.generating(call, context)
        if function is not None and not generators.recurs(function) and len(active) < MOST:
            if _matters(statement, call, function, context):
                made = _Loop(statement, call, counter, context).over(function)
                if made is not None:
                    return _block(made, context, (*active, function))
    fields = {}
    for name in syntax.BLOCKS:
        block = getattr(statement, name, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            fields[name] = _block(block, context, active)
    if not fields or all(fields[n] == getattr(statement, n) for n in fields):
        return [statement]
    new = remade(statement, **fields)
    context.made[new] = context.made.get(statement, statement)
    return [new]


def _walked(statement: gast.For, context: Context) -> tuple[Any, Any]:
    """What a loop counts from, if it does, and what it walks over."""
    match statement:
        case gast.For(
            target=gast.Tuple(elts=[_, _]),
            iter=gast.Call(func=gast.Name(id="enumerate"), args=[call, *start], keywords=[]),
        ) if context.is_builtin("enumerate"):
            first = start[0] if start else syntax.at(syntax.constant(0), statement)
            return first, call
    return None, statement.iter


def _matters(statement: Any, call: Any, function: FunctionType, context: Context) -> bool:
    """Whether a list of what is yielded would not do, and the loop may end."""
    exits = (gast.Break, gast.Return, gast.Raise)
    if any(isinstance(n, exits) for n in scopes.inside(statement.body)):
        return True
    body = frontend.read(function, fenced=False).body
    ends = any(isinstance(n, exits) for n in scopes.inside(body))
    if not ends and any(_goes_on(n) for n in scopes.inside(body)):
        return False
    return generators.consumed(call, context, statement.body) is call


def _goes_on(node: Any) -> bool:
    return isinstance(node, gast.While) and isinstance(node.test, gast.Constant)


class _Loop:
    """One loop over a generator."""

    def __init__(self, loop: Any, call: gast.Call, first: Any, context: Context) -> None:
        self.loop, self.call, self.context = loop, call, context
        self.first = first
        self.counter = context.local("place") if first is not None else None
        self.left = self.stopped = ""
        self.fits = True

    def over(self, function: FunctionType) -> Body | None:
        """The statements for the loop; None where they cannot be told."""
        made = borrowed(function, self.call, self.context)
        if made is None:
            return None
        before, body = made
        yields = [n for n in scopes.inside(body) if isinstance(n, gast.Yield)]
        if len(yields) > MOST:
            return None
        if self.counter is not None:
            before += self.quote("k = e", k=self.counter, e=self.first)
        if self.loop.orelse:
            self.stopped = self.context.local("stopped")
            before += self.quote("t = False", t=self.stopped)
        whole = [k for k, s in enumerate(body) if _yields(s)]
        alone = whole == [len(body) - 1] and isinstance(body[-1], gast.For | gast.While)
        if alone and not any(map(_returns, body[:-1])) and not body[-1].orelse:
            result = [*body[:-1], *self.block(body[-1:], 0, True)]
        else:
            inner = self.block(body, 1, True)
            result = self.quote("while True:\n    inner\n    break", inner=inner)
        if not self.fits:
            return None
        if self.left:
            before += self.quote("t = False", t=self.left)
        after = self.loop.orelse
        if after and any(isinstance(n, gast.Break) for n in scopes.inside(self.loop.body)):
            after = self.quote("if not t:\n    rest", t=self.stopped, rest=after)
        return [*before, *result, *after]

    def block(self, body: Body, depth: int, last: bool) -> Body:
        """A block of the generator, inside so many loops; ``last``: nothing follows it in this trip."""
        result: Body = []
        for place, statement in enumerate(body):
            ends = last and place == len(body) - 1
            self.fits = self.fits and not _asks(statement)
            match statement:
                case gast.Expr(value=gast.Yield(value=value)):
                    value = value or syntax.at(syntax.constant(None), statement)
                    result += self.handed(value, depth, ends)
                case gast.Return():
                    result += self.exit(depth)
                case gast.For() | gast.While() if _yields(statement) or _returns(statement):
                    inner = self.block(statement.body, depth + 1, True)
                    result.append(remade(statement, body=inner))
                    self.fits = self.fits and not statement.orelse
                    if depth and self.left:
                        result += self.quote("if t:\n    break", t=self.left)
                case gast.If() if _yields(statement) or _returns(statement):
                    then = self.block(statement.body, depth, ends)
                    other = self.block(statement.orelse, depth, ends)
                    result.append(remade(statement, body=then, orelse=other))
                case _:
                    self.fits = self.fits and not _yields(statement) and not _returns(statement)
                    result.append(statement)
        return result

    def exit(self, depth: int) -> Body:
        """Out of all loops of the generator."""
        if depth > 1:
            self.left = self.left or self.context.local("left")
            return self.quote("t = True\nbreak", t=self.left)
        return self.quote("break")

    def handed(self, value: Any, depth: int, ends: bool) -> Body:
        """``v = e``, and the body of the loop."""
        body = [self.again(s) for s in self.loop.body]
        target: Any = self.loop.target
        start: Body = []
        if self.counter is not None:
            start = self.quote("i = k\nk = k + 1", i=target.elts[0], k=self.counter)
            target = target.elts[1]
        bound = syntax.at(gast.Assign([syntax.copy(target)], value, None), self.loop)
        if ends or not _own(body, gast.Continue):
            return [*start, bound, *self.stepped(body, depth)]
        once = self.context.local("once")
        self.context.builtin("range", self.loop)
        text = "for v in range(1):\n    body"
        whole = self.quote(text, v=once, body=self.stepped(body, depth + 1))
        if _own(body, gast.Break):
            whole += self.quote("if t:\n    break", t=self.left)
        return [*start, bound, *whole]

    def again(self, statement: Any) -> Any:
        new = syntax.copy(statement)
        olds = syntax.statements([statement])
        for old, made in zip(olds, syntax.statements([new]), strict=True):
            self.context.made[made] = self.context.made.get(old, old)
        return new

    def stepped(self, body: Body, depth: int) -> Body:
        """The body of the loop, with what stands for its ``break``."""
        result: Body = []
        for statement in body:
            if isinstance(statement, gast.Break):
                if self.stopped:
                    result += self.quote("t = True", t=self.stopped)
                result += self.exit(depth)
                continue
            for name in syntax.BLOCKS:
                if name == "body" and isinstance(statement, scopes.LOOPS):
                    continue
                block = getattr(statement, name, None)
                if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
                    setattr(statement, name, self.stepped(block, depth))
            for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
                part.body = self.stepped(part.body, depth)
            result.append(statement)
        return result

    def quote(self, text: str, **holes: Any) -> Body:
        return self.context.quote(text, self.loop, **holes)


def _own(body: Body, kind: Any) -> list[Any]:
    """The exits of a kind that belong to the loop with this body."""
    found: list[Any] = []
    for statement in body:
        if isinstance(statement, kind):
            found.append(statement)
        blocks = [*syntax.blocks(statement), *(c.body for c in getattr(statement, "cases", ()))]
        for block in [statement.orelse] if isinstance(statement, scopes.LOOPS) else blocks:
            found += _own(block, kind)
    return found


def _yields(statement: Any) -> bool:
    return any(isinstance(n, YIELDS) for n in scopes.inside([statement]))


def _asks(statement: Any) -> bool:
    """Whether what is sent to the generator decides, or is yielded again."""
    inner = statement.value if _is_handed(statement) else statement
    heads = [getattr(inner, name, None) for name in ("test", "iter", "value")]
    return any(isinstance(n, YIELDS) for n in scopes.inside([h for h in heads if h]))


def _is_handed(statement: Any) -> bool:
    return isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Yield)


def _returns(statement: Any) -> bool:
    return any(isinstance(n, gast.Return) for n in scopes.inside([statement]))
