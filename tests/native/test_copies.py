"""Copies along axes, axes of length one, and arrays of unlike order put side by side."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import M, V, W, agree

N = np.random.default_rng(8).normal(size=M.shape)


def repeated(a, w):
    b = np.repeat(a, 3, axis=1)
    c = np.repeat(a * w, 2, axis=0)
    a *= 2.0
    return np.sum(b * b * b) + np.sum(np.sin(c)) + np.sum(a * w)


def repeated_row(a, w):
    c = a + np.repeat(w[:1], 4, axis=0)
    return np.sum(c * c)


def tiled(x, w):
    b = np.tile(x * w, (3, 1))
    return np.sum(b**3) + np.sum(np.tile(np.sin(x), (2, 1, 2)) ** 2)


def tiled_plane(a, w):
    b = np.tile(a, (2, 3))
    return np.sum(np.sin(b)) + np.sum(a * w)


def squeezed(a, w):
    column = np.squeeze(a[:, 1:2], axis=1)
    row = np.squeeze(w[:1], axis=0)
    a[:, 0] += column * 2.0
    return np.sum(a * w) + np.sum(row * row)


def greatest(a, w):
    return np.sum(np.amax(a, axis=1) * w[:, 0]) + np.amin(a * w)


def stacked(a, w):
    total = 0.0
    for _ in range(2):
        h, u = a[0], a.T[1]
        f = np.stack([h, h * w[1] + 0.5, w[2]])
        a[1:] = f * 0.5
        total += np.sum(f * f) + np.sum(u)
    return total


@pytest.mark.parametrize(
    "function", [repeated, repeated_row, tiled_plane, squeezed, greatest, stacked]
)
def test_planes(function) -> None:
    agree(function, M.copy(), N.copy())


def test_lines() -> None:
    agree(tiled, V.copy(), W.copy())


def squeezed_wrongly(a):
    return np.sum(np.squeeze(a, axis=1))


def test_an_axis_that_is_longer() -> None:
    with pytest.raises(ValueError, match="squeeze"):
        tl.grad(squeezed_wrongly, compile="numba")(M)
