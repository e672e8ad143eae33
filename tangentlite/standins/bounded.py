"""Deques that have a longest length, as objects with a list.

In: items, and how many are kept.
Out: a stand-in class.
Next: frontend.
"""

from __future__ import annotations

from typing import Any


class Bounded:
    """`collections.deque(items, maxlen)`: what is put in at one end beyond the length is lost at the other.

    >>> window = Bounded([1, 2, 3], 2)
    >>> window.append(4)
    >>> window.appendleft(0)
    >>> list(window), len(window), window[-1]
    ([0, 3], 2, 3)
    """

    def __init__(self, items=(), maxlen=0):
        self.items = []
        self.maxlen = maxlen
        for item in items:
            self.append(item)

    def append(self, item) -> None:
        """Put in at the end."""
        self.items.append(item)
        if len(self.items) > self.maxlen:
            self.items.pop(0)

    def appendleft(self, item) -> None:
        """Put in at the front."""
        self.insert(0, item)

    def insert(self, place, item) -> None:
        """Put in at a place; at the front, where it is as ``appendleft``, if there is room or not."""
        if place != 0 and len(self.items) >= self.maxlen:
            raise IndexError("deque already at its maximum size")
        self.items.insert(place, item)
        if len(self.items) > self.maxlen:
            self.items.pop()

    def extend(self, items) -> None:
        """Put in one after the other, at the end."""
        for item in items:
            self.append(item)

    def extendleft(self, items) -> None:
        """Put in one after the other, at the front.

        >>> window = Bounded([1, 2], 3)
        >>> window.extendleft([3, 4])
        >>> window.rotate(-1)
        >>> list(window), window.count(1), window.index(4), list(window.copy())
        ([3, 1, 4], 1, 2, [3, 1, 4])
        """
        for item in items:
            self.insert(0, item)

    def rotate(self, steps=1) -> None:
        """Move all so many places on; what leaves at the end comes in at the front."""
        if len(self.items) > 0:
            first = -steps % len(self.items)
            self.items = self.items[first:] + self.items[:first]

    def reverse(self) -> None:
        """Turn around."""
        self.items.reverse()

    def remove(self, item) -> None:
        """Take out the first that is equal."""
        self.items.remove(item)

    def count(self, item) -> int:
        """How many are equal."""
        return self.items.count(item)

    def index(self, item) -> int:
        """Where the first is that is equal."""
        return self.items.index(item)

    def copy(self) -> Bounded:
        """Another one, of the same."""
        return Bounded(self.items, self.maxlen)

    def pop(self, place=-1):
        """Take the last, or the first if ``place`` is 0."""
        return self.items.pop(place)

    def popleft(self):
        """Take the first."""
        return self.items.pop(0)

    def clear(self) -> None:
        """Forget all."""
        self.items.clear()

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        return len(self.items) > 0

    def __getitem__(self, place):
        return self.items[place]

    def __setitem__(self, place, item):
        self.items[place] = item

    def __iter__(self) -> Any:
        return iter(self.items)
