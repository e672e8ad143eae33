"""Values that repeat: ``np.place``, ``np.putmask``, ``np.put`` and ``np.fill_diagonal`` begin again where there are too few."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(vector(), vector(1))
def placed_with_fewer(x, v):
    y = x * x
    np.place(y, W4 > 0.0, v[:2] * x[1])
    return np.sum(W4 * y * y)


@case(vector(), vector(1))
def placed_with_more(x, v):
    y = x * x
    np.place(y, W4 > 1.0, v * x[1])
    return np.sum(W4 * y * y)


@case(vector())
def placed_with_a_list(x):
    y = np.outer(x, x)
    np.place(y, y > 0.1, [x[0], x[1] * x[2], 3.0])
    return np.sum(y * y)


@case(vector())
def placed_with_one(x):
    np.place(x, [1, 0, 2, 0], x[1] * x[3])
    return np.sum(W4 * x * x)


@case(vector())
def placed_with_a_literal(x):
    y = x * x
    np.place(y, W4 > 1.0, -2.0)
    return np.sum(W4 * y * y)


@case(square(), vector())
def a_column_put_by_a_mask(a, v):
    np.putmask(a, W33 > 0.0, np.reshape(v[:3] * a[0, 0], (3, 1)))
    return np.sum(W33 * a * a)


@case(square(), vector())
def fewer_put_by_a_mask(a, v):
    b = a * a
    np.putmask(b, np.ravel(W33) > 0.0, v)
    return np.sum(W33 * b * b)


@case(vector(), vector(1))
def as_many_put_by_a_mask(x, v):
    y = x * x
    np.putmask(y, W4 > 0.0, v)
    return np.sum(W4 * y * y)


@case(square(), vector())
def fewer_put(a, v):
    np.put(a, [0, 4, 7, 8, 2, 4], v * a[1, 1])
    return np.sum(W33 * a * a)


@case(square(), vector())
def more_put(a, v):
    b = a * a
    np.put(b, [5, 1], v)
    return np.sum(W33 * b * b)


@case(square(), vector())
def fewer_on_the_diagonal(a, v):
    np.fill_diagonal(a, v[:2] * a[0, 0])
    return np.sum(W33 * a * a)


@case(square(), vector())
def more_on_the_diagonal(a, v):
    b = a * a
    np.fill_diagonal(b, v)
    return np.sum(W33 * b * b)
