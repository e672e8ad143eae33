"""Inner loops that are empty: what is added up in them is a number, for every place around."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tangentlite as tl


def added(x, c, n, k):
    s = 0.0
    for i in range(n):
        t = 0.0
        for j in range(k):
            t += x[i + j]
        s += t + c
    return s


def begun_with_a_number(x, c, n, k):
    s = 0.0
    for i in range(n):
        t = c
        for j in range(1, k):
            t = max(t, x[i + j] * c)
        s += t
    return s


def times_a_place(x, c, n, k):
    s = 0.0
    for i in range(n):
        t = 0.0
        for j in range(k):
            t += x[i + j] * x[j]
        s += t * x[i]
    return s + c * x[0]


def window(x, c, n, k):
    s = 0.0
    for i in range(n):
        s += (c + np.sum(x[i : i + k])) ** 2
    return s


def weighted_window(x, c, n, k):
    s = 0.0
    for i in range(k, n):
        s += i * np.sum(x[i : i + k])
    return s + c * np.sum(x**2)


def up_to_the_outer_counter(x, c, n, k):
    s = 0.0
    for m in range(k):
        for i in range(n):
            t = c
            for j in range(m):
                t += x[i + j]
            s += t * t
    return s


@pytest.mark.parametrize(
    "f",
    [
        added,
        begun_with_a_number,
        times_a_place,
        window,
        weighted_window,
        up_to_the_outer_counter,
    ],
)
@pytest.mark.parametrize("k", [0, 1, 2, 5])
def test_a_number_counts_for_all_places(f: Callable[..., float], k: int) -> None:
    x, n = np.cos(np.arange(310.0)), 300
    known = tl.grad(f, wrt=(0, 1), optimized=False)(x, 0.6, n, k)
    found = tl.grad(f, wrt=(0, 1))(x, 0.6, n, k)
    np.testing.assert_allclose(found[0], known[0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found[1], known[1], rtol=1e-9)
