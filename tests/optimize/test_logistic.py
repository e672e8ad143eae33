"""Logistic functions are guarded once, and stay right where the exponential overflows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

ROW = np.linspace(-2.0, 2.0, 5)
FAR = np.array([0.0, 800.0, -800.0, 710.0, -710.0, np.inf, -np.inf, np.nan])


def squared(z):
    t = np.exp(z)
    p = 1.0 / (1.0 + t)
    return np.sum(p * p)


def sigmoid(a):
    return 1.0 / (1.0 + np.exp(-a))


def in_a_helper(z):
    return np.sum(sigmoid(z) * sigmoid(2.0 * z))


def in_a_loop(z):
    h = z * 0.5
    for _ in range(3):
        a = h + z
        g = 1 / (1 + np.exp(-a))
        h = g * h
    return np.sum(h)


def made_anew(z):
    t = np.exp(-z)
    s = 1 + t
    t = np.exp(z)
    p = 1 / s
    return np.sum(p * t)


def changed(z):
    t = np.exp(-z)
    s = 2 + t
    p = 1 / s
    q = 3 / (1 + t)
    return np.sum(p * q)


@pytest.mark.parametrize("function", (squared, in_a_helper, in_a_loop))
def test_one_product(function: Any) -> None:
    source = tl.grad(function).source
    assert "rt.logistic(" in source
    assert "rt.cancel(" not in source


@pytest.mark.parametrize("function", (made_anew, changed))
def test_others_stay(function: Any) -> None:
    assert "rt.logistic(" not in tl.grad(function).source


@pytest.mark.parametrize("function", (squared, in_a_helper, in_a_loop, made_anew, changed))
@pytest.mark.parametrize(
    "z",
    (ROW, ROW.reshape(5, 1), FAR, ROW.astype(np.float32), 0.3, -800.0, 2, np.arange(3), ROW[:0]),
)
@pytest.mark.filterwarnings("ignore")
def test_values(function: Any, z: Any) -> None:
    found, wanted = tl.grad(function)(z), tl.grad(function, optimized=False)(z)
    assert type(found) is type(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    rough = 1e-5 if np.asarray(found).dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, wanted, rtol=rough, atol=1e-300)


def test_far_away_nothing_comes_back_and_nobody_is_warned() -> None:
    with np.errstate(invalid="raise"), pytest.warns(RuntimeWarning, match="overflow"):
        assert tl.grad(squared)(np.array([800.0, -800.0])).tolist() == [0.0, 0.0]


def turned_round(z):
    return 1.0 - 1 / (1 + np.exp(z))


def with_minus(z):
    t = np.exp(-z)
    return -(1.0 / (t + 1.0))


@pytest.mark.parametrize("function", (sigmoid, turned_round, with_minus, in_a_helper, in_a_loop))
@pytest.mark.filterwarnings("ignore")
def test_one_product_forward(function: Any) -> None:
    assert "rt.logistic(" in tl.jvp(function).source
    for z in (ROW, FAR, 0.3, -800.0):
        dz = np.linspace(-0.3, 0.9, np.size(z)).reshape(np.shape(z))
        wanted = tl.autodiff(function, mode="forward", optimized=False)(z, tangent=dz)
        np.testing.assert_allclose(tl.jvp(function)(z, tangent=dz)[1], wanted, 1e-12, 1e-300)


@pytest.mark.parametrize("function", (sigmoid, turned_round, with_minus))
def test_a_large_tangent_far_away_is_no_overflow(function: Any) -> None:
    far = -709.0 if function is not turned_round else 709.0
    found = tl.jvp(function)(far, tangent=1e3)[1]
    assert abs(found) == pytest.approx(1e3 * np.exp(-709.0))


def test_second_order() -> None:
    ahead, behind = squared_slope(ROW + 1e-5), squared_slope(ROW - 1e-5)
    found = tl.grad(lambda z: np.sum(tl.grad(squared)(z) * ROW))(ROW)
    np.testing.assert_allclose(found, ROW * (ahead - behind) / 2e-5, rtol=1e-6, atol=1e-9)


def squared_slope(z):
    p = 1.0 / (1.0 + np.exp(z))
    return -2.0 * p * p * (1.0 - p)
