"""The product with a local derivative that may be infinite where nothing flows.

In: an adjoint (or tangent) ``b`` and a local derivative ``d``.
Out: ``b * d``, zero where that is NaN only because ``b`` is zero and ``d`` is not finite.
Next: shadow.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from tangentlite.runtime.memory.arrays import continuous
from tangentlite.runtime.shapes.broadcast import DOUBLE, FLOATS, unbroadcast
from tangentlite.runtime.zero import ZERO

TRUTH = np.dtype(bool)
SMALL = 10_000  # elements that are multiplied without threads
LARGE = 1e15  # products of numbers that are smaller do not overflow
isfinite = cmath.isfinite
vdot = getattr(np.vdot, "_implementation", np.vdot)  # without asking other kinds of arrays
einsum = getattr(np.einsum, "_implementation", np.einsum)


def times(b: Any, d: Any) -> Any:
    """``b * d``, except zero where ``b`` is zero and the product is NaN.

    >>> times(0.0, float("inf")), times(2.0, 3.0)
    (0.0, 6.0)
    """
    kind = type(d)
    if kind is np.ndarray:
        if b is ZERO:
            return ZERO
        if d.dtype is DOUBLE and d.size < SMALL:
            if isfinite(vdot(d, d)):
                return b * d
        elif (d.dtype.kind in "fc" and finite(d)) or np.isfinite(d).all():
            return b * d
    elif kind in FLOATS:
        if math.isfinite(d) or b is ZERO:
            return b * d
    elif b is ZERO or d is ZERO:
        return ZERO
    elif np.isfinite(d).all():
        return b * d
    return _selected(b, d)


def finite(x: Any) -> bool:
    """Whether an array is finite, as far as a sum of it (or of its squares) tells: no array is made for that.

    >>> finite(np.ones(3)), finite(np.array([1.0, np.inf, -np.inf]))
    (True, False)
    """
    if type(x) is not np.ndarray:
        return isfinite(np.vdot(x, x))
    if x.size < SMALL:
        return isfinite(vdot(x, x))  # which does not warn, as ``x.dot(x)`` does
    return isfinite(np.einsum("i->", x.ravel("K")))  # threads wait for each other in products


def _selected(b: Any, d: Any) -> Any:
    with np.errstate(invalid="ignore", over="ignore"):
        product = b * d
    if type(product) is float:
        return 0.0 if product != product and b == 0 else product
    result = np.where(np.isnan(product) & (np.asarray(b) == 0), 0.0, product)
    return result if isinstance(product, np.ndarray) else result[()]


def cancel(b: Any, d: Any) -> Any:
    """``b * d``, zero where either is, whatever the other: for shares, and for quotients.

    >>> cancel(float("inf"), 0.0), cancel(0.0, float("nan")), cancel(2.0, 3.0)
    (0.0, 0.0, 6.0)
    """
    kind, other = type(b), type(d)
    if kind is other is np.ndarray:
        if d.dtype is TRUTH and b.dtype is DOUBLE and b.size < SMALL:
            if isfinite(vdot(b, b)):
                return b * d.astype(DOUBLE)  # takes less time than a product of unlike types
        elif b.shape == d.shape and b.dtype is d.dtype and b.size < SMALL:
            if isfinite(vdot(b, d)):  # a sum of products is finite if all factors are
                return b * d
        elif max(b.size, d.size) < SMALL and (d.dtype is TRUTH or finite(d)) and finite(b):
            return b * d  # neither is so large that the product might overflow
    elif kind is float and other is float:
        product = b * d
        return product if product == product or (b and d) else 0.0
    elif kind in FLOATS and other in FLOATS and abs(b) < LARGE and abs(d) < LARGE:
        return b * d
    elif b is ZERO or d is ZERO:
        return ZERO
    with np.errstate(invalid="ignore", over="ignore"):
        product = b * d
        if finite(product):
            return product
    result = np.where((np.asarray(b) == 0) | (np.asarray(d) == 0), 0.0, product)
    return result if isinstance(product, np.ndarray) else result[()]


def cancelled(b: Any, d: Any, like: Any) -> Any:
    """``unbroadcast(cancel(b, d), like)``: no product is made where a sum of products tells that nothing cancels.

    >>> b, d = np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([[1.0, 2.0], [np.inf, 3.0]])
    >>> cancelled(b, d, np.zeros((2, 1)))
    array([[5.],
           [9.]])
    >>> cancelled(b, d, 0.0).item()
    14.0
    """
    if type(b) is type(d) is np.ndarray and b.shape == d.shape and b.dtype is d.dtype is DOUBLE:
        if type(like) in FLOATS:
            if b.size < SMALL and isfinite(found := vdot(b, d)):
                return found
        elif type(like) is np.ndarray and like.shape == (*b.shape[:-1], 1) and like.dtype is DOUBLE:
            found = einsum("...i,...i->...", b, d)
            if finite(found):
                return found[..., None]
    return unbroadcast(cancel(b, d), like)


def through(b: Any, dtype: Any = None) -> Any:
    """``b`` behind a conversion to ``dtype``: integers and bools carry no derivative.

    >>> through(1.0, float), through(1.0, int)
    (1.0, ZERO)
    """
    if dtype is None or b is ZERO or type(b) is float is dtype:
        return b
    dtype = np.dtype(dtype)
    if not continuous(dtype):
        return ZERO
    b = b.real if dtype.kind == "f" and np.iscomplexobj(b) else b
    floats = isinstance(b, (np.ndarray, np.generic)) and b.dtype.kind == dtype.kind == "f"
    return b.astype(dtype, copy=False) if floats else b
