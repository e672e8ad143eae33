"""Arrays without elements: where NumPy has a result, they have a gradient of their own shape."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

EMPTY = {"nothing": np.zeros(0), "no rows": np.zeros((0, 3)), "no columns": np.zeros((3, 0))}
ROWS = {
    "prod": lambda x: np.prod(x, axis=-1),
    "nanprod": lambda x: np.nanprod(x, axis=-1),
    "median": lambda x: np.median(x, axis=-1),
    "nanmedian": lambda x: np.nanmedian(x, axis=0),
    "quantile": lambda x: np.quantile(x, [0.2, 0.9], axis=-1),
    "percentile": lambda x: np.percentile(x, 30.0, axis=0),
    "nanquantile": lambda x: np.nanquantile(x, 0.3, axis=-1),
    "norm": lambda x: np.linalg.norm(x, axis=-1),
    "norm of order 1": lambda x: np.linalg.norm(x, 1, axis=-1),
    "norm of order inf": lambda x: np.linalg.norm(x, np.inf, axis=-1),
    "vector norm": lambda x: np.linalg.vector_norm(x, ord=3, axis=-1),
    "vector norm of order inf": lambda x: np.linalg.vector_norm(x, ord=np.inf),
    "matrix norm": lambda x: np.linalg.matrix_norm(x, ord=1),
    "spectral norm": lambda x: np.linalg.norm(x, 2),
    "second differences": lambda x: np.diff(x, n=2, axis=0),
    "differences": lambda x: np.diff(x, prepend=1.0),
    "ediff1d": lambda x: np.ediff1d(x),
    "ediff1d between": lambda x: np.ediff1d(x, to_end=1.0, to_begin=[2.0, 3.0]),
    "resize": lambda x: np.resize(x, (2, 7)),
    "running maximum": lambda x: np.maximum.accumulate(x),
    "running minimum": lambda x: np.minimum.accumulate(x, axis=-1),
}


@pytest.mark.parametrize("shape", EMPTY)
@pytest.mark.parametrize("name", ROWS)
def test_what_has_no_elements_has_a_gradient_of_its_shape(name: str, shape: str) -> None:
    f: Callable[[Any], Any] = ROWS[name]
    x = EMPTY[shape]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = f(x)
        except (ValueError, IndexError, np.linalg.LinAlgError):
            pytest.skip("NumPy has no result")
        found, pullback = tl.vjp(f)(x)
        np.testing.assert_array_equal(found, value)
        gradient = pullback(np.ones_like(value))
        _, tangent = tl.jvp(f)(x, tangent=np.zeros_like(x))
    assert (type(gradient), gradient.shape, gradient.dtype) == (np.ndarray, x.shape, x.dtype)
    assert np.shape(tangent) == np.shape(value)
