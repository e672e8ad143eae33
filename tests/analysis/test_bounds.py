"""Guards are left away where a value is bounded, and only where a NaN would be seen anyway."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

BAD = np.array([[1.0, 2.0, 0.5], [-np.inf, -np.inf, -np.inf], [0.3, -0.2, 0.9]])
GOOD = np.array([True, False, True])
GUARDS = "rt.times", "rt.quotient", "rt.ratio"


def kept(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1)))


def indexed(x):
    m = x.max(axis=1)
    return np.mean(np.log(np.sum(np.exp(x - m[:, None]), axis=1)) + m)


def last(x):
    top = np.max(x, axis=-1)[..., None]
    e = np.exp(x - top)
    p = e / np.sum(e, axis=-1, keepdims=True)
    return np.sum((p - 0.3) ** 2)


def whole(x):
    e = np.exp(x - np.max(x))
    return np.log(np.sum(e))


def around_one(x):
    return np.sum(np.arctan(x) + np.log(1.0 + x * x) + np.sqrt(x * x + 0.01))


@pytest.mark.parametrize("function", (kept, indexed, last, whole, around_one))
def test_what_is_bounded_needs_no_guard(function: Any) -> None:
    derivative = tl.grad(function)
    assert not any(guard in derivative.source for guard in GUARDS)
    x = np.array([[0.3, -1.2, 2.0], [1.0, 0.4, -0.1]])
    tl.check_grads(function, (x,))


def chosen(x):
    m = np.max(x, axis=1, keepdims=True)
    y = np.log(np.sum(np.exp(x - m), axis=1)) + m[:, 0]
    return np.sum(y[GOOD])


def selected(x):
    m = np.max(x, axis=1, keepdims=True)
    y = np.log(np.sum(np.exp(x - m), axis=1)) + m[:, 0]
    return np.sum(np.where(GOOD, y, 0.0))


def in_a_branch(x, wanted=False):
    m = np.max(x, axis=1, keepdims=True)
    y = np.log(np.sum(np.exp(x - m), axis=1)) + m[:, 0]
    return np.sum(y) if wanted else np.sum(y[GOOD])


@pytest.mark.parametrize("function", (chosen, selected, in_a_branch))
def test_rows_that_nobody_reads_have_zeros(function: Any) -> None:
    with np.errstate(all="ignore"):
        found = tl.grad(function)(BAD)
    assert np.array_equal(found[1], np.zeros(3))
    assert np.all(found[GOOD] > 0.0)


def rows(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.log(np.sum(np.exp(x - m), axis=1)) + m[:, 0]


def test_a_seed_of_zeros_reaches_nothing() -> None:
    with np.errstate(all="ignore"):
        _, pullback = tl.vjp(rows)(BAD)
        found = pullback(np.array([1.0, 0.0, 1.0]))
    assert np.array_equal(found[1], np.zeros(3))


def smallest(x):
    return np.sum(np.log(np.sum(np.exp(x - np.min(x, axis=1, keepdims=True)), axis=1)))


def across(x):
    m = np.max(x, axis=1)
    return np.sum(np.log(np.sum(np.exp(x - m[None, :]), axis=1)))


def another_axis(x):
    m = np.max(x, axis=0, keepdims=True)
    return np.sum(np.log(np.sum(np.exp(x - m), axis=1)))


def another_value(x):
    m = np.max(2.0 * x, axis=1, keepdims=True)
    return np.sum(np.log(np.sum(np.exp(x - m), axis=1)))


def written(x):
    y = x.copy()
    m = np.max(y, axis=1, keepdims=True)
    y[:, 0] = y[:, 0] * 3.0
    return np.sum(np.log(np.sum(np.exp(y - m), axis=1)))


def tiny(x):
    return np.sum(np.sqrt(x * x + 1e-12))


def sigmoid(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


@pytest.mark.parametrize(
    "function", (smallest, across, another_axis, another_value, written, tiny, sigmoid)
)
def test_what_is_not_bounded_keeps_its_guard(function: Any) -> None:
    assert any(guard in tl.grad(function).source for guard in GUARDS)


def test_overflow_is_still_guarded() -> None:
    with np.errstate(over="ignore"):
        found = tl.grad(sigmoid)(np.array([-1000.0, 0.0]))
    np.testing.assert_allclose(found, [0.0, 0.25])
