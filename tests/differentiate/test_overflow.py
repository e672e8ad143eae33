"""Exponentials that overflow behind roots and logarithms: what the derivative tends to, or no number, never a zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
DRAW = np.random.default_rng(0).normal(size=(3, 4)) + 1.5


def softplus(x: Any) -> Any:
    return np.log(1.0 + np.exp(x))


def softplus_of_log1p(x: Any) -> Any:
    return np.log1p(np.exp(x))


def scaled(x: Any, beta: float = 2.0) -> Any:
    return np.log(3.0 * np.exp(beta * x) + 0.5) / beta


def less_one(x: Any) -> Any:
    return np.log(np.exp(x) - 1.0)


def alone(x: Any) -> Any:
    return np.log(np.exp(x))


def log_of_sigmoid(x: Any) -> Any:
    return np.log(1.0 / (1.0 + np.exp(-x)))


def log_of_odds(x: Any) -> Any:
    return np.log(np.exp(x) / (1.0 + np.exp(x)))


def two_exponentials(x: Any) -> Any:
    return np.log(np.exp(x) + np.exp(-x))


def log_of_cosh(x: Any) -> Any:
    return np.log(np.cosh(x))


def product(x: Any) -> Any:
    return np.log(2.0 * np.exp(x) * np.exp(0.5 * x))


def three_summands(x: Any) -> Any:
    return np.log(1.0 + np.exp(x) + 0.25 * np.exp(2.0 * x))


def weighed(x: Any) -> Any:
    return np.log(3.0 * np.exp(x) + 0.5 * np.cosh(x) * np.exp(0.5 * x))


LIMITS = [
    (three_summands, 2.0, 0.0),
    (weighed, 1.5, -0.5),
    (softplus, 1.0, 0.0),
    (softplus_of_log1p, 1.0, 0.0),
    (scaled, 1.0, 0.0),
    (less_one, 1.0, None),
    (alone, 1.0, 1.0),
    (log_of_sigmoid, 0.0, 1.0),
    (log_of_odds, 0.0, 1.0),
    (two_exponentials, 1.0, -1.0),
    (log_of_cosh, 1.0, -1.0),
    (product, 1.5, 1.5),
]


@pytest.mark.parametrize(("f", "right", "left"), LIMITS, ids=lambda p: getattr(p, "__name__", ""))
def test_limits(f: Callable[[Any], Any], right: float, left: float | None) -> None:
    for optimized in (True, False):
        df = tl.grad(f, optimized=optimized)
        assert df(1000.0) == right
        assert left is None or df(-1000.0) == left
    assert tl.jvp(f)(1000.0, tangent=1.0)[1] == right
    assert abs(tl.vjp(tl.grad(f))(1000.0)[1](1.0)) < 1e-100
    assert tl.grad(f)(np.float32(120.0)) == np.float32(right)
    rows = tl.grad(lambda x: np.sum(f(x)))(np.array([1000.0, 0.7]))
    np.testing.assert_allclose(rows, [right, tl.grad(f)(0.7)])


@pytest.mark.parametrize("f", [f for f, *_ in LIMITS])
def test_nothing_changes_elsewhere(f: Callable[[Any], Any], confirm: Any) -> None:
    confirm(lambda x: np.sum(f(x)), DRAW)


def whole(x: Any) -> Any:
    return np.log(np.sum(np.exp(x)))


def rows(x: Any) -> Any:
    return np.sum(np.log(np.exp(x).sum(axis=1)) * np.arange(1.0, 4.0))


def columns_kept(x: Any) -> Any:
    total = np.log(np.sum(np.exp(x), axis=0, keepdims=True))
    return np.sum((x - total)[0])


@pytest.mark.parametrize("f", [whole, rows, columns_kept])
def test_sums_of_exponentials(f: Callable[[Any], Any], confirm: Any) -> None:
    """The shares are those of ``x - max(x)``, although the values are infinite."""
    confirm(f, DRAW)
    far = tl.grad(f)(DRAW + 2000.0)
    np.testing.assert_allclose(far, tl.grad(f)(DRAW), atol=1e-12)
    np.testing.assert_allclose(far, tl.grad(f, optimized=False)(DRAW + 2000.0))
    v = np.cos(np.arange(12.0)).reshape(3, 4)
    near, away = (tl.vjp(tl.grad(f))(x)[1](v) for x in (DRAW, DRAW + 2000.0))
    np.testing.assert_allclose(away, near, atol=1e-12)
    np.testing.assert_allclose(tl.jvp(f)(DRAW + 2000.0, tangent=v)[1], np.sum(far * v))


def mixture(x: Any) -> Any:
    near, far = np.exp(-0.5 * (x - 1.0) ** 2), np.exp(-0.5 * (x + 1.0) ** 2)
    return np.log(0.5 * near + 0.5 * far)


def test_sums_that_vanish() -> None:
    """The larger summand counts, although both are zero."""
    assert np.isneginf(mixture(50.0))
    for optimized in (True, False):
        assert tl.grad(mixture, optimized=optimized)(50.0) == pytest.approx(-49.0)
        assert tl.grad(mixture, optimized=optimized)(-60.0) == pytest.approx(59.0)
    both = tl.grad(lambda x: np.log(np.exp(x) + np.exp(2.0 * x)))
    assert both(1000.0) == 2.0
    assert both(-1000.0) == 1.0


def test_what_is_chosen_elsewhere_stays_zero() -> None:
    def smooth(x: Any) -> Any:
        return np.where(x > 30.0, x, np.log(1.0 + np.exp(x)))

    def rooted(x: Any) -> Any:
        return np.where(x > 30.0, 2.0 * x, np.sqrt(1.0 + np.exp(x)))

    assert tl.grad(smooth)(1000.0) == 1.0
    assert tl.grad(rooted)(1000.0) == 2.0


NO_NUMBERS = [
    lambda x: np.sqrt(np.exp(x)),
    lambda x: (1.0 + np.exp(x)) ** 0.5,
    lambda x: np.arcsinh(np.exp(x)),
    lambda x: np.cbrt(1.0 + np.exp(x)),
    lambda x: np.log(np.float64(1.0) + x * x + np.exp(x)),
    lambda x: np.exp(x) / (1.0 + np.exp(x)),
    lambda x: np.where(x < 0.0, 2.0 * x, np.sqrt(1.0 + np.exp(x))),
    lambda x: np.where(x < 0.0, 2.0 * x, np.log2(1.0 + np.exp(x))),
    lambda x: np.where(x < 0.0, 2.0 * x, np.exp(x) / (1.0 + np.exp(x))),
    lambda x: np.sum(np.exp(x * np.ones(2)) / np.sum(np.exp(x * np.ones(2)))),
]


@pytest.mark.parametrize("f", NO_NUMBERS)
def test_what_is_not_known_is_no_number(f: Callable[[Any], Any]) -> None:
    """The value is infinite or NaN, and so is the derivative: zero would be wrong."""
    assert not np.isfinite(f(1000.0))
    for optimized in (True, False):
        assert not np.isfinite(tl.grad(f, optimized=optimized)(1000.0))
    assert np.isfinite(tl.grad(f)(1.0))


def test_what_changes_between_exponential_and_logarithm(confirm: Any) -> None:
    def rebound(x: Any) -> Any:
        t = np.exp(x)
        x = 2.0 * x
        return np.sum(np.log(1.0 + t) * x)

    def written(x: Any) -> Any:
        t = np.exp(x)
        t[0] = 2.0
        return np.sum(np.log(1.0 + t))

    def source_written(x: Any) -> Any:
        x = x.copy()
        t = np.exp(x)
        x[0] = 2.0
        return np.sum(np.log(1.0 + t) * x)

    def trips(x: Any) -> Any:
        s, c = 0.0, 1.0
        for row in x:
            e = np.exp(row)
            s = s + np.sum(np.log(c + e))
            c = 0.5 * c + np.sum(row) ** 2
        return s

    for f in (rebound, written, source_written, trips):
        confirm(f, DRAW)


def test_both_summands_have_a_derivative(confirm: Any) -> None:
    def f(x: Any, c: Any) -> Any:
        return np.sum(np.log(c + np.exp(x)))

    confirm(f, DRAW, 0.8)
    dx, dc = tl.grad(f, wrt=(0, 1))(np.array([1000.0, 0.0]), 1.0)
    np.testing.assert_allclose(dx, [1.0, 0.5])
    assert dc == 0.5


def test_the_text_says_shares() -> None:
    assert "bx = by * rt.exp_share(t1, t2)" in tl.grad(softplus).source


def test_shifted_sums_are_as_they_were() -> None:
    def f(x: Any) -> Any:
        m = np.max(x)
        return m + np.log(np.sum(np.exp(x - m)))

    assert "share" not in tl.grad(f).source


def test_exponents_that_are_complex(confirm: Any) -> None:
    confirm(lambda x: np.real((1.0 + np.exp(x)) ** 1j), 0.3)
