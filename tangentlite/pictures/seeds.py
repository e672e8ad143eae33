"""The seed of an example: ones for all that a function returns.

In: a result.
Out: a seed, or None where none is needed.
Next: running, reports.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def ones(value: Any) -> Any:
    """A seed with which the gradient is that of the sum of all numbers of a result.

    >>> ones(3.0), ones((np.zeros(2), {"a": 1.0, "n": 2}))
    (None, (array([1., 1.]), {'a': 1.0, 'n': 0.0}))
    """
    return None if _is_number(value) else _like(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.number)) or (
        isinstance(value, np.ndarray) and not value.ndim
    )


def _like(value: Any) -> Any:
    match value:
        case np.ndarray():
            return np.ones_like(value) if value.dtype.kind in "fc" else np.zeros(value.shape)
        case dict():
            return {key: _like(part) for key, part in value.items()}
        case tuple() if hasattr(value, "_fields"):
            return type(value)(*map(_like, value))
        case tuple() | list():
            return type(value)(map(_like, value))
        case float() | complex() | np.inexact():
            return 1.0
    return 0.0
