"""Records that are read once: what is put back there need not be put back into a copy.

In: what a forward function saved.
Out: the same, marked.
Next: private.
"""

from __future__ import annotations

from typing import Any


class Spent(tuple[Any, ...]):
    """A record that nobody reads again."""

    __slots__ = ()


def spent(saved: Any, within: Any = None) -> Any:
    """A record whose memory its backward function may take; one within another record only if that one is spent.

    >>> type(spent((1.0, []))), type(spent((1.0, []), within=(2.0,)))
    (<class 'tangentlite.runtime.memory.records.Spent'>, <class 'tuple'>)
    """
    free = within is None or type(within) is Spent
    return Spent(saved) if free and type(saved) is tuple else saved
