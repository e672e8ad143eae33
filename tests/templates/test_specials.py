"""Parts of numbers, even ratios, bounds by keyword, and numbers in lists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import calls, check

TEXTS = """
np.var(M, correction=1)
np.std(M, axis=1, correction=1)
M.std(0, ddof=1)
np.linspace(X, Y, 5)
np.linspace(X, Y, 5, axis=0)
np.linspace(X, Y, num=5, retstep=True)
np.linspace(V, W, num=3, retstep=True, endpoint=False)
np.linspace(V, W, 4, axis=1)
np.linspace(V, W, 4, axis=-1)
np.linspace(V, 2.0, 4)
np.linspace(X, W, 4)
np.linspace(X, Y, 5, dtype=float)
np.linspace(X, 2.0, 5, False)
np.linspace(0.0, W, 3, axis=1, dtype=float)
V.astype(float, copy=False)
np.require(V)
np.real_if_close(V)
np.unique(V, return_index=True)
np.unique(V, return_index=True)[0]
np.unique(M, return_inverse=True, return_counts=True)[0]
np.unique(V, True, True, True)[0]
np.unique(V)
np.unique_values(V)
M[M[0].searchsorted(0.1)]
np.nan_to_num(V, nan=1.0)
np.nan_to_num(V, copy=True)
np.i0(V)
np.angle(V, deg=True)
np.nextafter(V, 2.0)
np.frexp(V)[0]
np.frexp(X)
math.frexp(X)[0]
math.dist(V, W)
math.dist([X, Y], [1.0, 2.0])
math.prod([X, Y, 2.0])
math.prod(V)
math.hypot(X, Y, 2.0)
math.hypot(X)
math.nextafter(X, 2.0)
np.logspace(X, Y, 5)
np.geomspace(X, Y, 5)
np.linspace(X, Y, 5)
np.linspace(X, Y, 5, axis=0)
V.clip(0.0, 0.5)
np.clip(V, None, 0.5)
np.clip(V, a_min=0.0, a_max=0.5)
np.clip(V, 0.0, X)
np.clip(V, min=0.0, max=0.5)
np.clip(V, min=X)
np.clip(V, max=X)
np.clip(V, min=N, max=W)
math.hypot(X, Y)
math.prod([X, 0.0, Y])
math.prod([X, Y], start=Y)
math.dist((X, 1.0), (Y, X))
np.i0(M)
np.geomspace(W, 2.0, 4)
np.logspace(X, Y, num=4, base=2.0)
np.logspace(0.0, X, 4, endpoint=False)
np.clip(V, None, X)
V.clip(max=X)
V.clip(max=X, min=N)
math.dist((X, 1.0), (Y, 2.0))
math.dist([X, 1.0], [Y, X])
math.dist([X, 1.0], [Y, 2.0])
math.dist([X, Y], [2.0, 1.0])
math.dist([X, Y], V[:2])
math.dist([X, X], [0.1, 0.2])
np.sum(np.subtract([X, 1.0], [Y, X])**2)
np.sum(np.subtract([X, 1.0], [Y, 2.0])**3)
np.sum(np.subtract([X, 1.0], [3.0, 2.0])**3)
"""


@pytest.mark.parametrize(("text", "second"), calls(TEXTS))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


def test_each_use_of_a_list_counts_with_its_sign() -> None:
    def f(x: float) -> float:
        items, ones = [x, 2.0 * x], np.ones(2)
        return np.sum(np.subtract(ones, items)) + np.sum(3.0 * np.subtract(ones, items))

    assert tl.grad(f)(0.5) == -12.0


def test_an_upper_bound_alone() -> None:
    x = np.array([0.3, -1.2, 0.8])
    found = tl.grad(lambda x, h: np.sum(np.clip(x, None, h) * np.arange(3.0)), (0, 1))(x, 0.5)
    np.testing.assert_array_equal(found[0], [0.0, 1.0, 0.0])
    assert found[1] == 2.0


def test_rows_between_two_rows_are_a_matrix() -> None:
    def f(v: Any) -> Any:
        rows = np.linspace(v, np.ones(3), 3)
        return np.sum((rows @ np.ones(3)) * np.array([1.0, 2.0, 4.0]))

    np.testing.assert_allclose(tl.grad(f)(np.array([0.3, -1.2, 0.8])), [2.0, 2.0, 2.0])


def test_points_that_meet_have_a_flat_distance() -> None:
    assert tl.grad(lambda x: math.dist([x, 1.0], [2.0, 1.0]))(2.0) == 0.0
