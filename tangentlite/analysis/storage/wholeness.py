"""What a helper writes: whether nothing if it fails, whether only what it is given.

In: the facts of a helper, and the summaries of those that it calls.
Out: whether all that it writes is the last thing that it does; whether it writes into what its
parameters hold.
Next: pipeline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from tangentlite import syntax
from tangentlite.analysis.operations import Store, Summary, UserCall
from tangentlite.lowering.flow.halves import LOOPS, may_fail

if TYPE_CHECKING:
    from tangentlite.analysis import Facts

Body = list[gast.stmt]


def is_whole(facts: Facts, summary: Callable[[Any, Any], Summary]) -> bool:
    """Whether nothing may fail after the helper has written into what it is given."""
    return _Wholeness(facts, summary).body(facts.normal.function.body)


def writes_deep(facts: Facts, summary: Callable[[Any, Any], Summary]) -> bool:
    """Whether a function may write into more than its parameters: into what is in those lists and dicts."""
    own = {p.name for p in facts.normal.function.params} - facts.normal.function.bound
    for statement, operation in facts.kinds.operations.items():
        if not own.issuperset(facts.writes(statement)):
            return True
        if isinstance(operation, UserCall) and facts.writes(statement):
            if summary(operation.function, operation.kinds).deep:
                return True
    return False


class _Wholeness:
    def __init__(self, facts: Facts, summary: Callable[[Any, Any], Summary]) -> None:
        self.facts, self.summary = facts, summary

    def body(self, body: Body) -> bool:
        done = False
        for statement in body:
            if isinstance(statement, gast.Return):
                return True
            late = done and may_fail(statement) and not self.ends(statement)
            if late or not self.one(statement):
                return False
            done = done or self.writes(statement)
        return True

    def ends(self, statement: gast.stmt) -> bool:
        """Whether a statement is the last step of ``xs[i] op= e``, whose place in a list or dict was read before."""
        operation, user = self.facts.operation(statement), self.facts.normal.sources.get(statement)
        target = user.target if isinstance(user, gast.AugAssign) else None
        return (
            isinstance(operation, Store) and operation.holds and isinstance(target, gast.Subscript)
        )

    def one(self, statement: gast.stmt) -> bool:
        """Whether a statement leaves nothing behind if it fails."""
        if not self.writes(statement):
            return True
        operation = self.facts.operation(statement)
        if isinstance(operation, UserCall):
            return self.summary(operation.function, operation.kinds).whole
        if isinstance(statement, (*LOOPS, syntax.Attempt)):
            return False
        return all(map(self.body, syntax.blocks(statement)))

    def writes(self, statement: gast.stmt) -> bool:
        inner = (n for n in syntax.walk(statement) if isinstance(n, gast.stmt))
        return any(self.facts.writes(s) for s in inner)
