"""Numbers of NumPy's, which elements of arrays are, take the short way that Python's take, to the same results."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tangentlite import runtime as rt

VALUES = (0.0, -0.0, 1.5, -2.0, 1e-300, 1e200, -1e300, np.inf, -np.inf, np.nan)
PLAIN = (1.5, -2.0, 0.25)
FUNCTIONS: dict[str, Any] = {
    "quotient": rt.quotient,
    "times": rt.times,
    "cancel": rt.cancel,
    "wins": rt.wins,
    "power": rt.power,
    "dpower_dx": rt.dpower_dx,
}


def same(found: Any, expected: Any) -> bool:
    return bool(np.isclose(float(found), float(expected), rtol=1e-14, atol=0.0, equal_nan=True))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("a", VALUES)
@pytest.mark.parametrize("b", VALUES)
def test_numbers_of_numpy_give_what_arrays_give(name: str, a: float, b: float) -> None:
    function, a = FUNCTIONS[name], abs(a) if "power" in name else a
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(np.array([a]), np.array([b]))[0]
        for x, y in ((np.float64(a), np.float64(b)), (a, np.float64(b)), (np.float64(a), b)):
            assert same(function(x, y), expected)


@pytest.mark.parametrize("rival", [0, -2, np.float64(1.5)])
def test_a_whole_number_beside_an_array_is_one_of_floats(rival: Any) -> None:
    for x in (np.array(VALUES), np.array(VALUES)[VALUES.index(1.5) :: 5]):
        expected = np.array([float(v > rival) + 0.5 * float(v == rival) for v in x])
        np.testing.assert_array_equal(rt.wins(x, rival), expected)
        np.testing.assert_array_equal(rt.wins(float(rival), x), rt.wins(np.full(len(x), rival), x))
    assert rt.wins(np.array([1.5, 2.5]), 0).dtype == bool
    assert [type(rt.wins(2, 1)), type(rt.wins(2.0, 1)), type(rt.wins(1, 2.0))] == [float] * 3


@pytest.mark.parametrize("rows", [2, 3_000])
@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
def test_zero_beside_an_array_of_any_size(rows: int, zero: Any) -> None:
    for some in (VALUES, PLAIN, (), (np.nan, 1.0)):
        x = np.tile(some, (rows, 1))
        expected = np.array([[float(v > 0) + 0.5 * float(v == 0) for v in row] for row in x])
        np.testing.assert_array_equal(rt.wins(x, zero), expected)
        few = np.clip(x, -2.0, 2.0).astype("f")
        single = rt.wins(few, zero)
        assert single.dtype == np.float32
        np.testing.assert_array_equal(single, (few > 0) + 0.5 * (few == 0))
    assert rt.wins(np.array(0.0), zero) == 0.5


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("kept", [True, False])
def test_shares_along_an_axis(axis: int, kept: bool) -> None:
    plain = np.cos(np.arange(12.0)).reshape(3, 4)
    tied, unknown = (
        np.array([[1.0, 1.0, 0.0], [2.0, 3.0, 3.0]]),
        np.array([[np.nan, 1.0], [2.0, 2.0]]),
    )
    for x in (plain, tied, unknown, plain.astype("f"), np.zeros((2, 0)) if axis == 0 else plain):
        top = np.max(x, axis=axis, keepdims=True)
        hit = x == top
        with np.errstate(invalid="ignore"):
            expected = hit / hit.sum(axis=axis, keepdims=True)
        found = rt.shares(x, top if kept else np.squeeze(top, axis), axis, kept)
        assert found.dtype == x.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("x", VALUES)
def test_of_one_number(x: float) -> None:
    for function in (rt.log_or_zero, rt.direction):
        with np.errstate(all="ignore"):
            assert same(function(np.float64(x)), function(np.array([x]))[0])


@pytest.mark.parametrize("name", ["quotient", "cancel", "power", "dpower_dx"])
@pytest.mark.parametrize("y", PLAIN)
def test_plain_numbers_need_no_silence(
    name: str, y: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "errstate", None)
    FUNCTIONS[name](np.float64(abs(y)), np.float64(y))


def test_an_array_for_a_number_is_summed() -> None:
    for b in (np.ones((2, 3)), np.array(6.0), np.full(6, 1.0, np.float32)):
        for like in (0.0, np.float64(1.0)):
            assert rt.unbroadcast(b, like) == 6.0


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
def test_products_of_arrays_that_cancel(dtype: Any) -> None:
    with np.errstate(all="ignore"):
        b = np.array([0.0, np.inf, np.nan, 0.0, 2.0, 1e200, 0.0]).astype(dtype)
        d = np.array([np.inf, 0.0, 0.0, np.nan, 3.0, 1e200, -1.0]).astype(dtype)
    with np.errstate(all="raise", over="ignore"):
        found = rt.cancel(b, d)
        rt.cancel(b[5:], d[5:])
    np.testing.assert_array_equal(found[[0, 1, 2, 3, 4, 6]], [0.0, 0.0, 0.0, 0.0, 6.0, 0.0])
    assert not np.isfinite(found[5])
    assert rt.cancel(b[:4, None], d[:4]).shape == (4, 4)
    truths = np.array([False, False, False, True, True, True, False])
    with np.errstate(all="raise", over="ignore"):
        np.testing.assert_array_equal(rt.cancel(b, truths), np.where(truths, b, 0.0))
        np.testing.assert_array_equal(rt.cancel(b[[0, 4]], truths[:2, None]), np.zeros((2, 2)))
    assert rt.cancel(b[:0], d[:0]).shape == (0,)


ENDS = (0.0, 1.0, -3.5, 709.7, 709.79, 745.0, 1e308, -1e308, np.inf, -np.inf, np.nan)


@pytest.mark.parametrize("x", ENDS)
@pytest.mark.parametrize("y", ENDS)
def test_the_share_of_a_number_is_that_of_an_array(x: float, y: float) -> None:
    found, scalar = rt.share(x, y), rt.share(np.float64(x), y)
    (expected,) = rt.share(np.array([x]), np.array([y]))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-307)
    assert type(found) is float and type(scalar) is np.float64
    assert scalar == found or np.isnan(found)
