"""Results that a branch leaves out: their adjoints are ZERO, in second derivatives, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([[0.7, -0.3, 1.2], [0.4, 1.1, -0.9]])
CALLS: list[Any] = [
    lambda x: np.polyval(x[0], 0.3 * x[1]),
    lambda x: np.polyval(x, 0.3),
    lambda x: np.polyint(x[0]),
    lambda x: np.polyder(x[0]),
    lambda x: np.polymul(x[0], x[1]),
    lambda x: np.cross(x[0], x[1]),
    lambda x: np.linalg.cross(x[0], x[1]),
    lambda x: np.convolve(x[0], x[1], "same"),
    lambda x: np.kron(x[0], x[1]),
    lambda x: np.interp(0.1, np.sort(x[0]), x[1]),
    lambda x: np.gradient(x[0]),
    lambda x: np.linalg.solve(x[:, :2], x[:, 2]),
    lambda x: np.fft.irfft(np.fft.rfft(x[0]), 3),
]


def sometimes(call: Any) -> Any:
    def f(x: Any, used: bool) -> Any:
        y = call(x)
        return np.sum(y * y) if used else np.sum(x * x)

    return f


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_both_orders(call: Any, used: bool) -> None:
    for optimized in (True, False):
        df = tl.grad(sometimes(call), optimized=optimized)
        v, h = np.cos(1.0 + np.arange(6.0)).reshape(2, 3), 1e-6
        expected = (df(X + h * v, used) - df(X - h * v, used)) / (2.0 * h)
        np.testing.assert_allclose(tl.vjp(df)(X, used)[1](v), expected, 1e-6, 1e-6)
        np.testing.assert_allclose(tl.jvp(df)(X, used, tangent=v)[1], expected, 1e-6, 1e-6)
