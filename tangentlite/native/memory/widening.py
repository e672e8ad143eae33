"""Arrays of single precision where a name of the kernel holds both precisions: the sweeps run in double.

In: the arguments of a kernel that Numba refused.
Out: the same in double precision; results, with the arguments themselves in place of their copies.
Next: calls.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

SINGLE = np.dtype(np.float32)


def widened(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Arguments in double precision; None if none is of single precision, or if two share memory.

    >>> [a.dtype.name for a in widened((np.ones(2, np.float32), np.ones(3)))], widened((np.ones(3), 2.0))
    (['float64', 'float64'], None)
    """
    arrays = [a for a in args if isinstance(a, np.ndarray)]
    if not any(_is_single(a) for a in args):
        return None
    if any(np.may_share_memory(a, b) for a, b in combinations(arrays, 2)):
        return None
    return tuple(map(_wide, args))


def _is_single(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.float32)) and value.dtype == SINGLE


def _wide(value: Any) -> Any:
    if not _is_single(value):
        return value
    return value.astype(float) if isinstance(value, np.ndarray) else float(value)


def given_back(results: Any, args: tuple[Any, ...], wide: tuple[Any, ...]) -> Any:
    """Results of a call with ``wide`` in place of ``args``: an argument that is given back is itself."""
    own = {_place(w): a for a, w in zip(args, wide) if w is not a and isinstance(w, np.ndarray)}
    if isinstance(results, tuple):
        return tuple(own.get(_place(r), r) for r in results)
    return own.get(_place(results), results)


def _place(value: Any) -> Any:
    """Where an array lies, and what of it: Numba makes a new array of the memory that it was given."""
    if not isinstance(value, np.ndarray):
        return id(value)
    return value.ctypes.data, value.shape, value.strides
