"""Every exit becomes a way to the end of its block: one return, the last statement; a break at the end of a trip.

In: the user's statements.
Out: the same statements with one return at the end. A loop that can be left has ``if stop: break`` as the
last statement of its body and no ``else``; ``continue`` is gone.
Next: desugar.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow import tries
from tangentlite.lowering.flow.leaving import EXITS, LOOPS, exits, leaves, reachable
from tangentlite.values import immutable

Body = list[gast.stmt]
GUARDS = (gast.Try, gast.With)


def single(body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """The rest of a block goes into the branch that does not leave.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered("if x > 0:\\n    return x * 2\\nreturn x", "x"))
    if x > 0:
        y = x * 2
    else:
        y = x
    return y
    """
    body = reachable(body)
    found = [e for e in exits(body) if isinstance(e, gast.Return)]
    place: Any = found[-1] if found else context.function.tree
    if not leaves(body):
        last = syntax.at(gast.Return(None), place)
        context.made[last] = body[-1] if body else last
        body = [*body, last]
        found = [*found, last]
    if not any(r.value is not None for r in found):
        result: Any = syntax.at(syntax.constant(None), place)
        rewrite = Exits(context, None)
    else:
        kept = len(found) == 1 and _kept(found[0].value, context)
        name = found[0].value if kept else read(_result(found, context), place)
        result = name
        rewrite = Exits(context, None if kept else name.id)
    body = rewrite.block(body, None)
    end = syntax.at(gast.Return(result), place)
    context.made[end] = context.made.get(place, place) if found else end
    return [*body, end]


def _kept(value: Any, context: Context) -> bool:
    if isinstance(value, gast.Name):
        return value.id in context.locals and not _guards_return(context)
    return syntax.is_atom(value)


def _guards_return(context: Context) -> bool:
    """Whether there is a return in a ``try`` or a ``with``: something may come after it."""
    nodes = (s for s in syntax.statements(context.function.body) if isinstance(s, GUARDS))
    return any(isinstance(n, gast.Return) for guard in nodes for n in syntax.walk(guard))


def _result(found: list[gast.Return], context: Context) -> str:
    """The name of the result: the user's where one is returned, else ``y``."""
    names: list[str] = [r.value.id for r in found if isinstance(r.value, gast.Name)]
    params = {param.name for param in context.function.params}
    if _guards_return(context):
        return context.local("y")  # a finally or a manager comes after the return
    own = [n for n in dict.fromkeys(names) if n in context.locals]
    if len(names) == len(found) and len(set(names)) == 1 and own:
        return own[0]
    if len(own) == 1 and own[0] not in params:
        return own[0]
    return context.local("y")


@immutable
class Loop:
    """The flags of a loop: that it stops after this trip, and that the function returns."""

    stop: str = ""
    returned: str = ""


