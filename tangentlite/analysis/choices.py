"""Functions in values: which kinds may hold some.

In: kinds.
Out: answers, and the kinds of containers in which functions may be exchanged.
Next: operations.
"""

from __future__ import annotations

from tangentlite.analysis.kinds import Choice, Dict, Kind, List, Tuple, Value, is_closure
from tangentlite.runtime.closures import Label


def perhaps_closure(kind: Kind | None) -> bool:
    """Whether some values of a kind are closures, and others are functions that hold nothing."""
    return is_closure(kind) and isinstance(kind.items[0], Choice)  # type: ignore[union-attr]


def is_loose(kind: Kind | None) -> bool:
    """Whether there are closures in values of a kind which must not outlive the variables that they captured."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return any(map(is_loose, items))
        case List(item=item):
            return is_loose(item)
        case Choice(values=values):
            return any(map(is_loose, values))
        case Value(value=Label(loose=loose)):
            return loose
    return False


def holds_functions(kind: Kind | None) -> bool:
    """Whether there may be functions in values of a kind that hold what they capture."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return is_closure(kind) or any(map(holds_functions, items))
        case List(item=item):
            return holds_functions(item)
    return False
