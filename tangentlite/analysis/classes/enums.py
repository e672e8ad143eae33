"""Members of the user's ``Enum`` classes: their values are known when compiling.

In: a kind, and what is asked of it.
Out: the kind of the answer.
Next: callees.
"""

from __future__ import annotations

from enum import Enum
from functools import reduce
from typing import Any

from tangentlite.analysis.given import of
from tangentlite.analysis.joining import join
from tangentlite.analysis.kinds import Inert, Kind, Member, Value, forget
from tangentlite.rules import UNKNOWN


def attribute(kind: Kind, attr: str) -> Kind | None:
    """``c.value`` and ``c.name`` of a member, or of one of them.

    >>> from enum import Enum
    >>> class Color(Enum):
    ...     RED, BLUE = 1.5, 2.5
    >>> attribute(Member("member", owner=Color), "value").scalar
    True
    """
    if not isinstance(kind, Member) or attr not in ("value", "name"):
        return None
    members = list(kind.owner) if kind.literal is UNKNOWN else [kind.literal]
    if attr == "name":
        return Inert("str", literal=members[0].name if len(members) == 1 else UNKNOWN)
    return reduce(lambda a, b: join(a, b, None), (forget(of(m.value)) for m in members))


def chosen(kind: Kind) -> Kind | None:
    """``Color[name]``, ``Color(value)``."""
    owner = enumeration(kind)
    return None if owner is None else Member("member", owner=owner)


def enumeration(kind: Kind | None) -> Any:
    """The ``Enum`` class that a name means."""
    match kind:
        case Value(value=type() as owner) if issubclass(owner, Enum) and len(owner):
            return owner
    return None
