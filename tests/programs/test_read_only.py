"""Arrays that cannot be written: what the derivative puts back of lists, dicts and objects leaves them alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


class Layer:
    def __init__(self, w: Any) -> None:
        self.w, self.kept = w, []

    def add(self, v: Any) -> None:
        self.kept.append(v)


def in_an_object(w: Any, x: Any, depth: int = 3) -> Any:
    return taken_in(Layer(w), depth, x)


def taken_in(layer: Layer, depth: int, x: Any) -> Any:
    if depth == 0:
        return layer.w.sum()
    layer.add(layer.w * x)
    total = taken_in(layer, depth - 1, x * 1.1)
    layer.w = layer.kept[-1]
    return total + layer.w.sum()


def in_a_list(w: Any, x: Any) -> Any:
    rows = [w]
    put(rows, w * x)
    put(rows, rows[-1] * rows[0])
    return sum(np.sum(r * r) for r in rows)


def put(rows: Any, row: Any) -> None:
    rows.append(row)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("f", [in_an_object, in_a_list])
def test_gradients(f: Any, optimized: bool) -> None:
    """All that an object holds was put back, into arrays that nobody had written (a ValueError of NumPy)."""
    w = np.array([0.7, -1.2, 0.4])
    fixed = w.copy()
    fixed.flags.writeable = False
    h, directions = 1e-6, np.eye(3)
    expected = [(f(w + h * v, 1.3) - f(w - h * v, 1.3)) / (2.0 * h) for v in directions]
    df = tl.grad(f, optimized=optimized)
    np.testing.assert_allclose(df(fixed, 1.3), expected, rtol=1e-6)
    np.testing.assert_allclose(df(np.broadcast_to(0.7, 3), 1.3), df(np.full(3, 0.7), 1.3))
    np.testing.assert_array_equal(fixed, w)
