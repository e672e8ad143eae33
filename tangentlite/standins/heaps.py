"""Heaps: `heapq` in plain Python. All that is compared is compared before anything is written.

In: a list whose items are smaller than those below them.
Out: stand-ins.
Next: iterators.
"""

from __future__ import annotations

import heapq
from typing import Any

from tangentlite.standins.table import stands_for, whole


@stands_for(heapq.heappush)
@whole
def heappush(heap: list[Any], item) -> None:
    """`heapq.heappush`.

    >>> heap = [1, 3]
    >>> heappush(heap, 0)
    >>> heap
    [0, 3, 1]
    """
    path = risen(heap, item)
    heap.append(item)
    moved(heap, path, item)


@stands_for(heapq.heappop)
@whole
def heappop(heap: list[Any]):
    """`heapq.heappop`.

    >>> heap = [1, 2, 3]
    >>> heappop(heap), heap
    (1, [2, 3])
    """
    path = sunk(heap, 0, heap[-1], len(heap) - 1)
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    moved(heap, path, last)
    return first


@stands_for(heapq.heapreplace)
@whole
def heapreplace(heap: list[Any], item):
    """`heapq.heapreplace`.

    >>> heap = [1, 2, 3]
    >>> heapreplace(heap, 5), heap
    (1, [2, 5, 3])
    """
    first = heap[0]
    moved(heap, sunk(heap, 0, item, len(heap)), item)
    return first


@stands_for(heapq.heappushpop)
@whole
def heappushpop(heap: list[Any], item):
    """`heapq.heappushpop`.

    >>> heap = [1, 2, 3]
    >>> heappushpop(heap, 0), heappushpop(heap, 5), heap
    (0, 1, [2, 5, 3])
    """
    if len(heap) == 0 or not heap[0] < item:
        return item
    first = heap[0]
    moved(heap, sunk(heap, 0, item, len(heap)), item)
    return first


@stands_for(heapq.heapify)
def heapify(heap: list[Any]) -> None:
    """`heapq.heapify`.

    >>> heap = [3, 2, 1]
    >>> heapify(heap)
    >>> heap
    [1, 2, 3]
    """
    for k in range(len(heap) // 2 - 1, -1, -1):
        item = heap[k]
        moved(heap, sunk(heap, k, item, len(heap)), item)


@stands_for(heapq.nlargest)
def nlargest(n, iterable, key=None) -> list[Any]:
    """`heapq.nlargest`.

    >>> nlargest(2, [1, 3, 2]), nlargest(1, ["a", "bcd"], key=len)
    ([3, 2], ['bcd'])
    """
    if key is None:
        found = sorted(iterable, reverse=True)
    else:
        found = sorted(iterable, key=key, reverse=True)
    return found[: max(n, 0)]


@stands_for(heapq.nsmallest)
def nsmallest(n, iterable, key=None) -> list[Any]:
    """`heapq.nsmallest`.

    >>> nsmallest(2, [1, 3, 2]), nsmallest(1, ["abc", "d"], key=len)
    ([1, 2], ['d'])
    """
    if key is None:
        found = sorted(iterable)
    else:
        found = sorted(iterable, key=key)
    return found[: max(n, 0)]


@stands_for(heapq.merge)
def merge(*iterables, key=None, reverse=False) -> list[Any]:
    """`heapq.merge`: of the first items always the least; of those that are alike, that of the first iterable.

    >>> merge([1, 4], [2, 4, 5]), merge([3, 1], [2], reverse=True), merge(["a", "ccc"], ["bb"], key=len)
    ([1, 2, 4, 4, 5], [3, 2, 1], ['a', 'bb', 'ccc'])
    """
    rows = [list(items) for items in iterables]
    keys = rows if key is None else [[key(item) for item in row] for row in rows]
    places = [0 for _ in rows]
    found = []
    while True:
        best = -1
        for n in range(len(rows)):
            if places[n] < len(rows[n]):
                if best < 0:
                    best = n
                elif reverse:
                    if keys[best][places[best]] < keys[n][places[n]]:
                        best = n
                elif keys[n][places[n]] < keys[best][places[best]]:
                    best = n
        if best < 0:
            break
        found.append(rows[best][places[best]])
        places[best] += 1
    return found


def risen(heap: list[Any], item) -> list[int]:
    """The places from the end towards the root, as far as a new item is smaller."""
    k = len(heap)
    path = [k]
    while k > 0:
        k = (k - 1) // 2
        if not item < heap[k]:
            break
        path.append(k)
    return path


def sunk(heap: list[Any], k: int, item, count: int) -> list[int]:
    """The places from one to that of an item: to a leaf, always to the smaller of two, and up again from there."""
    path = [k]
    child = 2 * k + 1
    while child < count:
        if child + 1 < count and not heap[child] < heap[child + 1]:
            child = child + 1
        path.append(child)
        child = 2 * child + 1
    while len(path) > 1 and item < heap[path[-1]]:
        path.pop()
    return path


def moved(heap: list[Any], path: list[int], item) -> None:
    """Move the items on a path one place on, and put an item at its end."""
    for k in range(len(path) - 1):
        heap[path[k]] = heap[path[k + 1]]
    heap[path[-1]] = item
