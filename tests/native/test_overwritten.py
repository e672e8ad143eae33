"""Statements that move mean what they meant: what they read may be overwritten or bound anew in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason='compile="numba" needs Numba')

Y, V = np.linspace(0.3, 1.4, 12).reshape(3, 4), np.linspace(0.2, 0.9, 12).reshape(3, 4)


def before_a_loop(y, v):
    q = y * 1.0
    q /= 1.5 + np.cos(v)
    for _ in range(2):
        q = q + 0.1
    return np.sum(q * y)


def rows(y, v):
    q = y * v
    for i in range(3):
        q[i] /= 1.5 + np.sin(v[i])
        q[i] *= q[i - 1]
    return np.sum(q * q)


def normalized(y, v):
    q = y * v
    q -= np.mean(q, axis=0)
    q /= np.sqrt(np.mean(q * q, axis=0) + 0.1)
    q *= v
    return np.sum(q * y)


def argument_bound_anew(y, v):
    q = y * v
    d = v * y
    y = v.copy()
    for _ in range(2):
        q[...] = q + np.sqrt(v)
    return np.sum(q * y) + np.sum(d * d)


def bound_anew_twice(y, v):
    d = v * y
    y = v.copy()
    e = d * y
    y = e * 2.0
    return np.sum(e * y) + np.sum(d)


@pytest.mark.parametrize(
    "function", [before_a_loop, rows, normalized, argument_bound_anew, bound_anew_twice]
)
def test_they_are_as_in_numpy(function: Callable[..., Any]) -> None:
    wanted = tl.grad(function, wrt=(0, 1))(Y, V)
    found = tl.grad(function, wrt=(0, 1), compile="numba")(Y, V)
    for one, other in zip(found, wanted):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
