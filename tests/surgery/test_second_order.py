"""The derivative of a derivative with inserted code is that of the code that it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.surgery.programs import W, X, bent


def clipped(x):
    y = np.sum(x**3)
    with tl.insert_grad_of(x) as dx:
        size = np.sqrt(np.sum(dx * dx))
        if size > 5.0:
            dx = dx * (5.0 / size)
    return np.sum(np.sin(x) * W * 10) + y


def in_place(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        dy *= y
        dy[0] = dy[1] * x[2]
    return np.sum(y * y)


def printed(x):
    y = x * x
    with tl.insert_grad_of(y) as dy:
        print("norm", float(np.sum(dy * dy)))
        dy = dy * 2.0
    return np.sum(y * y)


def helpers(x):
    return np.sum(bent(x) * bent(2.0 * x))


def recurrent(x):
    h = x
    for i in range(3):
        h = np.tanh(h * x + 0.1 * i)
        with tl.insert_grad_of(h) as dh:
            dh = np.where(np.abs(dh) > 0.2, 0.2 * np.sign(dh) + 0.1 * dh, dh)
    return np.sum(h * h)


def looped(x):
    y = np.exp(x)
    with tl.insert_grad_of(y) as dy:
        for k in range(3):
            dy = dy * np.cos(dy) + k
        parts = [dy * k for k in (1, 2)]
        dy = parts[0] + parts[1]
    return np.sum(y * y)


def left(x):
    h = x
    for i in range(4):
        h = np.tanh(x * h + 0.1 * i)
        with tl.insert_grad_of(h) as dh:
            if i < 2:
                break
    return np.sum(h)


def slopes(g: Callable[[Any], Any], x: Any) -> Any:
    steps = np.eye(len(x)) * 1e-6
    return np.array([(g(x + s) - g(x - s)) / 2e-6 for s in steps]).T


@pytest.mark.parametrize(
    "f", [clipped, in_place, printed, helpers, recurrent, looped, left], ids=lambda f: f.__name__
)
def test_the_gradient_is_differentiated(f: Callable[..., Any]) -> None:
    g = tl.grad(f)
    expected = slopes(g, X)
    for second in (tl.jacrev(g), tl.jacfwd(g), tl.hessian(f)):
        np.testing.assert_allclose(second(X), expected, rtol=1e-5, atol=1e-6)
    v = np.array([0.3, -1.0, 0.5, 2.0])
    np.testing.assert_allclose(tl.hvp(f)(X, v), expected @ v, rtol=1e-5, atol=1e-6)


def capped(x, cap):
    with tl.insert_grad_of(x) as dx:
        dx = np.clip(dx, -cap, cap)
    return x**4


def test_what_limits_a_gradient_has_a_derivative_of_its_own() -> None:
    g = tl.grad(capped)
    assert tl.grad(g)(1.5, 10.0) == 0.0
    assert tl.grad(g)(1.5, 20.0) == pytest.approx(12 * 1.5**2)
    assert tl.grad(g, wrt="cap")(1.5, 10.0) == 1.0


def test_third_order() -> None:
    def scalar(x):
        with tl.insert_grad_of(x) as dx:
            dx = dx * x
        return x**3

    third = tl.grad(tl.grad(tl.grad(scalar)))
    assert third(1.5) == pytest.approx(3 * 3 * 2 * 1.5)
