"""Leaving: statements that end a trip of a loop.

In: the statements of a loop.
Out: ``without_continue``; ``leaves``: whether they may end a trip; ``SCOPES``: in which names may mean others.
Next: parting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentlite import syntax

SCOPES = frozenset((gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp))


def without_continue(body: Sequence[Any]) -> list[Any]:
    """Statements in which branches that end a trip have the others beside them.

    >>> from tangentlite.optimize.samples import text_of
    >>> print(text_of(without_continue(syntax.parse("if i == j:\\n    continue\\ns += w[i]"))))
    if not i == j:
        s += w[i]
    """
    for k, statement in enumerate(body):
        match statement:
            case gast.If(test=test, body=[*before, gast.Continue()], orelse=[]):
                rest = without_continue(body[k + 1 :])
                if not rest or any(isinstance(n, gast.Continue) for n in syntax.nodes(before)):
                    return list(body)
                if before:
                    made = gast.If(test, before, rest)
                else:
                    made = gast.If(gast.UnaryOp(gast.Not(), test), rest, [])
                return [*body[:k], syntax.at(made, statement)]
    return list(body)


def leaves(body: Sequence[Any]) -> bool:
    """Whether statements may end a trip."""
    for statement in body:
        if isinstance(statement, gast.Break | gast.Continue | gast.Return):
            return True
        if not isinstance(statement, gast.For | gast.While) and leaves(
            [*getattr(statement, "body", ()), *getattr(statement, "orelse", ())]
        ):
            return True
    return any(isinstance(node, gast.Return) for node in syntax.nodes(body))
