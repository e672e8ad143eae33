"""Convolutions and polynomials: the linear maps that their rules are made of.

In: arrays and adjoints.
Out: the same.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.shapes.broadcast import unbroadcast
from tangentlite.runtime.zero import ZERO


def uncrop(b: Any, a: Any, v: Any, mode: str = "full", turned: bool = False) -> Any:
    """What ``np.convolve(a, v, mode)`` cuts out, in a row of zeros as long as the whole convolution.

    ``turned``: for ``np.correlate``, which cuts an even number of entries the other way round.

    >>> uncrop(np.ones(2), np.zeros(3), np.zeros(2), "valid")
    array([0., 1., 1., 0.])
    """
    if b is ZERO:
        return b
    result = np.zeros(int(np.size(a)) + int(np.size(v)) - 1, b.dtype)
    start = _start(int(np.size(a)), int(np.size(v)), mode, turned)
    result[start : start + len(b)] = b
    return result


def crop(x: Any, a: Any, v: Any, mode: str = "full", turned: bool = False) -> Any:
    """The adjoint of ``uncrop``: what ``mode`` keeps of a whole convolution."""
    if x is ZERO:
        return x
    n, m = int(np.size(a)), int(np.size(v))
    start = _start(n, m, mode, turned)
    length = {"full": n + m - 1, "same": max(n, m), "valid": max(n, m) - min(n, m) + 1}[mode]
    return x[start : start + length]


def _start(n: int, m: int, mode: str, turned: bool) -> int:
    less = min(n, m)
    if mode == "full":
        return 0
    if mode == "valid":
        return less - 1
    return less // 2 if turned and n < m else (less - 1) // 2


def unpolyval(b: Any, p: Any, x: Any, order: int = 0) -> Any:
    """The adjoint of ``p`` in ``np.polyval(p, x)``, differentiated ``order`` times in x.

    >>> unpolyval(1.0, [0.0, 0.0, 0.0], 2.0), unpolyval(1.0, [0.0, 0.0, 0.0], 2.0, 1)
    (array([4., 2., 1.]), array([4., 1., 0.]))
    """
    if b is ZERO:
        return b
    b, x = np.broadcast_arrays(b, x)
    rows = powers(np.ravel(x), len(p), order)
    if np.ndim(p) == 1:
        return np.ravel(b) @ rows
    whole = b * np.reshape(rows.T, (len(p), *x.shape))
    size = np.shape(p)[1:]
    return np.stack([unbroadcast(row, np.empty(size)) for row in whole])


def powers(x: Any, n: int, order: int = 0, increasing: bool = False) -> Any:
    """``np.vander(x, n)``, differentiated ``order`` times.

    >>> powers(np.array([2.0, 3.0]), 3, 1)
    array([[4., 1., 0.],
           [6., 1., 0.]])
    """
    x = np.asarray(x)
    x = x if x.dtype.kind in "fc" else x.astype(float)
    degrees = np.arange(n)
    factors = np.ones(n, x.dtype)
    for k in range(order):
        factors = factors * (degrees - k)
    result = x[:, np.newaxis] ** np.maximum(degrees - order, 0) * factors
    return result if increasing else result[:, ::-1]


def polyder(p: Any, m: int = 1) -> Any:
    """``np.polyder(p, m)``, of coefficients that may be arrays.

    >>> polyder(np.array([[3.0, 1.0], [1.0, 1.0], [5.0, 5.0]]))
    array([[6., 2.],
           [1., 1.]])
    """
    if p is ZERO or np.ndim(p) <= 1:
        return np.polyder(p, m)
    p = np.asarray(p)
    return (p * _falling(p, m))[: max(len(p) - m, 0)]


def _falling(p: Any, m: int) -> Any:
    """``k (k - 1) …`` of m factors for the powers k in p, along its first axis."""
    factors = powers(np.ones(1, p.dtype.type(0).real.dtype), len(p), m)[0]
    return np.reshape(factors, (-1, *(1,) * (p.ndim - 1)))


def unpolyder(b: Any, p: Any, m: int = 1) -> Any:
    """The adjoint of ``np.polyder(p, m)``.

    >>> unpolyder(np.array([1.0, 1.0]), np.zeros(3))
    array([2., 1., 0.])
    """
    if b is ZERO:
        return b
    result = np.zeros((len(p), *b.shape[1:]), b.dtype)
    result[: len(b)] = (b * _falling(result, m)[: len(b)])[: len(p)]
    return result


def unpolyint(b: Any, p: Any, m: int = 1) -> Any:
    """The adjoint of ``np.polyint(p, m)``."""
    if b is ZERO:
        return b
    factors = np.polyint(np.ones(len(p)), m)[: len(p)]
    return b[: len(p)] * factors.astype(b.dtype)


def headed(b: Any, size: int) -> Any:
    """The last ``size`` entries of ``b``, with zeros in front if it has fewer.

    >>> headed(np.array([1.0, 2.0]), 3), headed(np.array([1.0, 2.0]), 1)
    (array([0., 1., 2.]), array([2.]))
    """
    if b is ZERO:
        return b
    flat = np.atleast_1d(b)
    if len(flat) >= size:
        return flat[len(flat) - size :]
    return np.concatenate([np.zeros(size - len(flat), flat.dtype), flat])
