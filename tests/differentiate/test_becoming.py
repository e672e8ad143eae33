"""A name that holds a number first and an array later in a loop: from then on it is changed in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

A = np.array([[0.5], [0.7], [1.1]])


def under_another_name(a, c):
    for _ in range(3):
        kept = c
        c *= a
    return np.sum(np.sin(c)) + np.sum(kept)


def under_a_view(a, c):
    for _ in range(3):
        seen = np.atleast_1d(c)
        c *= a
    return np.sum(np.sin(c)) + np.sum(seen)


def walked_over(a, c):
    for _ in range(2):
        for _ in np.atleast_1d(c):
            c *= a
    return np.sum(np.sin(c))


def in_a_while(a, c):
    n = 0
    while n < 3:
        kept = c
        c += a * c
        n += 1
    return np.sum(c * c) * np.sum(kept)


def in_a_list(a, c):
    held = []
    for _ in range(3):
        held.append(c)
        c *= a
    return np.sum(np.sin(c)) + np.sum(held[-1]) * np.sum(held[1])


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("c", [np.float64(0.8), np.full((3, 1), 0.8)], ids=["number", "array"])
@pytest.mark.parametrize(
    "f", [under_another_name, under_a_view, walked_over, in_a_while, in_a_list]
)
def test_against_differences(f: Callable[..., Any], c: Any, optimized: bool) -> None:
    found = tl.grad(f, optimized=optimized)(A, c)
    for k, step in enumerate(1e-6 * np.eye(3)[:, :, None]):
        sides = [f(A + s * step, c.copy()) for s in (1, -1)]
        assert found[k, 0] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-6)
