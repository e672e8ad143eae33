"""Columns that are cut out as matrices (``a[:, 1:2]``) have length one: they are broadcast."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")


def distances(p, w):
    """The differences of all pairs."""
    x, y = p[:, 0:1], p[:, 1:2]
    dx = x.T - x
    dy = y.T - y
    return np.sum(w * (dx**2 + dy**2 + 0.1) ** -1.5)


def in_place(p, w):
    first = p[:1]
    last = p[:, 2:3]
    for _ in range(2):
        p *= 0.5
        p += np.sin(first) * w + last
    return np.sum(p * p)


def helper(p):
    return p[:, 0:1]


def by_helper(p, w):
    x = helper(p)
    return np.sum(np.sin(x) * w)


P = normal(size=(4, 3))


@pytest.mark.parametrize("shape", [(4, 3), (1, 3), (4, 2)])
def test_columns(shape: tuple[int, int]) -> None:
    agree(distances, (normal(size=shape), normal(size=(shape[0], shape[0]))))


def test_columns_in_place() -> None:
    agree(in_place, (P, normal(size=(4, 3))))
    agree(by_helper, (P, normal(size=(4, 1))))
    agree(by_helper, (P, normal(size=(4, 3))))


def test_columns_that_are_not_there() -> None:
    """Nothing is read outside of an array."""
    args = normal(size=(4, 1)), normal(size=(4, 4))
    for _ in range(2):
        with pytest.raises((ValueError, tl.UnsupportedSyntaxError)):
            tl.grad(distances, wrt=(0, 1), compile="numba")(*args)
    made = tl.grad(by_helper, wrt=(0, 1), compile="numba")
    try:
        found = made(np.zeros((4, 0)), normal(size=(4, 3)))
    except (ValueError, tl.UnsupportedSyntaxError):
        return
    assert found[0].shape == (4, 0)
