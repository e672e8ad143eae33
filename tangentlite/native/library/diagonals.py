# mypy: ignore-errors
# ruff: noqa: D103
"""Diagonals and triangles, and determinants, whose derivatives are matrices, as Numba reads them.

In: nothing.
Out: implementations, known to Numba once this module is imported.
Next: spelling.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload_method, register_jitable

from tangentlite import runtime
from tangentlite.native.library.perhaps import overload
from tangentlite.native.library.products import product, solid
from tangentlite.native.library.solving import det
from tangentlite.native.looping.nests import MISMATCH


def _is_array(kind, *ranks):
    return isinstance(kind, types.Array) and kind.ndim in (ranks or (kind.ndim,))


@overload(runtime.undiag)
def undiag(b, x, k=0):
    """Of a matrix that was made of a line, and of a line that was taken out of a matrix."""
    if _is_array(x, 1) and _is_array(b, 2):

        def line(b, x, k=0):
            down, right = max(-k, 0), max(k, 0)
            r = np.empty(len(x), b.dtype)
            for i in range(len(x)):
                r[i] = b[i + down, i + right]
            return r

        return line
    if not (_is_array(x, 2) and _is_array(b, 1)):
        return None

    def whole(b, x, k=0):
        down, right = max(-k, 0), max(k, 0)
        if len(b) != max(min(x.shape[0] - down, x.shape[1] - right), 0):
            raise ValueError(MISMATCH)
        r = np.zeros(x.shape, b.dtype)
        for i in range(len(b)):
            r[i + down, i + right] = b[i]
        return r

    return whole


@overload(np.diagonal)
@overload_method(types.Array, "diagonal")
def diagonal(a, offset=0):
    """A view, as NumPy gives it."""
    if not _is_array(a, 2):
        return None

    def view(a, offset=0):
        down, right = max(-offset, 0), max(offset, 0)
        n = max(min(a.shape[0] - down, a.shape[1] - right), 0)
        return np.lib.stride_tricks.as_strided(
            a[down:, right:], (n,), (a.strides[0] + a.strides[1],)
        )

    return view


@overload(runtime.undiagonal)
def undiagonal(b, x, offset=0):
    """Of a line that was taken out of a matrix."""
    if not _is_array(x, 2):
        return None
    return lambda b, x, offset=0: runtime.undiag(b, x, offset)


@overload(runtime.untrace)
def untrace(b, x, offset=0):
    if not _is_array(x, 2) or _is_array(b) or not isinstance(x.dtype, types.Float):
        return None

    def whole(b, x, offset=0):
        down, right = max(-offset, 0), max(offset, 0)
        r = np.zeros(x.shape, x.dtype)
        for i in range(min(x.shape[0] - down, x.shape[1] - right)):
            r[i + down, i + right] = b
        return r

    return whole


@overload(runtime.main_diagonal)
def main_diagonal(a):
    if not _is_array(a, 2):
        return None

    def places(a):
        line = np.arange(min(a.shape))
        return line, line

    return places


@overload(runtime.cofactors)
def cofactors(a):
    if not _is_array(a, 2):
        return None

    def found(a):
        u, s, vh = np.linalg.svd(solid(a))
        sign = det(u) * det(vh)
        for k in range(len(s)):
            others = sign
            for other in range(len(s)):
                others *= s[other] if other != k else 1.0
            for i in range(len(s)):
                u[i, k] *= others
        return product(u, vh)

    return found


@overload(np.expand_dims)
def expand_dims(a, axis):
    """A number with axes of length one."""
    if _is_array(a) or not isinstance(a, (types.Float, types.Integer)):
        return None
    if isinstance(axis, types.BaseTuple):
        ones = (1,) * len(axis)
        return lambda a, axis: np.full(ones, a)
    return lambda a, axis: np.full(1, a)


def upper(m, k=0):
    """``np.triu``."""
    return np.triu(m, k)


def lower(m, k=0):
    """``np.tril``."""
    return np.tril(m, k)


@overload(upper)
def _upper(m, k=0):
    return _half(m, k, lambda i, j, k: j - i >= k)


@overload(lower)
def _lower(m, k=0):
    return _half(m, k, lambda i, j, k: j - i <= k)


def _half(m, k, inside):
    if not _is_array(m, 2):
        return None
    kept = register_jitable(inside)

    def half(m, k=0):
        r = np.zeros(m.shape, m.dtype)
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                if kept(i, j, k):
                    r[i, j] = m[i, j]
        return r

    return half


OWN = {"_upper": upper, "_lower": lower}
