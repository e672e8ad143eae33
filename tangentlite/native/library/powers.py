# mypy: ignore-errors
# ruff: noqa: D103
"""The derivatives of powers, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: kernel.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload


def _is_array(kind):
    return isinstance(kind, types.Array)


def _is_double(kind):
    """Whether something is an array of doubles or a real number."""
    if _is_array(kind):
        return kind.dtype == types.float64
    return kind == types.float64 or isinstance(kind, types.Integer)


def _is_exponent(kind):
    whole = isinstance(getattr(kind, "dtype", None), types.Integer)
    return _is_double(kind) or (_is_array(kind) and whole)


@overload(runtime.dpower_dx)
def dpower_dx(x, y):
    if not _is_double(x) or not _is_exponent(y):
        return None
    if _is_array(x) or _is_array(y):

        def slopes(x, y):
            slope = y * np.power(x, y - 1.0)
            return np.where(y * np.ones_like(slope) == 0.0, 0.0, slope)

        return slopes
    return lambda x, y: 0.0 if y == 0 else y * np.power(x, y - 1.0)


@overload(runtime.log_or_zero)
def log_or_zero(x):
    if not _is_double(x):
        return None
    if _is_array(x):
        return lambda x: np.log(np.where(x == 0.0, 1.0, x))
    return lambda x: 0.0 if x == 0 else np.log(x)
