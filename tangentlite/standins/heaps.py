"""Heaps: `heapq` in plain Python.

In: a list whose items are smaller than those below them.
Out: stand-ins.
Next: iterators.
"""

from __future__ import annotations

import heapq
from typing import Any

from tangentlite.standins.table import stands_for


@stands_for(heapq.heappush)
def heappush(heap: list[Any], item) -> None:
    """`heapq.heappush`.

    >>> heap = [1, 3]
    >>> heappush(heap, 0)
    >>> heap
    [0, 3, 1]
    """
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


@stands_for(heapq.heappop)
def heappop(heap: list[Any]):
    """`heapq.heappop`.

    >>> heap = [1, 2, 3]
    >>> heappop(heap), heap
    (1, [2, 3])
    """
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    sink(heap, 0)
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
        sink(heap, k)


def rise(heap: list[Any], start: int, k: int) -> None:
    """Move an item towards the root, as far as it is smaller."""
    new = heap[k]
    while k > start:
        parent = (k - 1) // 2
        above = heap[parent]
        if not new < above:
            break
        heap[k] = above
        k = parent
    heap[k] = new


def sink(heap: list[Any], k: int) -> None:
    """Move an item to a leaf, always below the smaller of two, and up again from there."""
    start, new = k, heap[k]
    child = 2 * k + 1
    while child < len(heap):
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child = child + 1
        heap[k] = heap[child]
        k = child
        child = 2 * k + 1
    heap[k] = new
    rise(heap, start, k)
