# mypy: ignore-errors
"""Whether any, and whether all elements hold, along axes, as Numba reads it.

In: nothing.
Out: implementations, known to Numba once this module is imported; ``OWN``, the names that kernels call them by.
Next: spelling.
"""

from __future__ import annotations

import numpy as np

from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.reductions import _reduced


def some(x, axis=None, keepdims=False):
    """``np.any``."""
    return np.any(x, axis=axis, keepdims=keepdims)


def every(x, axis=None, keepdims=False):
    """``np.all``."""
    return np.all(x, axis=axis, keepdims=keepdims)


@overload(some, prefer_literal=True)
def _some(x, axis=None, keepdims=False):
    return _reduced(x, axis, keepdims, "False", "{r} = {r} or {x} != 0", "r", bool, False)


@overload(every, prefer_literal=True)
def _every(x, axis=None, keepdims=False):
    return _reduced(x, axis, keepdims, "True", "{r} = {r} and {x} != 0", "r", bool, False)


OWN = {"_any_over": some, "_all_over": every}
