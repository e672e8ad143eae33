"""Axes that are added to parts of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def factored(A: Any, b: Any, w: Any) -> Any:
    n = A.shape[1]
    for k in range(n - 1):
        A[:, k + 1 :, k] /= A[:, k, k][:, None]
        A[:, k + 1 :, k + 1 :] -= A[:, k + 1 :, k][:, :, None] * A[:, k, k + 1 :][:, None]
    for k in range(n):
        b[:, k + 1 :] -= A[:, k + 1 :, k] * b[:, k][:, None]
    for k in range(n - 1, -1, -1):
        b[:, k] /= A[:, k, k]
        b[:, :k] -= A[:, :k, k] * b[:, k][:, None]
    return np.sum(b * b * w)


def stores(A: Any, b: Any, w: Any) -> Any:
    """A part of a part is written, too."""
    for k in range(A.shape[2]):
        A[..., k][:, None] *= np.sin(b)[:, None]
        view = A[:, 0][:, None, :]
        view += w[:, None, : A.shape[2]] * 0.5
        A[1:, :, k][:, :, None][:, 0] += A[:-1, :, k][:, :1]
    return np.sum(A * A) + np.sum(A[0, :, -1][None] ** 3)


@pytest.mark.parametrize("function", [factored, stores])
@pytest.mark.parametrize("size", [(5, 4), (2, 2), (1, 3), (3, 1)])
@pytest.mark.parametrize("strided", [False, True])
def test_parts_with_more_axes(function: Any, size: tuple[int, int], strided: bool) -> None:
    many, n = size
    if strided and function is stores:
        pytest.skip("views of what has no order in memory: Numba refuses")
    rng = np.random.default_rng(n)
    A = np.eye(n) * 4.0 + 0.3 * rng.normal(size=(many, n, n))
    if strided:
        A = np.repeat(A, 2, axis=2)[:, :, ::2]
    b, w = rng.normal(size=(2, many, n))
    fast, plain = tl.grad(function, (0, 1), compile="numba"), tl.grad(function, (0, 1))
    for one, other in zip(fast(A, b, w), plain(A, b, w)):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def test_no_part_is_made_for_an_axis() -> None:
    rng = np.random.default_rng(0)
    made = tl.grad(factored, (0, 1), compile="numba")
    made(np.eye(4) * 4.0 + 0.3 * rng.normal(size=(5, 4, 4)), *rng.normal(size=(2, 5, 4)))
    assert "None]" not in made.kernels


def among_themselves(A: Any, b: Any, w: Any) -> Any:
    for k in range(A.shape[2]):
        part = A[1:, :, k][:, :, None][:, 0]
        part += A[:-1, :, k][:, :1]
        part *= b[1:, :1]
        A[:, 1:][..., k][:, None][:, 0] += A[:, :-1][..., k]
    return np.sum(A * A) + np.sum(w)


@pytest.mark.parametrize("size", [(5, 4), (2, 2), (4, 3)])
def test_what_is_added_lies_in_the_same_array(size: tuple[int, int]) -> None:
    many, n = size
    rng = np.random.default_rng(n)
    A, (b, w) = rng.normal(size=(many, n, n)), rng.normal(size=(2, many, n))
    fast, plain = (
        tl.grad(among_themselves, (0, 1), compile="numba"),
        tl.grad(among_themselves, (0, 1)),
    )
    for one, other in zip(fast(A, b, w), plain(A, b, w)):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
