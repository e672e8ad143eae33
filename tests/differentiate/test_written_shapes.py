"""What an array takes in by `s op= e` has its shape: nothing is summed down that was not repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

Y = np.array([[0.3, -0.5, 0.8], [1.1, 0.7, -0.2]])
ROW = np.array([0.4, 1.3, -0.6])
PLAIN: list[Callable[..., Any]] = []
SUMMED: list[Callable[..., Any]] = []


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    PLAIN.append(function)
    return function


def summed(function: Callable[..., Any]) -> Callable[..., Any]:
    SUMMED.append(function)
    return function


@plain
def whole(y, row):
    y = y.copy()
    for _ in range(2):
        y *= row
    return np.sum(y * y)


@plain
def quotient(y, row):
    y = y.copy()
    y /= 2.0 + np.cos(row)
    return np.sum(y * y)


@plain
def part(y, row):
    y = y.copy()
    y[1:] *= row
    return np.sum(y * y)


@plain
def read_as_a_whole(y, row):
    y = y * 2.0
    z = y[...] * y[:]
    z *= row
    return np.sum(z)


@summed
def made_larger(y, row):
    """A product is as large as its factors together where no array takes it in."""
    return np.sum(row * y + row) + np.sum(row * row)


@summed
def in_a_branch(y, row):
    """That a row fits into an array is known only where it was taken in."""
    z = row.copy()
    if row[0] > 10.0:
        z *= y[0]
        y = y * 2.0
    else:
        z = z * y
    return np.sum(z)


@summed
def larger_in_the_end(y, row):
    z = row.copy()
    z *= y[0]
    z = z * y
    return np.sum(z * z)


@pytest.mark.parametrize("function", [*PLAIN, *SUMMED])
def test_derivatives(function: Callable[..., Any], confirm: Any) -> None:
    confirm(function, Y, ROW)


@pytest.mark.parametrize("function", PLAIN)
def test_nothing_is_summed_down_to_what_was_written(function: Callable[..., Any]) -> None:
    slope = tl.grad(function)
    slope(Y, ROW)
    assert "unbroadcast" not in slope.source


@pytest.mark.parametrize("row", [np.ones((1, 3)), np.ones((1, 1, 3)), np.ones((2, 3))])
@pytest.mark.parametrize("optimized", [True, False])
def test_what_does_not_fit_is_refused_as_numpy_refuses_it(row: Any, optimized: bool) -> None:
    with pytest.raises(ValueError, match="broadcast"):
        whole(ROW, row)
    with pytest.raises(ValueError, match="broadcast"):
        tl.grad(whole, wrt=(0, 1), optimized=optimized)(ROW, row)
    with pytest.raises(ValueError, match="broadcast"):
        tl.jvp(whole, wrt=(0, 1))(ROW, row, tangent=(ROW, row))


def test_a_store_takes_what_has_more_axes_of_one_element() -> None:
    def stored(y, row):
        y = y.copy()
        y[...] = y * row
        return np.sum(y * y)

    slopes = tl.grad(stored, wrt=(0, 1))(ROW, np.full((1, 3), 2.0))
    np.testing.assert_allclose(slopes[0], 8.0 * ROW)
    np.testing.assert_allclose(slopes[1], [4.0 * ROW**2])
