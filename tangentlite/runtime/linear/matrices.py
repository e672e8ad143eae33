"""Matrices: transposes, columns, triangles, cofactors.

In: a matrix, or a stack of matrices.
Out: what the rules of linear algebra are made of.
Next: einsum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.zero import ZERO


def mT(x: Any) -> Any:
    """The transpose of a matrix, or of each matrix in a stack."""
    return x if x is ZERO else np.swapaxes(x, -1, -2)


def mH(x: Any) -> Any:
    """The conjugate transpose; of a real matrix the transpose."""
    return x if x is ZERO else np.conj(np.swapaxes(x, -1, -2))


def columns(x: Any, y: Any) -> Any:
    """``x`` as columns where the right-hand side ``y`` of a system is one vector."""
    return x if x is ZERO or np.ndim(y) != 1 else x[..., np.newaxis]


def uncolumns(x: Any, y: Any) -> Any:
    """What ``columns`` made, as vectors again."""
    return x if x is ZERO or np.ndim(y) != 1 else x[..., 0]


def lower(x: Any) -> Any:
    """The lower triangle with half the diagonal: linear, and its own adjoint.

    >>> lower(np.ones((2, 2)))
    array([[0.5, 0. ],
           [1. , 0.5]])
    """
    return x if x is ZERO else np.tril(x) - 0.5 * np.tril(np.triu(x))


def cofactors(a: Any) -> Any:
    """The derivative of the determinant: each entry's cofactor, for singular matrices too.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]])).round(6)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    u, s, vh, sign = _turned(a)
    n = s.shape[-1]
    others = np.stack([np.prod(np.delete(s, k, -1), axis=-1) for k in range(n)], axis=-1)
    return sign * ((u * others[..., np.newaxis, :]) @ vh)


def cofactors_along(a: Any, m: Any) -> Any:
    """How the cofactors of ``a`` move when ``a`` moves by ``m``: linear in m, its own adjoint.

    >>> cofactors_along(np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 4.0]])).round(6) + 0.0
    array([[ 4., -3.],
           [-2.,  1.]])
    """
    if m is ZERO:
        return m
    u, s, vh, sign = _turned(a)
    n = s.shape[-1]
    pairs = np.zeros((*s.shape, n))
    for i, k in ((i, k) for i in range(n) for k in range(n) if i != k):
        pairs[..., i, k] = np.prod(np.delete(s, (i, k), -1), axis=-1)
    turned = mT(u) @ m @ mT(vh)
    diagonal = pairs @ np.diagonal(turned, 0, -2, -1)[..., np.newaxis]
    return sign * (u @ (diagonal * np.eye(n) - pairs * mT(turned)) @ vh)


def _turned(a: Any) -> tuple[Any, Any, Any, Any]:
    """Singular values and vectors, and the sign that the vectors turn volumes by."""
    u, s, vh = np.linalg.svd(real_only(a))
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return u, s, vh, np.asarray(sign)[..., np.newaxis, np.newaxis]


def swapped_rows(pivots: Any) -> Any:
    """The order of rows after the exchanges that LAPACK notes.

    >>> swapped_rows([2, 2, 2])
    array([2, 0, 1])
    """
    order = np.arange(len(pivots))
    for k, other in enumerate(pivots):
        order[[k, other]] = order[[other, k]]
    return order


def real_only(x: Any) -> Any:
    """``x``, or a TypeError if it is complex."""
    if np.iscomplexobj(x):
        raise TypeError("this derivative is written for real numbers; the array is complex")
    return x
