"""Functions of derivatives that hand an array on: what is read of it later is recorded before it is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def shares_of_rows(x: Any, c: Any, steps: int) -> None:
    for _ in range(steps):
        share = np.zeros(x.shape)
        share[:] = np.exp(-x)
        share /= share.sum(axis=1)[:, None]
        c[:] = share[:2] * x[:2]


def loss(x: Any, c: Any) -> Any:
    c = c.copy()
    shares_of_rows(x, c, 2)
    return np.sum(c**2)


@pytest.mark.parametrize("optimized", [True, False])
def test_a_second_derivative_by_reverse_mode_twice(optimized: bool) -> None:
    normal = np.random.default_rng(3).normal
    x, c, v, step = normal(size=(5, 2)), normal(size=(2, 2)), normal(size=(5, 2)), 1e-6
    gradient = tl.grad(loss, optimized=optimized)
    slope = (gradient(x + step * v, c) - gradient(x - step * v, c)) / (2.0 * step)
    assert np.allclose(tl.vjp(gradient)(x, c)[1](v), slope, rtol=1e-5, atol=1e-7)
    assert np.allclose(tl.jvp(gradient)(x, c, tangent=v)[1], slope, rtol=1e-5, atol=1e-7)
