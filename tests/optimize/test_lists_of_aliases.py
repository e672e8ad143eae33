"""Arrays under two names, of which loops read and write lists: what one list holds is in the other, too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tangentlite as tl


def one_after_the_other(x, c, n):
    u = np.zeros(n)
    for k in range(n):
        u[k] = x[k] * c
    v = u
    for i in range(n - 2, 0, -1):
        v[i * 2 % n] = x[n - 1 - i] + (i % 3)
    for i in range(0, n, 2):
        u[0] += 1.5
    return np.sum(u) + v[-1] * v[0]


def read_between(x, c, n):
    u = np.zeros(n)
    v = u
    s = 0.0
    for k in range(n):
        u[k] = x[k] * c
    for t in range(3):
        for k in range(1, n):
            v[k] = v[k - 1] * c + v[k] * 0.5
        for k in range(n):
            s = s * 0.9 + u[k] * u[k]
    return s


def stretch(x, c, n):
    u = x * c
    v = u[1:]
    s = 0.0
    for k in range(n):
        s = s + u[k] * x[k]
    for k in range(1, n - 1):
        v[k] = v[k - 1] * u[0] * c
    for k in range(n):
        s = s * u[k] + c
    return s


def lists(x, c, n):
    u = [x[k] * c for k in range(n)]
    v = u
    for i in range(n - 2, 0, -1):
        v[i * 2 % n] = x[n - 1 - i] + (i % 3)
    for i in range(0, n, 2):
        u[0] += 1.5
    return sum(u) + v[-1] * v[0]


@pytest.mark.parametrize("f", [one_after_the_other, read_between, stretch, lists])
@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_the_lists_of_both_names_agree(f: Callable[..., float], n: int) -> None:
    x = np.linspace(0.3, 1.1, n)
    known = tl.grad(f, wrt=(0, 1), optimized=False)(x, 0.6, n)
    for found in (
        tl.grad(f, wrt=(0, 1))(x, 0.6, n),
        tl.value_and_grad(f, wrt=(0, 1))(x, 0.6, n)[1],
    ):
        np.testing.assert_allclose(found[0], known[0], rtol=1e-12)
        np.testing.assert_allclose(found[1], known[1], rtol=1e-12)
    assert tl.value_and_grad(f, wrt=(0, 1))(x, 0.6, n)[0] == f(x, 0.6, n)
