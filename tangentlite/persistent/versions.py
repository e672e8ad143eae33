"""The tree of versions of one array: a buffer that holds the current one, and changes that lead to the others.

In: versions, indices, values.
Out: the buffer in the state of any version.
Next: inspection, array.

Every edge of the tree points towards the current version and holds the change that leads back. A move along an
edge applies its change and keeps the opposite one (H. Baker's rerooting). What no handle can reach is unlinked at once.
"""

from __future__ import annotations

import threading
from collections import deque
from types import EllipsisType
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]
# The number of rows afterwards, the place, what is written there. Fewer rows need neither place nor values.
Change: TypeAlias = tuple[int, Any, Any]
WHOLE = "whole"  # the place of a change that holds a buffer for all of the array
OVERHEAD = 100  # bytes of a change beside its values, about
PLAIN = (int, slice, EllipsisType, type(None))


class Version:
    """A state of the array: a node of the tree, linked to its neighbor towards the current one and to the others."""

    __slots__ = (
        "after",
        "before",
        "changes",
        "child",
        "handles",
        "length",
        "number",
        "toward",
        "weight",
    )

    def __init__(self, number: int, length: int) -> None:
        self.number, self.length, self.handles = number, length, 1
        self.toward: Version | None = None
        self.child: Version | None = None
        self.before: Version | None = None
        self.after: Version | None = None
        self.changes: list[Change] | deque[Change] = []  # from the neighbor to here, last one first
        self.weight = 0

    @property
    def whole(self) -> bool:
        """Whether the edge holds all of the array: what happens to the neighbor cannot concern it."""
        return self.changes[0][1] is WHOLE

    def attach(self, neighbor: Version, changes: list[Change] | deque[Change], weight: int) -> None:
        """Become a child of ``neighbor``."""
        self.toward, self.changes, self.weight = neighbor, changes, weight
        self.after = neighbor.child
        if neighbor.child is not None:
            neighbor.child.before = self
        neighbor.child = self

    def detach(self) -> None:
        """Leave the neighbor."""
        if self.before is not None:
            self.before.after = self.after
        elif self.toward is not None:
            self.toward.child = self.after
        if self.after is not None:
            self.after.before = self.before
        self.toward = self.before = self.after = None

    def only_child(self) -> bool:
        """Whether the neighbor has no other children."""
        return self.before is None and self.after is None


class Tree:
    """All versions of one array, and the buffer of the current one. One operation at a time holds the lock."""

    __slots__ = ("buffer", "count", "damaged", "dropped", "lock", "root", "view")

    def __init__(self, buffer: Array) -> None:
        self.buffer = self.view = buffer
        self.count, self.damaged = 1, False
        self.root = Version(0, rows(buffer))
        self.dropped: list[Version] = []
        self.lock = threading.Lock()

    def settle(self) -> None:
        """What every operation begins with: unlink what was dropped, refuse what was interrupted."""
        if self.damaged:
            raise RuntimeError(
                "an interrupt stopped a move between versions: these versions are lost"
            )
        while self.dropped:
            version = self.dropped.pop()
            self.damaged = True
            version.handles -= 1
            self.prune(version)
            self.damaged = False

    def drop(self, version: Version) -> None:
        """A handle is gone. This may happen in the middle of an operation; then the next one settles it."""
        self.dropped.append(version)
        if not self.damaged and self.lock.acquire(blocking=False):
            try:
                self.settle()
            finally:
                self.lock.release()

    def move(self, version: Version) -> None:
        """Make ``version`` the current one."""
        path, step = [], version
        while step is not self.root:
            path.append(step)
            assert step.toward is not None
            step = step.toward
        while path:
            self.step(path.pop())
            self.damaged = False

    def step(self, target: Version) -> None:
        """Move to a neighbor of the current version, which is forgotten if nothing needs it."""
        source = self.root
        needed = source.handles > 0 or not target.only_child()
        copied = needed and not target.whole and target.weight > self.weight()
        back = [(rows(self.view), WHOLE, self.view.copy())] if copied else []
        for change in reversed(target.changes):
            if needed and not copied:
                back.append(self.opposite(change))
            self.damaged = True
            self.apply(change)
        target.detach()
        target.changes, target.weight = [], 0
        self.root = target
        if needed:
            source.attach(target, back, sum(map(weight, back)))
            self.prune(source)

    def advance(self, version: Version, change: Change) -> Version:
        """Apply a change for the one handle that asks for it; the version that this handle has then.

        What no other handle and no other version can see is written in place.
        """
        self.move(version)
        child = version.child
        unseen = version.handles == 1 and (child is None or child.only_child())
        needed = not unseen or (child is not None and not child.whole)
        opposite = self.opposite(change) if needed else None
        self.damaged = True
        try:
            self.apply(change)
        except Exception:
            self.damaged = False  # NumPy refuses before it writes
            raise
        if not unseen:
            version.handles -= 1
            source, version = version, Version(self.count, 0)
            self.root = version
            child = source
            child.attach(version, [], 0)
        version.length, version.number = rows(self.view), self.count
        self.count += 1
        if child is not None and opposite is not None:
            child.changes.append(opposite)
            child.weight += weight(opposite)
        if child is not None and unseen:
            self.compact(child)
        self.damaged = False
        return version

    def opposite(self, change: Change) -> Change:
        """The change that undoes ``change`` on the current version."""
        length, place, _ = change
        now = rows(self.view)
        if place is WHOLE:
            return now, WHOLE, self.buffer
        if length < now:
            return now, slice(length, now), self.view[length:].copy()
        if length > now:
            return now, None, None
        values = self.view[place]
        return now, place, values.copy() if shares(values, self.view) else values

    def apply(self, change: Change) -> None:
        """Change the buffer."""
        self.buffer, self.view = applied(self.buffer, self.view, change)

    def prune(self, version: Version) -> None:
        """Unlink a version without handles, and its neighbors where they were kept only for it."""
        while version.handles == 0:
            child, toward = version.child, version.toward
            if child is not None and not child.only_child():
                return
            if child is None:
                if toward is None:
                    return
                version.detach()
                version = toward
            elif toward is None:
                self.step(child)
                return
            else:
                self.merge(version, child, toward)
                return

    def merge(self, version: Version, child: Version, toward: Version) -> None:
        """Unlink a version between two others: two edges become one."""
        changes, total = child.changes, child.weight
        if not child.whole and version.whole:
            length, _, buffer = version.changes[0]
            changes = [snapshot(buffer, buffer[:length] if buffer.ndim else buffer, changes)]
            total = weight(changes[0])
        elif not child.whole:
            changes = joined(changes, version.changes)
            total += version.weight
        child.detach()
        version.detach()
        child.attach(toward, changes, total)
        self.compact(child)

    def compact(self, child: Version) -> None:
        """Replace an edge to the current version by a copy of the array where that is smaller."""
        if child.toward is self.root and child.weight > self.weight() and not child.whole:
            copied = self.view.copy()
            child.changes = [snapshot(copied, copied, child.changes)]
            child.weight = weight(child.changes[0])

    def weight(self) -> int:
        """The weight of a change that holds the whole array."""
        return self.view.nbytes + OVERHEAD


