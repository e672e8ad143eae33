"""Linear algebra: norms, systems, eigenvalues, factors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import VALUES, calls, check

NORMS_AND_POWERS = """
np.linalg.norm(V, 1)
np.linalg.norm(V, 2)
np.linalg.norm(V, ord=3)
np.linalg.norm(V, 2.5)
np.linalg.norm(V, np.inf)
np.linalg.norm(V, -np.inf)
np.linalg.norm(V, 0)
np.linalg.norm(V, -1)
np.linalg.norm(M, 1)
np.linalg.norm(M, 2)
np.linalg.norm(M, -2)
np.linalg.norm(M, "nuc")
np.linalg.norm(M.T, "nuc")
np.linalg.norm(A, "nuc")
np.linalg.norm(M, "fro")
np.linalg.norm(M, np.inf)
np.linalg.norm(M, -1)
np.linalg.norm(M, 3, axis=1)
np.linalg.norm(M, 1, 0, True)
np.linalg.norm(S, 2, (1, 2))
np.linalg.norm(S, "nuc", axis=(0, 2), keepdims=True)
np.linalg.norm(S, axis=(0, 1))
np.linalg.vector_norm(M)
np.linalg.vector_norm(S, axis=(0, 1), ord=3)
np.linalg.vector_norm(M, axis=1, keepdims=True, ord=1)
np.linalg.matrix_norm(S)
np.linalg.matrix_norm(M, ord="nuc")
np.linalg.matrix_norm(S, ord=2, keepdims=True)
np.linalg.multi_dot([A, A, M])
np.linalg.multi_dot([V, A, W])
np.linalg.multi_dot((V, M, R))
np.linalg.multi_dot([A, P @ A, A.T, V])
np.linalg.cond(A)
np.linalg.cond(M)
np.linalg.cond(A, 1)
np.linalg.cond(A, "fro")
np.linalg.cond(A, np.inf)
np.linalg.cond(Q)
np.linalg.matrix_power(A, 3)
np.linalg.matrix_power(A, -2)
np.linalg.matrix_power(A, 0)
np.linalg.matrix_power(A, 1)
np.linalg.matrix_power(Q, 2)
np.linalg.tensorinv(np.reshape(A[:, :, None] * np.ones(1), (3, 3, 1)), ind=1)
np.linalg.tensorsolve(np.reshape(A, (3, 3)), V)
np.linalg.trace(S)
np.linalg.trace(M, offset=1)
np.linalg.diagonal(S)
np.linalg.diagonal(M, offset=1)
"""
FACTORS = """
np.linalg.eigvalsh(P)
np.linalg.eigvalsh(P, "U")
np.linalg.eigvalsh(np.stack([P, P + A]))
np.linalg.eigh(P)
np.linalg.eigh(P)[1]
np.linalg.eigh(P, UPLO="U")[0]
np.linalg.eigh(np.stack([P, 2.0 * P + 1.0]))
np.linalg.eigvals(A @ np.diag([1.0, 2.0, 3.0])).real
np.linalg.eig(A.T @ A)[1]
np.linalg.eig(A.T @ A)
np.linalg.svd(M, full_matrices=False)
np.linalg.svd(M.T, full_matrices=False)
np.linalg.svd(A)
np.linalg.svd(M)[1]
np.linalg.svd(M, compute_uv=False)
np.linalg.svd(M, False)[0]
np.linalg.svd(S, full_matrices=False)
np.linalg.svdvals(M)
np.linalg.svdvals(S)
np.linalg.qr(A)
np.linalg.qr(M)
np.linalg.qr(M.T)
np.linalg.qr(M.T)[0]
np.linalg.qr(M.T, mode="r")
np.linalg.qr(M, "r")
np.linalg.qr(S)
np.linalg.pinv(M)
np.linalg.pinv(M.T)
np.linalg.pinv(A)
np.linalg.pinv(S)
np.linalg.lstsq(M.T, U)[0]
np.linalg.lstsq(M, V)[0]
np.linalg.lstsq(A, V)[0]
np.linalg.lstsq(M.T, R, rcond=None)[0]
np.linalg.lstsq(M.T, R)[1]
np.linalg.lstsq(M.T, U)[1]
np.linalg.lstsq(M.T, U)[3]
np.linalg.cholesky(P)
np.linalg.slogdet(A)
np.linalg.slogdet(A)[1]
np.linalg.det(Q)
np.linalg.inv(Q)
np.linalg.solve(A, V)
np.linalg.solve(Q, M)
"""


@pytest.mark.parametrize(("text", "second"), calls(NORMS_AND_POWERS + FACTORS))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


@pytest.mark.parametrize("order", [None, 1, 2, 3, np.inf])
def test_every_norm_is_flat_at_zero(order: Any) -> None:
    df = tl.grad(lambda x: np.linalg.norm(x, order))
    np.testing.assert_array_equal(df(np.zeros(3)), np.zeros(3))


@pytest.mark.parametrize("order", ["fro", "nuc", 1, 2, np.inf])
def test_every_norm_of_a_matrix_is_flat_at_zero(order: Any) -> None:
    df = tl.grad(lambda x: np.linalg.norm(x, order))
    np.testing.assert_array_equal(df(np.zeros((2, 3))), np.zeros((2, 3)))


def test_entries_that_attain_the_norm_share() -> None:
    df = tl.grad(lambda x: np.linalg.norm(x, np.inf))
    np.testing.assert_array_equal(df(np.array([2.0, -2.0, 1.0])), [0.5, -0.5, 0.0])


def test_equal_values_are_taken_without_their_vectors() -> None:
    a = 2.0 * np.eye(3)
    np.testing.assert_allclose(tl.grad(lambda x: np.sum(np.linalg.eigvalsh(x)))(a), np.eye(3))
    np.testing.assert_allclose(tl.grad(lambda x: np.sum(np.linalg.eigh(x)[0]))(a), np.eye(3))
    np.testing.assert_allclose(tl.grad(lambda x: np.sum(np.linalg.svd(x)[1]))(a), np.eye(3))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.linalg.eigh(x)[1]),
        lambda x: np.sum(np.linalg.svd(x)[0]),
        lambda x: np.sum(np.linalg.svd(x[:, :2] * 0.0 + x[:1, :2])[2]),
    ],
)
def test_vectors_of_equal_values_are_refused(f: Any) -> None:
    """The limit depends on the direction; zero would be wrong."""
    with pytest.raises(TypeError, match="have no derivative"):
        tl.grad(f)(np.eye(3))


@pytest.mark.parametrize(
    "f",
    [lambda x: np.sum(np.linalg.qr(x)[1] ** 3), lambda x: np.sum(np.linalg.qr(x, mode="r"))],
)
def test_triangles_of_singular_matrices_are_refused(f: Any) -> None:
    with pytest.raises(TypeError, match="the factors have no derivative"):
        tl.grad(f)(np.ones((3, 3)))


def test_what_decides_the_results_is_written_out() -> None:
    with pytest.raises(tl.MissingRuleError, match="decides what the results are"):
        tl.grad(lambda x, flag: np.sum(np.linalg.svd(x, compute_uv=flag)))


def test_the_complete_factors_of_a_tall_matrix_are_refused() -> None:
    with pytest.raises(TypeError, match="reduced form"):
        tl.grad(lambda x: np.sum(np.linalg.qr(x, "complete")[0]))(np.ones((3, 2)))


def test_complex_eigenvalues_of_a_real_matrix() -> None:
    """The vectors keep their length and the phase that LAPACK gives them."""
    a, v = np.array([[1.0, 3.0, 0.1], [-3.0, 1.2, 0.2], [0.3, -0.1, 2.0]]), VALUES["Q"][1]
    assert np.iscomplexobj(np.linalg.eig(a)[0])

    def f(x: Any) -> Any:
        w, u = np.linalg.eig(x)
        return np.sum(np.abs(w[0]) + np.real(u[:, 0] * np.array([1.0, 2.0j, 3.0])))

    step = 1e-6
    expected = (f(a + step * v) - f(a - step * v)) / (2 * step)
    assert np.sum(tl.grad(f)(a) * v) == pytest.approx(expected, rel=1e-6)
    assert tl.jvp(f)(a, tangent=v)[1] == pytest.approx(expected, rel=1e-6)


def along_given_axes(x: Any, axis: Any = (0, 1)) -> Any:
    return np.sum(np.linalg.norm(x, 2, axis=axis) + np.linalg.norm(x, axis=axis) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(np.linalg.norm(x, axis=(1, 2))),
        lambda x: along_given_axes(x[0]),
        lambda x: np.sum(np.linalg.norm(x, "nuc", (0, 2), True) ** 2),
        lambda x: along_given_axes(x, (0, 2)),
    ],
)
def test_axes_are_no_array(f: Any, confirm: Any) -> None:
    x = np.random.default_rng(2).normal(size=(2, 3, 4))
    confirm(f, x, second=False)


BESIDE = np.array([[0.4, 0.2, 0.4], [1.0, -0.3, 0.5]])


def space(x):
    beside = np.linalg.svd(x[:1])[2][1:]
    before = np.linalg.svd(x.T)[0][:, 2:]
    return np.sum(beside.T @ beside * WEIGHED) + np.sum(before @ before.T * WEIGHED)


def one_of_two(x):
    return np.sum(np.linalg.svd(x[:1])[2] * WEIGHED)


def one_of_two_before(x):
    return np.sum(np.linalg.svd(x[:1].T)[0] * WEIGHED)


WEIGHED = np.arange(9.0).reshape(3, 3) ** 2


def test_of_the_vectors_beside_those_of_singular_values_the_space_counts() -> None:
    direction = np.array([[0.3, -1.0, 0.2], [0.1, 0.7, -0.4]])
    step = 1e-6
    along = space(BESIDE + step * direction) - space(BESIDE - step * direction)
    slope = pytest.approx(along / (2 * step), rel=1e-6)
    assert np.sum(tl.grad(space)(BESIDE) * direction) == slope
    assert tl.jvp(space)(BESIDE, tangent=direction)[1] == slope


@pytest.mark.parametrize("f", [one_of_two, one_of_two_before])
def test_what_depends_on_more_than_that_space_is_refused(f: Any) -> None:
    with pytest.raises(TypeError, match="which vectors span the space beside"):
        tl.grad(f)(BESIDE)
