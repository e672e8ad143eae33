"""Arrays into which a helper adds adjoints hold none of its values: what is read may pass what is written there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def norms(A):
    r = np.zeros(A.shape[1])
    for k in range(A.shape[1]):
        r[k] = np.dot(A[:, k], A[:, k])
        A[:, k] *= 2.0
    return r


def of_columns(A, w):
    return np.sum(norms(A) * w) + np.sum(A * A)


def test_the_text_is_that_of_a_person() -> None:
    derivative = tl.grad(of_columns)
    derivative(np.ones((3, 3)), np.ones(3))
    assert "bA[:, k] += 2.0 * t11 * A[:, k]" in derivative.source


def mixed(a, b, k):
    a[1:] += k * b[:-1]
    b -= 0.3 * a
    for i in range(1, len(a)):
        a[i] = a[i - 1] * k + b[i] * a[i]
    b[0] = b[-1] * k
    return a[1:]


def both_of_one(x, w):
    return np.sum(mixed(x, w, 0.7) ** 2) + np.sum(x * w)


def a_view_and_its_base(x, w):
    a = x * w
    return np.sum(mixed(a, a[::-1], w[0]) * w[1:]) + np.sum(a * a)


def one_array_twice(x, w):
    a = x * 1.0
    return np.sum(mixed(a, a, w[1])) * np.sum(a * w)


def halves_of_one(x, w):
    z = np.concatenate((x, w))
    y = mixed(z[: len(x)], z[len(x) :], x[0])
    y[0] = 2.0 * y[1] * w[0]
    return np.sum(z * z)


def in_a_list(xs, k):
    xs[0][1:] += k * xs[1][:-1]
    xs[1] = xs[0] * k
    xs[0] *= xs[1]
    return xs[0]


def of_a_list(x, w):
    xs = [x * 1.0, w * 2.0]
    y = in_a_list(xs, w[0])
    y[1:] *= xs[1][:-1]
    return np.sum(xs[0] * w) + np.sum(xs[1])


@pytest.mark.parametrize(
    "program",
    [both_of_one, a_view_and_its_base, one_array_twice, halves_of_one, of_a_list],
    ids=lambda f: f.__name__,
)
def test_derivatives(program: Any, confirm: Any) -> None:
    x, w = np.random.default_rng(4).uniform(0.2, 1.0, size=(2, 4))
    confirm(program, x, w)
