"""Arrays without dimensions beside numbers: only the array is changed in place, and both may be given new axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def swapped(a, c):
    kept = a
    for _ in range(2):
        a += c
        c, a = a, c
    return np.sum(np.sin(a)) + np.sum(c * c) * np.sum(kept)


def chosen(a, c):
    b = a if np.sum(c) > 0 else c
    kept = b
    b += c * 2.0
    return np.sum(kept) * np.sum(a * a) + np.sum(b)


def chosen_otherwise(a, c):
    b = c if np.sum(c) > 0 else a
    kept = b
    b *= a
    return np.sum(kept) * np.sum(c * c) + np.sum(b)


NUMBERS = [np.array, np.float64, float]


@pytest.mark.parametrize("function", [swapped, chosen, chosen_otherwise])
@pytest.mark.parametrize("first", NUMBERS)
@pytest.mark.parametrize("second", NUMBERS)
def test_numbers(function: Callable[..., Any], first: Any, second: Any) -> None:
    def args(by: float = 0.0) -> Any:
        return first(0.5 + 0.6 * by), second(0.3 - 1.1 * by)

    expected = (function(*args(1e-6)) - function(*args(-1e-6))) / 2e-6
    wrt = (0, 1)
    found = [
        tl.grad(function, wrt=wrt)(*args()),
        tl.grad(function, wrt=wrt, optimized=False)(*args()),
        tl.vjp(function, wrt=wrt)(*args())[1](1.0),
    ]
    _, tangent = tl.jvp(function, wrt=wrt)(*args(), tangent=(first(0.6), second(-1.1)))
    for one in (*(0.6 * g[0] - 1.1 * g[1] for g in found), tangent):
        assert one == pytest.approx(expected, rel=1e-6)


def first_axis(a):
    c = np.exp(-(a**2))
    b = c[None]
    return np.sum(np.sin(b)) + np.sum(c * c)


def both_axes(a):
    b = a[None, ..., None] * 2.0
    d = a[..., None]
    return np.sum(np.sin(b)) * np.sum(a * a) * np.sum(d * d)


def in_a_loop(a):
    r = 0.0
    for _ in range(2):
        b = a[None]
        r += np.sum(b * b * a)
        a = np.sin(a)
    return r


@pytest.mark.parametrize("function", [first_axis, both_axes, in_a_loop])
@pytest.mark.parametrize("x", [np.float64(0.5), np.array(0.5), np.array([[0.5], [0.3]])])
def test_new_axes(function: Callable[..., Any], x: Any) -> None:
    way = np.full(np.shape(x), 0.7)[()]
    gradient = tl.grad(function)
    expected = (function(x + 1e-6 * way) - function(x - 1e-6 * way)) / 2e-6
    reverse = gradient(x), tl.grad(function, optimized=False)(x), tl.vjp(function)(x)[1](1.0)
    for one in reverse:
        assert np.sum(one * way) == pytest.approx(expected, rel=1e-6)
    bend = (gradient(x + 1e-6 * way) - gradient(x - 1e-6 * way)) / 2e-6
    assert tl.hvp(function)(x, way) == pytest.approx(bend, rel=1e-5)


REDUCED = [
    lambda a: np.sum(a, axis=0),
    lambda a: np.sum(a, axis=-1),
    lambda a: np.max(a, axis=0),
    lambda a: np.reshape(a, ()),
    lambda a: a.reshape(()),
    lambda a: np.flip(a),
]


@pytest.mark.parametrize("reduced", REDUCED)
@pytest.mark.parametrize("x", [np.float64(0.5), np.array(0.5)])
def test_what_is_no_array(reduced: Callable[..., Any], x: Any) -> None:
    def function(a):
        p = reduced(a * 1.0)
        p += a
        return np.sum(np.sin(p)) + np.sum(a * a)

    expected = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
    _, tangent = tl.jvp(function)(x, tangent=np.float64(1.0))
    reverse = tl.grad(function)(x), tl.grad(function, optimized=False)(x)
    for one in (*reverse, tangent):
        assert one == pytest.approx(expected, rel=1e-6)


def test_the_real_part_is_a_view() -> None:
    def function(a):
        p = np.real(a)
        p *= 2.0
        return np.sum(a * a) + np.sum(p)

    for gradient in (tl.grad(function), tl.grad(function, optimized=False)):
        assert gradient(np.array(0.5)) == 6.0
    assert tl.jvp(function)(np.array(0.5), tangent=np.array(1.0))[1] == 6.0
