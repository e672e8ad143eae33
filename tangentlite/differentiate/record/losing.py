"""Operands that the backward sweep would have to keep: memory that is written, numbers that a trip read from it.

In: the facts of a function, an operation whose rule could keep something else.
Out: the kinds of its operands, marked.
Next: session.
"""

from __future__ import annotations

from collections.abc import Mapping

import gast

from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Kind, Num
from tangentlite.analysis.operations import Primitive
from tangentlite.values import immutable


@immutable
class Lost(Num):
    """What rules are asked with, if the backward sweep cannot read an operand again for nothing."""

    lost: bool = True


def lost(facts: Facts, statement: gast.stmt, operation: Primitive) -> Mapping[str, Kind]:
    """What is known of the operands, and which of them something overwrites.

    >>> import numpy as np, tangentlite as tl
    >>> def shortest(path):
    ...     for k in range(len(path)):
    ...         path[:] = np.minimum(path, path[:, k : k + 1] + path[k])
    ...     return np.sum(path * path)
    >>> print([s.strip() for s in tl.grad(shortest).source.split("\\n") if "share" in s][0])
    share = rt.wins(t5, path)
    """
    return {
        parameter: Lost(kind.shape, kind.exact, kind.ndim)
        if isinstance(kind, Num) and _is_lost(facts, statement, operation.bound.get(parameter))
        else kind
        for parameter, kind in operation.kinds.items()
    }


def _is_lost(facts: Facts, statement: gast.stmt, operand: gast.expr | None) -> bool:
    if not isinstance(operand, gast.Name):
        return False
    if facts.overwritten(statement, operand.id):
        return True
    made = facts.versions.reads[statement].get(operand.id)
    match made.statement if made is not None and made.scope.repeats else None:
        case gast.Assign(value=gast.Subscript(value=gast.Name(id=whole))) as source:
            return facts.overwritten(source, whole)
    return False
