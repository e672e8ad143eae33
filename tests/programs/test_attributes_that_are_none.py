"""Attributes that are None: branches that are never taken are not in the text, unless something may set them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.random.default_rng(2).normal(size=(2, 3))


class Model:
    def __init__(self, w: Any, b: Any = None) -> None:
        self.w, self.b, self.inner, self.kept = w, b, None, None

    def loss(self, x):
        y = x @ self.w
        if self.b is not None:
            y = y + self.b
        return np.sum(y * y)

    def prepare(self, x):
        if self.b is None:
            self.b = np.sin(x[0, 0]) * self.w[0]

    def lazily(self, x):
        if self.kept is None:
            self.kept = np.tanh(x @ self.w)
        return self.kept


def plain(m, x):
    return m.loss(x)


def prepared(m, x):
    m.prepare(x)
    return m.loss(x)


def by_another_name(m, x):
    other = m
    y = x @ m.w
    other.b = y[0] * 2.0
    if m.b is not None:
        y = y * m.b
    return np.sum(y * y)


def kept_in_a_list(m, x):
    models = [m]
    models[0].b = x[0, 1] * m.w[1]
    return m.loss(x) if m.b else 0.0 * m.w[0]


def set_in_a_loop(m, x):
    total = 0.0
    for k in range(3):
        if m.b is None:
            total = total + np.sum(m.w)
            m.b = m.w[k] * x[0, 0]
        else:
            total = total + m.b * m.w[k]
            m.b = None
    return total


def lazily_twice(m, x):
    first = m.lazily(x)
    return np.sum(first * m.lazily(2.0 * x))


def set_under_a_condition(m, x):
    if x[0, 0] > -9.0:
        m.b = m.w[2] ** 2
    return m.loss(x)


def set_by_setattr(m, x):
    setattr(m, "b", m.w[0] * 3.0)  # noqa: B010
    return m.loss(x) if m.b is not None else np.sum(m.w)


def inside_of_another(m, x):
    m.inner = Model(m.w * 2.0)
    m.inner.b = m.w[0]
    return m.inner.loss(x) + (0.0 if m.inner.inner else m.w[1])


def chosen(m, x):
    m.b = m.w[0] if x[0, 1] > 9.0 else None
    return m.loss(x)


PROGRAMS = [plain, prepared, by_another_name, kept_in_a_list, set_in_a_loop, lazily_twice]
PROGRAMS += [set_under_a_condition, set_by_setattr, inside_of_another, chosen]


@pytest.mark.parametrize("function", PROGRAMS)
def test_derivatives(function: Any) -> None:
    w = np.array([0.3, -0.7, 1.1])
    expected = np.zeros(3)
    for k in range(3):
        step = np.zeros(3)
        step[k] = 1e-6
        high, low = (function(Model(w + s), X) for s in (step, -step))
        expected[k] = (high - low) / 2e-6
    for optimized in (True, False):
        slope = tl.grad(function, optimized=optimized)(Model(w.copy()), X)
        np.testing.assert_allclose(slope.w, expected, rtol=1e-6, atol=1e-7)


def test_another_object_has_a_text_of_its_own() -> None:
    slope = tl.grad(plain)
    w = np.array([0.3, -0.7, 1.1])
    assert slope(Model(w), X).b is None
    with_bias = slope(Model(w, 0.5), X)
    np.testing.assert_allclose(with_bias.b, np.sum(2.0 * (X @ w + 0.5)))
    np.testing.assert_allclose(slope(Model(w), X).w, 2.0 * X.T @ (X @ w))


def test_the_text_has_no_branch_for_what_is_not_there() -> None:
    def alone(m, x):
        return m.loss(x)

    slope = tl.grad(alone)
    slope(Model(np.ones(3)), X)
    assert "raise" not in slope.source and "if " not in slope.source
