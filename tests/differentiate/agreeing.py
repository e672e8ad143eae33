"""Gradients of functions of three numbers: against differences, their own gradients too, and without improvement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tangentlite as tl
from tests.conftest import differences

X = np.array([0.7, -0.3, 1.1])


def is_right(function: Callable[..., Any]) -> None:
    """The gradient, twice, and the gradient of that are what differences say."""
    df = tl.grad(function)
    found = df(X.copy())
    assert found.shape == X.shape
    np.testing.assert_allclose(found, differences(function, (X,), 0, 1e-6), rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(df(X.copy()), found)
    rows = [differences(lambda x, k=k: df(x)[k], (X,), 0, 1e-6) for k in range(len(X))]
    np.testing.assert_allclose(tl.hessian(function)(X.copy()), rows, rtol=1e-5, atol=1e-7)


def is_alike(function: Callable[..., Any]) -> None:
    """The gradient is that of the text that is not improved, also of single precision."""
    found = tl.grad(function)(X.astype(np.float32))
    plain = tl.grad(function, optimized=False)(X.astype(np.float32))
    assert found.dtype == plain.dtype == np.float32
    np.testing.assert_allclose(found, plain, rtol=1e-5)
