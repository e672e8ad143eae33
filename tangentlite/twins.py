"""Plain Python for what Python does out of sight: it is differentiated in its place.

In: the arguments of what it stands for.
Out: the same result.
Next: analysis.
"""

from __future__ import annotations

import heapq
from typing import Any


def items(xs: Any) -> list[Any]:
    """What a walk over an object gives that has ``__getitem__`` and no ``__iter__``.

    >>> items("ab")
    ['a', 'b']
    """
    found = []
    k = 0
    while True:
        try:
            x = xs[k]
        except IndexError:
            break
        found.append(x)
        k += 1
    return found


def heappush(heap: list[Any], item: Any) -> None:
    """`heapq.heappush`.

    >>> heap = [1, 3]
    >>> heappush(heap, 0)
    >>> heap
    [0, 3, 1]
    """
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


def heappop(heap: list[Any]) -> Any:
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


TWINS = ((heapq.heappush, heappush), (heapq.heappop, heappop), (heapq.heapify, heapify))


def of(function: Any) -> Any:
    """What is differentiated in the place of a function."""
    return next((twin for known, twin in TWINS if known is function), function)
