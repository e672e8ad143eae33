"""Products that are added in place: each has the kind of numbers of what it is the adjoint of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime

ROW = np.arange(1.0, 4.0)
SIDES = (runtime.matmul_left, runtime.dot_left, runtime.matmul_right, runtime.dot_right)


@pytest.mark.parametrize("product", SIDES)
@pytest.mark.parametrize("dtype", (np.float64, np.complex128))
def test_a_product_can_hold_what_is_added_to_it(product: Any, dtype: Any) -> None:
    small, square = ROW.astype(np.float32), np.eye(3, dtype=dtype)
    left = product in SIDES[:2]
    args = (square, small) if left else (small, square)
    found = product(small, *args)
    assert found.dtype == dtype
    assert np.array_equal(found, np.outer(ROW, ROW))


def mixed(w: Any, x: Any, v: Any) -> Any:
    y = np.dot(w, x)
    z = np.dot(w.astype(np.float32), v)
    return np.sum(y * y) + np.sum(z * z)


def complex_after_real(x: Any, w: Any) -> Any:
    z = np.fft.fft(x, axis=0)
    s = 0.0
    for _ in range(3):
        s = s + np.sum(np.imag(np.dot(z, w)))
        s = s + np.sum(np.real(np.dot(z, w)))
    return s


@pytest.mark.parametrize(
    ("function", "args"),
    (
        (mixed, (np.diag(ROW), ROW, ROW.astype(np.float32))),
        (complex_after_real, (np.diag(ROW), np.diag(ROW) + 0.5)),
    ),
)
def test_sums_in_place_are_those_step_by_step(function: Any, args: tuple[Any, ...]) -> None:
    found, expected = (tl.grad(function, optimized=o)(*args) for o in (True, False))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "both, left, right", [("dot_both", *SIDES[1::2]), ("matmul_both", *SIDES[::2])]
)
@pytest.mark.parametrize("dtype", (np.float64, np.float32, np.complex128, int))
@pytest.mark.parametrize("shape", [(3,), (0,), (1,), (2, 2), (2, 3, 3)])
def test_the_adjoint_of_both_factors(
    both: str, left: Any, right: Any, dtype: Any, shape: Any
) -> None:
    x = np.arange(1.0, 1.0 + int(np.prod(shape))).reshape(shape).astype(dtype)
    product = np.dot(x, x) if both == "dot_both" else x @ x
    for b in (product * 0.5, np.real(product).astype(np.float32), runtime.ZERO):
        found, wanted = getattr(runtime, both)(b, x), left(b, x, x) + right(b, x, x)
        np.testing.assert_array_equal(found, wanted)
        assert type(found) is type(wanted)
        assert getattr(found, "dtype", None) == getattr(wanted, "dtype", None)


def test_the_square_of_a_vector_is_one_product_back() -> None:
    def penalty(w: Any) -> Any:
        return 0.5 * np.dot(w, w) + (w @ w) ** 2

    gradient = tl.grad(penalty)
    assert "rt.dot_both(" in gradient.source
    np.testing.assert_allclose(gradient(ROW), ROW + 4.0 * (ROW @ ROW) * ROW)
    wanted = (1.0 + 4.0 * ROW @ ROW) * np.eye(3) + 8.0 * np.outer(ROW, ROW)
    np.testing.assert_allclose(tl.hessian(penalty)(ROW), wanted)
