"""The operations of ArrayFlow, under its names: each takes arrays and is differentiated in both modes.

In: arrays or numbers. Several names are those of builtins: write ``ops.max``, and import no ``*``.
Out: a new array. ``cross_correlate`` and ``maxpool`` have rules of their own, the others are NumPy.
Next: windows (what has a rule), images.

>>> from tangentlite.learn import ops
>>> ops.add(np.ones(2), 1.0, 2.0)
array([4., 4.])
>>> ops.maxpool(np.array([1.0, 5.0, 2.0, 0.0, 7.0]), 2)
array([5., 2., 7.])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentlite.learn.windows import cross_correlate, maxpool

__all__ = [
    "absolute_value",
    "add",
    "concatenate",
    "cos",
    "cross_correlate",
    "divide",
    "expand",
    "exponential",
    "log",
    "matrix_multiply",
    "max",
    "maxpool",
    "mean",
    "min",
    "power",
    "sin",
    "slice",
    "sqrt",
    "subtract",
    "sum",
    "tanh",
    "times",
]


def matrix_multiply(a: Any, b: Any) -> Any:
    """Give the product of two matrices, or of a matrix and a vector."""
    return np.matmul(a, b)


def times(a: Any, b: Any) -> Any:
    """Give ``a * b``, element by element."""
    return np.multiply(a, b)


def divide(a: Any, b: Any) -> Any:
    """Give ``a / b``, element by element."""
    return np.divide(a, b)


def max(a: Any, b: Any) -> Any:
    """Give the larger of two arrays, element by element."""
    return np.maximum(a, b)


def min(a: Any, b: Any) -> Any:
    """Give the smaller of two arrays, element by element."""
    return np.minimum(a, b)


def sum(x: Any, axis: Any = None) -> Any:
    """Give the sum of all elements, or of those along an axis."""
    return np.sum(x, axis)


def mean(x: Any, axis: Any = None) -> Any:
    """Give the mean of all elements, or of those along an axis."""
    return np.mean(x, axis)


def add(a: Any, *others: Any) -> Any:
    """Give the sum of any number of arrays.

    >>> add(1.0, 2.0, 3.0)
    6.0
    """
    total = a
    for other in others:
        total = total + other
    return total


def subtract(a: Any, b: Any) -> Any:
    """Give ``a - b``, element by element."""
    return np.subtract(a, b)


def power(a: Any, n: Any) -> Any:
    """Give ``a ** n``, element by element."""
    return np.power(a, n)


def exponential(x: Any) -> Any:
    """Give e to the power of every element."""
    return np.exp(x)


def log(x: Any) -> Any:
    """Give the natural logarithm of every element."""
    return np.log(x)


def sqrt(x: Any) -> Any:
    """Give the square root of every element."""
    return np.sqrt(x)


def sin(x: Any) -> Any:
    """Give the sine of every element."""
    return np.sin(x)


def cos(x: Any) -> Any:
    """Give the cosine of every element."""
    return np.cos(x)


def tanh(x: Any) -> Any:
    """Give the hyperbolic tangent of every element."""
    return np.tanh(x)


def absolute_value(x: Any) -> Any:
    """Give every element without its sign; the slope at zero is zero."""
    return np.abs(x)


def concatenate(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Join arrays along an axis."""
    return np.concatenate(arrays, axis)


def expand(x: Any, shape: Any) -> Any:
    """Repeat an array until it has a shape, as broadcasting does.

    >>> expand(np.array([1.0, 2.0]), (2, 2))
    array([[1., 2.],
           [1., 2.]])
    """
    return np.broadcast_to(x, shape)


def slice(x: Any, start: int, end: int) -> Any:
    """Give the elements (or rows) from ``start`` to before ``end``.

    >>> slice(np.arange(5.0), 1, 3)
    array([1., 2.])
    """
    return x[start:end]
