"""NumPy's numbers have methods and indices, too: adjoints and tangents of what they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt

MAKERS: list[Callable[[Any], Any]] = [np.sin, np.sum, np.asarray, lambda x: x * np.float64(1.0)]
PARTS: list[Callable[[Any], Any]] = [
    lambda c: c.flat[0],
    lambda c: c.item(0),
    lambda c: c[c > 0],
    lambda c: c[c < 0],
    lambda c: c[True],
    lambda c: c[c.shape],
    lambda c: c[(np.array(True), None)],
    lambda c: c[tuple([])],
    lambda c: c[np.unravel_index(np.argmax(c), np.shape(c))],
    lambda c: c[None if c > 0 else ...],
    lambda c: c.T,
    lambda c: np.sum(c.T),
    lambda c: c.T.copy().T,
    lambda c: c.cumprod(0),
    lambda c: np.repeat(c, 3, axis=0),
    lambda c: np.resize(c * c, (2, 2)),
    lambda c: np.ascontiguousarray(c)[0],
    lambda c: np.asfortranarray(c)[0:1],
    lambda c: np.ascontiguousarray(np.squeeze(np.atleast_1d(c)))[0],
    lambda c: np.sort(c, axis=None),
    lambda c: c.ravel()[0],
]


def whole(make: Callable[[Any], Any], part: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def loss(x):
        c = make(x) * x
        return np.sum(part(c) * x)

    return loss


def in_a_loop(make: Callable[[Any], Any], part: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def loss(x):
        total = 0.0
        for k in range(2):
            c = make(x) * (k + 1.0)
            total = total + np.sum(part(c) * x)
        return total

    return loss


def slope(f: Callable[[Any], Any], x: Any) -> float:
    return float(f(x + 1e-6) - f(x - 1e-6)) / 2e-6


@pytest.mark.parametrize("around", [whole, in_a_loop])
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("part", PARTS)
def test_parts_of_numbers(around: Any, make: Callable[[Any], Any], part: Any) -> None:
    f = around(make, part)
    x = np.float64(0.9)
    want = slope(f, x)
    for optimized in (True, False):
        assert np.isclose(tl.grad(f, optimized=optimized)(x), want)
    for given in (1.0, 1, np.float64(1.0), np.array(1.0)):
        assert np.isclose(tl.jvp(f)(x, tangent=given)[1], want)
    second = slope(tl.grad(f), x)
    assert np.isclose(tl.grad(tl.grad(f))(x), second, atol=1e-6)
    assert np.isclose(tl.hvp(f)(x, 1.0), second, atol=1e-6)


@pytest.mark.parametrize("function", [np.ravel, np.atleast_1d, lambda x: x[()], lambda x: x.T])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_gradients_are_numbers_again(function: Callable[[Any], Any], kind: Any) -> None:
    def loss(x):
        return np.sum(function(x[x > 0]) * 2.0)

    found = tl.grad(loss)(kind(1.5))
    assert type(found) is kind and found == 2.0


def test_room_for_an_adjoint() -> None:
    for x in (
        np.float32(1.0),
        np.complex128(1.0),
        2.0,
        np.array(3),
        np.array(1.0, "f4"),
        np.ones(2),
    ):
        room = rt.room(x)
        assert type(room) is np.ndarray and room.shape == np.shape(x) and not room.any()
        assert room.dtype == (np.asarray(x).dtype if np.asarray(x).dtype.kind != "i" else float)
