"""One of several results, taken out alone: its tangent has its shape, also where nothing moves or an operand is spread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

V = np.array([1.3, -0.7, 2.45])
STEPS = np.array([0.3, 0.4])


def whole_parts(v):
    total = 0.0
    for _ in range(2):
        total = total + np.modf(v)[1]
    return total


def quotients(v):
    total = 0.0
    for _ in range(2):
        total = total + np.divmod(v, v[0])[0]
    return total


def remainders_of_a_number(v):
    total = 0.0
    for i in range(2):
        total = total + divmod(v[0] + i, STEPS)[1]
    return total


def signs(v):
    total = 0.0
    for _ in range(2):
        total = total + np.linalg.slogdet(np.outer(v, v) + np.ones((2, 1, 1)) * np.eye(3))[0]
    return total


@pytest.mark.parametrize("f", [whole_parts, quotients, remainders_of_a_number, signs])
def test_tangents_have_the_shape_of_the_value(f: Callable[..., Any]) -> None:
    e = 1e-6
    value, tangent = tl.jvp(f)(V, tangent=np.ones(3))
    assert np.shape(tangent) == np.shape(value)
    np.testing.assert_allclose(tangent, (f(V + e) - f(V - e)) / (2.0 * e), atol=1e-8)
