"""Functions that are said with others, other spellings, results with names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import calls, check

STANDINS = """
np.poly(V)
np.poly(P)
np.abs(np.roots(U))
np.abs(np.roots([1.0, X, -2.0, 0.0]))
np.poly([X, 2.0 * X])
np.poly(((X, 1.0), (1.0, 2.0)))
np.linalg.solve([[X, 1.0], [2.0, 3.0 * X]], [X * X, 1])
np.linalg.solve(((X, 1.0), (2.0, 3.0)), ((X, 2.0), (1.0, X)))
np.linalg.lstsq([[X, 1.0], [2.0, 1.0], [0.0, X]], [X * X, 1.0, 2.0], rcond=None)[0]
np.polydiv(U, W[:2])
np.trim_zeros(np.concatenate((np.zeros(2), V)))
np.kaiser(5, X)
np.union1d(V, U)
np.setdiff1d(V, W[:2])
np.setxor1d(V, U)
np.intersect1d(U, U)
np.histogram(V, weights=W)
np.histogram(V, G, weights=V)
np.histogram(V, 3, density=True, weights=W)
np.histogram2d(V, W, 2, weights=V)
np.apply_along_axis(np.cumsum, 1, M)
np.apply_along_axis(lambda row: row[0] * row[1], 0, M)
np.apply_along_axis(lambda row: np.outer(row, row) * X, -1, K)
np.apply_along_axis(lambda row, k: row * k, 0, M, X)
np.apply_over_axes(np.sum, S, [0, 2])
np.piecewise(V, [V < 0.5, V > 1.0], [lambda v: v * X, 2.0, np.sin])
np.piecewise(X, [X < 0.0], [np.cos, lambda v: v**2])
np.fromfunction(lambda i, j: X * i + j * j, (2, 3))
np.poly1d(V)(X)
np.mgrid[0:3, 0:4] * M
np.asarray_chkfinite(V)
np.unique_counts(V)[0]
statistics.mean(V)
statistics.mean(v * v for v in V)
statistics.fmean(V, [1.0, X, 2.0])
statistics.geometric_mean([X, 2.0])
statistics.harmonic_mean((X, 2.0))
statistics.stdev(V)
statistics.stdev(V, X)
statistics.pstdev(V, mu=X)
statistics.pstdev([X, X]) + X
statistics.variance(V, statistics.mean(V))
statistics.pvariance(list(V))
statistics.median(V)
statistics.median([X, 3.0 * X, X * X])
statistics.median_low(V) * statistics.median_high(V)
"""
SPELLINGS = """
np.logaddexp.reduce(M)
np.logaddexp.reduce(M, axis=1, keepdims=True)
np.subtract.reduce(M, 1)
np.logaddexp.reduce(S, axis=(0, 2), keepdims=True)
np.logaddexp.reduce(S, axis=(2, 1))
np.hypot.reduce(M, axis=None)
np.maximum.accumulate(M, axis=1)
np.hypot.accumulate(V)
np.multiply.outer(V, M)
np.arctan2.outer(V, U)
np.einsum(M, [0, 1], R, [1, 2])
np.einsum(M, [0, 1], R, [1, 2], [2, 0])
np.einsum(S, [..., 0], U, [0], [...])
np.r_[V, X, U]
np.r_[V, 1.5, 0:2]
np.r_[M, K]
np.r_[[0] * 2, V, [X, 1], 5]
np.r_[(1.0, X), V]
np.c_[[1, 1, 1], V]
np.c_[V, A]
np.c_[V, W, 2.0 * V]
np.linalg.slogdet(A).logabsdet
np.linalg.eigh(P).eigenvalues
np.linalg.svd(M, full_matrices=False).U
np.linalg.svd(M).S
np.linalg.qr(A).R
np.real(np.complex128(V) * (1.0 + 2.0j))
np.real(complex(X, Y) * (1.0 + 2.0j))
np.float64(X)
np.int64(V) * V
np.maximum(V, np.finfo(V.dtype).eps) * np.finfo(float).max ** 0.01
np.clip(V, np.iinfo(np.int8).min, 0.5)
"""


@pytest.mark.parametrize(("text", "second"), calls(STANDINS + SPELLINGS))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


@np.vectorize
def ramp(a: Any, b: Any) -> Any:
    return a * b if a > 0.5 else b


def test_a_vectorized_function(confirm: Any) -> None:
    confirm(lambda x, b: np.sum(np.sin(ramp(x, b))), np.array([0.3, 0.7, 1.1]), 0.4)


def test_names_of_results_survive_a_variable(confirm: Any) -> None:
    def f(x: Any) -> Any:
        found = np.linalg.slogdet(x)
        return found.sign * found.logabsdet**2

    confirm(f, np.array([[0.3, 1.2], [0.8, -0.5]]))


def test_a_grid_between_numbers_that_are_differentiated_is_refused(refused: Any) -> None:
    def f(x: Any) -> Any:
        return np.sum(np.mgrid[0:x])

    refused(f, "np.mgrid[0:x]", "grid")


def test_several_arrays_are_stacked_for_a_histogram_of_all() -> None:
    with pytest.raises(TypeError, match="stack"):
        tl.grad(lambda x: np.sum(np.histogramdd((x, x), 2, weights=x)[0]))(np.ones(3))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.r_[x, 1.0] ** 2),
        lambda x: np.sum(np.apply_along_axis(np.cumsum, 0, x) ** 2),
        lambda x: np.sum(np.piecewise(x, [x > 0.3], [np.sin, 0.5])),
        lambda x: np.sum(np.logaddexp.reduce(x)),
        lambda x: np.sum(np.multiply.outer(x, x)),
    ],
)
def test_single_precision_stays(f: Any) -> None:
    x = np.array([0.5, 0.25], np.float32)
    assert tl.grad(f)(x).dtype == np.float32
    assert np.asarray(tl.jvp(f)(x, tangent=x)[1]).dtype == np.float32
