"""A guarded product that is summed is what the product and the sum are, whatever the shapes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt

INF, NAN = np.inf, np.nan
ROWS = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, -1.0]])
HOLES = np.array([[2.0, INF, 1.0], [NAN, 4.0, 0.5]])
LARGE = np.full((2, 3), 1e200)


@pytest.mark.parametrize(
    "like", [0.0, np.zeros((2, 1)), np.zeros(3), np.zeros((1, 3)), ROWS], ids=str
)
@pytest.mark.parametrize(
    "factor", [ROWS, HOLES, -HOLES, LARGE], ids=["rows", "holes", "minus", "large"]
)
@pytest.mark.parametrize("dtype", [float, np.float32, complex])
def test_the_sum_of_a_product(like: Any, factor: Any, dtype: Any) -> None:
    with np.errstate(all="ignore"):
        b, d = ROWS.astype(dtype), factor.astype(dtype)
        expected = rt.unbroadcast(rt.cancel(b, d), like)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(over="ignore", invalid="ignore"):
            found = rt.cancelled(b, d, like)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert np.shape(found) == np.shape(expected)


@pytest.mark.parametrize(
    "pair", [(2.0, 3.0), (0.0, INF), (rt.ZERO, 1.0), (ROWS, 2.0), (3.0, HOLES)]
)
def test_numbers(pair: tuple[Any, Any]) -> None:
    np.testing.assert_array_equal(rt.cancelled(*pair, 0.0), rt.unbroadcast(rt.cancel(*pair), 0.0))


@pytest.mark.parametrize(
    "d", [2, 3.0, 1j, np.float32(3), np.int8(2), True, np.complex64(1j)], ids=repr
)
@pytest.mark.parametrize("b", [2.0, 0.0, np.float32(2), np.float64(2), 1j, ROWS], ids=repr)
def test_a_guarded_product_has_the_type_of_a_product(b: Any, d: Any) -> None:
    for guarded in (rt.times(b, d), rt.cancel(b, d)):
        assert type(guarded) is type(b * d)
        np.testing.assert_array_equal(guarded, b * d)


@pytest.mark.parametrize("size", [3, 200])
def test_shares_of_what_vanishes(size: int) -> None:
    """Rows of zeros, which are divided by zero, have no influence where nobody asks for them."""

    def loss(x, w):
        norms = np.sqrt(np.sum(x * x, axis=1, keepdims=True))
        return np.sum(np.where(norms > 0.0, x / np.where(norms > 0.0, norms, 1.0) * w, 0.0))

    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(4, size)), rng.normal(size=(4, size))
    x[1] = 0.0
    slope = tl.grad(loss)(x, w)
    assert np.isfinite(slope).all()
    assert not slope[1].any()
    np.testing.assert_allclose(slope, tl.grad(loss, optimized=False)(x, w), rtol=1e-9, atol=1e-12)
