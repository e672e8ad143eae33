"""Outer products that a loop adds to one matrix: their rows are kept, and multiplied many at a time.

In: the sum so far, and two vectors.
Out: the sum, which lacks the rows that are kept until ``add_rows``.
Next: products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentlite.runtime.zero import ZERO

ROWS = 64  # a product of so many takes no longer than half of them one by one


def add_outer(b: Any, x: Any, y: Any, rows: list[Any]) -> Any:
    """``b + np.outer(x, y)``, now or when the kept ``rows`` are added.

    >>> rows = []
    >>> b = add_outer(ZERO, np.array([1.0, 2.0]), np.array([1.0, 0.0, 5.0]), rows)
    >>> b, len(rows), add_rows(b, rows)
    (ZERO, 1, array([[ 1.,  0.,  5.],
           [ 2.,  0., 10.]]))
    """
    if x is ZERO or y is ZERO:
        return b
    rows.append((x.copy(), y.copy()))
    return b if len(rows) < ROWS else add_rows(b, rows)


def add_rows(b: Any, rows: list[Any]) -> Any:
    """``b``, into which the outer products of all pairs of ``rows`` are added, that are gone then."""
    if not rows:
        return b
    xs, ys = map(np.array, zip(*rows))
    rows.clear()
    product = xs.T.dot(ys)
    if b is ZERO:
        return product
    b += product
    return b
