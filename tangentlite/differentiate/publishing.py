"""Which objects of the user's a derivative works on copies of, whose changes are to be seen in the user's own.

In: a session.
Out: parameters, and the name of what remembers the copies.
Next: entries.
"""

from __future__ import annotations

from tangentlite.analysis.kinds import Dict, Kind, List, Object, Tuple
from tangentlite.differentiate.session import Session


def holds_objects(kind: Kind | None) -> bool:
    """Whether there are objects of the user's classes in values of a kind."""
    match kind:
        case Object():
            return True
        case Tuple(items=items) | Dict(items=items):
            return any(map(holds_objects, items))
        case List(item=item):
            return holds_objects(item)
    return False


def published(session: Session) -> list[str]:
    """The parameters that hold objects of the user's, on which the effects of a call remain."""
    if session.request.seed == "given":
        return []
    changed, start = session.facts.aliases.effects, session.facts.kinds.before[0]
    names = [p.name for p in session.function.params]
    return [n for n in names if n in changed and holds_objects(start.get(n))]


def effects(session: Session) -> str:
    """The name of what remembers which objects were copied."""
    return session.link(("effects",), ("effects",), tuple)[0]
