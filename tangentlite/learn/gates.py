"""What lets pass what is positive.

In: arrays, or numbers.
Out: the same.
Next: layers.

>>> relu(np.array([-1.0, 0.0, 2.0]))
array([0., 0., 2.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.learn.rooms import like, ordered, slabs
from tangentlite.runtime import ZERO, cancel, wins

LARGE = 1 << 13  # elements from which on passes over memory count, not calls
BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}


def relu(x: Any) -> Any:
    """Give what is positive of ``x``, else zero."""
    if type(x) is np.ndarray and x.size >= LARGE and x.dtype in BITS:
        return np.clip(x, 0.0, np.inf, out=like(x))  # the same, where NumPy takes many at once
    return np.maximum(x, 0.0)


def gate(g: Any, x: Any) -> Any:
    """Give ``g`` where ``x`` is positive, half of it where ``x`` is zero, else zero.

    >>> gate(np.ones(3), np.array([-1.0, 0.0, 2.0]))
    array([0. , 0.5, 1. ])
    """
    arrays = type(g) is type(x) is np.ndarray and g.shape == x.shape and g.dtype == x.dtype
    if not arrays or x.size < LARGE or x.dtype not in BITS:
        return cancel(g, wins(x, 0.0))
    g, found = ordered(g, x), like(x)
    for here in slabs(x, range(x.ndim)):
        _by_sign(g[here], x[here], found[here])
    return found


def leaky(x: Any, slope: float) -> Any:
    """Give what is positive of ``x``, and ``slope`` times the rest.

    >>> leaky(np.array([-2.0, 0.0, 3.0]), 0.5)
    array([-1.,  0.,  3.])
    """
    if 0.0 < slope <= 1.0:
        return np.maximum(x, slope * x)
    return np.where(np.greater(x, 0.0), x, slope * x)


def leak(g: Any, x: Any, slope: float) -> Any:
    """Give ``g`` where ``x`` is positive, else ``slope`` times that.

    >>> leak(np.ones(3), np.array([-2.0, 0.0, 3.0]), 0.5)
    array([0.5, 0.5, 1. ])
    """
    if g is ZERO:
        return ZERO
    above = np.greater(x, 0.0)
    arrays = type(above) is type(g) is np.ndarray and g.shape == above.shape and g.dtype in BITS
    if not arrays or not 0.0 < slope <= 1.0:
        return np.where(above, g, slope * g)
    found = np.asarray(above, g.dtype, order="K")
    np.clip(found, slope, 1.0, out=found)  # in exactly two numbers, where NumPy takes many at once
    found *= g
    return found


def _by_sign(g: Any, x: Any, found: Any) -> None:
    """Write the same by bits, if no number is missing: all of a number's, or none."""
    above = x > 0.0
    others = x.size - np.count_nonzero(above) - np.count_nonzero(x < 0.0)
    zero = np.equal(x, 0.0) if others else None
    if zero is not None and np.count_nonzero(zero) != others:
        found[...] = cancel(g, wins(x, 0.0))
        return
    passing = _all_ones(above, found.view(BITS[x.dtype]))
    passing &= g.view(passing.dtype)
    if zero is not None:
        half = np.multiply(g, 0.5).view(passing.dtype)
        half &= _all_ones(zero, np.empty_like(half))
        passing |= half


def _all_ones(here: Any, bits: Any) -> Any:
    """Make whole numbers of which all bits are set where ``here``, else none; ``here`` is overwritten."""
    signs = here.view(np.int8)
    bits[...] = np.negative(signs, out=signs)
    return bits