def rows(view: Array) -> int:
    """The number of rows; an array without dimensions has none."""
    return len(view) if view.ndim else 0


def applied(buffer: Array, view: Array, change: Change) -> tuple[Array, Array]:
    """The buffer, larger if need be, and the view of its rows in use, after a change."""
    length, place, values = change
    if place is WHOLE:
        return values, values[:length] if values.ndim else values
    now = rows(view)
    if length < now:
        return buffer, buffer[:length]
    if length > now:
        if length > len(buffer):
            buffer = np.empty_like(view, shape=(2 * length, *view.shape[1:]))
            buffer[:now] = view
        view = buffer[:length]
    view[place] = values
    return buffer, view


def snapshot(buffer: Array, view: Array, changes: list[Change] | deque[Change]) -> Change:
    """All of the array after some changes, which are written into ``buffer``."""
    for change in reversed(changes):
        buffer, view = applied(buffer, view, change)
    return rows(view), WHOLE, buffer


def joined(
    later: list[Change] | deque[Change], sooner: list[Change] | deque[Change]
) -> list[Change] | deque[Change]:
    """Two lists of changes as one; the shorter is moved."""
    if len(sooner) <= len(later):
        later.extend(sooner)
        return later
    sooner = sooner if isinstance(sooner, deque) else deque(sooner)
    sooner.extendleft(reversed(later))
    return sooner


def weight(change: Change) -> int:
    """The bytes that a change holds."""
    _, place, values = change
    parts = place if type(place) is tuple else (place,)
    indices = sum(part.nbytes for part in parts if isinstance(part, np.ndarray))
    return OVERHEAD + indices + (0 if values is None else int(values.nbytes))


def shares(values: Any, view: Array) -> bool:
    """Whether what was read is a view of the buffer, which changes later."""
    return (
        isinstance(values, np.ndarray)
        and values.base is not None
        and np.may_share_memory(values, view)
    )


def owned(place: Any) -> Any:
    """An index that nobody else can change, without objects that run code."""
    if type(place) in PLAIN:
        return place
    if type(place) is tuple:
        return tuple(map(owned, place))
    if isinstance(place, (bool, np.generic)):
        return place.item() if isinstance(place, np.generic) else place
    if hasattr(place, "__index__") and not hasattr(place, "__array__"):
        return place.__index__()
    copied = np.array(place)
    return copied.astype(np.intp) if not copied.size and isinstance(place, list) else copied
