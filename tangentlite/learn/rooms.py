"""Memory for arrays, used again when nobody holds it: to fetch it from the system takes longer than to fill it.

In: a shape and a type.
Out: an array of whatever was there.
Next: windows, images.

The C library keeps what is freed of smaller arrays (``runtime.memory.freed``); larger ones are kept here.

>>> first = room((4096, 1024), np.float64)
>>> place = first.ctypes.data
>>> room((4096, 1024), np.float64).ctypes.data == place
False
>>> del first
>>> room((1024, 4096), np.float64).ctypes.data == place
True
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

LARGE, MOST = 1 << 24, 1 << 28  # bytes: of an array that is kept, and of all together
NEAR = 1 << 18  # bytes that stay near while they are worked on
LINE, LINES = (
    64,
    1 << 14,
)  # bytes that are fetched together; of an array from which on it begins where such do


class _Kept(threading.local):
    def __init__(self) -> None:
        self.arrays: list[Any] = []


_kept = _Kept()
_kept.arrays.append(np.empty(0, np.uint8))
UNHELD = sys.getrefcount(_kept.arrays[0])  # by nobody but the list


def room(shape: Sequence[int], dtype: Any) -> Any:
    """Give an array that shares memory with none that anybody holds; its elements are to be written.

    It begins where the processor fetches from: to write numbers that lie across two such places takes twice the time.
    """
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    if size < LINES or kind.hasobject:
        return np.empty(shape, kind)
    found = _bytes(size + LINE) if LARGE <= size < MOST else np.empty(size + LINE, np.uint8)
    begin = -found.__array_interface__["data"][0] % LINE
    return found[begin : begin + size].view(kind).reshape(shape)


def _bytes(size: int) -> Any:
    kept = _kept.arrays
    for k in range(len(kept)):
        if kept[k].size == size and sys.getrefcount(kept[k]) == UNHELD:
            kept.append(kept.pop(k))
            return kept[-1]
    while sum(one.size for one in kept) + size > MOST:
        del kept[0]
    kept.append(np.empty(size, np.uint8))
    return kept[-1]


def like(x: Any, dtype: Any = None) -> Any:
    """Give a room of the shape of ``x``, in which elements lie in the same order.

    >>> like(np.ones((2, 3)).T).strides
    (8, 24)
    """
    if x.nbytes < LINES:
        return np.empty_like(x, dtype)
    order, back = _order(x.strides)
    found = room([x.shape[axis] for axis in order], x.dtype if dtype is None else dtype)
    return found.transpose(back)


def ordered(x: Any, other: Any) -> Any:
    """Give an array, copied if its elements do not lie in the order of those of another one.

    >>> ordered(np.ones((3, 2)), np.ones((2, 3)).T).strides
    (8, 24)
    """
    if _order(x.strides) == _order(other.strides):
        return x
    found = like(other, x.dtype)
    found[...] = x
    return found


def slabs(x: Any, axes: Sequence[int], near: int = NEAR) -> Iterator[Any]:
    """Give indices of an array that take what lies together in memory, so many bytes, along one of some axes.

    >>> [here[0] for here in slabs(np.ones((3, 1 << 15)), (0, 1))]
    [slice(0, 1, None), slice(1, 2, None), slice(2, 3, None)]
    """
    axis = max(axes, key=lambda k: abs(x.strides[k]))
    count = max(near * x.shape[axis] // max(x.nbytes, 1), 1)
    for k in range(0, x.shape[axis], count):
        yield (*(slice(None),) * axis, slice(k, k + count))


@lru_cache(maxsize=4096)
def _order(strides: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the axes from the one with the longest stride on, and which of these each one is."""
    order = sorted(range(len(strides)), key=lambda axis: -abs(strides[axis]))
    return tuple(order), tuple(map(order.index, range(len(order))))
