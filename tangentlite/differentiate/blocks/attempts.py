"""The pieces of a ``try`` that may fail after an effect: each has a flag that tells whether it was done.

In: an attempt, and the block that it stands in; the backward statements of the branches of an ``if``.
Out: the block in which the flag is known; whether the flags alone tell what is to be walked back.
Next: reverse.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.versions import Scope

Home = tuple[Scope, int]


class Loose:
    """An ``if`` of which the flags of the pieces in it tell all, if nothing is recorded in its branches."""

    def __init__(
        self, statement: gast.If, scope: Scope, position: int, branches: list[list[gast.stmt]]
    ) -> None:
        self.statement, self.scope, self.position = statement, scope, position
        self.nodes = [gast.If(syntax.constant(True), branch, []) for branch in branches]

    def ask(self, test: gast.expr) -> None:
        """The backward statements of each branch, where it was taken."""
        self.nodes[0].test = test
        self.nodes[1].test = gast.UnaryOp(gast.Not(), syntax.copy(test))


def home(attempt: syntax.Attempt, scope: Scope, position: int) -> Home:
    """The block where the ``try`` begins of which an attempt is a piece, or the trip of a loop in it; and where in it.

    Around the piece are the branches of that ``try`` only, and those that ask whether a piece before it has failed.
    """
    failed = _told(attempt, True)
    around, at = scope, position
    while failed and failed.isdisjoint(_begun(around, at)):
        above = around.parent
        if above is None or around.kind != "branch":
            break
        if isinstance(above.block[around.position], syntax.Attempt):
            break
        around, at = above, around.position
    return around, at


def _begun(scope: Scope, position: int) -> set[str]:
    """The flags that are put down before a statement of a block."""
    return {n for s in scope.block[:position] for n in _flags(s, False)}


def _told(attempt: syntax.Attempt, value: bool) -> set[str]:
    return {n for s in attempt.orelse for n in _flags(s, value)}


def _flags(statement: gast.stmt, value: bool) -> set[str]:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=told)):
            return {name} if told is value else set()
    return set()


def alone(branches: list[list[gast.stmt]], flags: set[str]) -> bool:
    """Whether branches hold nothing but what flags tell to do.

    >>> body = syntax.quote("if a:\\n    x = y\\nif True:\\n    if b:\\n        x = z")
    >>> alone([body, []], {"a", "b"}), alone([body, []], {"a"})
    (True, False)
    """
    statements = [s for branch in branches for s in branch if not isinstance(s, syntax.Comment)]
    return all(
        isinstance(s, gast.If)
        and not s.orelse
        and (getattr(s.test, "id", None) in flags or (_is_block(s) and alone([s.body], flags)))
        for s in statements
    )


def _is_block(statement: gast.If) -> bool:
    return isinstance(statement.test, gast.Constant) and statement.test.value is True
