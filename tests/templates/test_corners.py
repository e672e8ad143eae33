"""Absolute values in formulas that are smooth where the absolute value is not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def logistic(x):
    z = np.exp(-np.abs(x))
    return np.sum(np.where(x >= 0, 1 / (1 + z), z / (1 + z)))


def logistic_of_the_other_side(x):
    z = np.exp(-np.abs(x))
    return np.sum(np.where(x > 0, 1 / (1 + z), z / (1 + z)))


def logistic_turned(x):
    z = np.exp(-np.abs(x))
    return np.sum(np.where(0.0 > x, z, 1.0) / (1.0 + z))


def logistic_twice(x):
    y = np.where(x >= 0, 1.0 / (1.0 + np.exp(-np.abs(x))), 0.0)
    return np.sum(y + np.where(x >= 0, 0.0, np.exp(-np.abs(x)) / (1.0 + np.exp(-np.abs(x)))))


def logistic_of_each(x):
    total = 0.0
    for v in np.ravel(x):
        z = np.exp(-abs(v))
        if v >= 0:
            total += 1.0 / (1.0 + z)
        else:
            total += z / (1.0 + z)
    return total


def branch(v):
    z = math.exp(-abs(v))
    if v < 0.0:
        return z / (1.0 + z)
    return 1.0 / (1.0 + z)


def logistic_of_a_helper(x):
    return sum([branch(v) for v in np.ravel(x)])


def tangens(x):
    e = np.exp(-np.abs(x))
    return np.sum(np.where(x < 0, -1.0, 1.0) * (1.0 - e) / (1.0 + e)) / 2.0


def itself(x):
    a = np.abs(x)
    return np.sum(np.where(x < 0, -a, a)) / 4.0


def softplus(x):
    return np.sum(np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))))


def softplus_by_log(x):
    return np.sum(np.log(1.0 + np.exp(-np.abs(x))) + np.maximum(0.0, x))


def softplus_of_each(x):
    return sum([max(v, 0.0) + math.log1p(math.exp(-abs(v))) for v in np.ravel(x)])


def cross_entropy(x, y=0.3):
    return np.sum(np.clip(x, 0.0, None) - x * y + np.log1p(np.exp(-np.abs(x))))


def log_cosh(x):
    a = np.abs(x)
    return np.sum(a + np.log1p(np.exp(-2.0 * a)) - np.log(2.0))


def log_logistic(x):
    return np.sum(np.minimum(x, 0.0) - np.log1p(np.exp(-np.fabs(x))))


def elu(x):
    return np.sum(np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1))


def elu_turned(x):
    return np.sum(np.where(0.0 >= x, np.expm1(np.fmin(0.0, x)), x))


def logistic_with_limits(x):
    z = np.exp(np.minimum(x, 0.0))
    return np.sum(np.where(x >= 0, 1 / (1 + np.exp(-np.maximum(x, 0.0))), z / (1 + z)))


def log_logistic_with_limits(x):
    low, high = np.minimum(x, 0), np.maximum(x, 0)
    return np.sum(np.where(x > 0, -np.log1p(np.exp(-high)), low - np.log1p(np.exp(low))))


# Slope and curvature of each element at zero.
SMOOTH = [
    (logistic, 0.25, 0.0),
    (logistic_of_the_other_side, 0.25, 0.0),
    (logistic_turned, 0.25, 0.0),
    (logistic_twice, 0.25, 0.0),
    (logistic_of_each, 0.25, 0.0),
    (logistic_of_a_helper, 0.25, 0.0),
    (tangens, 0.25, 0.0),
    (itself, 0.25, 0.0),
    (softplus, 0.5, 0.25),
    (softplus_by_log, 0.5, 0.25),
    (softplus_of_each, 0.5, 0.25),
    (cross_entropy, 0.2, 0.25),
    (log_cosh, 0.0, 1.0),
    (log_logistic, 0.5, -0.25),
    (lambda x: np.sum(np.logaddexp(0.0, x)), 0.5, 0.25),
    (elu, 1.0, 1.0),
    (elu_turned, 1.0, 1.0),
    (logistic_with_limits, 0.25, 0.0),
    (log_logistic_with_limits, 0.5, -0.25),
]


@pytest.mark.parametrize(("f", "slope", "bend"), SMOOTH)
@pytest.mark.parametrize("kind", [float, np.float32, np.array, lambda v: np.full(2, v)])
def test_smooth_formulas_are_smooth_at_zero(f: Any, slope: float, bend: float, kind: Any) -> None:
    x = kind(0.0)
    for optimized in (True, False):
        gradient = tl.grad(f, optimized=optimized)(x)
        np.testing.assert_allclose(gradient, np.full(np.shape(x), slope), atol=1e-7)
        assert np.asarray(gradient).dtype == np.asarray(x).dtype
    one = np.ones_like(x) if np.ndim(x) else type(x)(1.0) if kind is not np.array else np.array(1.0)
    total = slope * np.size(x)
    np.testing.assert_allclose(tl.jvp(f)(x, tangent=one)[1], total, atol=1e-7)
    df = tl.grad(f)
    for found in (tl.jvp(df)(x, tangent=one)[1], tl.vjp(df)(x)[1](one)):
        np.testing.assert_allclose(found, np.full(np.shape(x), bend), atol=1e-7)


@pytest.mark.parametrize(("f", "slope", "bend"), SMOOTH)
def test_and_elsewhere(f: Any, slope: float, bend: float, confirm: Any) -> None:
    confirm(f, np.array([0.4, -1.3, 2.0]))


def limits_that_are_not_chosen(x):
    return np.where(x >= 0, x * x, -x * x) + np.maximum(x, 0.0)


def limits_of_another(x):
    return np.where(x - 1.0 >= 0, x, np.minimum(x, 0.0))


@pytest.mark.parametrize("f", [limits_that_are_not_chosen, limits_of_another])
def test_other_limits_are_shared(f: Any) -> None:
    for optimized in (True, False):
        assert tl.grad(f, optimized=optimized)(0.0) == 0.5
    assert tl.jvp(f)(0.0, tangent=1.0)[1] == 0.5


def test_limits_keep_their_values() -> None:
    x = np.array([np.nan, np.inf, -np.inf, -0.0])
    for f in (elu, logistic_with_limits):
        for v in x:
            np.testing.assert_array_equal(tl.value_and_grad(f)(v)[0], f(v))


def alone(x):
    return np.exp(-np.abs(x))


def beside_a_choice(x):
    return np.where(x >= 0, x * x, -x * x) + np.abs(x)


def of_another(x):
    z = np.abs(x)
    w = x - 1.0
    return np.where(w >= 0, z, -z)


def of_both_sides(x):
    a = np.abs(x)
    return np.where(x >= 0, a, 0.0) + np.where(x > 0, 0.0, a)


def bound_anew(x):
    a = np.abs(x)
    x = x + 1.0
    return np.where(x >= 0, a, -a)


def by_its_size(x):
    a = np.abs(x)
    return np.where(a <= 1.0, 0.5 * a * a, a - 0.5)


def among_corners(x):
    a = np.abs(x)
    return np.where(x >= 0, a, -a) * 0.0 + a + np.maximum(x, 0.0)


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (alone, 0.0),
        (beside_a_choice, 0.0),
        (of_another, 0.0),
        (of_both_sides, 0.0),
        (bound_anew, 0.0),
        (by_its_size, 0.0),
        (among_corners, 0.5),
    ],
)
def test_other_absolute_values_are_flat_at_zero(f: Any, slope: float) -> None:
    for optimized in (True, False):
        assert tl.grad(f, optimized=optimized)(0.0) == slope
    assert tl.jvp(f)(0.0, tangent=1.0)[1] == slope


def test_third_derivatives() -> None:
    def third(f: Any) -> float:
        return tl.grad(tl.grad(tl.grad(f)))(0.7)

    assert third(softplus) == pytest.approx(third(lambda x: np.logaddexp(0.0, x)), rel=1e-12)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_bounds_that_are_written_first(name: str) -> None:
    """The gradient of ``np.maximum(0, x)`` is that of ``np.maximum(x, 0)``, also where x is lost."""
    first, second = first_bound(name), second_bound(name)
    for x in (np.array([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, 3.0]), 0.0, np.float32(2.0)):
        for f, g in zip(first, second):
            np.testing.assert_array_equal(tl.grad(f)(x), tl.grad(g)(x), strict=True)
            np.testing.assert_array_equal(
                tl.grad(f)(x), tl.grad(f, optimized=False)(x), strict=True
            )
            np.testing.assert_array_equal(
                tl.jvp(f)(x, tangent=np.ones_like(x))[1], tl.jvp(g)(x, tangent=np.ones_like(x))[1]
            )
    assert "1.0 - rt.wins" not in tl.grad(first[0]).source


def first_bound(name):
    if name == "maximum":
        return lambda x: np.sum(np.maximum(0, x) * 3.0), lost_above
    return lambda x: np.sum(np.minimum(3, x) * 3.0), lost_below


def second_bound(name):
    if name == "maximum":
        return lambda x: np.sum(np.maximum(x, 0) * 3.0), lost_above_in_turn
    return lambda x: np.sum(np.minimum(x, 3) * 3.0), lost_below_in_turn


def lost_above(x):
    for _ in range(2):
        x = np.maximum(0, x * 0.5 - 0.25)
    return np.sum(x * x)


def lost_above_in_turn(x):
    for _ in range(2):
        x = np.maximum(x * 0.5 - 0.25, 0)
    return np.sum(x * x)


def lost_below(x):
    for _ in range(2):
        x = np.minimum(0.5, x * 0.5 - 0.25)
    return np.sum(x * x)


def lost_below_in_turn(x):
    for _ in range(2):
        x = np.minimum(x * 0.5 - 0.25, 0.5)
    return np.sum(x * x)
