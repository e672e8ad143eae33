"""Convolutions, polynomials, products under every name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import calls, check

TEXTS = """
np.convolve(V, U)
np.convolve(V, U, "same")
np.convolve(U, V, mode="valid")
np.convolve(V, U, mode="valid")
np.convolve(U, V, "same")
np.convolve(V, U[:2], "same")
np.correlate(U, V)
np.correlate(V, U)
np.correlate(U, V, "same")
np.correlate(V, U, "same")
np.correlate(U, V, "full")
np.correlate(V, U, mode="full")
np.correlate(V, U[:2], "same")
np.polyval(V, X)
np.polyval(V, M)
np.polyval([X, 2.0, Y], 1.5)
np.polyval(A, X)
np.polyval(M, U)
np.polyval(M[:, None], R[:, :1])
np.polyval([V, W, V * W], X)
np.polyder(U)
np.polyder(U, 2)
np.polyint(V)
np.polyint(V, 2)
np.polyadd(V, U)
np.polysub(V, U[:2])
np.polysub([X, 1.0], [2.0, Y])
np.polymul(V, U)
np.polyfit(G, V, 1)
np.polyfit(U, U * 2.0 + np.sin(U), 2)
np.vander(V)
np.vander(V, 4, increasing=True)
np.cross(V, W)
np.cross(M[:, :3], V)
np.cross(A, M[:, :3], axis=0)
np.linalg.cross(V, W)
np.vecdot(M, U)
np.linalg.vecdot(V, W)
np.linalg.matmul(M, R)
np.linalg.outer(V, U)
np.linalg.tensordot(M, R, axes=1)
np.tensordot(S, R, axes=([2], [0]))
np.einsum("ij,jk->ik", M, R)
np.einsum("ii->i", A)
np.einsum("ii", A)
np.einsum("ij,ij", M, M)
np.einsum("...j,j->...", S, U)
np.einsum("ij,jk,k->i", M, R, R[0], optimize=True)
np.einsum("ij,jk,k", M, R, R[0], optimize="greedy")
np.einsum("i,i", V, W, optimize=False)
np.einsum("ij->", M)
np.einsum("iij->j", Q[:, :2])
np.einsum("b...,b...->...", S, S)
np.convolve(V, V)
np.convolve(V, 2.0 * U, "same")
np.correlate(U[:2], V, "same")
np.correlate(U, V[:2], "same")
np.polyval([X, 2.0, Y], V)
np.polyfit(G, V * W, 0)
np.polyfit(U, U**3, 1)[0]
np.vander(V, N=2)
np.vecdot(M, M, axis=0)
np.linalg.cross(A, M[:, :3], axis=0)
np.polymul([X, 1.0], V)
np.polymul(2.0, V)
np.polyadd(V, 2.0)
np.polyint(U, 3)
np.polyfit(U, np.stack([U, np.sin(U)], 1), 2)
np.polynomial.polynomial.polyval(M, V)
np.polynomial.chebyshev.chebval(V, U)
np.polynomial.chebyshev.chebval(X, U[:1])
np.polynomial.legendre.legval(M, U)
np.polynomial.hermite.hermval(V, U)
np.polynomial.hermite_e.hermeval(V, [X, Y, 2.0])
np.polynomial.laguerre.lagval(V, U)
np.logspace(V, W, 3, axis=1)
np.logspace(V, W, 3, base=V**2 + 2.0, axis=1)
np.geomspace(V**2 + 1.0, W**2 + 1.0, 3, axis=-1)
np.linalg.tensorsolve(np.reshape(A, (3, 3))[:, :, None], V, axes=(1,))
np.linalg.svd(A, hermitian=True)[1]
"""


@pytest.mark.parametrize(("text", "second"), calls(TEXTS))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


@pytest.mark.skipif(not hasattr(np, "matvec"), reason="NumPy 2.2 has them first")
@pytest.mark.parametrize("text", ["np.matvec(M, U)", "np.vecmat(V, M)", "np.matvec(S, M[:2])"])
def test_functions_of_newer_versions(text: str) -> None:
    check(text)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(("n", "m"), [(5, 2), (2, 5), (4, 4), (3, 1), (1, 4), (6, 3)])
@pytest.mark.parametrize("f", [np.convolve, np.correlate])
def test_every_length(f: Any, n: int, m: int, mode: str) -> None:
    a, v = np.cos(np.arange(n)), np.sin(np.arange(m) + 1.0)
    weights = np.arange(len(f(a, v, mode))) + 0.5
    ga, gv = tl.grad(lambda a, v: np.sum(weights * f(a, v, mode)), (0, 1))(a, v)
    np.testing.assert_allclose(ga, [np.sum(weights * f(e, v, mode)) for e in np.eye(n)])
    np.testing.assert_allclose(gv, [np.sum(weights * f(a, e, mode)) for e in np.eye(m)])
