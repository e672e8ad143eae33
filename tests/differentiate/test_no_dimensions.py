"""Arrays without dimensions beside numbers: a name may be either, and only the array is changed in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def swapped(a, c):
    kept = a
    for _ in range(2):
        a += c
        c, a = a, c
    return np.sum(np.sin(a)) + np.sum(c * c) * np.sum(kept)


def chosen(a, c):
    b = a if np.sum(c) > 0 else c
    kept = b
    b += c * 2.0
    return np.sum(kept) * np.sum(a * a) + np.sum(b)


def chosen_otherwise(a, c):
    b = c if np.sum(c) > 0 else a
    kept = b
    b *= a
    return np.sum(kept) * np.sum(c * c) + np.sum(b)


NUMBERS = [np.array, np.float64, float]


@pytest.mark.parametrize("function", [swapped, chosen, chosen_otherwise])
@pytest.mark.parametrize("first", NUMBERS)
@pytest.mark.parametrize("second", NUMBERS)
def test_numbers(function: Callable[..., Any], first: Any, second: Any) -> None:
    def args(by: float = 0.0) -> Any:
        return first(0.5 + 0.6 * by), second(0.3 - 1.1 * by)

    expected = (function(*args(1e-6)) - function(*args(-1e-6))) / 2e-6
    wrt = (0, 1)
    found = [
        tl.grad(function, wrt=wrt)(*args()),
        tl.grad(function, wrt=wrt, optimized=False)(*args()),
        tl.vjp(function, wrt=wrt)(*args())[1](1.0),
    ]
    _, tangent = tl.jvp(function, wrt=wrt)(*args(), tangent=(first(0.6), second(-1.1)))
    for one in (*(0.6 * g[0] - 1.1 * g[1] for g in found), tangent):
        assert one == pytest.approx(expected, rel=1e-6)
