"""A second derivative in reverse through a list whose elements are replaced is right, or refused."""

from __future__ import annotations

import numpy as np

import tangentlite as tl


def renamed(y, s):
    y[1:] = y[1:] * s
    parts = [y]
    parts.append(y * s)
    y = parts.pop() + parts[-1]
    return y


def total(x, s):
    return np.sum(np.cos(renamed(x.copy(), s)))


def test_a_shadow_that_cannot_grow_gathers_no_sums():
    x, v = np.array([0.7, -0.4, 1.3]), np.array([1.0, 0.5, -2.0])
    df = tl.grad(total)
    _, expected = tl.jvp(df)(x, 0.45, tangent=v)
    _, pullback = tl.vjp(df)(x, 0.45)
    try:
        found = pullback(v)
    except tl.AliasError as error:
        assert "Take it in forward mode" in str(error)
    else:
        np.testing.assert_allclose(found, expected)


def test_the_first_derivative_is_right(confirm):
    confirm(total, np.array([0.7, -0.4, 1.3]), 0.45, second=False)
