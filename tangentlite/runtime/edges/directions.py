"""The edge of a forward derivative: which tangents it takes.

In: a tangent and its argument.
Out: the tangent, checked.
Next: finish.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.containers.cycles import closed_tangent, holds_itself
from tangentlite.runtime.containers.objects import opened
from tangentlite.runtime.edges.foreign import own
from tangentlite.runtime.memory.arrays import is_array
from tangentlite.runtime.shapes.broadcast import even_shape, having_shape, shape
from tangentlite.runtime.zero import ZERO


def basis(x: Any) -> Any:
    """The unit vectors of the space of ``x``, one after the other.

    >>> basis(np.zeros(2)), basis(3.0)
    (array([[1., 0.],
           [0., 1.]]), array([1.]))
    """
    size = np.size(x)
    dtype = x.dtype if is_array(x) and x.dtype.kind in "fc" else np.dtype(float)
    return np.eye(size, dtype=dtype).reshape((size, *np.shape(x)))


def tangent(dx: Any, x: Any) -> Any:
    """The tangent ``dx``, checked against its argument ``x``.

    >>> tangent(1.0, np.zeros(3))
    Traceback (most recent call last):
    TypeError: the argument has shape (3,), its tangent has shape (): ...
    """
    if type(x) is float and type(dx) is float:
        return dx
    try:
        return _checked(dx, x)
    except RecursionError:
        if not holds_itself(x):
            raise
    return closed_tangent(dx, x, _of_leaf)


def _checked(dx: Any, x: Any) -> Any:
    if dx is ZERO or dx is None:  # what a gradient holds for a leaf without derivative
        return ZERO
    own(dx, "tangent")
    x, dx = opened(x), opened(dx)
    if isinstance(x, (list, tuple)):
        if not isinstance(dx, (list, tuple)) or len(dx) != len(x):
            raise TypeError(
                f"the argument is a {type(x).__name__} of {len(x)}; so must its tangent be"
            )
        return [_of_leaf(d, part) for d, part in zip(dx, x)]
    if isinstance(x, dict):
        if not isinstance(dx, dict) or set(dx) != set(x):
            shown = f"must have the keys or attributes {sorted(map(str, x))}"
            raise TypeError(f"the argument is a dict or an object: its tangent {shown}")
        return {key: _of_leaf(dx[key], x[key]) for key in x}
    if not (is_array(x) or isinstance(x, (int, float, complex, np.generic, np.ndarray))):
        return ZERO
    if even_shape(dx) != shape(x):
        raise TypeError(
            f"the argument has shape {shape(x)}, its tangent {having_shape(dx)}: "
            "pass tangent=… of the same shape"
        )
    if isinstance(dx, list) or (is_array(dx) and dx.dtype.kind in "iub"):
        dx = np.array(dx, float)
    if not is_array(dx):
        return _of_numpy(dx, x)
    return _laid_out(np.asarray(dx), x) if is_array(x) else dx[()]


def _of_numpy(dx: Any, x: Any) -> Any:
    """The tangent of what is no Python number is none: it has methods, and may be indexed, as ``x`` may."""
    if type(x) in (float, int, bool, complex) or type(dx) not in (float, int, bool):
        return dx
    return x.dtype.type(dx) if x.dtype.kind in "fc" else np.float64(dx)


def _of_leaf(dx: Any, x: Any) -> Any:
    """The tangent of a part: integers in a list, dict or object have none, as they have no gradient."""
    if isinstance(x, (int, np.integer, np.bool_)) or (is_array(x) and x.dtype.kind in "iub"):
        return ZERO
    return _checked(dx, x)


def _laid_out(dx: Any, x: Any) -> Any:
    """A tangent lies in memory as its argument does, since memory may decide an order."""
    if dx.ndim < 2 or not isinstance(x, np.ndarray) or dx.strides == x.strides:
        return dx
    result = np.empty_like(x, dtype=dx.dtype, subok=False)
    result[...] = dx
    return result
