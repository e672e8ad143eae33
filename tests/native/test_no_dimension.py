"""Arrays of no dimension under Numba: they have no last index, and as arguments they are numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba")


def crowded(a: Any) -> Any:
    s = np.zeros(())
    b, c = np.zeros(len(a)), np.zeros(len(a))
    for i in range(1, len(a)):
        b[i] = a[i] + c[i - 1]
        c[i] = b[i] * a[i - 1]
        a[i] = b[i] * c[i] + s[()]
        s[()] = c[i]
    return np.sum(a) + s[()]


def by_columns(a: Any) -> Any:
    s = np.ones(())
    n, m = a.shape
    for j in range(m):
        for i in range(n):
            a[i, j] = a[i, j] * s[()]
    for j in range(m):
        for i in range(n):
            s[()] += a[i, j]
    for j in range(m):
        s[()] = np.sum(a[:, j]) * s[()]
    return np.sum(a) * s[()]


@pytest.mark.parametrize(("f", "shape"), [(crowded, (4,)), (by_columns, (3, 4))])
def test_an_element_of_no_dimension(f: Any, shape: Any) -> None:
    a = np.random.default_rng(0).random(shape)
    np.testing.assert_allclose(tl.grad(f, compile="numba")(a), tl.grad(f)(a), rtol=1e-12)


def scaled(beta: Any, x: Any) -> Any:
    s = 0.0
    for i in range(len(x)):
        s += beta * x[i]
    return s * beta


def weighted(beta: Any, x: Any) -> Any:
    return np.sum(beta * x) * beta


def as_array(beta: Any, x: Any) -> Any:
    return beta[()] * beta.size * np.sum(x)


@pytest.mark.parametrize("f", [scaled, weighted, as_array])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_an_argument_of_no_dimension(f: Any, kind: Any) -> None:
    beta, x = np.array(1.3, kind), np.arange(3.0).astype(kind)
    fast = tl.grad(f, wrt=(0, 1), compile="numba")
    for _ in range(2):
        for made, plain in zip(fast(beta, x), tl.grad(f, wrt=(0, 1))(beta, x)):
            np.testing.assert_allclose(made, plain, rtol=1e-6)
            assert (np.shape(made), made.dtype) == (np.shape(plain), plain.dtype)


def test_an_argument_of_no_dimension_that_is_written() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x
        z *= y
        return x * z

    try:
        made = tl.grad(f, compile="numba")(np.array(1.2), 3.0)
    except tl.UnsupportedSyntaxError:
        return
    np.testing.assert_allclose(made, 21.6)
