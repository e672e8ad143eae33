"""What is inside the kind of a list, a dict or an object.

In: a kind.
Out: how deep and how large it is, and whether it holds what is not known, or objects.
Next: joining.
"""

from __future__ import annotations

from tangentlite.analysis.kinds import Again, Dict, Kind, List, Object, Tuple, Unknown, parts_of


def depth(kind: Kind | None) -> int:
    """How many containers are nested in a value; a part that lies in many others is looked at once."""
    match kind:
        case Tuple() | Dict() | List():
            if "_depth" not in kind.__dict__:
                kind.__dict__["_depth"] = 1 + max(map(depth, parts_of(kind)), default=0)
            return int(kind.__dict__["_depth"])
    return 0


def extent(kind: Kind | None) -> int:
    """How many kinds are in a kind, itself among them.

    >>> extent(Tuple((Unknown(), List(Unknown()))))
    4
    """
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return 1 + sum(map(extent, items))
        case List(item=item):
            return 1 + extent(item)
    return 1


def unknown_inside(kind: object) -> bool:
    """Whether there is a part of which nothing is known."""
    match kind:
        case Tuple(items=items) | Dict(items=items):
            return any(map(unknown_inside, items))
        case List(item=item):
            return unknown_inside(item)
    return isinstance(kind, Unknown)


def has_objects(kind: Kind | None) -> bool:
    """Whether a value is an object of a class, or may hold one."""
    match kind:
        case Object() | Again():
            return True
        case Tuple(items=items) | Dict(items=items):
            return any(map(has_objects, items))
        case List(item=item):
            return has_objects(item)
    return False
