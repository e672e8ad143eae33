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
    backward = text[text.index("tape.pop()") :]
    assert backward.count("for _0 in range") <= 2
