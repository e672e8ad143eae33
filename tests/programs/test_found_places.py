"""`np.where(condition)`: places that are found, and what is asked of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, -0.4, 1.3, 0.2, -1.1])


@case(X)
def the_first(x):
    return x[np.where(x > 1.0)[0][0]] ** 2 * x[0]


@case(X)
def the_last_and_how_many(x):
    places = np.where(x > 0)[0]
    return x[places.max()] ** 2 * np.where(x < 0)[0].size + np.where(x > 0)[0].sum() * x[0]


@case(X)
def walked(x):
    y = x
    for i in np.where(x > 0)[0]:
        y = y * x[i]
    return np.sum(y)


@case(np.outer(X, X[:3]))
def in_a_matrix(x):
    rows, columns = np.where(x > 0.1)
    return np.sum(x[rows, columns] ** 2) * (rows.min() + columns.max())


@pytest.mark.parametrize(("f", "args", "options"), cases(__name__), ids=label)
def test_places(f, args, options):
    check(f, *args, **options)
