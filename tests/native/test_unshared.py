"""Arrays that share memory with nothing are told apart once, and choices between elements wait for no test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def grown(s: Any, i: Any, r: Any, beta: float, w: Any, steps: int) -> Any:
    lap, new = np.zeros_like(s), np.empty_like(s)
    for _ in range(steps):
        lap[1:-1] = i[2:] + i[:-2] - 2.0 * i[1:-1]
        np.multiply(s, i, out=new)
        new *= beta
        s -= new
        i += new
        r += 0.5 * i
        i *= 0.9
        i += 0.05 * lap
    return np.sum(i * w) + np.sum(r * r * w) + np.sum(s * w)


def upwind(c: Any, u: Any, w: Any, steps: int) -> Any:
    new = c.copy()
    for _ in range(steps):
        left = np.where(u[1:-1] > 0.0, c[1:-1] - c[:-2], c[2:] - c[1:-1])
        new[1:-1] = c[1:-1] - u[1:-1] * left
        c, new = new, c
    return np.sum(c * c * w)


def either_kind(x: Any, y: Any, m: Any) -> Any:
    a = np.where(m, x * 2.0, 1)
    b = np.where(x > y, np.where(y > 0.0, x * y, y), np.exp(x))
    return np.sum(a * b)


def args(n: int, *, how: str = "") -> list[Any]:
    rng = np.random.default_rng(n)
    found: list[Any] = [rng.uniform(0.1, 0.9, 2 * n)[::2] for _ in range(4)]
    found = found if how == "strided" else [a.copy() for a in found]
    if how == "nan":
        found[1][n // 2] = np.nan
    if how == "inf":
        found[0][0] = np.inf
    return [*found[:3], 0.3, found[3], 4]


def assert_same(made: Any, plain: Any) -> None:
    for one, other in zip(made, plain):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
        assert np.asarray(one).dtype == np.asarray(other).dtype


@pytest.mark.parametrize("how", ["", "strided", "nan", "inf"])
def test_a_crowded_loop(how: str) -> None:
    fast, plain = (
        tl.grad(grown, wrt=(0, 1, 2, 3), compile="numba"),
        tl.grad(grown, wrt=(0, 1, 2, 3)),
    )
    with np.errstate(all="ignore"):
        for n in (40, 3, 2):
            assert_same(fast(*args(n, how=how)), plain(*args(n, how=how)))
        none = [*args(5, how=how)[:-1], 0]
        assert_same(fast(*none), plain(*none))
    assert "_unshared(" in fast.kernels


def test_one_array_twice() -> None:
    """What is only read may be read under two names."""
    c, u, *_ = args(12)
    fast, plain = tl.grad(upwind, wrt=1, compile="numba"), tl.grad(upwind, wrt=1)
    np.testing.assert_allclose(fast(c, u, u, 3), plain(c, u, u, 3), rtol=1e-12)


def test_a_crowded_loop_of_single_precision() -> None:
    small = [np.float32(a) if isinstance(a, np.ndarray) else a for a in args(24)]
    fast, plain = tl.grad(grown, wrt=(0, 1), compile="numba"), tl.grad(grown, wrt=(0, 1))
    for one, other in zip(fast(*small), plain(*small)):
        assert one.dtype == other.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-4)


@pytest.mark.parametrize("n", [2, 3, 30])
def test_both_sides_of_a_choice(n: int) -> None:
    c, u, w = args(n)[0], args(n)[1] - 0.5, args(n)[4]
    fast, plain = tl.grad(upwind, wrt=(0, 1), compile="numba"), tl.grad(upwind, wrt=(0, 1))
    assert_same(fast(c, u, w, 3), plain(c, u, w, 3))
    assert "_either(" in fast.kernels


def test_sides_of_several_kinds() -> None:
    x = np.array([1.0, -2.0, np.nan, np.inf, 0.5])
    y = np.array([0.5, -3.0, 1.0, 2.0, np.nan])
    masks = [np.array([True, False, True, False, True]), np.array([1, 0, 2, 0, 0])]
    fast, plain = (
        tl.grad(either_kind, wrt=(0, 1), compile="numba"),
        tl.grad(either_kind, wrt=(0, 1)),
    )
    for m in masks:
        with np.errstate(all="ignore"):
            assert_same(fast(x, y, m), plain(x, y, m))
