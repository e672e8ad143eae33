"""Indices that only add axes: their adjoints take them away again, and no array is made to add into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.differentiate.agreeing import is_alike, is_right


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


@pytest.mark.parametrize("function", ALL, ids=lambda f: f.__name__)
def test_the_gradient_is_right(function: Callable[..., Any]) -> None:
    is_right(function)
    is_alike(function)


def test_no_zeros_are_made() -> None:
    assert "zeros" not in tl.grad(pairs).source
    assert "[:, 0]" in tl.grad(pairs).source


def test_numbers_have_new_axes_too() -> None:
    found = tl.grad(around)(np.float64(0.7))
    assert found == pytest.approx(16 * 0.7) and np.shape(found) == ()
