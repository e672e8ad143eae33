"""Arrays of whole numbers, truths and complex numbers whose types have Python's names: with Numba as without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

KERNELS: list[Callable[..., Any]] = []
X = np.abs(normal(size=4)) + 0.1 * np.arange(4)


def kernel(function: Any) -> Any:
    KERNELS.append(function)
    return function


@kernel
def places_and_counts(x):
    n, total = len(x), 0.0
    places, counts = np.zeros(n, dtype=int), np.zeros(n, int)
    for i in range(n):
        places[i] = (3 * i + 1) % n
        counts[places[i]] += 1
    halves, marks = counts // 2, counts * 2 - 1
    for i in range(n):
        total += x[places[i]] ** 2 * marks[i] + halves[i] * x[i] - counts[i] / 2 * x[i]
    return total


@kernel
def marks(x):
    large = np.zeros(len(x), dtype=bool)
    for i in range(len(x)):
        if x[i] > 0.5:
            large[i] = True
    return np.sum(x[large] ** 2) + np.sum(np.where(~large, 3 * x, x)) + large.sum() * x[0]


@kernel
def predecessors(x):
    n = len(x)
    before, d = np.full(n, -1, dtype=int), np.full(n, np.inf)
    d[0] = 0.0
    for i in range(n):
        for j in range(n):
            w = abs(x[i] - x[j]) + abs(i - j)
            if d[i] + w < d[j]:
                d[j] = d[i] + w
                before[j] = i
    return d.sum() + before[n - 1] * x[0]


@kernel
def all_that_make_arrays(x):
    ones, like = np.ones(4, dtype=float), np.zeros_like(x, dtype=int)
    chosen, steps = np.asarray([1, 0, 3], dtype=int), np.arange(4, dtype=float)
    like[1], table = 4, np.array([1, 2, 3, 4], dtype=float)
    return (
        np.sum(ones * steps * x + like * x)
        + np.sum(x[chosen])
        + np.sum(table * x * np.eye(4, dtype=float))
    )


@kernel
def amplitudes(x):
    z, t = np.zeros(3, dtype=complex), np.sum(x)
    z[1:] += t * t
    return np.sum(np.abs(z) ** 2)


@pytest.mark.parametrize("function", KERNELS, ids=lambda f: f.__name__)
def test_kernels(function):
    agree(function, (X,))


def scaled(a, axis=None, b=None, keepdims=False):
    if b is not None:
        a = a * b
    return np.sum(np.exp(a), axis=axis)


def defaults_that_are_none(x, y):
    return np.sum(scaled(x[:, None] + y, axis=0) ** 2) + scaled(x)


def test_helpers_whose_defaults_are_none():
    agree(defaults_that_are_none, (X, normal(size=(4, 4))))


def test_axes_that_a_helper_is_given_are_refused_clearly():
    """``rt.unreduce(b, x, axis, keepdims)`` of the pair of `logsumexp` has a name for its last argument."""
    special = pytest.importorskip("scipy.special")

    def summed(x, y):
        return special.logsumexp(special.logsumexp(x[:, None] + y, axis=0) + x)

    with pytest.raises(tl.UnsupportedSyntaxError, match="Numba does not compile"):
        tl.grad(summed, compile="numba")(X, normal(size=(4, 4)))


def first_of(xs):
    total = 0.0
    for i in range(2):
        total += xs[i] ** 2
    return total


@pytest.mark.filterwarnings("ignore:[\\s\\S]*reflected list")  # Numba's word on lists
@pytest.mark.parametrize("xs", [[0.5, 0.7], (0.5, 0.7)], ids=["list", "tuple"])
def test_lists_of_numbers_are_taken(xs):
    df = tl.grad(first_of, compile="numba")
    found = df(xs)
    assert type(found) is type(xs)
    np.testing.assert_allclose(found, [1.0, 1.4])
    np.testing.assert_allclose(df(np.array(xs)), [1.0, 1.4])
