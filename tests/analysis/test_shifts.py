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
    assert "shares" not in tl.grad(function).source


@pytest.mark.parametrize("function", STAY)
def test_what_does_not_cancel_is_differentiated(function: Callable[..., Any]) -> None:
    assert "shares" in tl.grad(function).source
