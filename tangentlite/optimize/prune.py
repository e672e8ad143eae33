"""Prune: what nobody needs goes, with the comments that stood above it.

In: a block, ``Scope``.
Out: the needed statements; records narrowed to their live elements.
Next: refold.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.optimize.comments import tidy, without_orphan
from tangentlite.optimize.facts.liveness import Marks, stack_of
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.replace import inside, remade, unchanged


def prune(body: list[gast.stmt], scope: Scope) -> list[gast.stmt]:
    """Drop dead statements, dead loops, dead records and dead parts of records.

    >>> from tangentlite.optimize.samples import show
    >>> show(prune, '''
    ... tape = []
    ... for i in range(3):
    ...     tape.append((x, y))
    ...     y = np.sin(y)
    ... bx = by
    ... for i in reversed(range(3)):
    ...     (x, y) = tape.pop()
    ...     # Grad of: y = np.sin(y)
    ...     t1 = y * y
    ...     # Grad of: z = z * x
    ...     bx = bx * x
    ... return bx
    ... ''')
    tape = []
    for i in range(3):
        tape.append(x)
    bx = by
    for i in reversed(range(3)):
        x = tape.pop()
        # Grad of: z = z * x
        bx = bx * x
    return bx
    """
    left = _Sweep(scope, Marks(body, scope)).block(body)
    return tidy(without_orphan(body, left), top=True)


class _Sweep:
    """Keeps what is marked; statements that stay as they are stay the same objects."""

    def __init__(self, scope: Scope, marks: Marks) -> None:
        self._scope, self._marks = scope, marks

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [new for statement in body for new in self._statement(statement)]

    def _statement(self, statement: gast.stmt) -> list[gast.stmt]:
        match statement:
            case syntax.Comment() | syntax.Blank():
                return [statement]
            case _ if id(statement) not in self._marks.needed:
                return []
            case gast.If():
                return self._branches(statement)
            case gast.For(orelse=[]) | gast.While(orelse=[]):
                body = tidy(self.block(statement.body)) or [_pass(statement)]
                same = unchanged(statement.body, body)
                return [statement if same else remade(statement, {"body": body})]
            case gast.Try() | gast.With():
                return [inside(statement, lambda b: tidy(self.block(b)) or [_pass(statement)])]
        stacks = self._scope.stacks
        stack = stack_of(statement, stacks) if stacks else None
        return [statement if stack is None else self._record(statement, stack)]

    def _branches(self, statement: gast.If) -> list[gast.stmt]:
        body, orelse = tidy(self.block(statement.body)), tidy(self.block(statement.orelse))
        if not body and not orelse:
            return [syntax.at(gast.Expr(statement.test), statement)]
        if unchanged(statement.body, body) and unchanged(statement.orelse, orelse):
            return [statement]
        if body:
            return [remade(statement, {"body": body, "orelse": orelse})]
        test = syntax.at(syntax.expression("not test", test=statement.test), statement.test)
        return [remade(statement, {"test": test, "body": orelse, "orelse": []})]

    def _record(self, statement: gast.stmt, stack: str) -> gast.stmt:
        width, alive = self._marks.width[stack], self._marks.elements[stack]
        if width is None or (len(alive) == width and width > 1):
            return statement
        match statement:
            case gast.Assign(targets=[gast.Tuple() as record]):
                return remade(statement, {"targets": [_narrow(record, alive)]})
            case gast.Expr(value=gast.Call(args=[gast.Tuple() as record]) as call):
                narrowed = remade(call, {"args": [_narrow(record, alive)]})
                return remade(statement, {"value": narrowed})
        return statement


def _narrow(record: gast.Tuple, alive: set[int]) -> gast.expr:
    parts: list[gast.expr] = [e for k, e in enumerate(record.elts) if k in alive]
    return parts[0] if len(parts) == 1 else remade(record, {"elts": parts})


def _pass(statement: gast.stmt) -> gast.Pass:
    return syntax.at(gast.Pass(), statement)
