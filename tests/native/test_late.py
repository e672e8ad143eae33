"""Arrays are made right before the loop that reads them, where what they are made of is the same."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import M, V, W, agree

N = 12


def view_written(x, w):
    t = x * w
    part = x[2:]
    part[:] = 3.0 * x[1:-1]
    y = t * t + x
    return np.sum(y * w)


def output_given(x, w):
    t = x * w + 1.0
    np.multiply(w, 2.0, x)
    y = t * t * x
    return np.sum(y)


def filled(x, w):
    t = x * w
    x.fill(2.0)
    y = t * t * x
    return np.sum(y)


def doubled(a):
    a *= 2.0
    return a[0]


def helper_writes(x, w):
    t = x * w
    s = doubled(x)
    y = t * t + x * s
    return np.sum(y)


def scattered(x, w):
    k = np.array([1, 0, 1, 5])
    t = x * w
    u = t * x
    np.add.at(x, k, w[:4])
    y = t * u + x * t
    return np.sum(y * w)


def twice(x, w):
    t = x * w
    u = t + 1.0
    x[1:] = x[:-1]
    y = np.sin(t) * t + u * x
    x[:] = y
    z = t * u
    return np.sum(x * z)


def rows(m, w):
    t = m * w
    u = t[1:] - t[:-1]
    m[1:] += u * u
    m[0] = 0.0
    return np.sum(m * t)


def number_from_a_function(x, w):
    s = 0.5
    t = x * w
    x[1:] = t[:-1] * x[1:]
    r = np.exp(s)
    y = t * t * r
    s = 2.0
    q = np.maximum(s, r)
    z = y * q + x
    return np.sum(z)


@pytest.mark.parametrize(
    "function",
    [
        view_written,
        filled,
        helper_writes,
        scattered,
        twice,
        number_from_a_function,
    ],
    ids=lambda f: f.__name__,
)
def test_what_is_carried_is_what_it_was(function) -> None:
    agree(function, V, W)


def test_rows_of_a_matrix() -> None:
    agree(rows, M, W)


def test_what_a_ufunc_writes_into() -> None:
    try:
        agree(output_given, V, W)
    except tl.UnsupportedSyntaxError as fault:
        assert "compile" in str(fault)


def advected(q, u, w, grid, steps):
    n = len(q)
    for _ in range(steps):
        x = np.clip(grid - 0.5 * u, 0.0, n - 1.001)
        i = x.astype(int)
        a = x - i
        q[:] = (1 - a) * q[i] + a * q[i + 1]
    return np.sum(q * w)


def test_places_and_weights_are_made_where_they_are_read() -> None:
    """The weights, the slopes of the edges and the sums: one loop, in which everything but what is kept is a number."""
    x, u, w = (np.random.default_rng(k).normal(size=N) for k in range(3))
    made = agree(advected, x, u, w, np.arange(N), 3)
    (text,) = [part for part in made.kernels.split("\n\n\n") if "advected" in part]
    backward = text[text.index("range(steps - 1") :]
    assert backward.count("for _0 in range") <= 2


def places_change(x, w, k):
    for i in range(len(k)):
        x[k[i]] += w[i] * x[k[i] - 1]
        k[i] = i
        x[k[i]] *= 1.5
    return np.sum(x * w)


def pulled(x, w, first, second):
    d = x[second] - x[first]
    f = np.sum(d * d, axis=1)
    pull = (np.sin(f) / (1.0 + f))[:, None] * d
    force = np.zeros_like(x)
    np.add.at(force, first, pull)
    np.add.at(force, second, -pull)
    return np.sum(force * w * x)


def test_places_that_change_are_asked_again() -> None:
    agree(places_change, V, W, np.array([3, 1, 1, 5, 0, 2]))


def test_places_are_asked_once_in_a_trip() -> None:
    """One loop forward, and one back, in which the places of both ends are worked out before they are used."""
    x, w = (np.random.default_rng(k).normal(size=(9, 2)) for k in (1, 2))
    first, second = np.array([0, 1, 8, -2, 4]), np.array([3, 4, 3, 0, -1])
    made = agree(pulled, x, w, first, second)
    assert made.kernels.count("_at(") == 4


def test_places_outside_are_refused() -> None:
    x, w = (np.random.default_rng(k).normal(size=(9, 2)) for k in (1, 2))
    first, second = np.array([0, 1, 9]), np.array([3, 4, 3])
    with pytest.raises(IndexError):
        tl.grad(pulled, compile="numba")(x, w, first, second)


def pooled(y, w):
    n, m, _ = y.shape
    z = np.zeros((n // 2, m // 2, y.shape[2]))
    for i in range(n // 2):
        for j in range(m // 2):
            z[i, j] = y[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].mean(axis=(0, 1))
    return np.sum(z * z * w)


def test_axes_of_a_mean_are_known_where_they_have_a_name() -> None:
    y, w = (np.random.default_rng(k).normal(size=s) for k, s in ((1, (4, 6, 5)), (2, (2, 3, 5))))
    assert "unreduce" not in agree(pooled, y, w).kernels


def scaled_blocks(x, w):
    for i in range(len(x)):
        for g in range(2):
            block = x[i, 2 * g : 2 * g + 2]
            block[...] = (block - block.mean()) * 2.0
    return np.sum(x * w)


def test_blocks_of_a_shadow_are_added_in_loops() -> None:
    """An array that is added to a part of another by Numba itself takes two seconds to compile, for its messages."""
    x, w = (np.random.default_rng(k).normal(size=(3, 4, 2)) for k in (1, 2))
    kernels = agree(scaled_blocks, x, w).kernels
    assert "+= rt.apart" not in kernels
    assert "_p1" not in kernels


def chain(a, b, seen):
    a = np.exp(a - a.max(axis=1, keepdims=True))
    a /= a.sum(axis=1, keepdims=True)
    b = np.exp(b - b.max(axis=1, keepdims=True))
    b = b / b.sum(axis=1, keepdims=True)
    p = np.full(len(a), 1.0 / len(a))
    total = 0.0
    for o in seen:
        p = (p @ a) * b[:, o]
        s = p.sum()
        p /= s
        total += np.log(s)
    return total


def again_and_again(x, w):
    x = x * w
    x = np.sin(x) + x
    for i in range(2):
        x = x * 0.5 + w
    x = x - x.mean()
    x[1:] *= x[:-1]
    return np.sum(x * w)


def test_arguments_that_are_made_anew() -> None:
    """A hidden chain of states: the sums along rows have one column, whatever the argument is called then."""
    a, b = (np.random.default_rng(k).normal(size=(4, k)) for k in (4, 6))
    agree(chain, a, b, np.array([0, 5, 3, 3, 1]))
    agree(again_and_again, V.copy(), W.copy())
