"""Walks: what `itertools`, `deque` and `complex` give, as lists and numbers.

In: sequences.
Out: stand-ins.
Next: rules.
"""

from __future__ import annotations

import collections
import itertools
from typing import Any

from tangentlite.standins.table import stands_for


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


@stands_for(itertools.accumulate)
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


@stands_for(itertools.combinations)
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


@stands_for(itertools.pairwise)
def pairwise(xs: Any) -> list[Any]:
    """`itertools.pairwise`.

    >>> pairwise([1, 2, 3])
    [(1, 2), (2, 3)]
    """
    items = list(xs)
    return [(items[i], items[i + 1]) for i in range(len(items) - 1)]


@stands_for(itertools.product)
def product(xs: Any, ys: Any) -> list[Any]:
    """`itertools.product` of two.

    >>> product("ab", [1, 2])
    [('a', 1), ('a', 2), ('b', 1), ('b', 2)]
    """
    others = list(ys)
    return [(x, y) for x in xs for y in others]


@stands_for(itertools.islice)
def islice(xs: Any, stop: int) -> list[Any]:
    """`itertools.islice` from the start.

    >>> islice([1, 2, 3], 2)
    [1, 2]
    """
    return list(xs)[:stop]


@stands_for(collections.deque)
def deque(iterable: Any = ()) -> list[Any]:
    """`collections.deque` without a longest length.

    >>> deque("ab")
    ['a', 'b']
    """
    return list(iterable)


@stands_for(complex)
def make_complex(real: Any = 0.0, imag: Any = 0.0) -> Any:
    """`complex`.

    >>> make_complex(1.0, 2.0)
    (1+2j)
    """
    return real + 1j * imag
