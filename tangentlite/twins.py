"""Plain Python for what Python does out of sight: it is differentiated in its place.

In: the arguments of what it stands for.
Out: the same result.
Next: analysis.
"""

from __future__ import annotations

import heapq
import itertools
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


def accumulate(xs: Any, function: Any = None, *, initial: Any = None) -> list[Any]:
    """`itertools.accumulate`.

    >>> accumulate([1, 2, 3]), accumulate([1, 2], lambda a, b: a * b, initial=5)
    ([1, 3, 6], [5, 5, 10])
    """
    found = []
    if initial is not None:
        found.append(initial)
    for x in xs:
        if len(found) == 0:
            found.append(x)
        elif function is None:
            found.append(found[-1] + x)
        else:
            found.append(function(found[-1], x))
    return found


def combinations(xs: Any, r: int) -> list[Any]:
    """`itertools.combinations`.

    >>> combinations("abc", 2), combinations("abc", 4), combinations("abc", 0)
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], [], [()])
    """
    items = list(xs)
    n = len(items)
    found = []
    chosen = list(range(r))
    more = r <= n
    while more:
        found.append(tuple([items[k] for k in chosen]))
        last = r - 1
        while last >= 0 and chosen[last] == last + n - r:
            last = last - 1
        more = last >= 0
        if more:
            first = chosen[last] + 1
            chosen = chosen[:last] + list(range(first, first + r - last))
    return found


def pairwise(xs: Any) -> list[Any]:
    """`itertools.pairwise`.

    >>> pairwise([1, 2, 3])
    [(1, 2), (2, 3)]
    """
    items = list(xs)
    return [(items[i], items[i + 1]) for i in range(len(items) - 1)]


def product(xs: Any, ys: Any) -> list[Any]:
    """`itertools.product` of two.

    >>> product("ab", [1, 2])
    [('a', 1), ('a', 2), ('b', 1), ('b', 2)]
    """
    others = list(ys)
    return [(x, y) for x in xs for y in others]


def islice(xs: Any, stop: int) -> list[Any]:
    """`itertools.islice` from the start.

    >>> islice([1, 2, 3], 2)
    [1, 2]
    """
    return list(xs)[:stop]


def make_complex(real: Any = 0.0, imag: Any = 0.0) -> Any:
    """`complex`.

    >>> make_complex(1.0, 2.0)
    (1+2j)
    """
    return real + 1j * imag


TWINS = (
    (heapq.heappush, heappush), (heapq.heappop, heappop), (heapq.heapify, heapify),
    (itertools.accumulate, accumulate), (itertools.combinations, combinations),
    (itertools.product, product), (itertools.islice, islice), (complex, make_complex),
    (getattr(itertools, "pairwise", None), pairwise),
)  # fmt: skip


def of(function: Any) -> Any:
    """What is differentiated in the place of a function."""
    return next((twin for known, twin in TWINS if known is function), function)
