"""What is asked for its shape only is not made; sums of sums hand one number on."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

RNG = np.random.default_rng(5)
X, Y, ROW, COLUMN = (RNG.normal(size=s) for s in ((3, 4), (3, 4), (4,), (3, 1)))


def logistic_loss(x, y, row, column):
    z = x @ row
    return np.mean(np.logaddexp(0, z) - column[:, 0] * z)


def pairs(x, y, row, column):
    return np.sum(100.0 * (x[:, 1::2] - x[:, ::2] ** 2) ** 2 + (1.0 - x[:, ::2]) ** 2)


def cross_entropy(x, y, row, column):
    o = x * row + column
    o = o - np.max(o, axis=1, keepdims=True)
    return -np.mean(np.sum(y * (o - np.log(np.sum(np.exp(o), axis=1, keepdims=True))), axis=1))


def sums_of_sums(x, y, row, column):
    return np.sum(np.mean(np.sum(np.sin(x) * y, axis=-1, keepdims=True), axis=0)) * row[0]


def sums_that_are_broadcast(x, y, row, column):
    return np.sum(np.sum(x * y, axis=0) * column) + np.mean(x.sum(axis=1) + x.mean(axis=1) ** 2)


def sums_that_begin(x, y, row, column):
    return np.sum(np.sum(x * y, axis=0, initial=column[0, 0])) + np.sum(x.sum(axis=0, initial=2.0))


def sums_of_some(x, y, row, column):
    return np.sum(np.sum(x * x, axis=1, where=y > 0.0)) + np.mean(np.mean(x**3, 1, where=x < 9.0))


def two_axes(x, y, row, column):
    z = x[:, :, None] * row
    return np.mean(np.sum(z * z, axis=(0, 2))) + np.sum(np.mean(np.exp(z), axis=(1, 2)))


def read_again(x, y, row, column):
    s = np.sum(x * y, axis=0)
    return np.sum(s) * np.sum(s * row) + np.mean(s)


def of_written_arrays(x, y, row, column):
    z = np.zeros((3, 4))
    z[:, 1:] = x[:, 1:] * column
    z[0] += row
    return np.sum(np.sum(z, axis=1)) + np.mean(np.mean(z * y, axis=0))


def in_a_loop(x, y, row, column):
    total = 0.0
    for k in range(3):
        total = total + np.sum(np.mean(x**k * row, axis=1)) * np.sum(column + x)
    return total


PROGRAMS = [logistic_loss, pairs, cross_entropy, sums_of_sums, sums_that_are_broadcast]
PROGRAMS += [sums_that_begin, sums_of_some, two_axes, read_again, of_written_arrays, in_a_loop]


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function: Any, confirm: Any) -> None:
    confirm(function, X, Y, ROW, COLUMN)


@pytest.mark.parametrize("function", PROGRAMS)
def test_single_precision(function: Any) -> None:
    small = [a.astype(np.float32) for a in (X, Y, ROW, COLUMN)]
    for wrt in range(4):
        wanted = tl.grad(function, wrt=wrt)(X, Y, ROW, COLUMN)
        found = tl.grad(function, wrt=wrt)(*small)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("shape", [(), (1,), (0, 4), (1, 4), (3, 1), (5, 3, 4)])
def test_shapes_that_are_broadcast(shape: tuple[int, ...], confirm: Any) -> None:
    def spread_out(x, y):
        return np.mean(np.exp(x) / (y * y + 1.0) - x) + np.sum(x * y + np.tanh(y))

    x = np.asarray(np.linspace(-1.0, 1.0, int(np.prod(shape))).reshape(shape))
    if x.size:
        confirm(spread_out, x, Y)
        confirm(spread_out, Y, x)
    else:
        plain = tl.grad(spread_out, optimized=False)
        wide = np.zeros((1, 4))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.testing.assert_array_equal(tl.grad(spread_out)(x, wide), plain(x, wide))


def test_shapes_that_do_not_fit_raise() -> None:
    def unfit(x, y):
        return np.sum(np.exp(x) * 2.0 + np.sin(y))

    with pytest.raises(ValueError, match="broadcast"):
        tl.grad(unfit)(X, np.ones((2, 5)))


def test_what_is_not_made_does_not_warn() -> None:
    def grows(x, y):
        z = x * y
        return np.mean(np.exp(z) - 3.0 * z)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(over="ignore"):
            slope = tl.grad(grows)(np.array([1e200, 1.0]), np.array([0.0, 0.0]))
    np.testing.assert_array_equal(slope, [0.0, 0.0])


def test_numbers_that_are_too_large_to_multiply() -> None:
    def of_two(x, y):
        return np.sum(x / y + y)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tl.grad(of_two)(np.float64(1e200), np.float64(1e200)) == 1e-200


@pytest.mark.parametrize("given", [(X, None), (None, Y), (2.0, None)])
def test_what_is_no_number_raises(given: Any) -> None:
    def with_one_missing(x, y):
        return np.sum(2.0 * x + y)

    for wrt in (0, 1):
        with pytest.raises(TypeError):
            tl.grad(with_one_missing, wrt=wrt)(*given)


@pytest.mark.parametrize("function", [logistic_loss, pairs, cross_entropy])
def test_texts_ask_for_frames(function: Any) -> None:
    assert "rt.frame(" in tl.grad(function).source


def test_a_sum_of_sums_is_not_spread_out() -> None:
    text = tl.grad(cross_entropy).source
    assert "rt.spread" not in text and "rt.unreduce" not in text


def ridge(w, x, y):
    return np.mean((x @ w - y) ** 2) + 0.1 * np.dot(w, w)


def penalty_first(w, x, y):
    penalty = 0.1 * (w @ w)
    return penalty + np.sum(np.logaddexp(0.0, x @ w)) / x.shape[0]


def bound_again(w, x, y):
    s = np.dot(w, w)
    t = s * 2.0
    s = np.sum(x * x * t)
    return s + np.sqrt(t)


def in_branches(w, x, y):
    s = w @ w
    if s > 1.0:
        s = s + np.mean(np.exp(x @ w - y))
    return s * 2.0


def two_squares(w, x, y):
    return np.mean(x @ w) * np.dot(w, w) * (y @ y) + np.mean(y)


PENALIZED = [ridge, penalty_first, bound_again, in_branches, two_squares]


@pytest.mark.parametrize("function", PENALIZED)
def test_losses_with_penalties(function: Any, confirm: Any) -> None:
    confirm(function, ROW, X, Y[:, 0])
    small = [a.astype(np.float32) for a in (ROW, X, Y[:, 0])]
    for wrt in range(3):
        found, plain = (tl.grad(function, wrt=wrt, optimized=o)(*small) for o in (True, False))
        assert found.dtype == plain.dtype == np.float32
        np.testing.assert_allclose(found, plain, rtol=1e-4)


def test_a_loss_is_not_made_to_look_at_its_shape() -> None:
    text = tl.grad(ridge).source
    assert "= np.mean" not in text and "= t2 ** 2" not in text
    assert "by_1 = rt.seed(by_1, np.dot(w, w))" in text
    assert "= np.logaddexp" not in tl.grad(penalty_first).source


def test_a_loss_that_is_no_number_is_refused() -> None:
    for weights in (np.ones((4, 1)), np.ones((4, 2))):
        with pytest.raises((TypeError, ValueError)):
            tl.grad(ridge)(weights, X, Y[:, 0])
    with pytest.raises(TypeError, match=r"the result has shape \(4, 4\): a gradient needs"):
        tl.grad(ridge)(np.ones((4, 4)), np.ones((4, 4)), np.ones((4, 4)))


def test_names_of_one_shape_are_one() -> None:
    def chain(x, y, row, column):
        a = np.exp(np.tanh(x * y)) - 1.0
        return np.mean(a) + np.mean(np.cos(x) * 2.0 + 1.0)

    assert "rt.outline" not in tl.grad(chain).source
