"""Signals under a window: cross-correlation and the largest of each cell, with their rules.

In: signals along the last axis of an array; other axes hold further signals.
Out: signals.
Next: images (the same in two dimensions).

>>> signal = np.array([1.0, 5.0, 2.0, 0.0])
>>> cross_correlate(signal, np.array([1.0, -1.0]))
array([-4.,  3.,  2.])
>>> maxpool(signal, 2)
array([5., 2.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tangentlite import inactive


def cross_correlate(s: Any, k: Any) -> Any:
    """Give the sum of products of the kernel with each stretch of the signal that it lies on whole."""
    if np.ndim(s) == 1:
        return np.correlate(s, k, "valid") if len(k) <= len(s) else _too_long(s, k)
    return sliding_window_view(s, len(k), -1) @ np.asarray(k)


def _too_long(s: Any, k: Any) -> Any:
    raise ValueError(f"a kernel of {len(k)} elements does not fit into a signal of {len(s)}")


def convolve(g: Any, k: Any) -> Any:
    """Give the full convolution with a kernel: what spreads each element over the kernel's length."""
    if np.ndim(g) == 1:
        return np.convolve(g, k)
    beyond = [(0, 0)] * (np.ndim(g) - 1) + [(len(k) - 1, len(k) - 1)]
    return cross_correlate(np.pad(g, beyond), np.asarray(k)[::-1])


def matched(s: Any, g: Any) -> Any:
    """Give the cross-correlation of two arrays of signals, each with its partner, summed over them."""
    if np.ndim(s) == 1:
        return cross_correlate(s, g)
    rows = np.reshape(s, (-1, np.shape(s)[-1]))
    return np.tensordot(
        sliding_window_view(rows, np.shape(g)[-1], -1),
        np.reshape(g, (len(rows), -1)),
        ((0, 2), (0, 1)),
    )


def maxpool(x: Any, n: int) -> Any:
    """Give the largest of every ``n`` elements; what remains at the end is a smaller cell.

    Where several are largest, the whole adjoint goes to the first.
    """
    return np.take_along_axis(np.asarray(x), largest(x, n), -1)


@inactive
def largest(x: Any, n: int) -> Any:
    """Give where the first maximum of each cell is, counted along the last axis."""
    x = np.asarray(x)
    whole = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -x.shape[-1] % n)], "edge")
    cells = whole.reshape(*x.shape[:-1], -1, n)
    return np.argmax(cells, -1) + n * np.arange(cells.shape[-2])
