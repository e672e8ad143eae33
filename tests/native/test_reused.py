"""Arrays as long as slices whose ends differ from trip to trip are made once, if nobody asks where they end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def comb(x: Any, g: Any, w: Any, d: int) -> Any:
    n = len(x)
    for k in range(d, n - d + 1, d):
        x[k : k + d] += g * x[k - d : k]
    y = np.zeros_like(x)
    y[:d] = -g * x[:d]
    for k in range(d, n - d + 1, d):
        y[k : k + d] = x[k - d : k] - g * x[k : k + d] + g * y[k - d : k]
    return np.sum(y * y * w)


def ends(x: Any, g: Any, w: Any, d: int) -> Any:
    """Parts of such arrays are met by other numbers, too."""
    total = 0.0
    for k in range(len(x) - 1):
        q = x[k : k + d] * w[k : k + d]
        r = np.sin(x[k:] * g)
        total += q[-1] * q[0] + r[-1] * r[len(q) - 1] + np.sum(r * x[k:])
        x[k + 1 :] += 0.1 * r[1:]
    return total


def triangles(x: Any, g: Any, w: Any, d: int) -> Any:
    a = np.outer(x, w) + np.eye(len(x)) * d
    for i in range(len(x)):
        for j in range(i):
            a[i, j:] -= g * a[i, j] * a[j, j:]
        a[i, : i + 1] *= w[i]
    return np.sum(a * a)


@pytest.mark.parametrize("function", [comb, ends, triangles])
@pytest.mark.parametrize(("n", "d"), [(12, 3), (13, 5), (2, 1), (1, 1), (3, 7)])
def test_slices_of_many_lengths(function: Any, n: int, d: int) -> None:
    x, w = np.random.default_rng(n).normal(size=(2, n))
    fast, plain = tl.grad(function, (0, 1), compile="numba"), tl.grad(function, (0, 1))
    for given in (x, np.repeat(x, 2)[::2], np.where(x == x[0], np.nan, x)):
        for one, other in zip(fast(given, 0.3, w, d), plain(given, 0.3, w, d)):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def test_nothing_is_made_in_the_loop() -> None:
    x, w = np.random.default_rng(0).normal(size=(2, 12))
    made = tl.grad(comb, (0, 1), compile="numba")
    made(x, 0.3, w, 3)
    (line,) = [line for line in made.kernels.splitlines() if "t25 = " in line]
    assert line == "    t25 = np.empty((_len0,))"
