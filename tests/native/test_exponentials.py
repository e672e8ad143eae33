"""Exponentials of loops are NumPy's to the last bits, for numbers of all sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is an extra")

ODD = [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-300, 1e300, -1e300, 22.0, -22.0]
ODD += [709.78, 709.79, -708.5, -740.5, -745.1, -745.2, -1000.0, 0.34657359, -0.34657360, 1.0, -1.0]


def weighted_exp(x, w):
    return np.sum(w * np.exp(x))


def weighted_tanh(x, w):
    return np.sum(w * np.tanh(x))


def elements(x: Any, of: str) -> Any:
    """Each element by loops: they are the gradient of a weighted sum."""
    function = {"exp": weighted_exp, "tanh": weighted_tanh}[of]
    return tl.grad(function, wrt="w", compile="numba")(x, np.ones(len(x)))


@pytest.mark.parametrize("of", ("exp", "tanh"))
def test_odd_numbers(of: str) -> None:
    x = np.array(ODD)
    with np.errstate(over="ignore", under="ignore"):
        expected = getattr(np, of)(x)
    found = elements(x, of)
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0.0)
    np.testing.assert_array_equal(np.signbit(found[:2]), np.signbit(expected[:2]))


@pytest.mark.parametrize("of", ("exp", "tanh"))
@pytest.mark.parametrize("size", (1e-8, 0.1, 1.0, 3.0, 30.0, 700.0))
def test_last_bits(of: str, size: float) -> None:
    x = np.random.default_rng(3).uniform(-size, size, size=4099)
    exact = getattr(np, of)(x.astype(np.longdouble))
    wrong = np.abs(elements(x, of) - exact) / np.spacing(np.abs(exact.astype(float)))
    assert np.max(wrong) < (1.0 if of == "exp" else 3.0)


def test_single_precision_stays() -> None:
    x = np.linspace(-3.0, 3.0, 9).astype(np.float32)
    for of in ("exp", "tanh"):
        np.testing.assert_allclose(elements(x, of), getattr(np, of)(x), rtol=1e-6)


def test_gradients_through_both() -> None:
    def loss(x, w):
        e = np.exp(x - np.max(x, axis=1, keepdims=True))
        return np.sum(np.tanh(w * e / np.sum(e, axis=1, keepdims=True)))

    x, w = np.random.default_rng(5).normal(size=(2, 5, 7))
    mine, other = (tl.grad(loss, wrt=("x", "w"), compile=c)(x, w) for c in ("numba", None))
    for a, b in zip(mine, other):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)
