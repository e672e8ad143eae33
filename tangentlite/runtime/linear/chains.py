"""Products of many matrices: ``np.linalg.multi_dot``.

In: a list of matrices, the first and the last of which may be vectors, and a list of tangents.
Out: the tangent of the product, the adjoints of its factors.
Next: the rules.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from tangentlite.runtime.zero import ZERO


def chain(ds: Any, xs: Any) -> Any:
    """The tangent of the product of ``xs``."""
    if ds is ZERO:
        return ds
    total: Any = ZERO
    for k, d in enumerate(ds):
        if d is not ZERO:
            total = total + reduce(np.dot, [*xs[:k], d, *xs[k + 1 :]])
    return total


def chain_along(ds: Any, es: Any, xs: Any) -> Any:
    """How ``chain(ds, xs)`` moves when the factors move by ``es``."""
    if ds is ZERO or es is ZERO:
        return ZERO
    total: Any = ZERO
    for j, e in enumerate(es):
        if e is not ZERO:
            rest = [ZERO if k == j else d for k, d in enumerate(ds)]
            total = total + chain(rest, [*xs[:j], e, *xs[j + 1 :]])
    return total


def unchain(b: Any, xs: Any) -> Any:
    """The adjoint of the product of ``xs``, one part per factor.

    >>> unchain(np.ones((1, 1)), [np.full((1, 1), 2.0), np.full((1, 1), 3.0)])
    [array([[3.]]), array([[2.]])]
    """
    if b is ZERO:
        return b
    return [_part(b, xs, k) for k in range(len(xs))]


def unchain_along(b: Any, ds: Any, xs: Any) -> Any:
    """How ``unchain(b, xs)`` moves when the factors move by ``ds``."""
    if b is ZERO or ds is ZERO:
        return ZERO
    total: list[Any] = [ZERO] * len(xs)
    for j, d in enumerate(ds):
        if d is not ZERO:
            others = [*xs[:j], d, *xs[j + 1 :]]
            for k in range(len(xs)):
                total[k] = total[k] if k == j else total[k] + _part(b, others, k)
    return total


def _part(b: Any, xs: Any, k: int) -> Any:
    """The adjoint of one factor: what stands before it, the seed, what stands behind."""
    rows, *between, last = map(np.asarray, xs)
    rows = rows[np.newaxis] if rows.ndim == 1 else rows
    last = last[:, np.newaxis] if last.ndim == 1 else last
    matrices = [rows, *between, last]
    seed = np.reshape(b, (np.shape(rows)[0], np.shape(last)[1]))
    before = reduce(np.dot, matrices[:k]) if k else np.eye(np.shape(rows)[0], dtype=seed.dtype)
    after = matrices[k + 1 :]
    behind = reduce(np.dot, after) if after else np.eye(np.shape(last)[1], dtype=seed.dtype)
    return np.reshape(before.T @ seed @ behind.T, np.shape(xs[k]))
