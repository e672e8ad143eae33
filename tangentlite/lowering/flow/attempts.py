"""The body of an attempt is done as a whole, or nothing of it can be seen.

In: a normal form.
Out: the same normal form. Where a body fails after it has done what its handler or what follows can see, it is cut into
attempts that are whole.
Next: stacks.
"""

from __future__ import annotations

import operator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.flow.guards import called, folded, unfolded
from tangentlite.lowering.flow.halves import Seen, may_fail
from tangentlite.lowering.live import live_before

Body = list[gast.stmt]
Names = frozenset[str]
NONE: Names = frozenset()


def whole(body: Body, context: Context) -> Body:
    """Effects that a handler can see are the last thing that their attempt does.

    >>> from tangentlite.lowering.example import lowered
    >>> print(lowered('''
    ... try:
    ...     a[0] = 1.0 / x
    ...     a[1] = 1.0 / y
    ... except ZeroDivisionError:
    ...     pass
    ... return a''', "a", "x", "y"))
    failed = False
    try:
        t1 = 1.0 / x
        a[0] = t1
    except ZeroDivisionError:
        failed = True
    if not failed:
        try:
            t2 = 1.0 / y
            a[1] = t2
        except ZeroDivisionError:
            failed = True
    if failed:
        pass
    return a
    """
    if not any(isinstance(s, syntax.Attempt) for s in syntax.statements(body)):
        return body
    return unfolded(_Cutter(context).block(folded(body, context), NONE, NONE))


class _Cutter:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.place: Any = None

    def block(self, body: Body, after: Names, floor: Names) -> Body:
        """``after`` is live after the block; ``floor`` in handlers around it."""
        result: Body = []
        for statement in reversed(body):
            new = self.statement(statement, after, floor)
            result[:0] = new
            after = live_before([statement], after, floor)
        return result

    def statement(self, statement: Any, after: Names, floor: Names) -> Body:
        match statement:
            case syntax.Attempt():
                return self.attempt(statement, after, floor)
            case gast.For() | gast.While():
                after |= live_before([statement], after, floor)
            case gast.If() | gast.With():
                pass
            case _:
                return [statement]
        blocks = {n: self.block(b, after, floor) for n in ("body", "orelse")
                  if (b := getattr(statement, n, None))}  # fmt: skip
        return [self.like(statement, **blocks)]

    def attempt(self, attempt: Any, after: Names, floor: Names) -> Body:
        entry = live_before(attempt.orelse, after, floor)
        body = self.block(attempt.body, after, floor | entry)
        orelse = self.block(attempt.orelse, after, floor)
        attempt = self.like(attempt, body=body, orelse=orelse)
        seen = Seen(self.context, entry | floor, body)
        body = [new for s in body for new in self.opened(s, seen)]
        attempt = self.like(attempt, body=body)
        if syntax.raises(attempt) and not floor:  # nothing follows in this function
            return [attempt]
        if seen.is_whole(body):
            return [attempt]
        self.place = attempt
        return _Cut(self, attempt, seen).run()

    def opened(self, statement: Any, seen: Seen) -> Body:
        """An attempt inside whose handler fails after an effect: the handler comes after it."""
        if not any(isinstance(n, syntax.Attempt) for n in syntax.walk(statement)):
            return [statement]
        blocks = {
            n: [new for s in b for new in self.opened(s, seen)]
            for n in ("body", "orelse")
            if (b := getattr(statement, n, None))
        }
        statement = self.like(statement, **blocks)
        if not isinstance(statement, syntax.Attempt) or seen.is_whole(statement.orelse):
            return [statement]
        self.place = statement
        return _Cut(self, statement, seen).run()

    def like(self, statement: Any, **fields: Any) -> Any:
        """The same statement with other fields."""
        new = remade(statement, **fields)
        self.context.sources[new] = self.context.sources[statement]
        return new

    def made(self, text: str, **holes: Any) -> Body:
        """Statements of the normal form that stand for the attempt."""
        new = self.context.quote(text, self.place, **holes)
        for statement in (n for s in new for n in syntax.walk(s) if isinstance(n, gast.stmt)):
            self.context.sources.setdefault(statement, self.context.sources[self.place])
        return new


