"""Columns of mean 0 and variance 1, scaled and shifted.

In: an array of which the last axis numbers the columns.
Out: the same array; the standardized one, and what the columns were like before.
Next: layers.

>>> x = np.array([[1.0, 2.0], [3.0, 2.0]])
>>> y, z, mean, variance = standardized(x, np.ones(2), np.zeros(2), 0.0001)
>>> z.round(2), mean, variance
(array([[-1.,  0.],
       [ 1.,  0.]]), array([2., 2.]), array([1., 0.]))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime import ZERO


def standardized(x: Any, scale: Any, shift: Any, tiny: Any) -> tuple[Any, Any, Any, Any]:
    """Give columns less their means, over the roots of their variances and something tiny, then scaled and shifted.

    Second comes the same before that, third and fourth are the means and the variances.
    """
    mean = sums(x) / rows(x)
    z = x - mean
    y = z * z
    variance = sums(y) / rows(x)
    z *= 1.0 / np.sqrt(variance + tiny)
    if y.dtype == np.result_type(y, scale, shift):
        np.multiply(z, scale, out=y)
        y += shift
    else:
        y = z * scale + shift
    return y, z, mean, variance


def rows(x: Any) -> int:
    """Give how many numbers there are in a column."""
    return int(x.size // max(x.shape[-1], 1))


def sums(x: Any) -> Any:
    """Give the sum of each column.

    >>> sums(np.array([[1.0, 2.0], [3.0, 2.0]]))
    array([4., 4.])
    """
    return ZERO if x is ZERO else np.add.reduce(x, tuple(range(x.ndim - 1)))


def leveled(g: Any, z: Any, total: Any, along: Any, scale: Any) -> Any:
    """Give ``(g - (total + z * along) / rows) * scale``: what is had less its mean, and less what goes along with z.

    This is how standardized columns move with the columns, and how adjoints come back.
    """
    if g is ZERO or scale is ZERO:
        return ZERO
    found = z * (along / -rows(z))
    found += g
    found -= total / rows(z)
    found *= scale
    return found
