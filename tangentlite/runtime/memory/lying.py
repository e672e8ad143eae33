"""How arrays lie in memory.

In: arrays.
Out: where they begin and end, whose memory they have; copies that lie as they do.
Next: private.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

BETWEEN: Any = type(as_strided(np.zeros(1)).base)


def root(x: Any) -> Any:
    """The array that has the memory of ``x``; between it and a view by ``as_strided`` there is another object.

    >>> x = np.zeros(4)
    >>> root(x[1:]) is x, root(as_strided(x, (2, 3), (8, 8))[1]) is x
    (True, True)
    """
    while isinstance(x, np.ndarray):
        below = _below(x)
        if type(below) is not np.ndarray:
            break
        x = below
    return x


def _below(x: Any) -> Any:
    return x.base.base if type(x.base) is BETWEEN else x.base


def start(x: Any) -> int:
    """The address of the first element."""
    start: int = x.__array_interface__["data"][0]
    return start


def bounds(x: Any) -> tuple[int, int]:
    """The first and the last byte of an array, plus one."""
    low = high = start(x)
    if x.size == 0:
        return low, low
    for stride, count in zip(x.strides, x.shape):
        reach = stride * (count - 1)
        low, high = low + min(reach, 0), high + max(reach, 0)
    return low, high + x.itemsize


def alike(x: Any) -> Any:
    """A copy that lies in memory as ``x`` does: what is a view of the one is a view of the other.

    >>> alike(np.ones((4, 4))[::2, ::-1]).strides
    (64, -8)
    """
    if x.flags.forc or x.size == 0 or any(stride % x.itemsize for stride in x.strides):
        return x.copy(order="K")
    low, high = bounds(x)
    flat = np.empty((high - low) // x.itemsize, x.dtype)
    copy: Any = np.ndarray(x.shape, x.dtype, flat, start(x) - low, x.strides)
    copy[...] = x
    return copy


def apart(x: Any) -> Any:
    """A copy whose elements share no memory; it can be viewed as ``x`` can: where its axes fit together, those of x do.

    >>> apart(np.broadcast_to(np.ones(2), (3, 2))).strides, apart(np.broadcast_to(1.0, (3, 2))).strides
    ((48, 16), (32, 16))
    """
    step = 2 * x.itemsize
    strides = [step]
    for k in reversed(range(x.ndim - 1)):
        fits = x.strides[k] == x.shape[k + 1] * x.strides[k + 1]
        strides.insert(0, x.shape[k + 1] * strides[0] + (0 if fits else step))
    flat = np.empty(x.shape[0] * strides[0] // x.itemsize, x.dtype)
    copy: Any = np.ndarray(x.shape, x.dtype, flat, 0, strides)
    copy[...] = x
    return copy
