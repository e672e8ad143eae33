"""Tries: the pieces of a ``try`` that was cut where it may fail after an effect stand in one ``try`` again.

In: a block in which each piece sets a flag if it fails, and is done if none before it has failed.
Out: the same block; pieces that follow each other are one ``try``, the handler behind it is in its ``except``.
Next: emit.

This comes last: what may raise must not move any more.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import gast

from tangentlite import syntax
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade
from tangentlite.optimize.spelling.leave import without

Body = list[gast.stmt]
Names = frozenset[str]


def tries(body: Body, scope: Scope) -> Body:
    """One ``try`` for the pieces of one.

    >>> from tangentlite.optimize.samples import show
    >>> show(tries, '''
    ... failed = False
    ... t1 = False
    ... try:
    ...     t1 = f(x) > 0
    ... except ValueError:
    ...     failed = True
    ... if t1:
    ...     try:
    ...         xs.append(x)
    ...     except ValueError:
    ...         failed = True
    ...     if not failed:
    ...         try:
    ...             ys.append(g(x))
    ...         except ValueError:
    ...             failed = True
    ... if failed:
    ...     xs.append(0.0)
    ... ''')
    try:
        if f(x) > 0:
            xs.append(x)
            ys.append(g(x))
    except ValueError:
        xs.append(0.0)
    """
    if not any(isinstance(s, gast.Try) for s in syntax.statements(body)):
        return body
    nodes = (n for s in body for n in syntax.walk(s))
    joiner = _Joiner(Counter(n.id for n in nodes if isinstance(n, gast.Name)))
    body = joiner.block(body, frozenset())
    body = without(body, joiner.flags - syntax.loads(body) - scope.captured)
    return syntax.rewrite(body, _with_handlers)


def _with_handlers(statement: Any) -> Body:
    """A handler that only set a flag that nobody reads passes."""
    for handler in getattr(statement, "handlers", []):
        handler.body = handler.body or [syntax.at(gast.Pass(), handler)]
    return [statement]


class _Piece(NamedTuple):
    """A ``try`` that sets a flag if it fails; ``handler`` tells when, and what else it does then."""

    tree: Any
    flag: str
    handler: str


def _piece(statement: Any) -> _Piece | None:
    match statement:
        case gast.Try(handlers=[gast.ExceptHandler(body=body) as caught], orelse=[], finalbody=[]):
            flags = [s.targets[0].id for s in body if _constant(s) is True]
            if len(flags) == 1 and all(map(_is_plain, body)):
                name = getattr(caught.name, "id", "")
                kept = [syntax.substitute(s, {name: "error"}) for s in body]
                parts = [caught.type or syntax.constant(None), *kept]
                return _Piece(statement, flags[0], "\n".join(map(syntax.unparse, parts)))
    return None


def _constant(statement: gast.stmt) -> object:
    """The constant that a statement binds a name to; ... if it does something else."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant(value=value)):
            return value
    return ...


