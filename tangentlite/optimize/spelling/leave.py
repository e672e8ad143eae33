"""Leave: a flag that only says that a loop ends becomes the ``break`` that a person writes.

In: a block in which every loop that can be left ends with ``if stop: break``.
Out: the same block; ``break`` stands where the flag was set, if nothing happened between the two.
Next: emit.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade

Body = list[gast.stmt]


def leave(body: Body, scope: Scope) -> Body:
    """Break at once.

    >>> from tangentlite.optimize.samples import show
    >>> show(leave, '''
    ... stop = False
    ... for k in range(n):
    ...     y = np.sin(y)
    ...     if y < x:
    ...         stop = True
    ...     else:
    ...         y = y * x
    ...     if stop:
    ...         break
    ... ''')
    for k in range(n):
        y = np.sin(y)
        if y < x:
            break
        y = y * x
    """
    if not any(isinstance(s, (gast.For, gast.While)) for s in syntax.statements(body)):
        return body
    flags: set[str] = set()
    body = _block(body, flags)
    unread = flags - syntax.loads(body) - scope.captured if flags else flags
    return without(body, unread) if unread else body


def _block(body: Body, flags: set[str]) -> Body:
    return [_statement(s, flags) for s in body]


def _statement(statement: gast.stmt, flags: set[str]) -> gast.stmt:
    new = inside(statement, lambda block: _block(block, flags))
    if not isinstance(new, (gast.For, gast.While)):
        return new
    body, end = syntax.parted(new.body)
    match end:
        case [gast.If(test=gast.Constant(value=True), body=last)]:
            return remade(new, {"body": [*body, *last]})
        case [gast.If(test=gast.Name(id=flag))]:
            broken = _broken(body, flag)
            if broken is not None:
                flags.add(flag)
                return remade(new, {"body": broken})
    return new


def _broken(body: Body, flag: str) -> Body | None:
    """A trip that breaks where ``flag`` is set; None if other statements follow there."""
    sets = sum(_sets(node, flag) for s in body for node in syntax.walk(s))
    new = _tail(body, flag)
    breaks = sum(_breaks(s) for s in new)
    return new if breaks == sets + sum(_breaks(s) for s in body) else None


def _sets(node: object, flag: str) -> bool:
    match node:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=True)):
            return bool(name == flag)
    return False


def _breaks(statement: gast.stmt) -> int:
    """How many breaks leave the loop that a statement stands in."""
    if isinstance(statement, gast.Break):
        return 1
    if isinstance(statement, (gast.For, gast.While)):
        return 0
    return sum(_breaks(s) for block in syntax.blocks(statement) for s in block)


def _tail(body: Body, flag: str) -> Body:
    match body:
        case [*before, last] if _sets(last, flag):
            return [*before, last, syntax.at(gast.Break(), last)]
        case [*before, gast.If(test=test, body=rest, orelse=[])] if _denies(test, flag):
            return [*_tail(before, flag), *_tail(rest, flag)]
        case [*before, gast.If(test=test, body=then, orelse=other) as last]:
            then, other = _tail(then, flag), _tail(other, flag)
            if then and isinstance(then[-1], gast.Break):
                return [*before, remade(last, {"body": then, "orelse": []}), *other]
            if other and isinstance(other[-1], gast.Break):
                test = syntax.at(syntax.expression("not test", test=test), test)
                other_first = {"test": test, "body": other, "orelse": []}
                return [*before, remade(last, other_first), *then]
            return [*before, remade(last, {"body": then, "orelse": other})]
    return body


def _denies(test: gast.expr, flag: str) -> bool:
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=gast.Name(id=name)):
            return bool(name == flag)
    return False


def without(body: Body, flags: set[str]) -> Body:
    """``body`` without what is stored in flags."""

    def step(statement: gast.stmt) -> Body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=bool())):
                return [] if name in flags else [statement]
        return [statement]

    return syntax.rewrite(body, step)
