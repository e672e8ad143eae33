"""Names for generated code: readable, deterministic, never one that is taken.

In: the names of the function, its globals and builtins.
Out: fresh names.
Next: syntax.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable
from typing import Any

RESERVED = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist)


class Names:
    """Hands out names that nobody uses.

    >>> names = Names({"x", "bx"})
    >>> names.fresh("bx"), names.fresh("by"), names.fresh("by")
    ('bx_1', 'by', 'by_1')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def copy(self) -> Names:
        """Another giver of names that starts from the same state."""
        other = Names(self._taken)
        other._next = dict(self._next)
        return other

    def __contains__(self, name: str) -> bool:
        return name in self._taken or name in RESERVED

    def reserve(self, name: str) -> None:
        """Mark ``name`` as used."""
        self._taken.add(name)

    def fresh(self, wish: str) -> str:
        """``wish`` if it is free, else ``wish_1``, ``wish_2`` …"""
        name, count = wish, self._next.get(wish, 0)
        while name in self:
            count += 1
            name = f"{wish}_{count}"
        self._next[wish] = count
        self._taken.add(name)
        return name

    def numbered(self, wish: str) -> str:
        """``wish1``, ``wish2`` …: for values that have no name of their own."""
        count = self._next.get(wish + "#", 0) + 1
        while f"{wish}{count}" in self:
            count += 1
        self._next[wish + "#"] = count
        name = f"{wish}{count}"
        self._taken.add(name)
        return name


def shown(function: Any) -> str:
    """The name of a function in the names of its derivatives; that of a method has its class.

    >>> shown(len), shown(lambda x: x)
    ('len', 'lambda')
    """
    name = written(function).replace("<lambda>", "lambda")
    owner = owner_of(function)
    return name if owner is None else f"{owner}_{name.strip('_')}"


def written(value: Any) -> str:
    """The name of a function in the text: a nested one that stands beside the one around may have another there."""
    lifted = getattr(value, "__lifted__", None)
    return str(getattr(value, "__name__", "") if lifted is None else lifted.name)


def owner_of(function: Any) -> str | None:
    """The name of the class in whose body a function stands."""
    path = ["", *function.__qualname__.split(".")]
    return None if path[-2] in ("", "<locals>") else path[-2]
