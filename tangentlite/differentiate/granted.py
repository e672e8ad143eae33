"""Whether a derivative may be written later: what analyses have let through is refused by nothing that writes it.

In: facts and a request.
Out: ``is_granted``.
Next: pipeline.
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from tangentlite import ir
from tangentlite.analysis import Facts
from tangentlite.analysis.operations import (
    Accumulate,
    Copy,
    Inserted,
    NoFlow,
    Operation,
    Primitive,
    Store,
)
from tangentlite.frontend import checkpoints

APART = frozenset((gast.Try, gast.With))  # blocks that are refused for what is in them
WALKED = {"range", "reversed"}  # loops that run back need the builtins


def is_granted(facts: Facts, request: ir.Request) -> bool:
    """Whether a gradient is made of rules for all arguments, and of stores in arrays of the function's own.

    >>> import numpy as np
    >>> from tangentlite import pipeline
    >>> def asked(f):
    ...     linker, request = pipeline.Linker(), ir.Request(wrt=("x",))
    ...     return is_granted(linker.studied(f, request)[1], request)
    >>> asked(lambda x: np.sin(x) * x), asked(lambda x: np.sum([x, x])), asked(lambda x: x * open(x))
    (True, False, False)
    """
    function = facts.normal.function
    if request.mode != "reverse" or request.motion != "joint" or function.generated:
        return False
    if facts.aliases.outside or not APART.isdisjoint(function.contents.kinds):
        return False
    plain = _are_plain(facts.kinds.operations.values())
    return plain and (not function.contents.loops or _are_walked(facts))


def _are_walked(facts: Facts) -> bool:
    """Whether loops run back as builtins say, trip by trip."""
    function, loops = facts.normal.function, facts.versions.scopes
    return WALKED.isdisjoint(function.local) and not any(
        isinstance(loop, gast.For) and checkpoints.slots(loop, function.namespace) for loop in loops
    )


def _are_plain(operations: Iterable[Operation | None]) -> bool:
    """Whether all are rules that have a derivative wherever one may flow, and stores in arrays."""
    for operation in operations:
        match operation:
            case Primitive(rule=rule):
                given = rule.differentiable
                for parameter, _ in operation.flows:
                    if parameter not in given:
                        return False
                if rule.backward is None and rule.algebra != "inactive":
                    return False
            case Store(holds=True) | Inserted():
                return False
            case None | NoFlow() | Copy() | Accumulate() | Store():
                pass
            case _:
                return False
    return True
