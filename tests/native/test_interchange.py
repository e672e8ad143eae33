"""Loops of which the outer one walks the last axis change places; gradients stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")


def triangular(a, b, w):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    return np.sum(b * w)


def columns(a, x, w):
    """A product of a matrix and a vector, column by column."""
    y = np.zeros(a.shape[0])
    for j in range(a.shape[1]):
        t = np.sin(x[j])
        for k in range(a.shape[0]):
            y[k] += a[k, j] * t
    return np.sum(y * w)


def left_behind(a, x, w):
    """What a trip leaves is read behind the loops."""
    y, t = np.zeros(a.shape[0]), 1.0
    for j in range(1, a.shape[1]):
        t = x[j] * x[j - 1]
        for k in range(a.shape[0]):
            y[k] += a[k, j] * t
    return np.sum(y * w) * t


def next_column(a, w):
    """A trip writes what the next one reads."""
    for j in range(a.shape[1] - 1):
        for k in range(a.shape[0] - 1):
            a[k + 1, j] += a[k, j + 1] * w[k, j]
            a[k, j] *= 0.5
    return np.sum(a * a)


def other_row(a, w):
    """An element of every trip is one that another trip writes."""
    for j in range(a.shape[1]):
        t = a[0, a.shape[1] - 1 - j]
        for k in range(a.shape[0]):
            a[k, j] = a[k, j] * t + w[k, j]
    return np.sum(a * a)


def from_the_end(a, w, n):
    """Each column is met twice: first with an index from the end."""
    for j in range(-n, n):
        t = w[0, j]
        for k in range(1, a.shape[0]):
            a[k, j] = np.sin(a[k, j]) * t + a[k - 1, j]
    return np.sum(a * w)


def picked(a, w, at):
    for j in range(a.shape[1]):
        t = w[0, j] * 2.0
        for k in range(a.shape[0]):
            a[k, at[j]] = a[k, at[j]] * t + w[k, j]
    return np.sum(a * w)


def two_names(a, w):
    b = a[1:]
    for j in range(a.shape[1]):
        t = w[0, j]
        for k in range(b.shape[0]):
            b[k, j] = t * a[k, a.shape[1] - 1 - j] + w[k, j]
    return np.sum(a * w)


A, B, W = normal(size=(4, 4)), normal(size=(4, 5)), normal(size=(4, 5))
AT = np.array([1, 1, 0, 4, 1])
CHANGED = ((triangular, (A, B, W)), (columns, (B, normal(size=5), normal(size=4))))
KEPT: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    (left_behind, (B, normal(size=5), normal(size=4))),
    (next_column, (B, W)),
    (other_row, (B, W)),
    (from_the_end, (B, W, 5)),
    (picked, (B, W, AT)),
    (two_names, (B, W)),
)


@pytest.mark.parametrize(("function", "args"), CHANGED)
def test_loops_change_places(function: Any, args: tuple[Any, ...]) -> None:
    made = agree(function, args)
    assert "_o" in made.kernels
    short = tuple(a[:0] if k else a[:0, :0] for k, a in enumerate(args))
    for found in made(*short):
        assert found.size == 0
    single = tuple(a.astype(np.float32) for a in args)
    for mine, other in zip(made(*single), made(*args)):
        assert mine.dtype == np.float32
        np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("function", "args"), KEPT)
def test_order_that_matters(function: Any, args: tuple[Any, ...]) -> None:
    agree(function, args)