def _is_plain(statement: gast.stmt) -> bool:
    """Whether a statement cannot fail: it binds a name to another one, or to a constant."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant() | gast.Name()):
            return True
    return isinstance(statement, gast.Pass | syntax.Comment)


def _denied(test: gast.expr) -> str | None:
    """The name in ``not name``."""
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=gast.Name(id=name)):
            return name  # type: ignore[no-any-return]
    return None


def _guarded(body: Body, flag: str) -> Body | None:
    """What is done if a flag is down; None if there is more."""
    match body:
        case []:
            return []
        case [gast.If(test=test, body=inner, orelse=[])] if _denied(test) == flag:
            return list(inner)
    return None


class _Joiner:
    """``mentions`` tells how often a name stands in the function, ``flags`` whose pieces were joined."""

    def __init__(self, mentions: Counter[str]) -> None:
        self.mentions = mentions
        self.flags: set[str] = set()

    def block(self, body: Body, low: Names) -> Body:
        """``low``: the flags that are down before the block.

        At the end of what is done there may be a piece whose flag was down before it, with constants behind it.
        """
        result: Body = []
        at: int | None = None
        for statement in body:
            last = None if at is None else _piece(result[at])
            asked = last and _asked(last, result[:at])
            statement = self.within(statement, low, asked, last)
            if last and (new := self.joined(last, result[at:], statement, asked)):
                result[at:] = new
                at = len(result) - 1 if _piece(result[-1]) else None
                low = _known(result[-1], low)
                continue
            statement = self.wrapped(statement, low)
            piece = _piece(statement)
            if piece and piece.flag in low:
                at = len(result)
            elif _constant(statement) is ...:
                at = None
            low = _known(statement, low)
            result.append(statement)
        return result

    def within(self, statement: Any, low: Names, asked: str | None, last: _Piece | None) -> Any:
        """A statement with its blocks joined."""
        match statement:
            case gast.If(test=test, body=body, orelse=orelse):
                flag = _denied(test)
                if last and isinstance(test, gast.Name) and test.id == asked:
                    flag = last.flag  # it is asked for what the piece has found
                body = self.block(body, low | {flag} if flag else low)
                return remade(statement, {"body": body, "orelse": self.block(orelse, low)})
            case gast.For(body=body) | gast.While(body=body):
                ends = {getattr(e.test, "id", "") for e in syntax.parted(body)[1]}
                low = low - (frozenset(syntax.stores(statement)) - ends)
                return remade(statement, {"body": self.block(body, low)})
        return inside(statement, lambda block: self.block(block, frozenset()))

    def joined(self, last: _Piece, found: Body, statement: Any, asked: str | None) -> Body | None:
        """The piece at the head of what was found, with a statement in it; what is behind it comes before it."""
        tree, *constants = found
        if any(syntax.mentions(tree, syntax.stores(c)) for c in constants):
            return None
        part = self.part(last, statement, asked)
        if part is not None:
            new = remade(tree, {"body": self.asking(tree.body, part, asked)})
        elif _is_handler(statement, last.flag):
            (caught,) = tree.handlers
            caught = remade(caught, {"body": [*caught.body, *statement.body]})
            new = remade(tree, {"handlers": [caught]})
        else:
            return None
        self.flags.add(last.flag)
        return [*constants, new]

    def asking(self, body: Body, part: Body, asked: str | None) -> Body:
        """One block after the other; what only the second asks for is asked at once."""
        match part:
            case [gast.If(test=gast.Name(id=name)) as branch] if name == asked:
                if self.mentions[name] == 3:  # put down, bound, asked for
                    self.flags.add(name)
                    return [*body[:-1], remade(branch, {"test": body[-1].value})]
        return [*body, *part]

    def part(self, last: _Piece, statement: Any, asked: str | None) -> Body | None:
        """What a statement does if the piece before it has not failed; None if it does more."""
        guarded = _guarded([statement], last.flag)
        if guarded is not None:
            return self.inner(guarded, last)
        match statement:
            case gast.If(test=gast.Name(id=name), body=body, orelse=orelse) if name == asked:
                other = _guarded(orelse, last.flag)
                then = self.inner(body, last)
                other = None if other is None else self.inner(other, last)
                if then is not None and other is not None:
                    return [remade(statement, {"body": then, "orelse": other})]
        return None

    def inner(self, body: Body, like: _Piece) -> Body | None:
        """A block of which only the end may fail, without the ``try`` that stands there."""
        if not body:
            return []
        *before, end = body
        piece = _piece(end)
        if not all(map(_is_plain, before)):
            return None
        if piece is None:
            return body if _is_plain(end) else None
        return [*before, *piece.tree.body] if piece[1:] == like[1:] else None

    def wrapped(self, statement: Any, low: Names) -> Any:
        """``if t:`` with pieces in its branches is a piece."""
        match statement:
            case gast.If(test=test, body=[*_, end], orelse=orelse) if isinstance(
                test, gast.Name
            ) or _denied(test):
                like = _piece(end) or _piece(orelse[-1] if orelse else None)
                if like is None or like.flag not in low:
                    return statement
                then, other = self.inner(statement.body, like), self.inner(orelse, like)
                if then is None or other is None:
                    return statement
                whole = remade(statement, {"body": then, "orelse": other})
                return remade(like.tree, {"body": [whole]})
        return statement


def _asked(last: _Piece, before: Body) -> str | None:
    """The name that a piece binds at its end, and that is False if the piece fails."""
    match last.tree.body[-1]:
        case gast.Assign(targets=[gast.Name(id=name)]) as end if _constant(end) is ...:
            for statement in reversed(before):
                if name in syntax.stores(statement):
                    return name if _constant(statement) is False else None
                if not _is_plain(statement):
                    return None
    return None


def _is_handler(statement: Any, flag: str) -> bool:
    """Whether a statement is what is done if a piece has failed."""
    match statement:
        case gast.If(test=gast.Name(id=name), body=body, orelse=[]):
            return bool(name == flag) and not any(isinstance(s, gast.Break) for s in body)
    return False


def _known(statement: gast.stmt, low: Names) -> Names:
    """The flags that are down after a statement."""
    stored = frozenset(syntax.stores(statement))
    return low | stored if _constant(statement) is False else low - stored
