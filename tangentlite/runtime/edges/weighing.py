"""What a check observes of a value: one number, made of all that is in it.

In: a value, how many were observed before it, a scale for each.
Out: the number; its adjoint.
Next: the runtime.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def weighed(x: Any, count: int, scales: Any) -> float:
    """The sum of the entries of ``x``, each with a weight of its own, times the scale of this observation.

    >>> weighed(3.0, 1, np.array([1.0, 2.0])), weighed(np.ones(2), 0, np.ones(1)).round(3)
    (np.float64(6.0), np.float64(2.634))
    """
    scale = scales[count]
    if scale == 0.0:
        return 0.0
    return scale * np.sum(_weights(x, count) * x).real  # type: ignore[no-any-return]


def unweighed(b: Any, x: Any, count: int, scales: Any) -> Any:
    """The adjoint of ``weighed``.

    >>> unweighed(1.0, 3.0, 1, np.array([1.0, 2.0]))
    np.float64(2.0)
    """
    dtype = x.dtype if hasattr(x, "dtype") else np.dtype(type(x))
    dtype = dtype if dtype.kind in "fc" else np.dtype(float)
    result: Any = np.asarray(b * scales[count] * _weights(x, count)).astype(dtype)
    return result if result.ndim else result[()]


def _weights(x: Any, count: int) -> Any:
    """One for a number; for arrays numbers near it, of which no two are equal."""
    shape = np.shape(x)
    if not shape:
        return 1.0 - 0.7j if np.iscomplexobj(x) else 1.0
    places = np.arange(np.size(x), dtype=float).reshape(shape)
    real = 1.0 + 0.5 * np.cos(1.3 * places + 0.7 * count)
    return real * (1.0 - 0.7j) if np.iscomplexobj(x) else real


__all__ = ["unweighed", "weighed"]
