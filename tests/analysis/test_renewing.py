"""Whole arrays that are augmented and that nobody else holds are values; all others are written in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.random.default_rng(3).normal(size=(3, 4))
W = np.random.default_rng(4).normal(size=(3, 4))


def divides(x):
    w = np.exp(x)
    w /= w.sum(axis=-1, keepdims=True)
    return np.sum(w * W)


def shifts(x):
    s = 2.0 * x
    s -= s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    e /= np.sum(e, axis=-1, keepdims=True)
    return np.sum(e * W)


def scales(x):
    y = x * x
    y *= 3.0
    y **= 2
    return np.sum(y * W)


def in_a_loop(x):
    y = np.sin(x)
    for _ in range(3):
        y /= 1.0 + np.sqrt(np.sum(y * y))
        y *= 1.5
    return np.sum(y * W)


def in_branches(x):
    y = np.sin(x)
    if W[0, 0] > 0.0:
        y /= np.mean(y) + 2.0
    else:
        y *= y
    return np.sum(y * W)


VALUES = divides, shifts, scales, in_a_loop, in_branches


def is_viewed(x):
    y = np.exp(x)
    row = y[0]
    y /= y.sum()
    return np.sum(y * W) + np.sum(row)


def is_in_a_list(x):
    y = np.exp(x)
    kept = [y]
    y /= y.sum()
    return np.sum(kept[0] * W)


def has_another_name(x):
    y = z = np.exp(x)
    y /= y.sum()
    return np.sum(z * W)


def is_given(x):
    x *= x
    return np.sum(x * W)


def is_viewed_later(x):
    y = np.exp(x)
    y /= y.sum()
    row = y[0]
    row *= 2.0
    y *= y
    return np.sum(y * W) + np.sum(row)


def only_adds(x):
    y = np.exp(x)
    y += 1.0
    return np.sum(y * y)


WRITTEN = is_viewed, is_in_a_list, has_another_name, is_given, is_viewed_later, only_adds


@pytest.mark.parametrize("function", [*VALUES, *WRITTEN])
def test_derivatives(function: Any, confirm: Any) -> None:
    confirm(function, X)


def text(function: Any) -> str:
    derivative = tl.grad(function)
    derivative(X)
    return derivative.source.rpartition("\ndef ")[2]


@pytest.mark.parametrize("function", VALUES)
def test_values_are_not_put_back(function: Any) -> None:
    assert "copy()" not in text(function) and "[...]" not in text(function)


@pytest.mark.parametrize("function", [is_viewed, is_in_a_list, has_another_name, is_given])
def test_what_others_hold_is_written(function: Any) -> None:
    assert "[...]" in text(function) or "copyto" in text(function)


@pytest.mark.parametrize("scale", (np.float64(2.0), np.full(4, 2.0), np.full((3, 1), 2.0)))
def test_precision_stays(scale: Any) -> None:
    def wide(x, c):
        y = np.exp(x)
        y /= np.max(y)
        y *= c
        y /= np.sqrt(4)
        return np.sum(y)

    x = X.astype(np.float32)
    for given in (X, x):
        value, slope = tl.value_and_grad(wide)(given, scale)
        assert value.dtype == slope.dtype == given.dtype
        assert value == wide(given, scale)


def test_integers_raise_as_they_do() -> None:
    def halved(x, k):
        y = k * 2
        y /= np.sum(y)
        return np.sum(y * x)

    with pytest.raises(TypeError, match="Cannot cast"):
        halved(X, np.arange(4))
    with pytest.raises(TypeError, match="Cannot cast"):
        tl.grad(halved)(X, np.arange(4))


def test_a_shape_that_does_not_fit_raises() -> None:
    def grown(x):
        y = x[:1] * 2.0
        y *= x
        return np.sum(y)

    with pytest.raises(ValueError, match="broadcast"):
        tl.grad(grown)(X)


def a_buffer_that_is_filled_again(x, n):
    d = np.zeros(x.shape[1] - 1)
    for _ in range(n):
        np.subtract(x[0, 1:], x[0, :-1], out=d)
        d *= 0.5
        x[0, 1:] += d
        d /= -4.0
        x[1, 1:] -= d
    return np.sum(x * W)


def filled_again_and_read(x, n):
    d = np.zeros(x.shape[1])
    for _ in range(n):
        d[1:] = np.sin(x[0, 1:]) + x[1, :-1]
        x[2] += d * d
        d *= 0.5
        x[0] += d * d
    return np.sum(x * W)


def test_a_buffer_stays_one() -> None:
    source = tl.grad(a_buffer_that_is_filled_again).source
    assert "tape" not in source and "bd = rt.buffer" not in source
    assert "bd[...] *= 0.5" in source


@pytest.mark.parametrize("function", (a_buffer_that_is_filled_again, filled_again_and_read))
def test_gradient_of_a_buffer(function: Any, confirm: Any) -> None:
    confirm(function, X, 2)
