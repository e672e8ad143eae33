"""Differences: how exact they are, and whether they know it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentlite.check.differences import derivative
from tangentlite.check.judging import judged

EPS = 2.0**-52


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda t: np.sin(1.0 + t), np.cos(1.0)),
        (lambda t: np.exp(30.0 * t), 30.0),
        (lambda t: np.sin(1e5 * t), 1e5),
        (lambda t: 1e8 + t, 1.0),
        (lambda t: 1e-30 * np.cos(1.0 + t), -1e-30 * np.sin(1.0)),
        (lambda t: abs(t - 1e-4) + t * t, -1.0),
        (lambda t: np.log(1e-5 + t) if t > -1e-5 else np.nan, 1e5),
        (lambda t: np.exp(t) - 1.0 - t, 0.0),
        (lambda t: np.floor(0.5 + 1e3 * t), 0.0),
        (lambda t: np.float64(np.float32(1.0 + 0.3 * t) ** 2), 0.6),
        (lambda t: (1e12 + t) - 1e12, 1.0),
    ],
)
def test_the_error_is_known(f: Any, expected: float) -> None:
    found = derivative(lambda t: np.array([f(t)]), EPS)
    assert not found.kink[0]
    for factor, wrong in ((1.0, False), (1.02, True), (-1.0, True)):
        given = np.array([factor * expected if expected else (factor - 1.0)])
        assert judged(found, given, 1e-7).wrong[0] == wrong


def test_each_entry_is_judged_by_itself() -> None:
    found = derivative(lambda t: np.array([np.sin(t), 1e9 * t, abs(t - 1e-3), 7.0]), EPS)
    np.testing.assert_allclose(found.value, [1.0, 1e9, -1.0, 0.0], rtol=1e-7, atol=1e-12)
    assert found.decided.all()


def test_kinks_lie_between_their_slopes() -> None:
    found = derivative(lambda t: np.array([3.0 * t if t > 0 else 2.0 * t, t]), EPS)
    assert found.kink.tolist() == [True, False]
    np.testing.assert_allclose([found.low[0], found.high[0]], [2.0, 3.0])


def test_one_side_is_enough() -> None:
    found = derivative(lambda t: np.array([np.nan if t < 0 else np.exp(t)]), EPS)
    assert abs(found.value[0] - 1.0) <= 10.0 * found.error[0] < 1e-5


def test_what_has_no_derivative_is_not_decided() -> None:
    jump = derivative(lambda t: np.array([1.0 if t > 0 else 0.0]), EPS)
    root = derivative(lambda t: np.array([np.sqrt(np.abs(t))]), EPS)
    nothing = derivative(lambda t: np.array([np.nan]), EPS)
    assert not (jump.decided | root.decided | nothing.decided).any()
