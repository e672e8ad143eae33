"""``min`` and ``max`` of the user's objects, which say themselves what comes before what.

In: what the calls say.
Out: plain functions, differentiated like any user's.
Next: standins.
"""

from __future__ import annotations

from typing import Any


def least(items):
    """``min(items)``.

    >>> least([3, 1, 2])
    1
    """
    if not items:
        raise ValueError("min() arg is an empty sequence")
    best = items[0]
    for item in items[1:]:
        if item < best:
            best = item
    return best


def greatest(items):
    """``max(items)``.

    >>> greatest([3, 1, 2])
    3
    """
    if not items:
        raise ValueError("max() arg is an empty sequence")
    best = items[0]
    for item in items[1:]:
        if item > best:
            best = item
    return best


def compared(items, compare, reverse):
    """``sorted(items, key=functools.cmp_to_key(compare), reverse=reverse)``.

    >>> compared([1, 3, 2], lambda a, b: b - a, False), compared(["b", "a"], lambda a, b: 0, True)
    ([3, 2, 1], ['b', 'a'])
    """
    found: list[Any] = []
    for item in items:
        place = len(found)
        while place > 0:
            sign = compare(item, found[place - 1])
            if not (sign > 0 if reverse else sign < 0):
                break
            place -= 1
        found.insert(place, item)
    return found
