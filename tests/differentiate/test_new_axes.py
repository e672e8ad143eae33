"""Indices that only add axes: their adjoints take them away again, and no array is made to add into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.conftest import differences


def pairs(x: Any) -> Any:
    return np.sum(np.exp(x[:, None] - 0.5 * x[np.newaxis, :]))


def around(x: Any) -> Any:
    y = x[None, ..., None]
    return np.sum(y * y * np.ones((2, 1, 4)))


def in_a_loop(x: Any) -> Any:
    t = x
    for _ in range(2):
        t = (t[:, None] * x[None, :]).sum(axis=1)
    return np.sum(t)


def either(x: Any) -> Any:
    y = x[:, None] if x[0] > 0.0 else x[None, :]
    return np.sum(np.sin(y) * x)


def written(x: Any) -> Any:
    x = x.copy()
    v = x[:, None]
    v[1] = 5.0 * v[0]
    return np.sum(x**2 * v[:, 0])


def of_parts(x: Any) -> Any:
    y = x[:, None] * x[None]
    return sum(np.sum(y[k, None] * x[..., None]) for k in range(3))


def in_a_list(x: Any) -> Any:
    rows = [x[:, None], x[None]]
    return np.sum(rows[0] * rows[1] ** 2)


ALL = (pairs, around, in_a_loop, either, written, of_parts, in_a_list)
X = np.array([0.7, -0.3, 1.1])


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_the_gradient_and_its_own_are_right(function: Callable[..., Any]) -> None:
    found = tl.grad(function)(X.copy())
    assert found.shape == X.shape
    np.testing.assert_allclose(found, differences(function, (X,), 0, 1e-6), rtol=1e-6, atol=1e-8)
    once = tl.grad(function)
    rows = [differences(lambda x: once(x)[k], (X,), 0, 1e-6) for k in range(len(X))]
    np.testing.assert_allclose(tl.hessian(function)(X.copy()), rows, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_it_is_that_of_the_text_that_is_not_improved(function: Callable[..., Any]) -> None:
    found = tl.grad(function)(X.astype(np.float32))
    plain = tl.grad(function, optimized=False)(X.astype(np.float32))
    assert found.dtype == plain.dtype == np.float32
    np.testing.assert_allclose(found, plain, rtol=1e-5)


def test_no_zeros_are_made() -> None:
    assert "zeros" not in tl.grad(pairs).source
    assert "[:, 0]" in tl.grad(pairs).source


def test_numbers_have_new_axes_too() -> None:
    found = tl.grad(around)(np.float64(0.7))
    assert found == pytest.approx(16 * 0.7) and np.shape(found) == ()