class Exits:
    """Rewrites the exits of nested blocks; ``name`` is bound to what the function returns."""

    def __init__(self, context: Context, name: str | None) -> None:
        self.context, self.name = context, name
        self.finished: set[gast.stmt] = set()

    def block(self, body: list[gast.stmt], loop: Loop | None) -> list[gast.stmt]:
        """``body`` without exits: control runs past its end on every path that does not raise."""
        waiting, done = list(reversed(reachable(body))), list[gast.stmt]()
        while waiting:
            statement = waiting.pop()
            if isinstance(statement, EXITS):
                return [*done, *self._left(statement, loop)]
            if isinstance(statement, gast.If):
                if any(exits([statement])):
                    return [*done, *self._branch(statement, waiting[::-1], loop)]
                then, other = self.block(statement.body, loop), self.block(statement.orelse, loop)
                statement = self._if(statement, then, other)
            elif statement in self.finished:
                pass
            elif isinstance(statement, LOOPS):
                *before, statement, after = self._loop(statement, loop)
                done += before
                waiting += reversed(after)
            elif isinstance(statement, GUARDS):
                return [*done, *self._guarded(statement, waiting[::-1], loop)]
            done.append(statement)
        return done

    def _left(self, statement: gast.stmt, loop: Loop | None) -> list[gast.stmt]:
        """``return e`` becomes ``y = e``; in a loop flags say that it ends."""
        bound = self._bound(statement) if isinstance(statement, gast.Return) else []
        if loop is None or isinstance(statement, gast.Continue):
            return bound
        fresh = isinstance(statement, gast.Return) and statement not in self.finished
        flags = [loop.returned] if fresh else []
        for flag in dict.fromkeys([*flags, loop.stop]):
            bound += self._made("t = True", statement, t=flag)
        return bound

    def _bound(self, statement: gast.Return) -> list[gast.stmt]:
        value, name = statement.value, self.name
        if name is None or statement in self.finished:
            return []
        if isinstance(value, gast.Name) and value.id == name:
            return []
        if value is None:
            value = syntax.at(syntax.constant(None), statement)
        return self._made("y = value", statement, y=name, value=value)

    # Branches -------------------------------------------------------------------------------

    def _branch(
        self, statement: gast.If, rest: list[gast.stmt], loop: Loop | None
    ) -> list[gast.stmt]:
        """An ``if`` that leaves somewhere, and what follows it."""
        then, other = statement.body, statement.orelse
        if not rest or (leaves(then) and leaves(other)):
            return [self._if(statement, self.block(then, loop), self.block(other, loop))]
        if leaves(then):
            other = self.block([*other, *rest], loop)
            return [self._if(statement, self.block(then, loop), other)]
        if leaves(other):
            then = self.block([*then, *rest], loop)
            return [self._if(statement, then, self.block(other, loop))]
        return self._flagged(statement, rest, loop)

    def _flagged(
        self, statement: gast.If, rest: list[gast.stmt], loop: Loop | None
    ) -> list[gast.stmt]:
        """An ``if`` whose branches both may run on into ``rest``: a flag tells whether they do.

        ``done = False``, in the branch ``y = e; done = True``, and then ``if not done: rest``.
        """
        if loop and not any(isinstance(e, gast.Continue) for e in exits([statement])):
            flag, start = loop.stop, list[gast.stmt]()
            then, other = statement.body, statement.orelse
        else:
            flag = self.context.local("done")
            start = self._made("t = False", statement, t=flag)
            then = self._marked(statement.body, flag, loop)
            other = self._marked(statement.orelse, flag, loop)
        rest = self.block(rest, loop)
        return [
            *start,
            self._if(statement, self.block(then, loop), self.block(other, loop)),
            *self._made("if not t:\n    rest", statement, t=flag, rest=rest),
        ]

    def _marked(self, body: list[gast.stmt], flag: str, outer: Loop | None) -> list[gast.stmt]:
        """``body`` with the flag set before every exit."""
        marked: list[gast.stmt] = []
        for statement in body:
            if isinstance(statement, LOOPS) and any(exits([statement])):
                *before, loop, after = self._loop(statement, outer)
                marked += [*before, loop, *self._marked(after, flag, outer)]
                continue
            if isinstance(statement, EXITS):
                marked += self._made("t = True", statement, t=flag)
            elif any(exits([statement])):
                statement = self._inside(statement, lambda b: self._marked(b, flag, outer))
            marked.append(statement)
        return marked

    def _inside(self, statement: Any, change: Callable[[Body], Body]) -> Any:
        """The same statement with other blocks."""
        parts = {n: change(b) for n in syntax.BLOCKS if (b := getattr(statement, n, None))}
        handlers = [remade(h, body=change(h.body)) for h in getattr(statement, "handlers", [])]
        new = remade(statement, **parts, **({"handlers": handlers} if handlers else {}))
        self.context.made[new] = self.context.made.get(statement, statement)
        return new

    def _if(self, statement: gast.If, then: list[gast.stmt], other: list[gast.stmt]) -> gast.If:
        test = statement.test
        if other and not then:
            test = syntax.at(gast.UnaryOp(gast.Not(), test), test)
            then, other = other, then
        new = remade(statement, test=test, body=then, orelse=other)
        self.context.made[new] = self.context.made.get(statement, statement)
        return new

    # Guards ---------------------------------------------------------------------------------

    def _guarded(self, statement: Any, rest: Body, loop: Loop | None) -> Body:
        """``try`` and ``with``: a flag tells whether they were left for elsewhere."""
        found = list(exits([statement]))
        if not found or not (rest or getattr(statement, "finalbody", None)):
            return [*self._guard(statement, loop), *self.block(rest, loop)]
        if loop and not any(isinstance(e, gast.Continue) for e in found):
            flag, start = loop.stop, list[gast.stmt]()
        else:
            flag = self.context.local("done")
            start = self._made("t = False", statement, t=flag)
            statement = self._inside(statement, lambda b: self._marked(b, flag, loop))
        rest = self.block(rest, loop)
        if rest:
            rest = self._made("if not t:\n    rest", statement, t=flag, rest=rest)
        return [*start, *self._guard(statement, loop), *rest]

    def _guard(self, statement: Any, loop: Loop | None) -> Body:
        """One ``try`` or ``with``, in simple forms."""
        if isinstance(statement, gast.With):
            statement = tries.one_manager(statement)
            attempt = tries.suppressing(statement, self.context)
            if attempt is None and not tries.passes(statement.items[0], self.context):
                place = self.context.function.origin.place(statement)
                raise UnsupportedSyntaxError(tries.SWALLOWS, place, tries.NAMED)
            if attempt is None:
                return [self._done(self._inside(statement, lambda b: self._full(b, loop)))]
            statement = attempt
        before: Body = []
        after: Body = []
        body = [statement] if statement.handlers else statement.body
        if statement.handlers:
            before, attempt, after = tries.alone(statement, self.context)
            attempt = remade(attempt, finalbody=[])
            body = [self._done(self._inside(attempt, lambda b: self._full(b, loop)))]
        body = [*body, *after]
        if not statement.finalbody:
            return [*before, *self.block(body, loop)]
        if any(exits(statement.finalbody)):
            return [*before, *self._overridden(statement, body, loop)]
        again = self.block([syntax.copy(s) for s in statement.finalbody], loop)
        guard = tries.undone(statement, self._full(body, loop), again, self.context)
        self.finished.add(guard)
        return [*before, guard, *self.block(statement.finalbody, loop)]

    def _overridden(self, statement: Any, body: Body, loop: Loop | None) -> Body:
        """A ``finally`` that leaves: what its ``try`` raised or returned is forgotten."""
        names = (loop.stop, loop.returned) if loop else ("", "")
        final = tries.forgetting(statement.finalbody, names, self.context)
        whole = self._full(body, loop)
        if leaves(final):
            guard = tries.passed_over(statement, whole, [], self.context)
            return [self._done(guard), *self.block(final, loop)]
        failed = self.context.local("failed")
        again = [*map(syntax.copy, final), *self._made("raise", statement)]
        handler = [*self._made("t = True", statement, t=failed), *self.block(again, loop)]
        guard = tries.passed_over(statement, whole, handler, self.context)
        rest = self._made("if not t:\n    rest", statement, t=failed, rest=final)
        start = self._made("t = False", statement, t=failed)
        return [*start, self._done(guard), *self.block(rest, loop)]

    def _full(self, body: Body, loop: Loop | None) -> Body:
        return self.block(body, loop) or [syntax.at(gast.Pass(), body[0])]

    def _done(self, statement: Any) -> Any:
        self.finished.add(statement)
        return statement

    # Loops ----------------------------------------------------------------------------------

    def _loop(self, statement: gast.For | gast.While, outer: Loop | None) -> tuple[Any, ...]:
        """Statements before the loop, the loop, and a list of what follows it, still to be rewritten.

        >>> from tangentlite.lowering.example import lowered
        >>> print(lowered("for i in range(9):\\n    if g(x):\\n        break\\n    x = x + i\\nreturn x", "x"))
        stop = False
        for i in range(9):
            t1 = g(x)
            if t1:
                stop = True
            else:
                t2 = x + i
                x = t2
            if stop:
                break
        return x
        """
        found = list(exits(statement.body))
        breaks = any(isinstance(e, gast.Break) for e in found)
        returns = [e for e in found if isinstance(e, gast.Return)]
        if not breaks and not returns:
            return self._made_loop(statement, Loop(), []), statement.orelse
        stop = self.context.local("stop") if breaks else ""
        known = outer.returned if outer else ""
        returned = (known or self.context.local("returned")) if returns else ""
        loop = Loop(stop or returned, returned)
        before: list[gast.stmt] = []
        for flag in dict.fromkeys((stop, returned)):
            before += self._made("t = False", statement, t=flag) if flag not in (known, "") else []
        end = self._made("if t:\n    break", statement, t=loop.stop)
        after = self._returning(statement, returns[-1], returned) if returns else []
        if statement.orelse and breaks:
            orelse = statement.orelse
            after += self._made("if not t:\n    rest", statement, t=stop, rest=orelse)
        else:
            after += statement.orelse
        return *before, self._made_loop(statement, loop, end), after

    def _returning(self, loop: gast.stmt, place: gast.stmt, flag: str) -> list[gast.stmt]:
        """``if returned: return``, where the result is bound already."""
        last = syntax.at(gast.Return(None), place)
        self.finished.add(last)
        self.context.made[last] = self.context.made.get(place, place)
        return self._made("if t:\n    last", loop, t=flag, last=[last])

    def _made_loop(self, statement: Any, loop: Loop, end: list[gast.stmt]) -> gast.stmt:
        body = self.block(statement.body, loop)
        if all(a is b for a, b in zip(body, statement.body)) and len(body) == len(statement.body):
            if not end and not statement.orelse:
                self.finished.add(statement)
                return statement
        body = [*body, *end] or [syntax.at(gast.Pass(), statement)]
        new = remade(statement, body=body, orelse=[])
        self.context.made[new] = self.context.made.get(statement, statement)
        self.finished.add(new)
        return new

    def _made(self, text: str, place: gast.stmt, **holes: Any) -> list[gast.stmt]:
        self.context.source = self.context.made.get(place, place)
        return self.context.quote(text, place, **holes)
