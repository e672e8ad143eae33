"""What a trip of a loop changes in place after it was made is recorded, and not made again as it first was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X, WAY = np.array([0.7, 0.3]), np.array([0.6, -1.1])


def scaled(x):
    r = 0.0
    for _ in range(2):
        p = np.exp(x)
        p *= x
        r = r + np.sum(p * p)
    return r


def stored(x):
    r = 0.0
    for _ in range(2):
        p = np.exp(x)
        r = r + np.sum(p * p)
        p[:] = x
        r = r + np.sum(p * p)
    return r


def by_another_name(x):
    r = 0.0
    for _ in range(2):
        p = np.exp(x)
        for _ in range(2):
            q = p
            q *= x
            r = r + np.sum(p * p * q)
    return r


def by_a_view(x):
    r = 0.0
    for _ in range(2):
        p = -x
        v = p[::-1]
        v *= x
        r = r + np.sum(p * p * p)
    return r


def in_a_while(x):
    r, i = 0.0, 0
    while i < 2:
        p = np.sin(x)
        p[0] = p[1] * p[0]
        p[p > 0.1] *= 1.1
        r = r + np.sum(p * p)
        i += 1
    return r


def by_out(x):
    r = 0.0
    for _ in range(2):
        p = np.where(x > 0.5, x, 2.0 * x)
        np.multiply(p, x, out=p)
        r = r + np.sum(p * p)
    return r


def in_a_helper(x):
    r = 0.0
    for _ in range(2):
        p = x * 2.0
        multiply(p, x)
        r = r + np.sum(p * p)
    return r


def multiply(p, x):
    p *= x


def in_order(x):
    r = 0.0
    for _ in range(2):
        p = x + 1.0
        p.sort()
        r = r + p[0] * p[1] * p[0]
    return r


def some_elements(x):
    r = 0.0
    for _ in range(2):
        p = x[[0, 1, 1]]
        p += 0.5
        r = r + np.sum(p * p)
    return r


def one_of_a_list(x):
    r, items = 0.0, [x[0], x[1]]
    for _ in range(2):
        own = list(items)
        own[0] = own[0] * own[1]
        r = r + own[0] * own[1]
    return r


FUNCTIONS = [
    scaled,
    stored,
    by_another_name,
    by_a_view,
    in_a_while,
    by_out,
    in_a_helper,
    in_order,
    some_elements,
    one_of_a_list,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_numbers(function: Callable[..., Any], precision: Any) -> None:
    x = X.astype(precision)
    expected = (function(X + 1e-6 * WAY) - function(X - 1e-6 * WAY)) / 2e-6
    gradients = tl.grad(function), tl.grad(function, optimized=False), tl.vjp(function)
    found = gradients[0](x.copy()), gradients[1](x.copy()), gradients[2](x.copy())[1](1.0)
    _, tangent = tl.jvp(function)(x.copy(), tangent=WAY.astype(precision))
    for one in (*(g @ WAY for g in found), tangent):
        assert one == pytest.approx(expected, rel=1e-6 if precision is np.float64 else 1e-4)
