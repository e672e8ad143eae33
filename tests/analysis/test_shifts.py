"""Shifts that cancel are not differentiated; those that do not, are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.random.default_rng(7).normal(size=(4, 3))
W = np.array([[0.3, -1.2, 0.8], [2.0, 0.5, -0.4], [1.1, 0.7, 0.2], [-0.6, 1.3, 0.9]])
CANCEL: list[Callable[..., Any]] = []
STAY: list[Callable[..., Any]] = []


def cancels(function: Callable[..., Any]) -> Callable[..., Any]:
    CANCEL.append(function)
    return function


def stays(function: Callable[..., Any]) -> Callable[..., Any]:
    STAY.append(function)
    return function


@cancels
def log_sum_exp(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(W[:, 0] * (m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1))))


@cancels
def of_all(x):
    m = x.max()
    return m + np.log(np.sum(W[0, 0] * np.exp(x - m)))


@cancels
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return np.sum(W * p)


@cancels
def log_softmax(x):
    z = x - np.max(x, axis=1)[:, None]
    z = z - np.log(np.sum(np.exp(z), axis=1))[:, None]
    return np.sum(W * z)


@cancels
def last_axis_that_comes_second(x):
    m = x.max(axis=-1)
    return np.sum(W[:, 0] * (m + np.log(np.sum(np.exp(x - m[:, None]), axis=-1))))


@cancels
def second_axis_that_comes_last(x):
    e = np.exp(x - np.max(x, axis=1)[..., None])
    return np.sum(W * (e / np.sum(e, axis=-1)[:, None]))


@cancels
def where_it_is_finite(x):
    m = np.max(x, axis=1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0.0)
    return np.sum(W[:, 0] * (m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1))))


def log_sum_exp_along(a, axis=None, keepdims=False):
    top = a.max(axis, keepdims=True)
    sure = np.isfinite(top)
    top = np.where(sure, top, 0)
    inner = np.log(np.sum(np.exp(a - top), axis, keepdims=keepdims))
    return inner + (top if keepdims else np.squeeze(top, axis))


@cancels
def by_a_helper_with_an_axis(x):
    return np.sum(W[:, 0] * log_sum_exp_along(x, 1)) + log_sum_exp_along(x)


@cancels
def by_a_helper_that_keeps_the_axis(x):
    return np.sum(W[:1] * log_sum_exp_along(x, axis=0, keepdims=True))


@stays
def the_other_way_round(x):
    m = np.max(x, axis=1, keepdims=True)
    m = np.where(np.isfinite(m), 0.0, m)
    return np.sum(m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1)) + x.max(axis=1) ** 2)


@stays
def where_something_else_is_finite(x):
    m = np.max(x, axis=1, keepdims=True)
    sure = np.isfinite(m)
    m = m * 2.0
    z = np.where(sure, m, 0.0)
    return np.sum(z[:, 0] + np.log(np.sum(np.exp(x - z), axis=1)))


@stays
def where_a_sum_is_large(x):
    m = np.max(x, axis=1, keepdims=True)
    z = np.where(m > 0.5, m, 0.0)
    return np.sum(z[:, 0] + np.log(np.sum(np.exp(x - z), axis=1)))


@stays
def told_before_it_was_bound_again(x):
    m = np.max(x, axis=1, keepdims=True)
    sure = np.isfinite(m)
    m = m - 1.0
    sure = m > 0.0
    z = np.where(sure, m, 0.0)
    return np.sum(z[:, 0] + np.log(np.sum(np.exp(x - z), axis=1)))


@cancels
def columns(x):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return np.sum(W * (e / e.sum(axis=0, keepdims=True)))


@cancels
def columns_as_rows(x):
    """Without its first axis a maximum stands below the others."""
    m = np.max(x, axis=0)
    return np.sum(W[0] * (m + np.log(np.sum(np.exp(x - m), axis=0))))


@cancels
def softmax_of_columns(x):
    e = np.exp(x - x.max(axis=0))
    return np.sum(W * (e / e.sum(axis=0)))


@cancels
def log_softmax_of_columns(x):
    z = x - np.max(x, 0)
    return np.sum(W * (z - np.log(np.sum(np.exp(z), 0))))


@cancels
def of_a_vector(x):
    v = x[:, 0]
    m = np.max(v, axis=0)
    return m + np.log(np.sum(np.exp(v - m), axis=0))


@cancels
def smallest(x):
    m = np.min(x, axis=1, keepdims=True)
    return np.sum(W * np.exp(m - x) / np.sum(np.exp(m - x), axis=1, keepdims=True))


@cancels
def distance(x):
    m = np.amax(x, 1, keepdims=True)
    return np.sum(W * ((x - m) - np.mean(x - m, axis=1, keepdims=True)))


@cancels
def in_a_loop(x):
    total = 0.0
    for i in range(4):
        m = np.max(x[i])
        total = total + W[i, 0] * (m + np.log(np.sum(np.exp(x[i] - m))))
    return total


@cancels
def root_of_factors(x):
    m = np.max(x)
    e = np.exp(2.0 * (x - m))
    return np.sum(W * np.sqrt(e)) * np.exp(m)


def in_place(a):
    a -= np.max(a, axis=-1, keepdims=True)
    np.exp(a, out=a)
    a /= np.sum(a, axis=-1, keepdims=True)


def into(a, y):
    y[...] = np.exp(a - np.max(a, axis=-1, keepdims=True))
    y /= np.sum(y, axis=-1, keepdims=True)


def only_moved(a):
    a -= np.max(a, axis=-1, keepdims=True)


@cancels
def softmax_in_place(x):
    x = x.copy()
    in_place(x)
    return np.sum(W * x)


@cancels
def softmax_into_another(x):
    y = np.zeros_like(x)
    into(x, y)
    return np.sum(W * y)


@cancels
def softmax_into_more_axes(x):
    y = np.zeros((2, 4, 3))
    into(x, y)
    return np.sum(W * y[0]) - np.sum(y[1] ** 2)


@cancels
def softmax_of_one_row_into_many(x):
    y = np.zeros((4, 3))
    into(x[0], y)
    return np.sum(W * y)


@cancels
def all_of_it_in_place(x):
    x = 2.0 * x
    x[:] -= np.max(x)
    x[:] = np.exp(x)
    x[:] = x / np.sum(x)
    return np.sum(W * x)


@cancels
def in_place_in_a_loop(x):
    x = x.copy()
    for _ in range(2):
        x -= np.max(x, axis=1, keepdims=True)
        x[...] = np.exp(x)
        x /= np.sum(x, axis=1, keepdims=True)
    return np.sum(W * x)


@stays
def only_moved_in_place(x):
    x = x.copy()
    only_moved(x)
    return np.sum(W * x)


@stays
def moved_and_read_before_the_end(x):
    x = x.copy()
    x -= np.max(x, axis=-1, keepdims=True)
    s = np.sum(W * x)
    x[...] = np.exp(x)
    x /= np.sum(x, axis=-1, keepdims=True)
    return np.sum(W * x) + s


@stays
def seen_by_a_view(x):
    x = x.copy()
    v = x[1:]
    x -= np.max(x, axis=-1, keepdims=True)
    s = np.sum(W[1:] * v)
    x[...] = np.exp(x)
    x /= np.sum(x, axis=-1, keepdims=True)
    return np.sum(W * x) + s


@stays
def written_in_part(x):
    x = x.copy()
    x[1:] -= np.max(x, axis=-1, keepdims=True)[1:]
    x[...] = np.exp(x)
    return np.sum(W * x)


@stays
def moved_in_a_loop_and_read_in_the_next_trip(x):
    x, s = x.copy(), 0.0
    for _ in range(2):
        s = s + np.sum(W * x)
        x -= np.max(x, axis=1, keepdims=True)
    return s


@stays
def sums_of_columns_in_place(x):
    x = x.copy()
    x -= np.max(x, axis=1, keepdims=True)
    x[...] = np.exp(x)
    x /= np.sum(x, axis=0, keepdims=True)
    return np.sum(W * x)


@stays
def columns_into_more_axes(x):
    y = np.zeros((4, 4, 3))
    m = np.max(x, axis=0, keepdims=True)
    y[...] = np.exp(x - m)
    y /= np.sum(y, axis=0, keepdims=True)
    return np.sum(W * y[1] ** 2) + np.sum(W[0] * m) + np.sum(np.log(np.sum(np.exp(x - m), axis=0)))


@stays
def without_the_axis(x):
    """A row of maxima of rows is no row of the array."""
    x = x @ x.T
    m = np.max(x, axis=-1)
    y = np.zeros((4, 4))
    y[...] = m
    y[...] = np.exp(x - y)
    return np.sum(np.log(np.sum(y, axis=-1)) + m)


@stays
def returned_too(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(W[:, 0] * (m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1)))) + m[2, 0]


@stays
def only_shifted(x):
    z = x - np.max(x, axis=1, keepdims=True)
    return np.sum(W * z)


@stays
def weighted_sum(x):
    z = x - np.max(x, axis=1, keepdims=True)
    return np.sum(W[:, 0] * (np.log(np.sum(np.exp(z), axis=1)) - np.sum(z * W, axis=1)))


@stays
def other_axis(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(W[0] * np.log(np.sum(np.exp(x - m), axis=0))) + np.sum(m)


@stays
def rows_below_rows(x):
    """In a square matrix the maximum of each row fits below the rows, and belongs beside them."""
    x = x @ x.T
    m = np.max(x, axis=1)
    return np.sum(W[:, 0] * np.log(np.sum(np.exp(x - m), axis=1)) + W[:, 1] * m)


@stays
def below_more_axes(x):
    m = np.max(x, axis=0)
    e = np.exp(np.stack([x, 0.5 * x]) - m)
    return np.sum(W * (e / np.sum(e, axis=0))[0]) + np.sum(np.log(np.sum(e, axis=0)) @ (0.1 + m))


@stays
def other_axis_of_columns(x):
    m = np.max(x, axis=0)
    return np.sum(W[:, 0] * np.log(np.sum(np.exp(x - m), axis=1))) + np.sum(m)


@stays
def more_axes(x):
    """With three axes the second one is another."""
    m = np.max(x, axis=1, keepdims=True)
    e = np.exp(x - m) * np.array([[[1.0]], [[0.5]]])
    return np.sum(W * (np.exp(x - m) / e.sum(axis=1)[:, None]).sum(axis=0)[:1])


@stays
def twice_the_shift(x):
    m = np.max(x)
    return 2.0 * m + np.log(np.sum(W[0, 0] * np.exp(x - m)))


def logsumexp(x, axis=None, keepdims=False):
    m = np.max(x, axis=axis, keepdims=True)
    out = np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True)) + m
    return out if keepdims else np.squeeze(out, axis=axis)


def softmax_along(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax_along(x, axis=-1):
    z = x - np.expand_dims(np.max(x, axis), axis)
    return z - np.log(np.expand_dims(np.sum(np.exp(z), axis), axis))


def other_axes(x, axis, other):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=other, keepdims=True)


def axis_bound_anew(x, axis):
    m = x.max(axis=axis, keepdims=True)
    axis = 1 - axis
    e = np.exp(x - m)
    return e / e.sum(axis=axis, keepdims=True)


def beside_more_axes(x, y, axis):
    z = x - x.max(axis=axis, keepdims=True) + y
    e = np.exp(z)
    return e / e.sum(axis=axis, keepdims=True)


@cancels
def by_a_helper(x):
    return np.sum(W[:, 0] * logsumexp(x, axis=1)) + logsumexp(x) + np.sum(logsumexp(x, 0, True))


@cancels
def softmax_by_a_helper(x):
    return np.sum(W * softmax_along(x, 1)) + np.sum(W * softmax_along(x, (0, 1)))


@cancels
def log_softmax_by_a_helper(x):
    return np.sum(W * log_softmax_along(x)) + np.sum(W * log_softmax_along(x, axis=0))


@stays
def other_axes_of_a_helper(x):
    return np.sum(W * other_axes(x, 1, 0))


@stays
def axis_of_a_helper_bound_anew(x):
    return np.sum(W * axis_bound_anew(x, 0))


@stays
def an_axis_of_more(x):
    return np.sum(W * beside_more_axes(x, np.ones((2, 1, 3)), 0)[0])


@stays
def a_branch_reads(x):
    m = np.max(x)
    s = np.sum(np.exp(x - m))
    y = m + np.log(s)
    if W[0, 0] > 0:
        y = y + 0.1 * s
    return y


@stays
def carried_by_a_loop(x):
    total, last = 0.0, 0.0
    for i in range(4):
        total = total + W[i, 0] * last
        m = np.max(x[i])
        last = np.sum(np.exp(x[i] - m))
        total = total + m + np.log(last)
    return total


@stays
def written_into(x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.exp(x - m)
    e[0] = 1.0
    return np.sum(W[:, 0] * (m[:, 0] + np.log(np.sum(e, axis=1))))


@stays
def kept_in_a_list(x):
    m = np.max(x)
    kept = [m]
    return m + np.log(np.sum(np.exp(x - m))) + kept[0]


@stays
def added_to_a_factor(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)) + 0.1)


@pytest.mark.parametrize("function", [*CANCEL, *STAY])
def test_derivatives(function: Callable[..., Any], confirm: Any) -> None:
    confirm(function, X)


@pytest.mark.parametrize("function", CANCEL)
def test_what_cancels_is_not_differentiated(function: Callable[..., Any]) -> None:
    slope = tl.grad(function)
    slope(X)  # what is written into is an array where its rank is known
    assert "shares" not in slope.source


@pytest.mark.parametrize("function", STAY)
def test_what_does_not_cancel_is_differentiated(function: Callable[..., Any]) -> None:
    slope = tl.grad(function)
    slope(X)
    assert "shares" in slope.source


@pytest.mark.parametrize("shape", [(2, 3), (3, 3, 3), (1, 4, 1)])
def test_an_axis_that_is_the_second_for_matrices_only(shape: tuple[int, ...], confirm: Any) -> None:
    def log_sum(v):
        m = v.max(axis=-1)
        return np.sum(np.sin(m) + np.log(np.sum(np.exp(v - m[:, None]), axis=-1)))

    def log_sum_exp(v):
        m = v.max(axis=-1)
        return np.sum(m + np.log(np.sum(np.exp(v - m[:, None]), axis=-1)))

    x = np.random.default_rng(3).normal(size=shape)
    confirm(log_sum_exp, x)
    confirm(log_sum, x)
    slope = tl.grad(log_sum_exp)
    slope(x)
    assert ("shares" in slope.source) == (len(shape) > 2)
