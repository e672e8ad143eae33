"""Memory for large arrays, used again when nobody holds it: to fetch it from the system takes longer than to fill it.

In: a shape and a type.
Out: an array of whatever was there.
Next: windows, images.

>>> first = room((512, 1024), np.float64)
>>> place = first.ctypes.data
>>> room((512, 1024), np.float64).ctypes.data == place
False
>>> del first
>>> room((1024, 512), np.float64).ctypes.data == place
True
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

LARGE, MOST = 1 << 17, 1 << 28  # bytes: of an array that is kept, and of all together
HELD = (
    1 << 24
)  # bytes that the C library is to keep: it gives back no more than it has once seen freed at one time


class _Kept(threading.local):
    def __init__(self) -> None:
        self.arrays: list[Any] = []


_kept = _Kept()
_kept.arrays.append(np.empty(0, np.uint8))
UNHELD = sys.getrefcount(_kept.arrays[0])  # by nobody but the list
np.empty(HELD, np.uint8)


def room(shape: Sequence[int], dtype: Any) -> Any:
    """Give an array that shares memory with none that anybody holds; its elements are to be written."""
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    if not LARGE <= size <= MOST:
        return np.empty(shape, kind)
    return _bytes(size).view(kind).reshape(shape)


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
    if x.nbytes < LARGE:
        return np.empty_like(x, dtype)
    order = _order(x)
    found = room([x.shape[axis] for axis in order], x.dtype if dtype is None else dtype)
    return found.transpose(np.argsort(order))


def ordered(x: Any, other: Any) -> Any:
    """Give an array, copied if its elements do not lie in the order of those of another one.

    >>> ordered(np.ones((3, 2)), np.ones((2, 3)).T).strides
    (8, 24)
    """
    if _order(x) == _order(other):
        return x
    found = like(other, x.dtype)
    found[...] = x
    return found


def _order(x: Any) -> list[int]:
    return sorted(range(x.ndim), key=lambda axis: -abs(x.strides[axis]))
