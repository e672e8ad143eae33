"""Lists and tuples as arguments of compiled derivatives: taken, or refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:[\\s\\S]*reflected list")  # Numba's word on lists


def layers(params: Any, x: Any) -> Any:
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.sum(x * x)


def products(ws: Any, x: Any) -> Any:
    for w in ws:
        x = np.tanh(x @ w)
    return np.sum(x)


@pytest.mark.parametrize("make", [list, tuple])
def test_arrays_of_one_shape(make: Any) -> None:
    x, ws = np.ones((2, 3)), make([np.eye(3), 0.5 * np.eye(3)])
    found = tl.grad(products, compile="numba")(ws, x)
    for part, known in zip(found, tl.grad(products)(ws, x), strict=True):
        np.testing.assert_allclose(part, known)


def test_arrays_of_other_shapes_in_tuples_are_refused_in_words() -> None:
    params = [(np.ones((3, 4)), np.ones(4)), (np.ones((4, 2)), np.ones(2))]
    with pytest.raises(tl.DerivativeError, match="Numba does not compile"):
        tl.grad(layers, compile="numba")(params, np.ones((2, 3)))
