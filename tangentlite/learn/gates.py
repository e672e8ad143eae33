"""What lets pass what is positive, in memory that is used again.

In: arrays, or numbers.
Out: the same.
Next: layers.

>>> relu(np.array([-1.0, 0.0, 2.0]))
array([0., 0., 2.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.learn.rooms import LARGE, like, ordered
from tangentlite.runtime import cancel, wins


def relu(x: Any) -> Any:
    """Give what is positive of ``x``, else zero."""
    large = isinstance(x, np.ndarray) and x.nbytes >= LARGE and x.dtype.kind == "f"
    return np.maximum(x, 0.0, out=like(x) if large else None)


def gate(g: Any, x: Any) -> Any:
    """Give ``g`` where ``x`` is positive, half of it where ``x`` is zero, else zero.

    >>> gate(np.ones(3), np.array([-1.0, 0.0, 2.0]))
    array([0. , 0.5, 1. ])
    """
    arrays = type(g) is type(x) is np.ndarray and g.shape == x.shape
    if not arrays or g.nbytes < LARGE or np.equal(x, 0.0).any():
        return cancel(g, wins(x, 0.0))
    with np.errstate(invalid="ignore", over="ignore"):
        found = np.multiply(ordered(g, x), x > 0.0, out=like(x, g.dtype))
        if np.isfinite(np.add.reduce(found, None)):
            return found
    return cancel(g, wins(x, 0.0))
