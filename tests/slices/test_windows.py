"""Sums over windows, trip by trip: over a grid, at the ends, written while they are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.slices.taken import case, cases, check


@case("PW", value=False)
def filtered(image, kernel):
    h, w = image.shape
    r = kernel.shape[0] // 2
    out = np.zeros_like(image)
    for y in range(r, h - r):
        for x in range(r, w - r):
            out[y, x] = np.sum(image[y - r : y + r + 1, x - r : x + r + 1] * kernel)
    return np.sum(out**2)


@case("P", value=False)
def blurred(image):
    out = np.zeros_like(image)
    for y in range(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            out[y, x] = image[y - 1 : y + 2, x - 1 : x + 2].mean()
    return np.sum(out**2)


@case("Lk", value=False)
def convolved(x, w):
    out = np.zeros(len(x) - len(w) + 1)
    for i in range(len(out)):
        out[i] = np.dot(x[i : i + len(w)], w)
    return np.sum(np.tanh(out))


@case("L", value=False)
def squared(x):
    s = 0.0
    for i in range(3, len(x)):
        s += np.sum(x[i - 3 : i] * x[i]) ** 2
    return s


@case("P", value=False)
def padded(image):
    wide = np.pad(image, 1)
    out = np.zeros(image.shape)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            first = i + 0
            out[i, j] = np.sum(np.sin(wide[first : first + 3, j : j + 3])) * image[i, j]
    return np.sum(out**2)


@case("L", slices=False)
def over_the_start(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(x[i - 1 : i + 2])
    return np.sum(out**2)


@case("L", slices=False)
def over_the_start_alone(x):
    s = 0.0
    for i in range(len(x) - 3):
        t = np.sum(x[i - 1 : i + 2]) * x[i]
        s += t * t
    return s


@case("L", slices=False)
def over_the_end(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.mean(x[i : i + 3])
    return np.sum(out**2)


@case("L", slices=False)
def written_while_read(x):
    for i in range(2, len(x)):
        x[i] = np.sum(x[i - 2 : i]) * 0.4
    return np.sum(x)


@case("L", slices=False)
def where_something_holds(x):
    s = 0.0
    for i in range(len(x) - 2):
        s += np.sum(np.log(x[i : i + 2] ** 2)) if abs(x[i]) > 1e-3 else 0.0
    return s


@case("L", value=False)
def names_that_are_taken(x):
    s, o_1, sum_1 = 0.0, 3.0, 2.0
    for i in range(len(x) - 3):
        s += np.sum(x[i : i + 3]) * o_1 * sum_1
    return s


@pytest.mark.parametrize("function", cases(globals()))
def test_it_is_what_the_loops_give(function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(function, monkeypatch)


def lengths(x, k):
    s = 0.0
    for i in range(len(x) - k):
        s += np.sum(x[i : i + k]) ** 2 + np.sum(x[:k]) * x[i]
    return s


def products(x, k):
    s = 0.0
    for i in range(len(x) - k + 1):
        for j in range(len(x) - k + 1):
            s += np.dot(x[i : i + k], x[j : j + k]) ** 2
    return s


@pytest.mark.parametrize("function", [lengths, products])
@pytest.mark.parametrize("size", [0, 1, 2, 5, 40])
@pytest.mark.parametrize("k", [-2, -1, 0, 1, 3])
def test_windows_of_any_width(function: Any, size: int, k: int) -> None:
    x = np.random.default_rng(size).normal(size=size)
    try:
        known = tl.grad(function, optimized=False)(x.copy(), k)
    except Exception as fault:
        with pytest.raises(type(fault)):
            tl.grad(function)(x.copy(), k)
    else:
        np.testing.assert_allclose(tl.grad(function)(x.copy(), k), known, rtol=1e-9, atol=1e-11)
