"""``tl.checkpoint(f)`` in a function that is differentiated.

In: a call of it, and the kind of ``f``.
Out: statements that name a function that is marked, with what it captures.
Next: functions.
"""

from __future__ import annotations

import gast

from tangentlite import syntax
from tangentlite.analysis.calling import nested
from tangentlite.analysis.calling.stars import with_call
from tangentlite.analysis.environment import Environment
from tangentlite.analysis.kinds import Tuple, Value
from tangentlite.analysis.lists.walked import Walked
from tangentlite.runtime.checkpoints import checkpoint
from tangentlite.runtime.containers.closures import Label

Statements = list[gast.stmt]


class Rerun(Walked):
    """The part of the classifier for helpers that run again."""

    def checkpointed(
        self, statement: gast.stmt, call: gast.Call, state: Environment
    ) -> Statements | None:
        """``g = tl.checkpoint(f)`` becomes ``g = f``, marked, with what f captures."""
        if self.value(call.func, state) is not checkpoint or len(call.args) != 1 or call.keywords:
            return None
        match self.kind(call.args[0], state):
            case Tuple(items=[Value(value=Label() as label), *held]) if not label.names:
                before, slots = self.slots(call.args[0], range(1, 1 + len(held)))
                made = nested.marked(label.function)
                new = syntax.expression("rt.closure()", rt=self.rt())
                new.args = [self.rewrites.denoted(made), *slots]
                return None if made is None else [*before, with_call(statement, new)]
            case Value(value=function):
                made = nested.marked(function)
                new = self.rewrites.denoted(made)
                return None if made is None else [with_call(statement, new)]
        return None
