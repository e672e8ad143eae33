"""Closed: whether floats of Python give nothing but floats of Python, as gradients too.

In: the facts of a function for arguments of known kinds, the summaries of its helpers.
Out: ``closed``.
Next: summaries, scalars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tangentlite.analysis.inference import Summarize
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.analysis.operations import NoFlow, Operation, Primitive, UserCall, target

if TYPE_CHECKING:
    from tangentlite.analysis import Facts


def closed(facts: Facts, summary: Summarize) -> bool:
    """Whether a function gives a float, and computes nothing else on the way, nor its helpers."""
    result = facts.kinds.result
    if not (_is_plain(result) and isinstance(result, Num) and result.exact == "float"):
        return False
    for statement, operation in facts.kinds.operations.items():
        kind = facts.kind_after(statement, target(statement, operation) or "")
        if not isinstance(operation, NoFlow) and not _is_plain(kind):
            return False
        if not _keeps(operation, summary):
            return False
    return True


def _is_plain(kind: Kind | None) -> bool:
    """Whether something is a number of Python."""
    return isinstance(kind, Num) and kind.python and (kind.exact == "float" or kind.inert)


def _keeps(operation: Operation, summary: Summarize) -> bool:
    """Whether nothing inside an operation is an array, nor in its adjoint."""
    if isinstance(operation, UserCall):
        return summary(operation.function, operation.kinds).floats
    return not isinstance(operation, Primitive) or operation.rule.algebra == "elementwise"
