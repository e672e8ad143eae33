"""What was found out about a function is kept where the function is, for its next derivative.

In: a function, what the linker of a derivative knows, the guards of that derivative.
Out: ``known``, as long as nothing that the function reads is bound anew, and the rules are the same.
Next: derivative.
"""

from __future__ import annotations

from collections import deque
from operator import is_
from types import FunctionType
from typing import Any
from weakref import ref

from tangentlite import rules
from tangentlite.guards import PARTS, Guards
from tangentlite.knowledge import Known

NAME = "__derivatives__"
RECENT = 16  # functions of which all is known; trees are large


class Memory(dict[Any, Any]):
    """What was made of ``owner``. A copy of the owner, which has its attributes, starts with nothing."""

    def __init__(self, owner: Any) -> None:
        self.owner = ref(owner)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, ()


_recent: deque[ref[Memory]] = deque()


def memory(owner: Any) -> Memory:
    """What was made of a function, or of a derivative, so far."""
    attributes = vars(owner)
    found = attributes.get(NAME)
    if not isinstance(found, Memory) or found.owner() is not owner:
        found = attributes[NAME] = Memory(owner)
    return found


def standing(owner: Any) -> tuple[Any, ...]:
    """What has to be the same for what was made: the rules, and the parts of a function."""
    return rules.version(), *(getattr(owner, part, None) for part in PARTS)


def same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether the rules are as many, and the parts the same objects."""
    return one[:1] == other[:1] and all(map(is_, one[1:], other[1:]))


def known(function: Any) -> Known:
    """What is known of a function.

    >>> def f(x):
    ...     return x * x
    >>> first = known(f)
    >>> keep(first, Guards([]))
    >>> known(f) is first
    True
    >>> f.__defaults__ = (1.0,)
    >>> known(f) is first
    False
    """
    if isinstance(function, FunctionType):
        before, guards, helpers, found = memory(function).get(Known, ((), None, 0, None))
        complete = same(before, standing(function)) and len(found.helpers) == helpers
        if complete and guards.untouched():
            return found  # type: ignore[no-any-return]
    return Known(function)


def keep(found: Known, guards: Guards) -> None:
    """Keep what is known of a function, and forget that of one which was not asked for long."""
    if not isinstance(found.function, FunctionType):
        return
    place = memory(found.function)
    if Known not in place:
        _recent.append(ref(place))
        while len(_recent) > RECENT:
            old = _recent.popleft()()
            if old is not None:
                old.pop(Known, None)
    place[Known] = standing(found.function), guards, len(found.helpers), found
