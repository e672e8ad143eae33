"""Products of matrices and a vector begin with the vector, where the ranks are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

RNG = np.random.default_rng(2)
A, B, V = RNG.normal(size=(3, 4)), RNG.normal(size=(4, 5)) / 4, RNG.normal(size=5)


def from_the_right(a, b, v):
    return np.sum(np.sin(a @ b @ v))


def from_the_left(a, b, v):
    return np.sum(np.sin(v @ (b.T @ a.T)))


def by_functions(a, b, v):
    return np.sum(np.sin(np.dot(np.matmul(a, b), v)))


def by_methods(a, b, v):
    return np.sum(np.sin(a.dot(b).dot(v)))


def longer(a, b, v):
    return np.sum(np.sin(a @ b @ b.T @ b @ v))


def with_itself(a, b, v):
    m = b @ b.T
    return np.sum(np.sin(a @ m @ m @ b @ v))


ORDERED = from_the_right, from_the_left, by_functions, by_methods, longer, with_itself


@pytest.mark.parametrize("f", ORDERED)
def test_the_vector_comes_first(f: Callable[..., Any], confirm: Callable[..., None]) -> None:
    confirm(f, A, B, V)
    fast = tl.specialize(tl.grad(f, wrt=(0, 1, 2)), A, B, V)
    plain = tl.grad(f, wrt=(0, 1, 2), optimized=False)
    for found, expected in zip(fast(A, B, V), plain(A, B, V), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    assert fast.source.count("np.outer(") >= 2


def read_twice(a, b, v):
    return np.sum((m := a @ b) @ v) * m[0, 0]


def named_and_read_elsewhere(a, b, v):
    m = a @ b
    return np.sum(m @ v) * m[0, 1]


def written_in_between(a, b, v):
    a = a * 1.0
    for _ in range(2):
        w = a @ b @ v
        a[0] = w[0]
    return np.sum(w * w)


def written_by_what_follows(a, b, v):
    def filled(u):
        a[0, 0] = u[0]
        return u

    a = a * 1.0
    return np.sum(np.sin(a @ b @ filled(v)))


def of_matrices(a, b, v):
    return np.sum(np.sin(a @ b @ (b.T @ b)))


@pytest.mark.parametrize(
    "f",
    [
        read_twice,
        named_and_read_elsewhere,
        written_in_between,
        written_by_what_follows,
        of_matrices,
    ],
)
def test_what_is_read_or_written_elsewhere_stays(
    f: Callable[..., Any], confirm: Callable[..., None]
) -> None:
    confirm(f, A, B, V)
    fast = tl.specialize(tl.grad(f, wrt=(0, 1)), A, B, V)
    plain = tl.grad(f, wrt=(0, 1), optimized=False)
    for found, expected in zip(fast(A, B, V), plain(A, B, V), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    assert "a @ b" in fast.source


def test_loops_are_written_for_ranks() -> None:
    def powers(a, v):
        for _ in range(3):
            v = a @ a @ v
        return np.sum(v)

    a = RNG.normal(size=(4, 4))
    gradient = tl.grad(powers)
    found = gradient(a, V[:4])
    np.testing.assert_allclose(found, tl.grad(powers, optimized=False)(a, V[:4]), rtol=1e-12)
