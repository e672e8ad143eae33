"""What a summary tells of inserted code, and of functions that are handed out.

In: the facts of a helper.
Out: the parameters that inserted code may change; a function that hands out closures.
Next: pipeline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tangentlite.analysis import operations
from tangentlite.analysis.calling.choices import holds_functions
from tangentlite.analysis.kinds import CONTAINERS, Kind
from tangentlite.lowering.functions import lifted

if TYPE_CHECKING:
    from tangentlite.analysis import Facts


def altered(facts: Facts) -> frozenset[str]:
    """The parameters that inserted code may change: all containers where it changes what may be in one."""
    names = frozenset().union(*(operations.altered(o) for o in facts.kinds.operations.values()))
    start = facts.kinds.before[0]
    params = {p.name for p in facts.normal.function.params}
    if names <= params:
        return names
    return names & params | {n for n in params if isinstance(start.get(n), CONTAINERS)}


def standing(facts: Facts, left: tuple[tuple[str, Kind], ...]) -> Any:
    """A function that does the same with closures, where functions are handed out."""
    if not any(map(holds_functions, [facts.kinds.result, *(kind for _, kind in left)])):
        return None
    return lifted.standing(facts.normal.function)
