"""What is known of shapes: those that arguments share, and those that lists hand from sweep to sweep."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is not installed: pip install tangentlite[numba]")
RNG = np.random.default_rng(5)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


def agree(made: Any, function: Any, *args: Any, wrt: Any = (0, 1)) -> str:
    """The text of the kernels, once they were found to give what is given without them."""
    plain = tl.grad(function, wrt=wrt)(*copy.deepcopy(args))
    for _ in range(2):
        given = copy.deepcopy(args)
        for mine, other in zip(made(*given), plain, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-11)
        for mine, other in zip(given, args, strict=True):
            np.testing.assert_array_equal(mine, other)
    return str(made.kernels)


def compiled(function: Any, wrt: Any = (0, 1)) -> Any:
    return tl.grad(function, wrt=wrt, compile="numba")


def smoothed(u, v, w, steps):
    for _ in range(steps):
        u[1:-1] += 0.3 * np.tanh(u[2:] * v[:-2])
        v[1:] *= u[:-1]
    return np.sum(u * w) + np.sum(v)


def test_lists_hand_shapes_over() -> None:
    """Nothing is compared where arguments of one shape tell of all shapes."""
    made = compiled(smoothed)
    for length in (7, 2, 3, 0):
        text = agree(made, smoothed, normal(length), normal(length), normal(length), 3)
    assert "raise" not in text
    assert text.count("def dsmoothed") == 1
    agree(made, smoothed, normal(1), normal(1), normal(1), 2)


def test_arguments_of_other_shapes_have_a_kernel_of_their_own() -> None:
    def apart(x, a, w):
        for k in range(len(x)):
            a[k] = a[k] * x[k] + np.sin(a[k])
        return np.sum(a * a) + np.sum(x * w)

    made = compiled(apart)
    assert agree(made, apart, normal(4), normal(4, 4), normal(4)).count("def dapart") == 1
    agree(made, apart, normal(4), normal(4, 5), normal(4))
    agree(made, apart, normal(3), normal(3, 3), normal(3))
    assert agree(made, apart, normal(4), normal(5, 2), normal(4)).count("def dapart") == 1

    def scaled(a, b):
        return np.sum(np.sin(a[:2, :2]) * np.tanh(b[:2, :2]))

    made = compiled(scaled)
    agree(made, scaled, normal(2, 2), normal(2, 2))
    agree(made, scaled, normal(2, 3), normal(4, 2))
    agree(made, scaled, normal(3, 3), normal(3, 3))


def test_shapes_that_differ_are_refused_as_before() -> None:
    def product(a, b, w):
        return np.sum(np.sin(a * b) * w)

    made = compiled(product)
    agree(made, product, normal(3), normal(3), normal(3))
    for _ in range(2):
        with pytest.raises(tl.errors.UnsupportedSyntaxError, match="shapes differ"):
            made(normal(3), normal(4), normal(3))
        agree(made, product, normal(3), normal(3), normal(3))


def of_two_lengths(x, w, steps):
    kept = x * 0.5
    for k in range(steps):
        if k % 2:
            kept = np.sin(x[1:]) * kept[: len(x) - 1]
        else:
            kept = np.cos(x) * np.sum(kept)
    return np.sum(kept) + np.sum(x * w)


def halved(x, w):
    n = len(x)
    total = 0.0
    while n > 1:
        n = n // 2
        part = x[:n] * x[n : 2 * n]
        x[:n] = np.tanh(part)
        total = total + np.sum(part)
    return total + np.sum(x * w)


def growing(x, w):
    y = x[:1] * 2.0
    for k in range(1, 4):
        y = np.concatenate((y, x[:k] * y[0]))
        x[0] = np.sum(y) * 0.1
    return np.sum(y) + np.sum(x * w)


@pytest.mark.parametrize("function", [of_two_lengths, halved, growing])
def test_lengths_that_change(function: Any) -> None:
    """What is bound to arrays of several lengths has none of its own."""
    more = (3,) if function is of_two_lengths else ()
    agree(compiled(function), function, normal(8), normal(8), *more)


def spread(a, w):
    for k in range(a.shape[0] - 1):
        row = a[k].copy()
        a[k + 1] += row * np.cos(a[k])
        a[:, 0] = np.sin(a[:, 0]) * row[1]
        a *= np.add.outer(np.tanh(a[:, 1]), row)
    return np.sum(a * w)


def test_columns_and_rows_on_one_list() -> None:
    agree(compiled(spread), spread, normal(3, 4), normal(3, 4))


def turned(x, w):
    for k in range(1, len(x)):
        x[:k] += 0.3 * np.flip(x[:k]) * w[k]
        x[k:] = np.sin(x[k:][::-1])
    return np.sum(x * w)


def test_what_is_turned_round() -> None:
    assert "np.uintp(" in agree(compiled(turned), turned, normal(6), normal(6))


def stencil(a, w):
    a[3:-3] += 0.2 * a[:-6] + np.sin(0.5 * (a[1:-5] + a[2:-4]) + a[5:-1] * a[6:])
    a[1:-1] = a[2:] + a[:-2]
    return np.sum(a * w)


def test_ends_of_what_is_gathered() -> None:
    """Also where there are fewer elements than ends."""
    made = compiled(stencil)
    for length in (2, 3, 6, 7, 8, 9, 10, 13):
        agree(made, stencil, normal(length), normal(length))
