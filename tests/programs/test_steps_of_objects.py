"""Loops whose states are what a method of an object gives, several at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


class Oscillator:
    def __init__(self, w: Any, g: Any) -> None:
        self.w, self.g = w, g

    def step(self, q: Any, p: Any, h: Any) -> Any:
        p = p - h * (self.w**2 * q + self.g * p)
        return q + h * p, p


def together(o, q, p):
    for _ in range(3):
        q, p = o.step(q, p, 0.1)
    return np.sum(q * q + p * p)


def by_other_names(o, q, p):
    for _ in range(3):
        a, b = o.step(q, p, 0.1)
        q, p = a, b
    return np.sum(q * q + p * p)


def taken_apart_later(o, q, p):
    k = 0
    while k < 3:
        state = o.step(q, p, 0.1)
        q = state[0]
        p = state[1]
        k += 1
    return np.sum(q * q + p * p)


@pytest.mark.parametrize("function", (together, by_other_names, taken_apart_later))
def test_steps(function: Any, confirm: Any) -> None:
    confirm(function, Oscillator(1.1, 0.3), 0.4, 0.2)
    confirm(function, Oscillator(1.1, 0.3), np.array([0.4, 0.3]), np.array([0.2, -0.1]))
    assert tl.grad(function)(Oscillator(1.1, 0.3), 0.4, 0.2).w != 0.0


def test_what_is_no_object_is_told_when_it_is_called() -> None:
    with pytest.raises(tl.DerivativeError):
        tl.grad(together, wrt=1)(2.0, 0.4, 0.2)
