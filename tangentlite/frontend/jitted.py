"""Functions that Numba has compiled: the Python function inside, which has a text.

In: anything that may be called.
Out: the function inside; None if it is nothing of Numba's.
Next: read.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any


def inside(value: Any) -> FunctionType | None:
    """The function that was decorated by ``@numba.njit``; Numba is not imported to find out.

    >>> inside(len) is None, inside(inside) is None
    (True, True)
    """
    if value.__class__.__module__[:6] != "numba.":
        return None
    found = getattr(value, "py_func", None)
    return found if isinstance(found, FunctionType) else None


def is_prange(value: Any) -> bool:
    """Whether a value is ``numba.prange``, which is ``range`` where nothing is compiled."""
    named = getattr(value, "__name__", "") == "prange"
    return named and str(getattr(value, "__module__", "")).startswith("numba.")
