"""Sequences: what a loop walks, what a display holds, what is taken apart.

In: any iterable.
Out: something with a length and an index.
Next: entry.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np

from tangentlite.persistent import PersistentArray
from tangentlite.runtime.memory.shadow import add
from tangentlite.runtime.zero import ZERO, ZeroGrad

ENDLESS = (itertools.count, itertools.cycle)
INDEXABLE = (list, tuple, range, str, np.ndarray, PersistentArray)


def sequence(xs: Any) -> Any:
    """What ``for x in xs`` walks, with a length and an index.

    >>> sequence({"a": 1}), sequence(x for x in "ab"), sequence((1, 2))
    (['a'], ['a', 'b'], (1, 2))
    """
    if type(xs) is list or type(xs) is tuple or xs is ZERO:
        return xs
    if isinstance(xs, INDEXABLE):
        iter(xs)
        return xs
    if isinstance(xs, ENDLESS):
        name = type(xs).__name__
        raise TypeError(f"what `itertools.{name}` gives has no end: write the call in the loop")
    return list(xs)


def width(rows: Any) -> int:
    """How many tuples ``zip(*rows)`` gives.

    >>> width([(1, 2), (3, 4, 5)])
    2
    """
    return min((len(row) for row in rows), default=0)


def keyed(table: Any, names: tuple[str, ...]) -> None:
    """Raise what a call with ``**table`` raises that takes just these names.

    >>> keyed({"b": 1}, ("a",))
    Traceback (most recent call last):
    TypeError: keyword arguments b are given where a are taken
    """
    if set(table) != set(names):
        given = ", ".join(map(str, table))
        raise TypeError(f"keyword arguments {given} are given where {', '.join(names)} are taken")


def some(xs: Any) -> Any:
    """``sequence(xs)``, or the error of ``reduce`` if there is nothing in it.

    >>> some(())
    Traceback (most recent call last):
    TypeError: reduce() of empty iterable with no initial value
    """
    items = sequence(xs)
    if items is not ZERO and len(items) == 0:
        functools.reduce(min, ())
    return items


def aligned(ds: Any, xs: Any) -> Any:
    """The adjoints or tangents ``ds`` of a list as a list of its length, to shrink and grow with it.

    >>> aligned(np.ones(2), [3.0, 4.0]), aligned(ZERO, [3.0])
    ([np.float64(1.0), np.float64(1.0)], [ZERO])
    """
    return [ZERO] * len(xs) if ds is ZERO else list(ds)


def stack(xs: Any) -> Any:
    """A list of its own with the elements of ``xs``; on a path where there is none, nothing.

    >>> stack((1, 2)), stack(None)
    ([1, 2], None)
    """
    return xs if xs is None or isinstance(xs, ZeroGrad) else list(xs)


def repeated(xs: Any, n: int) -> Any:
    """``xs * n`` of a list or a tuple."""
    return xs if xs is ZERO else xs * n


def unrepeated(b: Any, xs: Any, n: int) -> Any:
    """The adjoint of ``xs * n``: the adjoints of all copies summed.

    >>> unrepeated([1.0, 2.0, 3.0, ZERO], ["a", "b"], 2)
    [4.0, 2.0]
    """
    if b is ZERO or xs is ZERO:
        return ZERO
    total: Any = [ZERO] * len(xs)
    for k in range(n):
        total = add(total, b[k * len(xs) : (k + 1) * len(xs)])
    return total


def unpack(value: Any, n: int) -> Any:
    """``value`` as a sequence of just ``n``, or Python's own error.

    >>> unpack((1, 2), 3)
    Traceback (most recent call last):
    ValueError: not enough values to unpack (expected 3, got 2)
    """
    if value is ZERO:
        return value
    if not isinstance(value, INDEXABLE):
        value = list(value)
    length = len(value)
    if length > n:
        raise ValueError(f"too many values to unpack (expected {n})")
    if length < n:
        raise ValueError(f"not enough values to unpack (expected {n}, got {length})")
    return value
