"""``np.any`` and ``np.all`` along axes, and ``np.subtract.at``, under Numba."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba")


def along_axes(a: Any) -> Any:
    some = np.any(a > 0.9, axis=1, keepdims=True)
    every = np.all(a, axis=1) & (a[:, 0] > 0.5)
    n = a.any(axis=(0, 1))
    return np.sum(np.where(some, a * 2, a**2)) + np.sum(a[every]) + n * a[0, 0]


def in_a_loop(a: Any) -> Any:
    s = 0.0
    while not (a < 0.2).all():
        a *= 0.7
        for i in range(len(a)):
            low = np.any(a[:i] > 0.5, axis=0)
            s += np.sum(a[0][low]) + np.sum(np.where(low, a[1], 0.5))
    return s


def barrier(s: Any, sigma: Any) -> Any:
    paths = s * np.exp(np.cumsum(sigma, axis=1))
    out = np.any(paths > 2.0, axis=1)
    return np.mean(np.where(out, 0.0, np.maximum(paths[:, -1] - 1.0, 0.0)))


def taken_off(a: Any) -> Any:
    y = np.zeros((3, 4))
    np.subtract.at(y, np.array([0, 1, 0, 2]), a * 2)
    np.subtract.at(y, (np.array([0, 1, 0, 2]), 1), a[0])
    return np.sum(y**2)


@pytest.mark.parametrize("f", [along_axes, in_a_loop, taken_off])
def test_like_numpy(f: Any) -> None:
    a = np.random.default_rng(0).random((4, 4)) + 0.1
    np.testing.assert_allclose(tl.grad(f, compile="numba")(a), tl.grad(f)(a), rtol=1e-9)


def test_a_barrier() -> None:
    sigma = np.random.default_rng(0).normal(size=(9, 4)) * 0.3
    fast, plain = tl.grad(barrier, wrt=(0, 1), compile="numba"), tl.grad(barrier, wrt=(0, 1))
    for made, expected in zip(fast(1.1, sigma), plain(1.1, sigma)):
        np.testing.assert_allclose(made, expected, rtol=1e-9)
