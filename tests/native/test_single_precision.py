"""Arrays of single precision have loops, as those of double precision have; gradients are of single precision."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is an extra")

G = np.random.default_rng(11)
V, U = G.normal(size=7).astype(np.float32), G.uniform(0.5, 2.0, size=7).astype(np.float32)
M, W = G.normal(size=(2, 4, 5)).astype(np.float32)


def smoothed(u, w, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return np.sum(u * w)


def softmax(x, w):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    e /= np.sum(e, axis=1, keepdims=True)
    return np.sum(e * w)


def written(x, w):
    x[1:-1] = 0.5 * (x[:-2] + x[2:]) * w[1:-1]
    x *= 2.0
    return np.sum(np.tanh(x) * w)


def added_up(x, w):
    total = 0.0
    for i in range(len(x)):
        total += np.sqrt(x[i] * x[i] + w[i])
    return total


def mean_and_largest(x, w):
    return np.mean(x**2) + np.max(x * w)


def kept_in_double(x, w):
    rows = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        rows[i] = np.sum(x[i] * x[i] * w[i])
    return np.sum(np.log(40.0 + rows))


def product(x, w):
    return np.sum(np.tanh(x @ w.T) ** 2)


def squared_product(x, w):
    return np.dot(np.sin(x), w) ** 2


def recurrent(w, h, steps=3):
    for _ in range(steps):
        h = np.tanh(w @ h)
    return np.sum(h * h)


def activated(z):
    return 1.0 / (1.0 + np.exp(-z))


def through_helpers(x, w):
    h = x
    for _ in range(3):
        h = activated(h * w) + h
    return np.sum(h)


def chosen(x, w, flag=True):
    y = x * w if flag else x
    for _ in range(2):
        y = np.maximum(np.where(y > 0.0, y, x), 0.1 * y) * w
    return np.sum(y * np.exp(-y))


def until_it_is_large(x, w):
    y = x
    while np.sum(y) < 100.0:
        y = y * (1.0 + w) + np.abs(x)
    return np.sum(y)


def summed_up(x, w):
    for _ in range(2):
        x = x * w
    return np.sum(x)


SQUARE = M[:, :4]
MIXED = [
    (recurrent, SQUARE, V[:4]),
    (through_helpers, V, U),
    (chosen, V, U),
    (until_it_is_large, V, U),
]


@pytest.mark.parametrize("types", ("ff", "fd", "df"))
@pytest.mark.parametrize(("function", "x", "w"), MIXED)
def test_names_that_hold_both_precisions(function: Any, x: Any, w: Any, types: str) -> None:
    if function is recurrent:
        pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    test_the_same_as_without(function, (x.astype(types[0]), w.astype(types[1])))


def test_the_second_call_is_as_the_first() -> None:
    derivative = tl.grad(summed_up, wrt=(0, 1), compile="numba")
    (bx, bw), (again, _), other = derivative(V, U), derivative(V, U), tl.grad(summed_up)(V, U)
    assert bx.dtype == bw.dtype == again.dtype == np.float32
    np.testing.assert_allclose(bx, other, rtol=1e-5)
    np.testing.assert_array_equal(bx, again)


def test_arguments_that_share_memory_are_not_widened() -> None:
    from tangentlite.native.memory.widening import widened

    assert widened((V, V[1:])) is None
    assert widened((V, 2.0, V.copy()))[0].dtype == float


@pytest.mark.parametrize("other", (np.float32, np.float64))
def test_products_of_both_precisions(other: Any) -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    test_the_same_as_without(product, (M, W.astype(other)))
    test_the_same_as_without(squared_product, (V, U.astype(other)))


CASES: list[Any] = [
    (smoothed, (M, W, 3)),
    (softmax, (M, W)),
    (written, (V, U)),
    *(
        pytest.param(f, args, marks=pytest.mark.slow)
        for f, args in (
            (added_up, (V, U)),
            (mean_and_largest, (V, U)),
            (kept_in_double, (M, W)),
            (softmax, (M, W.astype(float))),
            (written, (V, U.astype(float))),
            (written, (V.astype(float), U)),
            (added_up, (V, U.astype(float))),
            (softmax, (np.asfortranarray(M), W[::-1])),
            (written, (V[::2], U[::-2])),
            (written, (V[:2], U[:2])),
            (mean_and_largest, (V[:1], U[:1])),
        )
    ),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_the_same_as_without(function: Any, args: Any) -> None:
    derivatives = (tl.grad(function, wrt=(0, 1), compile=c) for c in ("numba", None))
    pairs = zip(*(d(*copy.deepcopy(args)) for d in derivatives), strict=True)
    for mine, other in pairs:
        assert mine.dtype == other.dtype and mine.shape == other.shape
        np.testing.assert_allclose(mine, other, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("kinds", [(np.float32, np.float64), (np.float64, np.float32)], ids=str)
def test_stacks_of_both_precisions_are_multiplied_in_double(kinds: Any) -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    made = np.random.default_rng(4)
    a = made.normal(size=(4, 3, 2)).astype(kinds[0])
    b = made.normal(size=(4, 2, 3)).astype(kinds[1])
    found = tl.grad(stacks, (0, 1), compile="numba")(a, b)
    for ours, wanted in zip(found, tl.grad(stacks, (0, 1))(a, b)):
        assert ours.dtype == wanted.dtype
        np.testing.assert_allclose(ours, wanted, rtol=1e-12 if ours.dtype == np.float64 else 1e-6)


def stacks(a, b):  # type: ignore[no-untyped-def]
    return np.sum((a @ b) ** 2)
