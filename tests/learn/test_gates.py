"""What large arrays are treated by gives what small ones do: by bits, slab by slab, whatever their order in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentlite.learn import gates, images, pooling
from tangentlite.runtime import cancel, wins

G = np.random.default_rng(5)


def numbers(order: tuple[int, ...], dtype: Any) -> Any:
    shape = np.array((40, 12, 10, 33))
    return G.normal(size=shape[list(order)]).astype(dtype).transpose(np.argsort(order))


def plain(x: Any) -> None:
    pass


def with_zeros(x: Any) -> None:
    x[np.abs(x) < 0.5] = 0.0


def with_negative_zeros(x: Any) -> None:
    x[0, :, 0] = -0.0


def with_a_missing_number(x: Any) -> None:
    x[3, 2, 1, 0] = np.nan


def with_infinities(x: Any) -> None:
    x[0], x[1] = np.inf, -np.inf


HOLES = (plain, with_zeros, with_negative_zeros, with_a_missing_number, with_infinities)


@pytest.mark.parametrize("hole", HOLES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 2, 0), (1, 3, 2, 0), (2, 0, 3, 1)])
def test_gates(hole: Any, dtype: Any, order: tuple[int, ...]) -> None:
    x, g = numbers(order, dtype), numbers((3, 1, 2, 0), dtype)
    hole(x)
    g[5, 5, 5, 5] = np.inf
    for part in (np.s_[:], np.s_[::2, :, 1:]):
        found, expected = gates.gate(g[part], x[part]), cancel(g[part], wins(x[part], 0.0))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("hole", HOLES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("slope", [0.01, 1.0, 0.0, -0.5, 2.0])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_leaks(hole: Any, slope: float, dtype: Any) -> None:
    x, g = numbers((3, 1, 2, 0), dtype), numbers((0, 1, 2, 3), dtype)
    hole(x)
    g[5, 5, 5, 5] = np.inf
    with np.errstate(invalid="ignore"):
        found, expected = gates.leaky(x, slope), np.where(x > 0.0, x, slope * x)
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == dtype
        found, expected = gates.leak(g, x, slope), np.where(x > 0.0, g, slope * g)
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == dtype


@pytest.mark.parametrize("hole", HOLES, ids=lambda f: f.__name__)
def test_relu_of_large_arrays_is_that_of_small_ones(hole: Any) -> None:
    x = numbers((3, 1, 2, 0), np.float64)
    hole(x)
    np.testing.assert_array_equal(gates.relu(x), np.maximum(x, 0.0))


@pytest.mark.parametrize("hole", [plain, with_zeros, with_infinities], ids=lambda f: f.__name__)
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 2, 0), (1, 3, 2, 0), (2, 0, 3, 1)])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_adjoints_of_pooling(hole: Any, order: tuple[int, ...], size: int) -> None:
    x = np.round(numbers(order, np.float64), 1)[:, : 12 // size * size, : 10 // size * size]
    hole(x)
    y = images.max_pool2d(x, size)
    g = G.normal(size=y.shape)
    expected = np.zeros_like(x)
    for k, here in pooling.firsts(x, y, size, size):
        np.copyto(pooling.part(expected, k, size, size), g, where=here)
    found = pooling.spread(g, x, y, size, size)
    np.testing.assert_allclose(found, expected, atol=1e-15)
    np.testing.assert_array_equal(found != 0.0, expected != 0.0)


@pytest.mark.parametrize("near", [1, 5000])
def test_adjoints_of_pooling_slab_by_slab(near: int, monkeypatch: Any) -> None:
    x = np.round(numbers((1, 3, 2, 0), np.float64), 1)
    y, g = images.max_pool2d(x), G.normal(size=(40, 6, 5, 33))
    whole = pooling.spread(g, x, y, 2, 2)
    monkeypatch.setattr(pooling, "NEAR", near)
    np.testing.assert_array_equal(pooling.spread(g, x, y, 2, 2), whole)
