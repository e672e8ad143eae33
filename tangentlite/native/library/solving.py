# mypy: ignore-errors
"""Systems of equations, inverses and determinants, each one short function around LAPACK: those of Numba are a dozen.

In: nothing.
Out: implementations, known to Numba once this module is imported; ``OWN``, the names that kernels call them by.
Next: algebra.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.np.linalg import _LAPACK, F_INT_nptype

from tangentlite.native.facts.known import SOLVED
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.products import FLOATS

ROOM, KIND = np.dtype(F_INT_nptype), ord("d")
NOT_SQUARE = "Last 2 dimensions of the array must be square"
UNEQUAL = "shapes differ: the sides of a system of equations have not as many rows"
SINGULAR = "Singular matrix"


def solve(a, b):
    """``np.linalg.solve``."""
    return np.linalg.solve(a, b)


def inv(a):
    """``np.linalg.inv``."""
    return np.linalg.inv(a)


def slogdet(a):
    """``np.linalg.slogdet``, as a tuple."""
    return np.linalg.slogdet(a)


def det(a):
    """``np.linalg.det``."""
    return np.linalg.det(a)


def _is_single(*kinds):
    """Whether the result is one of single precision; None for what is not a matrix of real numbers beside an array."""
    plain = all(isinstance(k, types.Array) and k.ndim in (1, 2) for k in kinds)
    if not plain or kinds[0].ndim != 2:
        return None
    if not all(isinstance(k.dtype, types.Integer) or k.dtype in FLOATS for k in kinds):
        return None
    return all(k.dtype == types.float32 for k in kinds)


@overload(solve)
def _solve(a, b):
    """In double precision, as NumPy does it."""
    single = _is_single(a, b)
    if single is None:
        return lambda a, b: np.linalg.solve(a, b)
    if single:
        return lambda a, b: solve(a.astype(np.float64), b.astype(np.float64)).astype(np.float32)
    gesv = _LAPACK().numba_xgesv(types.float64)
    return _of_one(gesv) if b.ndim == 1 else _of_many(gesv)


def _of_one(gesv):
    def solved(a, b):
        n = a.shape[0]
        if a.shape[1] != n:
            raise np.linalg.LinAlgError(NOT_SQUARE)
        if len(b) != n:
            raise ValueError(UNEQUAL)
        whole, x, order = np.empty((n, n)), np.empty(n), np.empty(n, ROOM)
        for i in range(n):
            x[i] = b[i]
            for j in range(n):
                whole[j, i] = a[i, j]
        if n and gesv(KIND, n, 1, whole.ctypes, n, order.ctypes, x.ctypes, n):
            raise np.linalg.LinAlgError(SINGULAR)
        return x

    return solved


def _of_many(gesv):
    def solved(a, b):
        n, m = a.shape[0], b.shape[1]
        if a.shape[1] != n:
            raise np.linalg.LinAlgError(NOT_SQUARE)
        if len(b) != n:
            raise ValueError(UNEQUAL)
        whole, x, order = np.empty((n, n)), np.empty((m, n)), np.empty(n, ROOM)
        for i in range(n):
            for j in range(n):
                whole[j, i] = a[i, j]
            for j in range(m):
                x[j, i] = b[i, j]
        if n * m and gesv(KIND, n, m, whole.ctypes, n, order.ctypes, x.ctypes, n):
            raise np.linalg.LinAlgError(SINGULAR)
        return x.T

    return solved


@overload(inv)
def _inv(a):
    single = _is_single(a)
    if single is None:
        return lambda a: np.linalg.inv(a)
    if single:
        return lambda a: inv(a.astype(np.float64)).astype(np.float32)
    gesv = _LAPACK().numba_xgesv(types.float64)

    def found(a):
        n = a.shape[0]
        if a.shape[1] != n:
            raise np.linalg.LinAlgError(NOT_SQUARE)
        whole, x, order = np.empty((n, n)), np.empty((n, n)), np.empty(n, ROOM)
        for i in range(n):
            for j in range(n):
                whole[i, j] = a[i, j]
                x[i, j] = i == j
        if n and gesv(KIND, n, n, whole.ctypes, n, order.ctypes, x.ctypes, n):
            raise np.linalg.LinAlgError(SINGULAR)
        return x

    return found


@overload(slogdet)
def _slogdet(a):
    single = _is_single(a)
    if single is None:
        return lambda a: np.linalg.slogdet(a)
    if single:
        return _single_slogdet
    getrf = _LAPACK().numba_xxgetrf(types.float64)

    def found(a):
        n = a.shape[0]
        if a.shape[1] != n:
            raise np.linalg.LinAlgError(NOT_SQUARE)
        whole, order, sign, total = np.empty((n, n)), np.empty(n, ROOM), 1.0, 0.0
        for i in range(n):
            for j in range(n):
                whole[i, j] = a[i, j]
        if n and getrf(KIND, n, n, whole.ctypes, n, order.ctypes) > 0:
            return 0.0, -np.inf
        for i in range(n):
            if (whole[i, i] < 0) != (order[i] != i + 1):
                sign = -sign
            total += np.log(abs(whole[i, i]))
        return sign, total

    return found


def _single_slogdet(a):
    sign, total = slogdet(a.astype(np.float64))
    return np.float32(sign), np.float32(total)


@overload(det)
def _det(a):
    single = _is_single(a)
    if single is None:
        return lambda a: np.linalg.det(a)
    if single:
        return lambda a: np.float32(det(a.astype(np.float64)))

    def found(a):
        sign, total = slogdet(a)
        return sign * np.exp(total)

    return found


OWN = dict(zip(SOLVED.values(), (solve, inv, det, slogdet)))
