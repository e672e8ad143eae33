"""Pieces of the derivatives of matrix factorizations: gaps between values, mirrored triangles, blocks.

In: matrices, or stacks of them.
Out: linear maps and their adjoints.
Next: the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.linear.matrices import mH, mT
from tangentlite.runtime.zero import ZERO


def gapped(m: Any, x: Any) -> Any:
    """``m[i, j] / (x[j] - x[i])``, zero on the diagonal; a TypeError if two values are equal.

    >>> gapped(np.array([[5.0, 1.0], [3.0, 5.0]]), np.array([1.0, 3.0]))
    array([[ 0. ,  0.5],
           [-1.5,  0. ]])
    """
    if m is ZERO:
        return m
    diagonal = np.eye(np.shape(x)[-1], dtype=bool)
    gaps = np.where(diagonal, 1.0, steps_between(x))
    if (np.abs(gaps) <= 1e-13 * np.max(np.abs(x), -1, initial=0.0)[..., None, None]).any():
        raise TypeError(
            "two eigenvalues or singular values are equal: the vectors have no derivative; "
            "np.linalg.eigvalsh and np.linalg.svdvals give the values alone"
        )
    return np.where(diagonal, 0.0, m / gaps)


def inverted(s: Any, u: Any, v: Any) -> Any:
    """``1 / s`` as a row, for what moves beside the square part; zero if there is nothing beside it."""
    if np.shape(u)[-2] == np.shape(v)[-2] == np.shape(s)[-1]:
        return np.zeros((*np.shape(s)[:-1], 1, np.shape(s)[-1]), np.asarray(s).dtype)
    if (s <= 1e-13 * np.max(s, -1, keepdims=True, initial=0.0)).any():
        raise TypeError("a singular value is zero: the vectors have no derivative")
    return 1.0 / np.expand_dims(s, -2)


def steps_between(x: Any) -> Any:
    """``x[j] - x[i]``: linear.

    >>> steps_between(np.array([1.0, 3.0]))
    array([[ 0.,  2.],
           [-2.,  0.]])
    """
    if x is ZERO:
        return x
    return x[..., np.newaxis, :] - x[..., :, np.newaxis]


def unsteps_between(b: Any) -> Any:
    """The adjoint of ``steps_between``."""
    return b if b is ZERO else np.sum(b, -2) - np.sum(b, -1)


def mirrored(x: Any, side: str = "L") -> Any:
    """The Hermitian matrix of which ``x`` gives one triangle: what NumPy reads of it.

    >>> mirrored(np.array([[1.0, 9.0], [2.0, 3.0]]))
    array([[1., 2.],
           [2., 3.]])
    """
    if x is ZERO:
        return x
    half = np.tril(x) if side.upper() == "L" else np.triu(x)
    return half + mH(half) - np.real(half) * np.eye(np.shape(x)[-1], dtype=half.dtype)


def unmirrored(b: Any, side: str = "L") -> Any:
    """The adjoint of ``mirrored``."""
    if b is ZERO:
        return b
    whole = b + mH(b) - np.real(b) * np.eye(np.shape(b)[-1], dtype=b.dtype)
    return np.tril(whole) if side.upper() == "L" else np.triu(whole)


def doubled(a: Any, v: Any) -> Any:
    """``[[a, v], [0, a]]``: a function of it has in its corner the derivative along ``v``."""
    if v is ZERO:
        v = np.zeros_like(a)
    n = np.shape(a)[-1]
    a, v = np.broadcast_arrays(a, v)
    result = np.zeros((*a.shape[:-2], 2 * n, 2 * n), np.result_type(a, v))
    result[..., :n, :n] = result[..., n:, n:] = a
    result[..., :n, n:] = v
    return result


def corner(m: Any) -> Any:
    """The block at the upper right."""
    if m is ZERO:
        return m
    n = np.shape(m)[-1] // 2
    return m[..., :n, n:]


def uncorner(b: Any) -> Any:
    """The adjoint of ``corner``."""
    if b is ZERO:
        return b
    n = np.shape(b)[-1]
    result = np.zeros((*np.shape(b)[:-2], 2 * n, 2 * n), b.dtype)
    result[..., :n, n:] = b
    return result


def twice(m: Any) -> Any:
    """The sum of both diagonal blocks: the adjoint of ``a`` in ``doubled(a, v)``."""
    if m is ZERO:
        return m
    n = np.shape(m)[-1] // 2
    return m[..., :n, :n] + m[..., n:, n:]


def untwice(b: Any) -> Any:
    """The adjoint of ``twice``."""
    return b if b is ZERO else doubled(b, ZERO)


def complement(x: Any) -> Any:
    """The unit matrix less ``x``."""
    return np.eye(np.shape(x)[-1], dtype=np.result_type(x, np.float16)) - x


def thin(q: Any, r: Any) -> Any:
    """``q``, or a TypeError if the factors are not those of the reduced form."""
    if np.ndim(r) < 2 or np.shape(q)[-1] != np.shape(r)[-2] or np.ndim(q) != np.ndim(r):
        raise TypeError("np.linalg.qr is differentiated in its reduced form only")
    if np.shape(q)[-1] > np.shape(r)[-1]:
        raise TypeError("np.linalg.qr of a tall matrix is differentiated in its reduced form only")
    return q


def diagonal_matrix(x: Any) -> Any:
    """Matrices with the last axis of ``x`` on their diagonals."""
    if x is ZERO:
        return x
    return np.expand_dims(x, -1) * np.eye(np.shape(x)[-1], dtype=np.asarray(x).dtype)


def sums_between(x: Any) -> Any:
    """``x[i] + x[j]``: linear."""
    return x if x is ZERO else x[..., np.newaxis, :] + x[..., :, np.newaxis]


def unsums_between(b: Any) -> Any:
    """The adjoint of ``sums_between``."""
    return b if b is ZERO else np.sum(b, -2) + np.sum(b, -1)


def skew(x: Any) -> Any:
    """A matrix less its conjugate transpose: linear, and its own adjoint."""
    return x if x is ZERO else x - mH(x)


def lower_skew(x: Any) -> Any:
    """The skew matrix that has the lower triangle of ``x``, and the diagonal if that is imaginary.

    >>> lower_skew(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 0., -3.],
           [ 3.,  0.]])
    """
    return x if x is ZERO else skew(np.tril(x, -1)) + _imaginary_diagonal(x)


def unlower_skew(b: Any) -> Any:
    """The adjoint of ``lower_skew``."""
    return b if b is ZERO else np.tril(skew(b), -1) + _imaginary_diagonal(b)


def _imaginary_diagonal(x: Any) -> Any:
    """What a unitary matrix adds to a skew one; zero for real numbers."""
    if not np.iscomplexobj(x):
        return x.dtype.type(0)
    return 1j * np.imag(x) * np.eye(np.shape(x)[-1], dtype=x.dtype)


def leading(x: Any, like: Any) -> Any:
    """As many columns of ``x`` as the last axis of ``like`` is long."""
    return x if x is ZERO else x[..., : np.shape(like)[-1]]


def unleading(b: Any, x: Any) -> Any:
    """The adjoint of ``leading(x, …)``: columns of zeros behind."""
    if b is ZERO:
        return b
    result = np.zeros((*np.shape(b)[:-1], np.shape(x)[-1]), b.dtype)
    result[..., : np.shape(b)[-1]] = b
    return result


def trailing(x: Any, like: Any) -> Any:
    """The columns of ``x`` that ``leading`` leaves."""
    return x if x is ZERO else x[..., np.shape(like)[-1] :]


def spanned(b: Any, v: Any) -> Any:
    """The adjoint ``b`` of vectors of which only the space that they span is known; a TypeError if more counts.

    >>> spanned(2.0 * np.eye(2), np.eye(2))
    array([[2., 0.],
           [0., 2.]])
    """
    if b is ZERO or not np.any(b):
        return b
    turned = np.abs(skew(mH(v) @ b)).max(initial=0.0)
    if turned > np.sqrt(np.finfo(b.dtype).eps) * np.abs(b).max():
        raise TypeError(
            "the result depends on which vectors span the space beside the singular values, "
            "which has no derivative; np.linalg.svd(a, full_matrices=False) leaves them out"
        )
    return b


def untrailing(b: Any, x: Any) -> Any:
    """The adjoint of ``trailing(x, …)`` and of ``last_columns``: columns of zeros in front."""
    if b is ZERO:
        return b
    result = np.zeros((*np.shape(b)[:-1], np.shape(x)[-1]), b.dtype)
    result[..., np.shape(x)[-1] - np.shape(b)[-1] :] = b
    return result


def last_columns(x: Any, g: Any) -> Any:
    """As many of the last columns of ``x`` as ``g`` has."""
    return x if x is ZERO else x[..., np.shape(x)[-1] - np.shape(g)[-1] :]


def solved_right(x: Any, u: Any) -> Any:
    """``x u⁻¹`` for a triangle ``u``; a TypeError if it is singular."""
    if x is ZERO:
        return x
    diagonal = np.abs(np.diagonal(u, 0, -2, -1))
    if (diagonal <= 1e-14 * np.max(np.abs(u), (-2, -1), initial=0.0)[..., None]).any():
        raise TypeError("a triangular factor is singular: the factors have no derivative")
    return mT(np.linalg.solve(mT(u), mT(x)))


def column_sums(x: Any, like: Any) -> Any:
    """The sums of the columns in the shape of ``like``, which may have no elements."""
    if x is ZERO:
        return x
    if not np.size(like):
        return np.zeros(np.shape(like), x.dtype)
    return np.reshape(np.sum(x, 0), np.shape(like))


def uncolumn_sums(b: Any, x: Any) -> Any:
    """The adjoint of ``column_sums(x, …)``."""
    if b is ZERO:
        return b
    return np.zeros(np.shape(x)) if not np.size(b) else b + np.zeros(np.shape(x), b.dtype)


def pins(v: Any, where: str = "L", held: bool = True) -> Any:
    """One over the entry of each column that LAPACK makes real, zero elsewhere: what holds its phase.

    ``where``: "L" in the first row, "U" in the last one, "largest" at the largest real entry. A column whose
    entry vanishes there has no phase of its own; with ``held`` false none has.

    >>> pins(np.array([[0.5, 0.0], [0.1j, 1.0]]))
    array([[2., 0.],
           [0., 0.]])
    """
    v = np.asarray(v)
    result = np.zeros(v.shape, np.real(v).dtype)
    if not (held and v.size and np.iscomplexobj(v)):
        return result
    row = 0 if where.upper() == "L" else v.shape[-2] - 1
    at = np.full((*v.shape[:-2], 1, v.shape[-1]), row)
    if where == "largest":
        at = np.argmax(np.where(v.imag == 0, np.abs(v), 0.0), -2, keepdims=True)
    entry = np.take_along_axis(v, at, -2)
    near = np.finfo(result.dtype).eps ** 0.5
    pinned = (np.abs(entry.real) > near) & (np.abs(entry.imag) < near * np.abs(entry.real))
    np.put_along_axis(result, at, pinned / np.where(pinned, entry.real, 1.0), -2)
    return result


__all__ = [
    "column_sums",
    "complement",
    "corner",
    "diagonal_matrix",
    "doubled",
    "gapped",
    "inverted",
    "last_columns",
    "leading",
    "lower_skew",
    "mirrored",
    "pins",
    "skew",
    "solved_right",
    "spanned",
    "steps_between",
    "sums_between",
    "thin",
    "trailing",
    "twice",
    "uncolumn_sums",
    "uncorner",
    "unleading",
    "unlower_skew",
    "unmirrored",
    "unsteps_between",
    "unsums_between",
    "untrailing",
    "untwice",
]
