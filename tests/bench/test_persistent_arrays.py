"""The benchmark's gradients are right and need the memory that is claimed; nothing here is timed."""

from __future__ import annotations

import tracemalloc
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from tests.bench.persistent_arrays import (
    GRADIENTS,
    arguments,
    by_hand,
    empty,
    exponent,
    loss,
    plot,
)


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("n", [1, 2, 9])
def test_the_gradients_are_right(name: str, n: int) -> None:
    weights, start = arguments(7, 4)
    found = GRADIENTS[name](weights, start, n)
    np.testing.assert_allclose(found, by_hand(weights, start, n), rtol=1e-12)


def test_the_gradient_by_hand_is_right() -> None:
    weights, start = arguments(7, 4)
    steps = 1e-6 * np.eye(4)

    def value(weights: Any) -> Any:
        return loss(weights, start, empty(start, 5, 4), 5)

    slopes = [(value(weights + h) - value(weights - h)) / 2e-6 for h in steps]
    np.testing.assert_allclose(by_hand(weights, start, 5), slopes, rtol=1e-5, atol=1e-9)


def peak(gradient: Any, n: int) -> float:
    weights, start = arguments(1000, 4)
    tracemalloc.start()
    try:
        gradient(weights, start, n)
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("persistent", 0.9, 1.1), ("in place", 0.9, 1.1), ("copying", 1.7, 2.1)],
)
def test_memory_grows_as_claimed(name: str, low: float, high: float) -> None:
    peaks = [(n, peak(GRADIENTS[name], n)) for n in (20, 40, 80)]
    assert low < exponent(peaks) < high


def test_the_plot_is_a_drawing() -> None:
    results = {name: [(10, 0.1, 1e6), (20, 0.3, 3e6), (40, 0.7, 9e6)] for name in GRADIENTS}
    root = ElementTree.fromstring(plot(results))
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 6
