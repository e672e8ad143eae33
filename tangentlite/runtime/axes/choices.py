"""What Python's ``sum``, ``max`` and ``min``, and the quantiles, take their elements by.

In: numbers, sequences of numbers, arrays.
Out: the share that each element has in the result.
Next: layout.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tangentlite.runtime.axes.scan import merge, shares, unmerge
from tangentlite.runtime.shapes.broadcast import FLOATS, broadcast, unbroadcast
from tangentlite.runtime.times import cancel
from tangentlite.runtime.zero import ZERO

NUMBERS = FLOATS | {int}


def total(ds: Any) -> Any:
    """The sum of the tangents of a sequence.

    >>> total([1.0, ZERO, 2.0])
    3.0
    """
    return ds if ds is ZERO else sum(ds)


def each(b: Any, xs: Any) -> Any:
    """The adjoint of ``sum(xs)``: one for each element, in its shape.

    >>> each(2.0, [1.0, 3])
    [2.0, 2.0]
    """
    if b is ZERO:
        return b
    if isinstance(xs, np.ndarray):
        return np.array(np.broadcast_to(b, xs.shape))
    if any(isinstance(x, list | tuple) for x in xs):
        raise TypeError("sum of lists or tuples joins them; that is not differentiated")
    return [unbroadcast(b, x) for x in xs]


def to_winner(b: Any, y: Any, xs: Any, k: int) -> Any:
    """The adjoint of ``xs[k]`` in ``y = max(*xs)``, or of the sequence in ``y = max(xs[0])``.

    >>> to_winner(1.0, 2.0, (2.0, 2.0, 1.0), 0), to_winner(1.0, 3, ([1, 3],), 0)
    (0.5, [0.0, 1.0])
    """
    if b is ZERO:
        return b
    if len(xs) > 1:
        if type(b) in FLOATS and type(xs[k]) in FLOATS and NUMBERS.issuperset(map(type, xs)):
            return _for_number(b, y, xs, xs[k])
        return unbroadcast(cancel(b, _shares(y, xs)[k]), xs[k])
    if isinstance(xs[0], np.ndarray):
        if xs[0].ndim > 1:  # rows of one number each, or only one row
            return np.stack([cancel(b, s) for s in _shares(y, xs[0])])
        return cancel(b, shares(xs[0], y))
    if type(b) in FLOATS and NUMBERS.issuperset(map(type, xs[0])):
        part = b * (1.0 / (list(xs[0]).count(y) or 1))
        return [part if x == y else 0.0 for x in xs[0]]
    return [unbroadcast(cancel(b, s), x) for s, x in zip(_shares(y, xs[0]), xs[0], strict=True)]


def _for_number(b: Any, y: Any, xs: Any, x: Any) -> Any:
    """What ``x`` has of ``b``: the largest of the numbers ``xs`` that are equal share it evenly."""
    if x != y:
        return 0.0
    ties = xs.count(y)
    return b if ties == 1 else b * (1.0 / ties)


def from_winner(d: Any, y: Any, xs: Any, k: int) -> Any:
    """The tangent that ``y = max(*xs)`` has from ``xs[k]``, or ``y = max(xs[0])`` from it all."""
    if d is ZERO:
        return d
    if len(xs) > 1:
        return broadcast(cancel(d, _shares(y, xs)[k]), y)
    flat = isinstance(xs[0], np.ndarray) and xs[0].ndim == 1
    part = shares(xs[0], y) if flat else _shares(y, xs[0])
    return sum(cancel(e, s) for e, s in zip(d, part, strict=True))


def _shares(y: Any, xs: Any) -> list[float]:
    hits = [float(np.all(x == y)) for x in xs]
    return [hit / (sum(hits) or 1.0) for hit in hits]


def quantile_shares(x: Any, q: Any, axis: Any = None) -> Any:
    """What each element of ``x`` has in its quantile ``q``; equal elements share evenly.

    >>> quantile_shares(np.array([3.0, 1.0, 2.0, 9.0]), 0.5)
    array([0.5, 0. , 0.5, 0. ])
    >>> quantile_shares(np.array([2.0, 1.0, 2.0]), 0.5)
    array([0.5, 0. , 0.5])
    """
    if np.ndim(q):
        raise TypeError("several quantiles at once are not differentiated: ask for one at a time")
    rows = merge(x, axis)
    at = float(q) * (rows.shape[-1] - 1)
    low = int(np.floor(at))
    order = np.argsort(rows, axis=-1, kind="stable")
    result = np.zeros(rows.shape, rows.dtype)
    for place, share in ((low, 1.0 - (at - low)), (min(low + 1, rows.shape[-1] - 1), at - low)):
        result += shared(rows, order[..., place : place + 1], share)
    return unmerge(result, x, axis)


def shared(rows: Any, index: Any, share: Any) -> Any:
    """``share`` at an index of each row, divided among the elements that are equal to the one there.

    >>> shared(np.array([3.0, 1.0, 3.0]), np.array([0]), 1.0)
    array([0.5, 0. , 0.5])
    """
    value = np.take_along_axis(rows, index, -1)
    equal = (rows == value) | (np.isnan(rows) & np.isnan(value))
    return (equal * (share / np.sum(equal, -1, keepdims=True))).astype(rows.dtype)


def ranks(keys: Any, reverse: bool = False) -> list[int]:
    """Where the elements of a sorted list were, equal ones in their order.

    >>> ranks([3.0, 1.0, 2.0]), ranks("aba", reverse=True)
    ([1, 2, 0], [1, 0, 2])
    """
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def place(choose: Any, keys: Any) -> int:
    """Where ``choose``, which is ``max`` or ``min``, finds the first of the keys that attains it.

    >>> place(max, [1.0, 3.0, 3.0])
    1
    """
    found: int = choose(range(len(keys)), key=keys.__getitem__)
    return found


def common_dtype(*values: Any) -> np.dtype[Any]:
    """The dtype of what numbers, arrays and lists are joined to; Python's numbers give way.

    >>> common_dtype(0.5, np.float32([1.0])), common_dtype([1, 2], 0.5)
    (dtype('float32'), dtype('float64'))
    """
    return np.result_type(*(np.asarray(v) if isinstance(v, list | tuple) else v for v in values))


def length(v: Any) -> float:
    """The length of a vector, as ``math.hypot`` finds it.

    >>> length(np.array([2.0, 3.0, 6.0]))
    7.0
    """
    return math.hypot(*v)


def starts(stop: Any) -> float:
    """1.0 if the first argument of ``np.arange`` is where it starts, 0.0 if where it stops."""
    return 0.0 if stop is None else 1.0
