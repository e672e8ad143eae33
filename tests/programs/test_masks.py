"""Masks: what is not chosen may be infinite, and gives nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.0, 2.0, 0.5])
ONES = np.ones(3)


def entropy(x):
    return -np.sum(np.where(x > 0, x * np.log(x), 0.0))


def entropy_by_a_name(x):
    log = np.log(x)
    terms = x * log
    return -np.sum(np.where(x > 0, terms, x * 0.0))


def entropy_by_a_boolean_index(x):
    terms = x * np.log(x)
    return -np.sum(terms[x > 0])


def entropy_by_where(x):
    return -np.sum(x * np.log(x), where=x > 0)


@pytest.mark.parametrize(
    "f", (entropy, entropy_by_a_name, entropy_by_a_boolean_index, entropy_by_where)
)
def test_an_entropy_with_a_zero(f: Any) -> None:
    first, second = [0.0, -1.0 - np.log(2.0), -1.0 - np.log(0.5)], [0.0, -0.5, -2.0]
    with np.errstate(all="ignore"):
        for optimized in (True, False):
            np.testing.assert_allclose(tl.grad(f, optimized=optimized)(X), first)
        _, tangent = tl.jvp(f)(X, tangent=ONES)
        np.testing.assert_allclose(tangent, sum(first))
        np.testing.assert_allclose(tl.hvp(f)(X, ONES), second)
        np.testing.assert_allclose(tl.jacrev(tl.grad(f))(X), np.diag(second))


@pytest.mark.parametrize(
    ("f", "slopes"),
    (
        (
            lambda x: np.sum(np.where(x > 0, np.log(x) ** 2, 0.0)),
            2.0 * np.log([1.0, 2.0, 0.5]) / [1.0, 2.0, 0.5],
        ),
        (lambda x: np.sum(np.where(x > 0, 3.0 / x * x, 0.0)), [0.0, 0.0, 0.0]),
        (lambda x: np.sum(np.where(x > 0, x**-2.0 * x, 0.0)), [0.0, -0.25, -4.0]),
        (
            lambda x: np.sum(np.where(x < 1, np.exp(400 * x) * np.exp(400 * x) * 0.0, x)),
            [0.0, 1.0, 0.0],
        ),
    ),
)
def test_products_with_what_is_infinite(f: Any, slopes: Any) -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(tl.grad(f)(X), slopes, atol=1e-12)


def entropy_put_to_zero(p):
    terms = p * np.log(p)
    terms[p == 0] = 0.0
    return -np.sum(terms)


def entropy_put_to_zero_by_an_index(p):
    terms = p * np.log(p)
    terms[0] = 0.0
    return -np.sum(terms)


def entropy_put_to_zero_by_a_function(p):
    terms = p * np.log(p)
    np.copyto(terms, 0.0, where=p == 0)
    return -np.sum(terms)


@pytest.mark.parametrize(
    "f",
    (
        entropy_put_to_zero,
        entropy_put_to_zero_by_an_index,
        entropy_put_to_zero_by_a_function,
    ),
)
def test_an_entropy_with_a_term_that_is_overwritten(f: Any) -> None:
    first, second = [0.0, -1.0 - np.log(2.0), -1.0 - np.log(0.5)], [0.0, -0.5, -2.0]
    with np.errstate(all="ignore"):
        for optimized in (True, False):
            np.testing.assert_allclose(tl.grad(f, optimized=optimized)(X), first)
        np.testing.assert_allclose(tl.jvp(f)(X, tangent=ONES)[1], sum(first))
        np.testing.assert_allclose(tl.hvp(f)(X, ONES), second)
        np.testing.assert_allclose(tl.vjp(tl.grad(f))(X)[1](ONES), second)


FAR = np.array([-1000.0, 1000.0])
FLAT: list[Any] = [
    lambda x: np.sum(np.minimum(1.0, np.exp(-x) * np.exp(-x)) * np.array([1.0, 0.0])),
    lambda x: np.sum(np.maximum(-1.0, -3.0 * x[1] * np.exp(x))),
    lambda x: np.sum(np.clip(x * np.exp(x * x), -1.0, 1.0)),
    lambda x: np.sum(np.clip(x[0] * np.log(0.0 * x), -1.0, 1.0)),
    lambda x: np.sum(x[1] / (1.0 + x[1] * np.exp(x * x))),
    lambda x: np.sum((1.0 + x[1] * np.exp(x * x)) ** -1),
    lambda x: np.sum(1.0 / (x[1] * np.exp(x * x)) ** 2),
    lambda x: np.sum(np.exp(-x[1] * np.exp(x * x))),
    lambda x: np.sum(np.exp(-np.exp(x * x))),
    lambda x: np.sum(np.reciprocal(x[1] * np.exp(x * x))),
    lambda x: np.sum(np.exp(-1.0 / (0.0 * x) ** 2)),
    lambda x: np.sum(np.tanh(x * np.exp(x * x))),
    lambda x: np.sum(np.tanh(np.exp(x * x))),
    lambda x: np.sum(np.arctan(np.exp(x * x))),
    lambda x: np.sum(np.exp(-x * x - np.exp(x * x))),
    lambda x: np.sum(np.expm1(-np.cosh(x) * np.exp(x * x))),
]


@pytest.mark.parametrize("f", FLAT)
def test_what_is_flat_far_away_is_flat(f: Any) -> None:
    with np.errstate(all="ignore"):
        for optimized in (True, False):
            np.testing.assert_array_equal(tl.grad(f, optimized=optimized)(FAR), 0.0)
        assert tl.jvp(f)(FAR, tangent=np.ones(2))[1] == 0.0
        np.testing.assert_array_equal(tl.hvp(f)(FAR, np.ones(2)), 0.0)


def soft(scores):
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e)


KEPT = np.array([False, True, True])


def put_to_infinity(x, s):
    scores = x[0] * np.arange(3.0)
    scores[~KEPT] = -np.inf
    return soft(scores * s)[2]


# Programs, and whether the second derivative is found in reverse over reverse, too.
MASKED: list[tuple[Any, bool]] = [
    (lambda x, s: np.sum(np.exp(np.array([-np.inf, x[0], x[1]]) * s)), True),
    (lambda x, s: np.log(np.sum(np.exp(np.where(KEPT, x[0] * x[1], -np.inf) / s))), True),
    (lambda x, s: np.sum(np.log1p(np.exp(np.where(KEPT, x[0] * x[1], -np.inf) / s))), True),
    (lambda x, s: np.sum(np.log(2.0 + np.exp(np.where(KEPT, x[0] * x[1], -np.inf) * s))), True),
    (lambda x, s: np.logaddexp.reduce(np.array([-np.inf, x[0], x[1]]) * s), False),
    (lambda x, s: np.logaddexp2(float("-inf") * s, x[0] * x[1]), True),
    (lambda x, s: soft(np.where(KEPT, x[1] * np.arange(3.0), -np.inf) * s)[1], False),
    (put_to_infinity, False),
    (lambda x, s: np.sum(np.tanh(np.array([x[0], np.inf]) * s)), False),
]


@pytest.mark.parametrize(("f", "twice"), MASKED)
def test_masks_of_infinity_may_be_scaled(f: Any, twice: bool) -> None:
    x, s, step = np.array([0.3, 0.7]), 0.8, 1e-6
    both = tl.grad(f, wrt=(0, 1))
    slopes = [(f(x, s + step) - f(x, s - step)) / (2 * step)]
    slopes += [(f(x + step * e, s) - f(x - step * e, s)) / (2 * step) for e in np.eye(2)]
    for optimized in (True, False):
        bx, bs = tl.grad(f, wrt=(0, 1), optimized=optimized)(x, s)
        np.testing.assert_allclose([bs, *bx], slopes, atol=1e-8)
    np.testing.assert_allclose(tl.jvp(f, wrt=1)(x, s, tangent=1.0)[1], slopes[0], atol=1e-8)
    bend = (both(x, s + step)[1] - both(x, s - step)[1]) / (2 * step)
    ds = tl.grad(f, wrt=1)
    np.testing.assert_allclose(tl.jvp(ds, wrt=1)(x, s, tangent=1.0)[1], bend, atol=1e-8)
    if twice:
        np.testing.assert_allclose(tl.grad(ds, wrt=1)(x, s), bend, atol=1e-8)


def speed(t):
    return np.sqrt(401.8 * t)


def angle(t, r=0.01):
    return np.arccos(1.0 - r * t)


class Layer:
    def __init__(self, s, h):
        self.warmth = h * s
        self.sound = self.speed(self.warmth)

    @staticmethod
    def speed(t):
        return np.cbrt(t)


H = np.array([0.0, 1.0, 4.0])
STEEP: list[Any] = [
    lambda s, h: np.sum(speed(h * s)),
    lambda s, h: np.sum(angle(s * h)) + np.sum(angle(h, r=0.1)),
    lambda s, h: np.sum(Layer(s, h).sound),
    lambda s, h: sum(speed(v * s) for v in h),
    lambda s, h: np.sum(np.sqrt(2.0 * h * s / 9.81)),
    lambda s, h: np.sum((s * h) ** 0.5),
    lambda s, h: np.sum(np.cbrt(h * (s * s))),
    lambda s, h: np.sum(np.arccos(1.0 - 0.01 * h * s)),
    lambda s, h: np.sum(np.arccosh(1.0 + h * s)),
    lambda s, h: sum(np.sqrt(v * s) for v in h),
    lambda s, h: np.sum(np.sqrt(h * s + (h**2 * s) / 3.0)),
]


@pytest.mark.parametrize("f", STEEP)
def test_what_does_not_depend_on_an_argument_is_flat_in_it(f: Any) -> None:
    without = tl.grad(f)(1.3, H[1:])
    for optimized in (True, False):
        np.testing.assert_allclose(tl.grad(f, optimized=optimized)(1.3, H), without)
    np.testing.assert_allclose(tl.jvp(f)(1.3, H, tangent=1.0)[1], without)
    second = tl.grad(tl.grad(f))
    np.testing.assert_allclose(second(1.3, H), second(1.3, H[1:]))
    np.testing.assert_allclose(tl.jvp(tl.grad(f))(1.3, H, tangent=1.0)[1], second(1.3, H[1:]))


def test_roots_of_numbers_by_numbers_that_are_written_are_plain() -> None:
    for f in (lambda h: np.sqrt(2 * G * h), lambda h: np.sqrt(h * h + 0.5 * h)):
        assert "rt.times" not in tl.grad(f).source


G = 9.81


def test_a_product_without_a_mask_is_plain() -> None:
    for f in (
        lambda x: np.sum(x * np.log(x)),
        lambda x: np.sum(np.maximum(0.0, x * x)),
        lambda x: np.sum(1.0 / (x * x + 2.0)),
        lambda x: np.tanh(x * x[0]).sum(),
    ):
        assert "rt.times" not in tl.grad(f).source
