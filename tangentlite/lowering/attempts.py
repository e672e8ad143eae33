"""The body of an attempt is done as a whole, or nothing of it can be seen.

In: a normal form.
Out: the same normal form. Where a body fails after it has done what its handler or what follows can see, it is cut into
attempts that are whole.
Next: stacks.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentlite import syntax
from tangentlite.errors import UnsupportedSyntaxError
from tangentlite.lowering.context import Context, read, remade
from tangentlite.lowering.guards import called, folded, unfolded
from tangentlite.lowering.live import live_before

Body = list[gast.stmt]
Names = frozenset[str]
NONE: Names = frozenset()
FRESH = ("zeros", "empty", "ones", "full", "copy", "array", "zeros_like", "empty_like")
LOOPS = (gast.For, gast.While)


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
    if not any(isinstance(n, syntax.Attempt) for s in body for n in syntax.walk(s)):
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
        seen = _Seen(self.context, entry | floor, body)
        body = [new for s in body for new in self.opened(s, seen)]
        attempt = self.like(attempt, body=body)
        if syntax.raises(attempt) and not floor:  # nothing follows in this function
            return [attempt]
        if seen.is_whole(body):
            return [attempt]
        self.place = attempt
        return _Cut(self, attempt, seen).run()

    def opened(self, statement: Any, seen: _Seen) -> Body:
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


class _Seen:
    """What can be seen of a body that fails: ``names`` are read where it is caught, or later."""

    def __init__(self, context: Context, names: Names, body: Body) -> None:
        self.context, self.names = context, names
        self.own = {s.targets[0].id for s in body if _is_fresh(s)} - names

    def is_whole(self, body: Body) -> bool:
        """Whether nothing may fail after an effect that can be seen."""
        return len(self.parts(body)) < 2 and all(map(self.is_one, body))

    def is_one(self, statement: Any) -> bool:
        """Whether a statement leaves nothing behind if it fails."""
        blocks = syntax.blocks(statement)
        if not blocks or not self.effect(statement):
            return True
        if isinstance(statement, LOOPS):
            return not _may_fail(statement)
        return all(map(self.is_whole, blocks))

    def parts(self, body: Body) -> list[Body]:
        """The body cut before what may fail after an effect."""
        parts: list[Body] = [[]]
        done = False
        for statement in body:
            if done and _may_fail(statement):
                parts.append([])
                done = False
            parts[-1].append(statement)
            done = done or self.effect(statement)
        return parts

    def effect(self, statement: Any) -> bool:
        """Whether a statement changes what can be seen."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                source = self.context.sources.get(statement)
                seen = name in self.names or isinstance(source, gast.AugAssign)
                return seen or self.changes(value)
            case (
                gast.Assign(targets=[gast.Subscript(value=container)])
                | gast.AugAssign(target=gast.Subscript(value=container))
            ):
                return getattr(container, "id", None) not in self.own
            case gast.Expr(value=value):
                return self.changes(value) or not self.observed(value)
        return any(self.effect(s) for block in syntax.blocks(statement) for s in block)

    def changes(self, value: Any) -> bool:
        """Whether a method changes its list."""
        match value:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                if name not in self.context.locals or name in self.own:
                    return False
                return attr in ("append", "pop", "__delitem__", "extend", "insert", "update")
        return False

    def observed(self, call: Any) -> bool:
        """Whether a call whose result is dropped changes nothing that has a derivative."""
        if called(syntax.at(gast.Expr(call), call)):
            return True
        meaning = self.context.meaning(call.func)
        return getattr(meaning, "__module__", None) in ("builtins", "logging", "warnings", "time")


class _Cut:
    """One attempt becomes several."""

    def __init__(self, cutter: _Cutter, attempt: Any, seen: _Seen) -> None:
        self.cutter, self.attempt, self.seen = cutter, attempt, seen
        context = cutter.context
        self.failed, self.caught = context.local("failed"), ""
        self.orelse = list(attempt.orelse)
        if self.orelse and called(self.orelse[0]) == "exception":
            self.caught = self.orelse.pop(0).targets[0].id
        elif any(isinstance(n, gast.Raise) for s in self.orelse for n in syntax.walk(s)):
            self.caught = context.local("caught")

    def run(self) -> Body:
        """The attempts, and the handler after them."""
        made = self.cutter.made
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
                first = first and not any(map(_may_fail, piece))
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
        if not any(map(_may_fail, run)):
            return run
        text = "t = True"
        if self.caught:
            error = self.cutter.context.local("error")
            text = f"error = rt.exception({', '.join(self.held())})\nt = True\ne = error"
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
            blocks = [self.pieces(b, first=True) for b in (statement.body, statement.orelse)]
            body, orelse = blocks[0] or self.cutter.made("pass"), blocks[1]
            return [*before, self.cutter.like(statement, test=test, body=body, orelse=orelse)]
        if isinstance(statement, gast.While) and not isinstance(statement.test, gast.Constant):
            if any(isinstance(n, (gast.Call, gast.Subscript, gast.BinOp))
                   for n in syntax.walk(statement.test)):  # fmt: skip
                place = self.cutter.context.function.origin.place(statement)
                what = "a test of a loop that may fail in a `try`"
                hint = "Write `while True:`, and leave with `break`."
                raise UnsupportedSyntaxError(f"{what} is not supported yet", place, hint)
        if isinstance(statement, gast.With):
            return [self.cutter.like(statement, body=self.pieces(statement.body, first=True))]
        body, end = syntax.parted(statement.body)
        body = self.pieces(body, first=True)
        if end:
            stop = end[0].test.id
            body += self.cutter.made("if t:\n    s = True", t=self.failed, s=stop)
        else:
            end = self.cutter.made("if t:\n    break", t=self.failed)
        return [self.cutter.like(statement, body=[*body, *end])]


def _is_fresh(statement: Any) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.List() | gast.Dict()):
            return True
        case gast.Assign(
            targets=[gast.Name()], value=gast.Call(func=gast.Attribute(attr=attr))
        ) if attr in FRESH:
            return True
    return False


def _may_fail(statement: Any) -> bool:
    """Whether a statement may raise."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant() | gast.Name()):
            return False
        case gast.Pass() | gast.Break():
            return False
        case gast.If(test=gast.Name() | gast.UnaryOp(operand=gast.Name()) | gast.Constant()):
            return any(_may_fail(s) for block in syntax.blocks(statement) for s in block)
    return called(statement) != "leave"
