"""``min`` and ``max`` of the user's objects, which say themselves what comes before what.

In: what the calls say.
Out: plain functions, differentiated like any user's.
Next: standins.
"""

from __future__ import annotations


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
