"""Sines and cosines of lengths under Numba: rotations, whose derivatives stay finite where the length is zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt

numba = pytest.importorskip("numba")


def turned(w: Any, v: Any) -> Any:
    s = w @ w
    angle = np.sqrt(s)
    return np.cos(angle) * (w @ v) + (1.0 - np.cos(angle)) * v[0]


def rows(w: Any, v: Any) -> Any:
    r = np.sqrt(np.sum(w**2, axis=1))
    return np.sum(np.cos(r) * v) + 0.1 * np.sum(np.cosh(r))


def in_a_loop(w: Any, v: Any) -> Any:
    s = 0.0
    for i in range(len(w)):
        r = np.linalg.norm(w[i])
        s += np.cos(r) * np.cos(2.0 * r) * v[i]
    return s


@pytest.mark.parametrize(("f", "shape"), [(turned, (3,)), (rows, (4, 3)), (in_a_loop, (4, 3))])
@pytest.mark.parametrize("scale", [0.0, 1.0, 4.0])
def test_like_numpy(f: Any, shape: Any, scale: float) -> None:
    if f is in_a_loop:
        pytest.importorskip("scipy", reason="Numba finds LAPACK in SciPy")
    w = np.random.default_rng(0).normal(size=shape) * scale
    v = np.arange(1.0, shape[0] + 1.0)
    fast = tl.grad(f, wrt=(0, 1), compile="numba")(w, v)
    for made, plain in zip(fast, tl.grad(f, wrt=(0, 1))(w, v)):
        np.testing.assert_allclose(made, plain, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("n", [-1, 0, 1, 2, 3])
def test_functions_of_the_square(n: int) -> None:
    at = [-50.0, -9.0, -3.0, 0.0, 1e-9, 4.0, 8.99, 9.0, 30.0, 400.0, float("nan")]
    tl.grad(turned, compile="numba")(np.ones(3), np.ones(3))  # the runtime means something by now
    made = numba.njit(lambda p, n: rt.spherical(p, n))
    np.testing.assert_allclose([made(p, n) for p in at], [rt.spherical(p, n) for p in at], 1e-12)
