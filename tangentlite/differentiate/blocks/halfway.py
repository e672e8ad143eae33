"""What may be done by half where an exception is caught.

In: the facts of a function.
Out: the statements whose failure is caught, by which exception; those that NumPy has carried out when it raises.
Next: session.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentlite import syntax
from tangentlite.analysis import Facts
from tangentlite.analysis.kinds import Num
from tangentlite.analysis.operations import Accumulate, Store
from tangentlite.lowering.flow.guards import called

HELPER = "a helper that writes into its arguments may fail halfway in this `try`"
CATCH = "Catch the exception in the helper, or give the helper a copy."
UFUNC = "an array is changed by half where `np.errstate` raises in this `try`"
APART = "Compute the new elements under another name, and store them in a second statement."


def tried(facts: Facts) -> frozenset[gast.stmt]:
    """The statements whose failure is caught in the function."""
    attempts = _attempts(facts.normal.function.body)
    return frozenset(s for attempt in attempts for s in syntax.statements(attempt.body))


def overflowing(facts: Facts) -> frozenset[gast.stmt]:
    """The statements whose FloatingPointError may be caught."""
    body = facts.normal.function.body
    attempts = list(_attempts(body))
    raising = bool(attempts) and any(called(n) == "begin_with" for n in syntax.statements(body))
    return frozenset(
        node
        for attempt in attempts
        if _catches_overflow(attempt.errors, facts, raising)
        for node in syntax.statements(attempt.body)
    )


def _attempts(body: list[gast.stmt]) -> Iterator[Any]:
    for node in syntax.statements(body):
        if isinstance(node, syntax.Attempt) and not syntax.raises(node):
            yield node


def _catches_overflow(errors: Any, facts: Facts, raising: bool) -> bool:
    """Whether a FloatingPointError is caught: by its name, or where a manager may turn warnings into exceptions."""
    if errors is None:
        return raising
    found = [_meaning(e, facts) for e in getattr(errors, "elts", [errors])]
    if raising and any(e in (Exception, BaseException) for e in found):
        return True
    return any(e in (FloatingPointError, ArithmeticError, None) for e in found)


def _meaning(node: gast.expr, facts: Facts) -> Any:
    path = syntax.dotted(node)
    try:
        return None if path is None else facts.normal.function.namespace.resolve(path)
    except (KeyError, AttributeError):
        return None


def is_ufunc_in_place(statement: gast.stmt, facts: Facts) -> bool:
    """``a /= b`` and the like: the elements have been written when NumPy raises."""
    operation, source = facts.operation(statement), facts.normal.sources.get(statement)
    if not isinstance(operation, (Store, Accumulate)) or operation.holds:
        return False
    if not isinstance(source, gast.AugAssign) and not _has_out(source):
        return False
    value = operation.value
    kind = facts.kind_before(statement, value.id) if isinstance(value, gast.Name) else Num(ndim=0)
    return not (isinstance(kind, Num) and (kind.scalar or kind.ndim == 0))


def _has_out(source: gast.stmt | None) -> bool:
    nodes = syntax.walk(source) if source is not None else ()
    return any(isinstance(n, gast.Call) and any(k.arg == "out" for k in n.keywords) for n in nodes)
