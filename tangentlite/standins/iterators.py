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


def items(xs) -> list[Any]:
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
def accumulate(xs, function=None, *, initial=None) -> list[Any]:
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
def combinations(xs, r: int) -> list[Any]:
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
def pairwise(xs) -> list[Any]:
    """`itertools.pairwise`.

    >>> pairwise([1, 2, 3])
    [(1, 2), (2, 3)]
    """
    items = list(xs)
    return [(items[i], items[i + 1]) for i in range(len(items) - 1)]


@stands_for(itertools.product)
def product(*iterables, repeat: int = 1) -> list[Any]:
    """`itertools.product`.

    >>> product("ab", [1, 2]), product([1, 2], repeat=2)
    ([('a', 1), ('a', 2), ('b', 1), ('b', 2)], [(1, 1), (1, 2), (2, 1), (2, 2)])
    """
    rows: list[list[Any]] = [[]]
    for _ in range(repeat):
        for xs in iterables:
            others = list(xs)
            rows = [row + [x] for row in rows for x in others]
    return [tuple(row) for row in rows]


@stands_for(itertools.permutations)
def permutations(iterable, r=None) -> list[Any]:
    """`itertools.permutations`.

    >>> permutations([1, 2]), len(permutations("abcd", 2))
    ([(1, 2), (2, 1)], 12)
    """
    items = list(iterable)
    count = len(items) if r is None else r
    rows: list[list[int]] = [[]]
    for _ in range(count):
        rows = [row + [k] for row in rows for k in range(len(items)) if k not in row]
    return [tuple([items[k] for k in row]) for row in rows]


@stands_for(itertools.combinations_with_replacement)
def combinations_with_replacement(iterable, r: int) -> list[Any]:
    """`itertools.combinations_with_replacement`.

    >>> combinations_with_replacement("ab", 2)
    [('a', 'a'), ('a', 'b'), ('b', 'b')]
    """
    items = list(iterable)
    rows: list[list[int]] = [[]]
    for _ in range(r):
        rows = [row + [k] for row in rows for k in range(len(items)) if row[-1:] <= [k]]
    return [tuple([items[k] for k in row]) for row in rows]


@stands_for(itertools.islice)
def islice(iterable, *bounds) -> list[Any]:
    """`itertools.islice`.

    >>> islice([1, 2, 3], 2), islice("abcd", 1, None, 2)
    ([1, 2], ['b', 'd'])
    """
    items = list(iterable)
    return [items[k] for k in range(*slice(*bounds).indices(len(items)))]


@stands_for(itertools.zip_longest)
def zip_longest(*iterables, fillvalue=None) -> list[Any]:
    """`itertools.zip_longest`.

    >>> zip_longest("ab", [1], fillvalue=0)
    [('a', 1), ('b', 0)]
    """
    columns = [list(xs) for xs in iterables]
    count = max([len(column) for column in columns])
    return [tuple([c[k] if k < len(c) else fillvalue for c in columns]) for k in range(count)]


@stands_for(itertools.repeat)
def repeat(object, times: int) -> list[Any]:
    """`itertools.repeat`, so many times.

    >>> repeat("a", 2)
    ['a', 'a']
    """
    return [object for _ in range(times)]


@stands_for(itertools.takewhile)
def takewhile(predicate, iterable) -> list[Any]:
    """`itertools.takewhile`.

    >>> takewhile(lambda v: v < 3, [1, 3, 2])
    [1]
    """
    found = []
    for x in iterable:
        if not predicate(x):
            break
        found.append(x)
    return found


@stands_for(itertools.dropwhile)
def dropwhile(predicate, iterable) -> list[Any]:
    """`itertools.dropwhile`.

    >>> dropwhile(lambda v: v < 3, [1, 3, 2])
    [3, 2]
    """
    found = []
    dropping = True
    for x in iterable:
        if dropping and not predicate(x):
            dropping = False
        if not dropping:
            found.append(x)
    return found


@stands_for(itertools.groupby)
def groupby(iterable, key=None) -> list[Any]:
    """`itertools.groupby`.

    >>> groupby([1, 1, 2]), groupby([1, 3, 2], lambda v: v % 2)
    ([(1, [1, 1]), (2, [2])], [(1, [1, 3]), (0, [2])])
    """
    items = list(iterable)
    keys = items if key is None else [key(x) for x in items]
    starts = [k for k in range(len(items)) if k == 0 or keys[k] != keys[k - 1]]
    ends = starts[1:] + [len(items)]
    return [(keys[a], items[a:b]) for a, b in zip(starts, ends)]


@stands_for(collections.deque)
def deque(iterable=()) -> list[Any]:
    """`collections.deque` without a longest length.

    >>> deque("ab")
    ['a', 'b']
    """
    return list(iterable)


@stands_for(complex)
def make_complex(real=0.0, imag=0.0):
    """`complex`.

    >>> make_complex(1.0, 2.0)
    (1+2j)
    """
    return real + 1j * imag
