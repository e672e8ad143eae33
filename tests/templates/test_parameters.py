"""Parameters that rules do not know, and functions of complex numbers: said with others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import Spelled, calls, check

PARAMETERS = """
np.prod(M, dtype=np.float64)
np.var(M, mean=np.mean(M))
np.std(M, axis=1, mean=np.mean(M, axis=1, keepdims=True), keepdims=True)
np.cumprod(M, axis=1, dtype=np.float64)
np.cumprod([X, 2.0, Y], axis=0)
np.maximum.reduce(M, 1, None, None, True)
np.minimum.reduce(M, 0, None, np.zeros(4))
np.nansum(H, initial=X)
np.nansum(H, where=np.array([[True],[False]]))
np.nansum(H, dtype=np.float64)
np.nanmean(H, where=np.array([[True],[True]]))
np.nanprod(H, initial=X)
np.nanvar(H, axis=1, where=np.array([[True],[True]]))
np.nanstd(H, where=np.array([[True],[True]]))
np.atleast_1d(X, V)
np.atleast_2d(V, M)[0]
np.array(V, ndmin=2)
np.array([X, Y], ndmin=3)
np.full_like(M, X, shape=(2,2))
np.sort(V, stable=True)
np.interp(X, [0.0,1.0,2.0], W)
np.interp(V, np.array([-2.,0.,.5]), W, left=X, right=Y)
np.interp(V, np.array([-1.,0.,.5]), W, left=X)
np.interp(V, np.array([0.,1.,2.]), W, period=2.5)
np.interp(V, np.array([0.,1.,2.]), W, period=-2.5)
np.stack([V, W], 1, dtype=np.float64)
np.vstack((V, W), dtype=np.float64)
np.hstack((V, U), dtype=np.float64)
np.hstack((M, A), dtype=np.float64)
np.trace(M, 1, dtype=np.float64)
np.asarray(M, float, order="C")
np.matmul(S, T, dtype=np.float64)
np.cross(A, A.T, axisa=0, axisb=1, axisc=0)
np.cross(A, A.T + A, axisa=0, axisb=1, axisc=1, axis=0)
np.cross(A, A.T + A, axisa=-1, axis=0)
np.einsum("a,a", V, V, optimize=False, dtype=np.float64)
np.polyint(V, k=X)
np.polyint(V, 2, [X, Y])
np.polyfit(U, U**2, 1, w=np.abs(U))
np.linalg.cholesky(P, upper=True)
np.cov(M, aweights=np.abs(U))
np.cov(M, fweights=np.array([1,2,1,1]))
np.cov(M, V[:3, None]*M, aweights=np.abs(U), ddof=0)
np.add(V, W, dtype=np.float64)
np.multiply(V, W, casting="same_kind")
np.exp(V, dtype=float)
np.exp(X, dtype=np.float64)
"""
COMPLEX = """
np.var(V + 1j * W)
np.std(V + 1j * W)
np.std(np.mean(V) + 1j * X)
np.var(A + 1j * P, axis=0, ddof=1)
np.var(V + 1j * W, mean=0.5 + 0.25j)
np.var(V + 1j * W, correction=1)
np.std(V + 1j * W, correction=1)
np.nanvar(A + 1j * P, axis=1, ddof=1)
np.nanstd(V + 1j * W)
(A + 1j * P).var(axis=0)
(V + 1j * W).std(ddof=1)
np.real(np.cov(M + 1j * M[::-1]))
np.imag(np.cov(A + 1j * P, rowvar=False, aweights=np.abs(V)))
np.real(np.corrcoef(M + 1j * M[::-1]) * (1 + 2j))
np.linalg.pinv(P + 1j * A, hermitian=True).real
np.real(np.linalg.det(A + 1j * P))
np.linalg.slogdet(A + 1j * P)[1]
np.real(np.linalg.slogdet(A + 1j * P)[0] * (1 + 1j))
np.linalg.norm(V + 1j * W)
np.linalg.norm(A + 1j * P, "fro")
np.linalg.norm(V + 1j * W, 1)
np.linalg.norm(V + 1j * W, 3, keepdims=True)
np.linalg.norm(A + 1j * P, 1)
np.linalg.norm(A + 1j * P, axis=1)
np.linalg.eigvalsh(P + 1j * (A - A.T))
np.linalg.eigvalsh(P + 1j * A, "U")
np.linalg.svdvals(A + 1j * P)
"""


@pytest.mark.parametrize(("text", "second"), calls(PARAMETERS + COMPLEX))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


def test_single_precision_is_not_lost_by_a_parameter() -> None:
    x = np.array([0.5, 0.25], np.float32)
    for f in (
        lambda x: np.nansum(x, initial=1.0),
        lambda x: np.sum(np.array(x, ndmin=2) ** 2),
        lambda x: np.sum(np.exp(x, dtype=np.float32)),
    ):
        assert tl.grad(f)(x).dtype == np.float32
        assert np.asarray(tl.jvp(f)(x, tangent=x)[1]).dtype == np.float32


SINGLE = [
    "np.sum(V, dtype=np.float64)",
    "np.mean(V, dtype=float)",
    "np.append(V, X)",
    "np.select([V > 0, V < -1], [V * V, W], default=X)",
    "np.ediff1d(V, to_begin=X, to_end=[Y, 2.0])",
    "np.var(V, mean=np.mean(V))",
    "np.std(M, axis=0, mean=np.mean(M, axis=0, keepdims=True))",
    "np.histogram(V, weights=W, bins=2)[0]",
    "np.cov(M)",
    "np.corrcoef(V, W)",
    "np.polyval(W, V)",
    "np.poly(V)",
    "np.roots(W)",
    "np.logspace(V[0], V[1], 3)",
    "np.polynomial.chebyshev.chebval(V, [1.0, 2.0, 3.0])",
    "np.polynomial.legendre.legval(V, [1, 2, 3])",
    "np.polynomial.hermite.hermval(V, [1.0, 2.0, 3.0])",
    "np.polynomial.hermite_e.hermeval(V[0], [1.0, 2.0, 3.0])",
    "np.polynomial.laguerre.lagval(V, (1.0, 2.0, 3.0))",
    "np.polynomial.chebyshev.chebval(0.3, V)",
]


@pytest.mark.parametrize("text", SINGLE)
def test_numbers_of_single_precision(text: str) -> None:
    """Values and tangents have the type of the result, gradients that of the argument."""
    program = Spelled(text)
    f = program._function(f"return {text}")
    args = [np.float32(v) if isinstance(v, np.ndarray) else v for v in program.values]
    given: dict[str, Any] = {"wrt": tuple(range(len(args)))} if len(args) > 1 else {}
    value, tangent = tl.jvp(f, **given)(*args, tangent=tuple(args) if given else args[0])
    result = np.asarray(f(*args))
    assert np.asarray(value).dtype == np.asarray(tangent).dtype == result.dtype
    gradients = tl.vjp(f, **given)(*args)[1](np.ones_like(result))
    for part, arg in zip(gradients if given else [gradients], args):
        assert type(part) is type(arg)
        assert np.asarray(part).dtype == np.asarray(arg).dtype


def test_pseudo_inverses_of_symmetric_matrices() -> None:
    check("np.linalg.pinv(P, hermitian=True)")
    check("np.linalg.pinv(M, rtol=1e-10)")


def test_what_is_no_number_has_no_deviation() -> None:
    for x in (np.array([1.0, np.nan]), np.array([np.inf, 1.0])):
        with np.errstate(invalid="ignore", divide="ignore"):
            assert np.isnan(tl.vjp(lambda x: np.std(x, mean=np.mean(x)))(x)[0])


@pytest.mark.skipif(not hasattr(np, "cumulative_sum"), reason="NumPy 2.1 has them first")
@pytest.mark.parametrize("x", [0.7, np.float32(0.7), np.array(0.7)])
def test_a_number_accumulates_to_itself(x: Any) -> None:
    for f in (np.cumulative_sum, np.cumulative_prod):
        for initial in (False, True):
            value, pullback = tl.vjp(lambda x: f(x, include_initial=initial))(x)
            gradient = pullback(np.arange(1.0, 1.0 + len(value)))
            assert gradient == float(len(value)) and type(gradient) is type(x)
            _, tangent = tl.jvp(lambda x: f(x, include_initial=initial))(x, tangent=x)
            np.testing.assert_allclose(tangent, [0.0, 0.7][-len(value) :])


def test_interpolated_numbers_are_numbers_as_numpy_gives_them() -> None:
    def between(x: Any) -> Any:
        return np.interp(x, [-0.1, 0.0, 0.1], [0.0, 2.0, 5.0], left=7.0, right=8.0)

    for x in (0.05, np.float32(0.05), np.array(0.05)):
        assert type(tl.vjp(between)(x)[0]) is type(between(x))


def test_the_order_in_memory_decides_what_is_a_copy() -> None:
    def f(x: Any) -> Any:
        y = np.asarray(x, order="F")  # itself, or a copy
        y[0] = y[1] * y[1]
        z = np.array(x, order="F")
        return np.sum(np.ravel(z, "K") * np.arange(4.0)) + np.sum(y**3)

    x = np.array([[0.5, 1.5], [2.0, -1.0]])
    np.testing.assert_array_equal(tl.grad(f)(x), [[0.0, 2.0], [205.0, 0.0]])
    np.testing.assert_array_equal(tl.grad(f)(np.asfortranarray(x)), [[0.0, 0.0], [205.0, -4.0]])
