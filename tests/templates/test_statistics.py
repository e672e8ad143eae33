"""Sums, means, quantiles, covariances, with and without what is no number."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tangentlite as tl
from tests.templates.spelled import calls, check

NEWER = """
np.cumulative_sum(M, axis=1)
np.cumulative_sum(V, include_initial=True)
np.cumulative_prod(V)
np.cumulative_prod(M, axis=0, include_initial=True)
"""
TEXTS = """
np.sum(M, axis=(0, 1))
np.sum(M, dtype=np.float64)
np.sum(S, (0, 2), keepdims=True)
M.sum(0, keepdims=True)
M.sum(axis=1, where=C)
np.mean(M, dtype=float)
M.mean(axis=(0,))
np.std(M, axis=0, ddof=1)
np.std(M, axis=1, where=C)
np.var(M, 1, ddof=1, keepdims=True)
M.var(0, ddof=1)
M.std()
np.ptp(M, 0)
np.cumsum(M, axis=1)
np.cumsum(M, axis=0, dtype=float)
np.cumprod(M, 0)
M.cumprod(axis=1)
np.nansum(H)
np.nansum(H, 0, keepdims=True)
np.nanmean(H, axis=1)
np.nanmax(H, 0)
np.nanvar(H, axis=1)
np.nanvar(H, ddof=1)
np.nanstd(H, 1, keepdims=True)
np.nanprod(H, axis=0)
np.nanprod(H)
np.nancumsum(H, axis=1)
np.nancumsum(H)
np.nancumprod(H, 1)
np.nanmedian(H)
np.nanmedian(H, axis=1)
np.nanpercentile(H, 30)
np.nanquantile(H, 0.7, axis=1, keepdims=True)
np.median(M)
np.median(M, 0)
np.median(S, axis=(0, 2), keepdims=True)
np.quantile(M, 0.3)
np.quantile(M, [0.3, 0.7])
np.quantile(M, [0.3, 0.7], axis=0, keepdims=True)
np.quantile(M, 0.5, 1)
np.quantile(U, 0.4, method="lower")
np.quantile(U, 0.4, method="midpoint")
np.quantile(U, 0.4, method="hazen")
np.percentile(M, [25, 75], axis=1)
np.percentile(M, 40.0)
np.average(M)
np.average(M, axis=0)
np.average(M, 1, U)
np.average(M, weights=M * M, axis=0)
np.average(M, axis=1, weights=U * U, returned=True)
np.average(M, 0, W, keepdims=True)
np.cov(M)
np.cov(M, rowvar=False)
np.cov(V, W)
np.cov(V)
np.cov(M, bias=True)
np.cov(M, ddof=0)
np.corrcoef(M)
np.corrcoef(V, W)
math.fsum([X, Y])
np.mean(M, 1, where=C)
np.sum(M, 0, np.float64)
np.cumsum(M, dtype=np.float64)
np.average(M, returned=True)
np.nanquantile(H, [0.2, 0.9], axis=0)
np.quantile(S, [[0.1, 0.5], [0.3, 0.9]], axis=(0, 2))
np.cov(M, M[:1])
np.cov(V, W, ddof=0)
np.corrcoef(M, rowvar=False)
np.cov(V, rowvar=False)
"""


@pytest.mark.parametrize(("text", "second"), calls(TEXTS))
def test_both_modes(text: str, second: bool) -> None:
    check(text, second)


@pytest.mark.skipif(not hasattr(np, "cumulative_sum"), reason="NumPy 2.1 has them first")
@pytest.mark.parametrize(("text", "second"), calls(NEWER))
def test_functions_of_newer_versions(text: str, second: bool) -> None:
    check(text, second)


def test_a_row_without_numbers_has_no_quantile() -> None:
    x = np.array([[1.0, 3.0, np.nan], [np.nan, np.nan, np.nan]])
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = tl.grad(lambda x: np.nanmedian(x, axis=1)[0])(x)
    np.testing.assert_array_equal(found, [[0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])


def test_a_deviation_is_flat_where_all_are_equal() -> None:
    x = np.array([2.0, np.nan, 2.0])
    np.testing.assert_array_equal(tl.grad(lambda x: np.nanstd(x))(x), np.zeros(3))


def test_a_sum_of_integers_carries_no_derivative() -> None:
    assert tl.grad(lambda x: np.sum(x * np.ones(2), dtype=int) * 1.0)(2.5) == 0.0
