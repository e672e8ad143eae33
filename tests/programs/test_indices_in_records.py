"""Indices that a helper made and another reads come back from a record: they have no derivative."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl


@tl.inactive
def order(x, n):
    return np.argsort(x, -1)[..., :n]


def along(x, where):
    return np.take_along_axis(np.asarray(x), where, -1)


def taken(x, where):
    return np.take(np.asarray(x), where)


def first_along(x, n):
    return along(x, order(x, n))


def first_taken(x, n):
    return taken(x, order(x, n))


@pytest.mark.parametrize("pick", [first_along, first_taken])
def test_second_derivatives(pick):
    x = np.random.default_rng(1).normal(size=(2, 7))

    def f(x):
        return np.sum(np.sin(pick(x, 2) * x[:, :2]))

    assert tl.check_grads(f, x, modes=("reverse", "forward")).ok
    assert tl.check_grads(tl.grad(f), x, modes=("reverse", "forward"), order=1).ok
