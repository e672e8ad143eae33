"""A seed is checked against the shape of the result, for which the result need not be computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.5, -1.0, 2.0])


def ridge(w, rate):
    return np.mean((w - 1.0) ** 2) + rate * np.sum(w * w)


def lasso(w, rate):
    return rate * np.sum(np.abs(w)) - np.sum(np.sin(w))


def two_rates(w, rate, other):
    return rate * np.sum(w * w) + other * np.mean(w)


def rebound(w, rate):
    rate = rate * 2.0
    return np.sum(w * w) * rate


def written(w, rate):
    s = np.sum(w * w)
    w[0] = rate
    return s * np.sum(w) + rate * s


LOSSES = [
    (ridge, (X, 0.1)),
    (lasso, (X, 0.1)),
    (two_rates, (X, 0.1, 2.0)),
    (rebound, (X, 0.1)),
    (written, (X, 0.1)),
]


@pytest.mark.parametrize(("f", "args"), LOSSES, ids=[f.__name__ for f, _ in LOSSES])
def test_numbers_that_scale_sums(f: Callable[..., Any], args: Any, confirm: Any) -> None:
    confirm(f, *(np.copy(a) if isinstance(a, np.ndarray) else a for a in args))


@pytest.mark.parametrize("rate", [0.5, 2, True, np.float32(0.5), np.array(0.5), np.int64(3)])
def test_numbers_of_any_kind(rate: Any) -> None:
    for f in (ridge, lasso):
        found, expected = tl.grad(f)(X, rate), tl.grad(f, optimized=False)(X, rate)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
        np.testing.assert_allclose(tl.grad(f)(X, rate, adjoint=2.0), 2.0 * expected, rtol=1e-13)


@pytest.mark.parametrize("rate", [np.ones(3), np.ones(1), np.ones((2, 1)), np.zeros(0)])
def test_results_that_are_no_numbers(rate: Any) -> None:
    for f in (ridge, lasso, rebound):
        for wrt in (0, 1, (0, 1)):
            with pytest.raises(TypeError, match="a gradient needs a scalar result, or a seed"):
                tl.grad(f, wrt)(X, rate)
            seed = np.full(rate.shape, 2.0)
            for a, b in zip(
                tl.grad(f, (0, 1))(X, rate, adjoint=seed),
                tl.grad(f, (0, 1), optimized=False)(X, rate, adjoint=seed),
            ):
                np.testing.assert_allclose(a, b, rtol=1e-13)


def test_the_loss_is_not_computed() -> None:
    assert "by = rt.seed(by, rate)" in tl.grad(ridge).source
    said = [line for line in tl.grad(ridge).source.splitlines() if "# Grad" not in line]
    assert not any("np.sum(" in line for line in said)
    assert "np.mean" in tl.value_and_grad(ridge).source
