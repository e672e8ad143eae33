"""What neighbors in two axes add to an array is added element by element in machine code, at edges as elsewhere."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import agree

numba = pytest.importorskip("numba")


def five_points(t, p, n):
    new = t.copy()
    for _ in range(n):
        new[1:-1, 1:-1] = t[1:-1, 1:-1] + (
            p[1:-1, 1:-1]
            + 0.1 * (t[2:, 1:-1] + t[:-2, 1:-1] - 2.0 * t[1:-1, 1:-1])
            + 0.2 * (t[1:-1, 2:] + t[1:-1, :-2] - 2.0 * t[1:-1, 1:-1])
        )
        t[:] = new
    return np.sum(t * t * p)


def far_ones(t, p, n):
    new = np.zeros_like(t)
    for _ in range(n):
        new[2:-2, 2:-2] = 0.3 * (t[4:, 2:-2] - t[:-4, 2:-2] + t[2:-2, 4:] - t[2:-2, :-4]) + (
            0.5 * t[3:-1, 3:-1]
        )
        t[:] += new
    return np.sum(t * p)


def one_sided(t, p, n):
    for _ in range(n):
        d = 0.5 * (t[1:, 1:] - t[:-1, 1:]) + 0.25 * (t[1:, :-1] - 2.0 * t[:-1, :-1])
        t[1:, 1:] -= d * d + 0.1 * d
    return np.sum(t * p)


def columns_alone(t, p, n):
    new = np.zeros_like(t)
    for _ in range(n):
        new[1:-1] = 0.5 * t[2:] - 0.25 * t[:-2] + 0.1 * t[1:-1]
        t[:] = new * 0.9
    return np.sum(t * p)


def written_between(t, p, n):
    new, other = np.zeros_like(t), np.zeros_like(t)
    for _ in range(n):
        new[1:-1, 1:-1] = t[2:, 1:-1] * 2.0 - t[:-2, 1:-1]
        other[1:-1, 1:-1] = new[1:-1, 1:-1] * t[1:-1, 2:] + t[1:-1, :-2]
        t[1:-1, 1:-1] += 0.1 * other[1:-1, 1:-1] * p[1:-1, 1:-1] + 0.1 * t[2:, 2:]
        new[0] = other[1] + t[0]
    return np.sum(t * p) + np.sum(new * other)


PROGRAMS = [five_points, far_ones, one_sided, columns_alone, written_between]


def given(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(sum(shape))
    return rng.normal(size=shape), rng.normal(size=shape)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_sizes(function) -> None:
    made = tl.grad(function, wrt=(0, 1), compile="numba")
    plain = tl.grad(function, wrt=(0, 1), optimized=False)
    least = 5 if function is far_ones else 2
    made(*given(9, 8), 2)
    for rows in range(least, least + 4):
        for columns in range(least, least + 4):
            for n in (0, 1, 2):
                args = given(rows, columns)
                for mine, other in zip(made(*args, n), plain(*args, n), strict=True):
                    np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_wherever_they_lie(function) -> None:
    agree(function, *given(7, 6), 2)
    made = tl.grad(function, wrt=(0, 1), compile="numba")
    plain = tl.grad(function, wrt=(0, 1), optimized=False)
    t, p = given(7, 6)
    wide = np.random.default_rng(2).normal(size=(14, 12))
    for args in (
        (wide[::2, ::2], p),
        (t.T.copy().T, p[::-1, ::-1]),
        (t.astype(np.float32), p.astype(np.float32)),
        (np.where(t > 1.5, np.nan, t), p),
        (np.where(t == t.max(), np.inf, t), p),
    ):
        kept = copy.deepcopy(args)
        with np.errstate(all="ignore"):
            for mine, other in zip(made(*args, 2), plain(*kept, 2), strict=True):
                rough = mine.dtype != float
                np.testing.assert_allclose(mine, other, rtol=1e-4 if rough else 1e-9, atol=1e-5)


def test_each_element_is_added_to_once() -> None:
    """No loop over rows that adds to rows above and below is left, but at the edges."""
    made = agree(five_points, *given(7, 6), 2)
    backward = made.kernels.partition("range(n - 1")[2]
    inside = backward.partition("else:")[0]
    assert inside.count("_sum += ") >= 4 and "bt[_0 + 2" not in backward, made.kernels