class _Cut:
    """One attempt becomes several."""

    def __init__(self, cutter: _Cutter, attempt: Any, seen: Seen) -> None:
        self.cutter, self.attempt, self.seen = cutter, attempt, seen
        context = cutter.context
        self.caught = ""
        self.orelse = list(attempt.orelse)
        known = self.piece()
        self.failed = known or context.local("failed")
        self.again = known is not None
        if self.orelse and called(self.orelse[0]) == "error_caught":
            self.caught = self.orelse.pop(0).targets[0].id
        elif any(isinstance(n, gast.Raise) for s in self.orelse for n in syntax.walk(s)):
            self.caught = context.local("caught")

    def piece(self) -> str | None:
        """The flag that the attempt sets if it fails, where it is a piece of one that was cut."""
        sources = self.cutter.context.sources
        match self.orelse:
            case [gast.Assign(targets=[gast.Name(id=flag)], value=gast.Constant(value=True)) as s]:
                return flag if sources[s] is sources[self.attempt] else None
        return None

    def run(self) -> Body:
        """The attempts, and the handler after them; pieces of a piece are pieces."""
        made = self.cutter.made
        if self.again:
            return self.pieces(self.attempt.body, first=True)
        for node in (n for s in self.orelse for n in syntax.walk(s)):
            if isinstance(node, gast.Raise) and node.exc is None:
                node.exc = read(self.caught, node)
        start = made("t = False", t=self.failed)
        orelse = self.orelse or made("pass")
        end = made("if t:\n    rest", t=self.failed, rest=orelse)
        return [*start, *self.pieces(self.attempt.body, first=True), *end]

    def pieces(self, body: Body, first: bool = False) -> Body:
        """A body cut where it may fail; each piece is done if none before it has failed."""
        result: Body = []
        for part in self.seen.parts(body):
            for piece in self.units(part):
                if first:
                    result += piece
                else:
                    result += self.cutter.made("if not t:\n    p", t=self.failed, p=piece)
                first = first and not any(map(may_fail, piece))
        return result

    def units(self, part: Body) -> list[Body]:
        """Runs of statements that are whole, and the others one by one."""
        units: list[Body] = []
        run: Body = []
        for statement in part:
            if self.seen.is_one(statement):
                run.append(statement)
                continue
            units += [self.whole(run)] if run else []
            units.append(self.compound(statement))
            run = []
        return [*units, self.whole(run)] if run else units

    def whole(self, run: Body) -> Body:
        if not any(map(may_fail, run)):
            return run
        text = "t = True"
        if self.caught:
            error = self.cutter.context.local("error")
            text = f"error = rt.error_caught({', '.join(self.held())})\nt = True\ne = error"
            holes = {"error": error, "rt": self.cutter.context.rt(), "e": self.caught}
        else:
            holes = {}
        handler = self.cutter.made(text, t=self.failed, **holes)
        return [self.cutter.like(self.attempt, body=run, orelse=handler)]

    def held(self) -> list[str]:
        body = self.attempt.body
        return sorted((syntax.loads(body) - syntax.stores(body)) & self.cutter.context.locals)

    def compound(self, statement: Any) -> Body:
        """A branch, a loop or a ``with``, with attempts inside."""
        if isinstance(statement, gast.With) and not statement.plain:
            place = self.cutter.context.function.origin.place(statement)
            what = "a `with` in a `try` that may fail after a write"
            hint = "Put the `try` into the `with`, or write into a copy."
            raise UnsupportedSyntaxError(f"{what} is not supported yet", place, hint)
        if isinstance(statement, gast.If):
            before, test = list[gast.stmt](), statement.test
            if not isinstance(test, (gast.Name, gast.Constant)):
                name = self.cutter.context.temporary()
                before = self.whole(self.cutter.made("t = e", t=name, e=test))
                test = read(name, test)
                before = [*self.cutter.made("t = False", t=name), *before]
            body = self.pieces(statement.body, first=True) or self.cutter.made("pass")
            orelse = self.pieces(statement.orelse, first=not before)  # a test that fails is no
            return [*before, self.cutter.like(statement, test=test, body=body, orelse=orelse)]
        if isinstance(statement, gast.With):
            return [self.cutter.like(statement, body=self.pieces(statement.body, first=True))]
        if isinstance(statement, gast.For):
            return self.for_(statement)
        return self.while_(statement)

    def for_(self, statement: Any) -> Body:
        """The bounds are numbers, or the attempt fails before the loop."""
        made, bounds, before = self.cutter.made, list(statement.iter.args), list[gast.stmt]()
        for i, bound in enumerate(bounds):
            if isinstance(bound, gast.Name) and self.catches(TypeError):
                name = self.cutter.context.temporary()
                before += made("t = 0", t=name)
                module = self.cutter.context.module("operator", operator)
                check = made("t = operator.index(n)", t=name, operator=module, n=bound)
                before += self.whole(check)
                bounds[i] = read(name, bound)
        if not before:
            return [self.cutter.like(statement, body=self.body(statement.body))]
        walked = remade(statement.iter, args=bounds)
        loop = self.cutter.like(statement, iter=walked, body=self.body(statement.body))
        return [*before, *made("if not t:\n    p", t=self.failed, p=[loop])]

    def while_(self, statement: Any) -> Body:
        """The test is an attempt as well."""
        if isinstance(statement.test, gast.Constant):
            return [self.cutter.like(statement, body=self.body(statement.body))]
        made, name = self.cutter.made, self.cutter.context.temporary()
        tested = [*made("t = False", t=name), *self.whole(made("t = e", t=name, e=statement.test))]
        again = [
            *made("t = False", t=name),
            *self.whole(made("t = e", t=name, e=syntax.copy(statement.test))),
        ]
        loop = self.cutter.like(
            statement, test=read(name, statement.test), body=self.body(statement.body, again)
        )
        return [*tested, loop]

    def catches(self, error: type) -> bool:
        """Whether an exception of a class may be caught."""
        errors = self.attempt.errors
        if errors is None:
            return True
        known = [self.cutter.context.meaning(e) for e in getattr(errors, "elts", [errors])]
        return any(not isinstance(e, type) or issubclass(error, e) for e in known)

    def body(self, body: Body, again: Body | None = None) -> Body:
        """The body of a loop that ends where a piece fails; ``again`` tests whether it goes on."""
        made = self.cutter.made
        body, end = syntax.parted(body)
        body = self.pieces(body, first=True)
        if end:
            stop = end[0].test.id
            body += made("if t:\n    s = True", t=self.failed, s=stop)
        else:
            stop, end = self.failed, made("if t:\n    break", t=self.failed)
        if again:
            body += made("if not s:\n    rest", s=stop, rest=again)
        return [*body, *end]
