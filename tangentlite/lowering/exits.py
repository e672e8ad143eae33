"""Many returns become one, the last statement of the function.

In: the user's statements; no return stands inside a loop.
Out: the same statements with one return at the end.
Next: desugar.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.lowering.context import Context, read, remade


def single(body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """The rest of a block goes into the branch that does not return.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("if x > 0:\\n    return x * 2\\nreturn x", "x"))
    if x > 0:
        y = x * 2
    else:
        y = x
    return y
    """
    body = _reachable(body)
    found = _returns(body)
    place: Any = found[-1] if found else context.function.tree
    if not _leaves(body):
        last = syntax.at(gast.Return(None), place)
        context.made[last] = body[-1] if body else last
        body = [*body, last]
        found = [*found, last]
    if not any(r.value is not None for r in found):
        result: Any = syntax.at(syntax.constant(None), place)
        exits = Exits(context, None)
    else:
        kept = len(found) == 1 and _kept(found[0].value, context)
        name = found[0].value if kept else read(_result(found, context), place)
        result = name
        exits = Exits(context, None if kept else name.id)
    body = exits.block(body)
    end = syntax.at(gast.Return(result), place)
    context.made[end] = context.made.get(place, place) if found else end
    return [*body, end]


def _kept(value: Any, context: Context) -> bool:
    if isinstance(value, gast.Name):
        return value.id in context.locals
    return syntax.is_atom(value)


def _result(found: list[gast.Return], context: Context) -> str:
    """The name of the result: the user's where one is returned, else ``y``."""
    names: list[str] = [r.value.id for r in found if isinstance(r.value, gast.Name)]
    params = {param.name for param in context.function.params}
    own = [n for n in dict.fromkeys(names) if n in context.locals]
    if len(names) == len(found) and len(set(names)) == 1 and own:
        return own[0]
    if len(own) == 1 and own[0] not in params:
        return own[0]
    return context.local("y")


def _returns(body: list[gast.stmt]) -> list[gast.Return]:
    found: list[gast.Return] = []
    for statement in body:
        if isinstance(statement, gast.Return):
            found.append(statement)
        elif isinstance(statement, gast.If):
            found += _returns(statement.body) + _returns(statement.orelse)
    return found


def _leaves(body: list[gast.stmt]) -> bool:
    """Whether control never runs past the end of ``body``."""
    match body[-1] if body else None:
        case gast.Return() | gast.Raise():
            return True
        case gast.If(body=then, orelse=other):
            return _leaves(then) and _leaves(other)
    return False


def _reachable(body: list[gast.stmt]) -> list[gast.stmt]:
    """``body`` up to the first statement that always leaves."""
    for k, statement in enumerate(body):
        if _leaves([statement]):
            return body[: k + 1]
    return body


class Exits:
    """Rewrites the returns of nested ifs; ``name`` is bound to what they return."""

    def __init__(self, context: Context, name: str | None) -> None:
        self.context, self.name = context, name

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """``body`` without returns: control runs past its end on every path that does not raise."""
        body = _reachable(body)
        for k, statement in enumerate(body):
            match statement:
                case gast.Return():
                    return body[:k] + self._bound(statement)
                case gast.If() if _returns([statement]):
                    return body[:k] + self._branch(statement, body[k + 1 :])
        return body

    def _bound(self, statement: gast.Return) -> list[gast.stmt]:
        """``return e`` becomes ``y = e``."""
        value, name = statement.value, self.name
        if name is None or (isinstance(value, gast.Name) and value.id == name):
            return []
        if value is None:
            value = syntax.at(syntax.constant(None), statement)
        return self._made("y = value", statement, y=name, value=value)

    def _branch(self, statement: gast.If, rest: list[gast.stmt]) -> list[gast.stmt]:
        """An ``if`` that returns somewhere, and what follows it."""
        then, other = statement.body, statement.orelse
        if not rest or (_leaves(then) and _leaves(other)):
            return [self._if(statement, self.block(then), self.block(other))]
        if _leaves(then):
            return [self._if(statement, self.block(then), self.block([*other, *rest]))]
        if _leaves(other):
            return [self._if(statement, self.block([*then, *rest]), self.block(other))]
        return self._flagged(statement, rest)

    def _flagged(self, statement: gast.If, rest: list[gast.stmt]) -> list[gast.stmt]:
        """An ``if`` whose branches both may run on into ``rest``: a flag tells whether they do.

        ``done = False``, in the branch ``y = e; done = True``, and then ``if not done: rest``.
        """
        flag = self.context.local("done")
        then, other = self._marked(statement.body, flag), self._marked(statement.orelse, flag)
        return [
            *self._made("t = False", statement, t=flag),
            self._if(statement, self.block(then), self.block(other)),
            *self._made("if not t:\n    rest", statement, t=flag, rest=self.block(rest)),
        ]

    def _marked(self, body: list[gast.stmt], flag: str) -> list[gast.stmt]:
        """``body`` with the flag set before every return."""
        marked: list[gast.stmt] = []
        for statement in body:
            if isinstance(statement, gast.Return):
                marked += self._made("t = True", statement, t=flag)
            elif _returns([statement]):
                then = self._marked(statement.body, flag)
                statement = self._if(statement, then, self._marked(statement.orelse, flag))
            marked.append(statement)
        return marked

    def _if(self, statement: gast.If, then: list[gast.stmt], other: list[gast.stmt]) -> gast.If:
        new = remade(statement, body=then, orelse=other)
        self.context.made[new] = self.context.made.get(statement, statement)
        return new

    def _made(self, text: str, place: gast.stmt, **holes: Any) -> list[gast.stmt]:
        self.context.source = self.context.made.get(place, place)
        return self.context.quote(text, place, **holes)
