"""Differences, gradients, sums of trapezoids, straight lines between points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt
from tests.templates.spelled import calls, check

DIFFERENCES = """
np.diff(V)
np.diff(M, 2)
np.diff(M, axis=0)
np.diff(V, prepend=X)
np.diff(V, prepend=0.0)
np.diff(V, append=X, prepend=Y)
np.diff(M, prepend=M[:, :1])
np.diff(M, 1, 0, append=U[None, :])
np.diff([X, Y, 1.0], append=V[0])
np.diff((1, 2), prepend=X)
np.ediff1d(V)
np.ediff1d(M)
np.ediff1d(V, to_end=X)
np.ediff1d(V, to_begin=W, to_end=[X, 1.0])
np.gradient(U)
np.gradient(M)
np.gradient(M, axis=0)
np.gradient(M, axis=(0, 1))[1]
np.gradient(U, 0.5)
np.gradient(U, np.array([0.0, 0.5, 2.0, 2.5]))
np.gradient(M, 2.0, np.array([0.0, 0.5, 2.0, 2.5]))[1]
np.gradient(U, edge_order=2)
np.gradient(V[:2])
np.trapezoid(V)
np.trapezoid(V, W)
np.trapezoid(V, x=W)
np.trapezoid(M, U)
np.trapezoid(M, dx=0.3)
np.trapezoid(M, dx=X, axis=0)
np.trapezoid(M, W, axis=0)
np.trapezoid(M, M * M, axis=1)
np.interp(X, G, V)
np.interp(V, G, W)
np.interp(M, G, V)
np.interp(V, G, W, left=0.0, right=1.0)
np.interp(V, np.array([0.0, 0.5, 2.0]), [X, 1.0, Y])
np.unwrap(U * 4.0)
np.unwrap(M * 4.0, axis=0)
np.unwrap(V)
np.unwrap([X, Y + 7.0])
"""


@pytest.mark.parametrize(("text", "second"), calls(DIFFERENCES))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


def test_at_a_point_the_slope_of_a_line_is_the_middle_of_both() -> None:
    df = tl.grad(lambda x: np.interp(x, [0.0, 1.0, 2.0], [0.0, 1.0, 5.0]))
    assert df(1.0) == 2.5
    assert df(2.0) == 2.0
    assert df(3.0) == 0.0


def test_slopes_along_two_axes_may_be_written() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        down, across = np.gradient(x)
        down[0] = 0.0
        return np.sum(down * across)

    x, step = np.cos(np.arange(6.0)).reshape(2, 3), 1e-6
    found = tl.grad(f)(x)
    for k in range(6):
        move = step * np.eye(6)[k].reshape(2, 3)
        assert found.flat[k] == pytest.approx((f(x + move) - f(x - move)) / (2 * step), abs=1e-6)


def test_a_gradient_does_not_know_its_spacings() -> None:
    with pytest.raises(tl.MissingRuleError, match="no derivative in `varargs"):
        tl.grad(lambda h: np.sum(np.gradient(np.ones(3), h)))


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("order", [1, 2])
def test_a_gradient_of_any_length(n: int, order: int) -> None:
    if n > order:
        weights = np.cos(np.arange(n))
        found = tl.grad(lambda x: np.sum(weights * np.gradient(x, edge_order=order)))(np.ones(n))
        columns = np.gradient(np.eye(n), axis=0, edge_order=order)
        np.testing.assert_allclose(found, weights @ columns, atol=1e-12)


def test_second_derivatives_of_lines_between_points_are_not_rounded() -> None:
    def f(x, v):
        return np.interp(x, [0.0, 1.0, 2.5], v)

    pull = tl.vjp(tl.grad(f), wrt=1)(0.7, np.array([0.3, 0.7, -0.3]))[1]
    np.testing.assert_allclose(pull(0.123456789), [-0.123456789, 0.123456789, 0.0], rtol=1e-15)


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
@pytest.mark.parametrize("shape", [(5,), (1,), (4, 3), (3, 1, 4), (4, 4)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_adjoint_of_differences(shape: tuple[int, ...], n: int, dtype: Any) -> None:
    """``sum(b * diff(x))`` is ``sum(undiff(b) * x)``, along every axis, for views and in any precision."""
    rng = np.random.default_rng(7)
    for axis in range(-len(shape), len(shape)):
        b = rng.normal(size=(*shape[:-1], 2 * shape[-1]))[..., ::2].astype(dtype)
        size = list(shape)
        size[axis] += n
        x = rng.normal(size=size).astype(dtype)
        found = rt.undiff(b, n, axis)
        assert found.shape == tuple(size) and found.dtype == dtype
        np.testing.assert_allclose(
            np.sum(found * x), np.sum(b * np.diff(x, n, axis)), rtol=1e-4, atol=1e-5
        )
