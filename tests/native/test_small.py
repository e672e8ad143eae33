"""Arrays of a few elements are numbers, and short axes of arguments have the lengths of the first call."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import agree

P, Q = (np.random.default_rng(k).normal(size=(7, 3)) for k in (1, 2))
PAIRS = [np.random.default_rng(k).normal(size=(7, 2)) for k in (3, 4)]
BATCH = np.random.default_rng(5).normal(size=(6, 2, 2))


def pairs(x, w):
    total = 0.0
    for i in range(len(x) - 1):
        for j in range(i + 1, len(x)):
            d = x[i] - x[j]
            r = np.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.1)
            x[i] += 0.01 * d / r
            x[j] -= 0.01 * d / r
            total += r
    return total + np.sum(x * w)


def crossed(x, w):
    c = np.zeros(3)
    total = 0.0
    for i in range(len(x)):
        c[0] = x[i, 1] * w[i, 2] - x[i, 2] * w[i, 1]
        c[1] = x[i, 2] * w[i, 0] - x[i, 0] * w[i, 2]
        c[2] = x[i, 0] * w[i, 1] - x[i, 1] * w[i, 0]
        total += np.sum(c * c * c)
        x[i] *= c
    return total + np.sum(x)


def written_later(x, w):
    total = 0.0
    for i in range(len(x)):
        d = x[i] * w[i]
        e = np.sin(d)
        d[1] = e[0] * d[2]
        d[0] *= e[1] * d[1]
        total += np.sum(d * e)
    return total


def chosen_at_run_time(x, w):
    total = 0.0
    for i in range(len(x)):
        d = x[i] - w[i]
        k = i % 3
        d[k] = d[k] * d[k]
        total += d[0] * d[1] + d[2] * d[k]
    return total


def from_the_end(x, w):
    total = 0.0
    for i in range(len(x)):
        d = x[i] * w[i]
        d[-1] = d[0] * d[-2]
        total += d[-1] * d[-3] + d[2]
    return total


def whole_numbers(x, w):
    total = 0.0
    for i in range(len(x)):
        d = np.zeros(2)
        d[0] = i
        d[1] = x[i, 0] * d[0] / 2
        for k in range(2):
            total += d[k] * w[i, k]
        total += k * d[1]
    return total


def kept_whole(x, w):
    total = 0.0
    last = x[0] * 1.0
    for i in range(len(x)):
        d = x[i] * w[i]
        total += np.sum(d * last)
        last = d
    return total * np.sum(last)


def put_twice(x, w):
    s = np.zeros(3)
    total = 0.0
    for i in range(len(x)):
        for k in range(3):
            s[k] = s[k] * 0.5 + x[i, k] * w[i, k]
        total += s[0] * s[1] * s[2]
    return total


def left_early(x, w):
    total = 0.0
    for i in range(len(x)):
        d = x[i] * w[i]
        for k in range(3):
            if d[k] < 0.0:
                break
            total += d[k] * d[k]
    return total


THREE = pairs, crossed, written_later, chosen_at_run_time, from_the_end
THREE += whole_numbers, kept_whole, put_twice, left_early


@pytest.mark.parametrize("function", THREE, ids=lambda f: f.__name__)
def test_vectors_of_three(function) -> None:
    agree(function, P, Q)


def turned(m, w):
    total = 0.0
    for i in range(len(m)):
        a = m[i] * 2.0
        b = a + w[i]
        a[0, 1] = a[0, 0] * b[1, 0]
        det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
        m[i] = a * det + b
        total += det
    return total + np.sum(m)


def test_matrices_of_two() -> None:
    agree(turned, BATCH, BATCH[::-1].copy())


def test_a_vector_of_three_takes_no_memory() -> None:
    made = agree(pairs, P, Q)
    assert "np.empty((3,))" not in made.kernels
    assert "x.shape[1]" not in made.kernels


def length(x, w):
    total = 0.0
    for i in range(len(x)):
        d = x[i] - w[i]
        x[i] = d * np.sum(d * d)
        total += np.sum(d)
    return total + np.sum(x * w)


def test_other_short_axes_are_computed_in_a_kernel_for_all() -> None:
    """Arguments of two, three, four and five columns: one kernel for the first ones, and one for all others."""
    made = tl.grad(length, wrt=(0, 1), compile="numba")
    plain = tl.grad(length, wrt=(0, 1))
    for size in (3, 2, 4, 5, 3, 2, 3):
        x, w = (np.random.default_rng(size + k).normal(size=(7, size)) for k in (0, 1))
        for mine, other in zip(made(x.copy(), w), plain(x.copy(), w), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)
    assert made.kernels.count("def dlength_dx_dw_kernel") == 2


def test_rows_of_unlike_lengths() -> None:
    """An argument that has as many rows, and no columns in common."""
    made = tl.grad(weighted, wrt=(0, 1), compile="numba")
    plain = tl.grad(weighted, wrt=(0, 1))
    for one, other in ((3, 2), (3, 3), (2, 3), (3, 2)):
        x, w = (np.random.default_rng(k).normal(size=(7, k)) for k in (one, other))
        for mine, right in zip(made(x, w), plain(x, w), strict=True):
            np.testing.assert_allclose(mine, right, rtol=1e-12)


def weighted(x, w):
    total = 0.0
    for i in range(len(x)):
        total += np.sum(x[i]) * np.sum(w[i] * w[i])
    return total


def test_single_precision_stays() -> None:
    x, w = P.astype(np.float32), Q.astype(np.float32)
    made = tl.grad(crossed, compile="numba")(x.copy(), w)
    plain = tl.grad(crossed)(P.copy(), Q)
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, plain, rtol=2e-4, atol=1e-4)
