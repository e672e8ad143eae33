"""Gradients with inserted code are those that a person works out, however they are asked for."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.surgery.programs import CASES, Case, W

NAMES = [f"{case}-{k}" for k, case in enumerate(CASES)]


def close(found: Any, expected: Any) -> None:
    if isinstance(expected, list | tuple):
        assert type(found) is type(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
@pytest.mark.parametrize("optimized", [True, False])
def test_gradient(case: Case, optimized: bool) -> None:
    args = copy.deepcopy(case.args)
    close(tl.grad(case.function, optimized=optimized)(*args), case.expected)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_value_and_gradient(case: Case) -> None:
    value, gradient = tl.value_and_grad(case.function)(*copy.deepcopy(case.args))
    close(gradient, case.expected)
    np.testing.assert_allclose(value, case.function(*copy.deepcopy(case.args)))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_pullback_may_be_called_again(case: Case) -> None:
    _, pullback = tl.vjp(case.function)(*copy.deepcopy(case.args))
    close(pullback(1.0), case.expected)
    close(pullback(1.0), case.expected)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_blocks_taken_out(case: Case) -> None:
    args = copy.deepcopy(case.args)
    plain = tl.primal(case.function)
    np.testing.assert_allclose(plain(*args), case.function(*copy.deepcopy(case.args)))


def tall(x):
    with tl.insert_grad_of(x) as dx:
        assert np.shape(dx) == np.shape(x)
        dx = dx * 2
    return np.sum(x * W[:, None] * np.ones((4, 3)))


@pytest.mark.parametrize(
    "x",
    [2.0, np.float32(2), np.array(2.0), np.array([2.0]), np.ones(3), np.ones((4, 3)), 2, True]
    + [np.ones((4, 1), np.float32), np.arange(3)],
    ids=lambda x: f"{type(x).__name__}{np.shape(x)}",
)
def test_an_adjoint_is_as_its_value(x: Any) -> None:
    gradient = tl.grad(tall)(x)
    assert np.shape(gradient) == np.shape(x)
    assert np.sum(gradient) == pytest.approx(60.0)
    if np.asarray(x).dtype.kind == "f":
        assert np.asarray(gradient).dtype == np.asarray(x).dtype


def rounded(x):
    y = np.tanh(x)
    with tl.insert_grad_of(y) as dy:
        assert dy.dtype == np.float32
        dy = np.clip(dy, -0.5, 0.5)
    return np.sum(y * y)


def test_float32_stays() -> None:
    x = W.astype(np.float32)
    gradient = tl.grad(rounded)(x)
    assert gradient.dtype == np.float32
    expected = np.clip(2 * np.tanh(x), -0.5, 0.5) * (1 - np.tanh(x) ** 2)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6)


def turned(z):
    w = z * z
    with tl.insert_grad_of(w) as dw:
        dw = dw * 1j
    return np.real(np.sum(w * (1 + 2j)))


def test_complex_adjoints() -> None:
    z = np.array([1 + 1j])
    np.testing.assert_allclose(tl.grad(turned)(z), (1 + 2j) * 1j * 2 * z)


def kept(x):
    with tl.insert_grad_of(x) as dx:
        KEPT.append(dx)
        dx = CACHE
    return np.sum(x * x)


KEPT: list[Any] = []
CACHE = np.ones(4)


def test_nothing_is_shared_with_the_user() -> None:
    gradient = tl.grad(kept)(W)
    gradient[:] = 7.0
    np.testing.assert_array_equal(CACHE, np.ones(4))
    np.testing.assert_array_equal(KEPT[-1], 2.0 * W)


def watched(x):
    with tl.insert_grad_of(x) as dx:
        KEPT.append(dx)
    y = x * 1.0
    return np.sum(x[1:] * x[:-1]) + np.sum(y)


def test_what_is_kept_does_not_change_later() -> None:
    KEPT.clear()
    gradient = tl.grad(watched)(W)
    np.testing.assert_array_equal(KEPT[0], gradient)
    gradient += 1.0
    np.testing.assert_array_equal(KEPT[0] + 1.0, gradient)


def inner_logged(x):
    y = x * 2.0
    with tl.insert_grad_of(y) as dy:
        KEPT.append(dy)
    z = y[0] * y[1]
    for k in range(3):
        z = z + y[k]
        with tl.insert_grad_of(y) as dy:
            KEPT.append(dy)
    return z


def test_adjoints_that_are_sums_in_place_are_kept_as_they_were() -> None:
    KEPT.clear()
    tl.grad(inner_logged)(W)
    np.testing.assert_array_equal(KEPT[0], [0, 0, 0, 0])
    np.testing.assert_array_equal(KEPT[1], [0, 0, 1, 0])
    np.testing.assert_array_equal(KEPT[2], [0, 1, 1, 0])
    np.testing.assert_array_equal(KEPT[3], [5, 3, 1, 0])


def in_place(w, x):
    h = np.tanh(w * x)
    with tl.insert_grad_of(h) as dh:
        dh *= 2.0
        dh[0] = 0.0
    return h


def test_the_seed_stays_as_it_was() -> None:
    seed = W.copy()
    _, pullback = tl.vjp(in_place)(W, W)
    first = pullback(seed)
    np.testing.assert_array_equal(seed, W)
    np.testing.assert_array_equal(pullback(seed), first)


@tl.grad
def decorated(x):
    with tl.insert_grad_of(x) as dx:
        dx = 7.0
    return x * x


def test_decorator() -> None:
    assert decorated(3.0) == 7.0


def test_what_is_left_before_a_loop_gets_nothing_when_it_is_left() -> None:
    from tests.surgery.programs import leaving_the_loop

    assert tl.grad(leaving_the_loop, wrt=1)(0.5, 0.2) == 0.0
    w, h = np.array([0.5, 0.6]), np.array([0.2, 0.3])
    gw, gh = tl.grad(leaving_the_loop, wrt=(0, 1))(w, h, adjoint=np.ones(2))
    np.testing.assert_array_equal(gh, [0.0, 0.0])
    np.testing.assert_allclose(gw[0], tl.grad(leaving_the_loop)(0.5, 0.2))
