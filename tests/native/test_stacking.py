"""Outer products and products of rows that loops make at every trip are made many at a time; gradients stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")


def recurrent(w, u, b, xs):
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(w @ h + u @ x + b)
    return np.sum(h**2)


def cut_short(w, u, xs, n):
    """Rows behind the last trip are not multiplied; the gradient is subtracted."""
    h = np.ones(len(w))
    for i in range(n):
        h = np.tanh(h @ w - xs[i] @ u)
    return np.sum(h**2)


def nested(w, u, xs):
    """Some trips, and those of an inner loop, add to one array at two places."""
    h = np.ones(len(w))
    for i in range(len(xs)):
        for k in range(2):
            h = np.sin(w @ h)
            if h[0] > 0.2:
                h = h * (w @ (u @ xs[i])) + k
    return np.sum(h * h)


def looked_at(w, xs):
    """What is added to is read: nothing may wait."""
    a, total = np.zeros((len(w), len(w))), 0.0
    for i in range(len(xs)):
        a += np.outer(xs[i], w @ xs[i])
        total += a[0, 0] * a[1, 0]
    return total + np.sum(a * w)


def another_name(w, xs):
    a = np.zeros((len(w), len(w)))
    c, total = a, 0.0
    for i in range(len(xs)):
        a += np.outer(xs[i], w @ xs[i])
        total += c[0, 1]
    return total + np.sum(c * a)


def rows_change(w, xs):
    """Each trip writes the row that the next one multiplies."""
    for i in range(len(xs) - 1):
        xs[i + 1] += np.sin(w @ xs[i])
    return np.sum(xs * xs)


def matrix_changes(w, xs):
    total = 0.0
    for i in range(len(xs)):
        total += np.sum(np.sin(w @ xs[i]))
        w[0] += xs[i]
    return total


def left_early(w, xs):
    h = np.zeros(len(w))
    for i in range(len(xs)):
        h = np.tanh(w @ xs[i] + h)
        if h[0] > 0.5:
            break
    return np.sum(h)


W, U, B = 0.5 * normal(size=(3, 3)), normal(size=(3, 2)), normal(size=3)
STACKED: tuple[tuple[Callable[..., Any], tuple[Any, ...], tuple[str, ...]], ...] = (
    (recurrent, (W, U, B, normal(size=(150, 2))), ("_poured", "_ahead")),
    (cut_short, (W, normal(size=(2, 3)), normal(size=(70, 2)), 66), ("_poured", "_ahead")),
    (nested, (W, U, normal(size=(5, 2))), ("_poured",)),
)
LEFT = (
    (another_name, (W, normal(size=(4, 3)))),
    (looked_at, (W, normal(size=(4, 3)))),
    (rows_change, (W, normal(size=(5, 3)))),
    (matrix_changes, (W, normal(size=(4, 3)))),
    (left_early, (W, normal(size=(6, 3)))),
)


@pytest.mark.parametrize(("function", "args", "words"), STACKED)
def test_many_at_a_time(function: Any, args: tuple[Any, ...], words: tuple[str, ...]) -> None:
    kernels = agree(function, args).kernels
    assert all(word in kernels for word in words)


@pytest.mark.parametrize(("function", "args"), LEFT)
def test_what_cannot_wait(function: Any, args: tuple[Any, ...]) -> None:
    agree(function, args)


def test_other_lengths() -> None:
    """No trips at all, whatever the lengths; both precisions."""
    made, plain = (tl.grad(recurrent, wrt=(0, 1, 2), compile=c) for c in ("numba", None))
    for xs in (np.zeros((0, 0)), np.zeros((0, 2)), normal(size=(1, 2)), normal(size=(64, 2))):
        for mine, other in zip(made(W, U, B, xs), plain(W, U, B, xs)):
            np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12)
    short = normal(size=(70, 2)).astype(np.float32)
    for mine, other in zip(made(W, U, B, short), plain(W, U, B, short)):
        np.testing.assert_allclose(mine, other, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="shapes differ|size|incompatible"):
        made(W, U, B, normal(size=(3, 4)))
