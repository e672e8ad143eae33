"""Arguments with gaps, turned round, or of which elements share memory: what is a view of them in Python is one here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

WHOLE = np.cos(np.arange(36.0)).reshape(6, 6)
LAYOUTS: dict[str, Any] = {
    "whole": lambda w: w[:3, :3].copy(),
    "by columns": lambda w: w[:3, :3].copy(order="F"),
    "with gaps": lambda w: w[::2, ::2],
    "turned round": lambda w: w[::-2, ::-2],
    "transposed": lambda w: w[::2, ::2].T,
    "rows of it": lambda w: w[:3, :3],
}


def flattened(a, k):
    r = a.ravel()
    r *= k
    return np.sum(a * a) * k + np.sum(r)


def reshaped(a, k):
    r = a.reshape(-1)
    a *= k
    r[0] = k
    return np.sum(a * a) * k + np.sum(r)


def by_columns(a, k):
    a *= k
    r = np.ravel(a, "F")
    r += a[0, 0]
    return np.sum(a * a) * k


def in_one_piece(a, k):
    r = np.ascontiguousarray(a)
    np.multiply(a, k, out=r)
    return np.sum(a * a) * k


@pytest.mark.parametrize("f", [flattened, reshaped, by_columns, in_one_piece])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_copy_of_an_argument_lies_as_the_argument_does(f: Any, layout: str) -> None:
    direction = np.sin(np.arange(9.0)).reshape(3, 3)

    def moved(step: float) -> Any:
        a = LAYOUTS[layout](WHOLE.copy())
        a += step * direction
        return f(a, 0.7 + 0.3 * step)

    a = LAYOUTS[layout](WHOLE.copy())
    value, gradient = tl.value_and_grad(f, wrt=(0, 1))(a, 0.7)
    other, tangent = tl.jvp(f, wrt=(0, 1))(a, 0.7, tangent=(direction, 0.3))
    np.testing.assert_array_equal(a, LAYOUTS[layout](WHOLE))
    np.testing.assert_allclose((value, other), moved(0.0))
    np.testing.assert_allclose(np.sum(gradient[0] * direction) + 0.3 * gradient[1], tangent)
    np.testing.assert_allclose(tangent, (moved(1e-6) - moved(-1e-6)) / 2e-6, rtol=1e-6)


def test_the_tangent_of_what_is_spread_is_spread_no_more() -> None:
    a = np.broadcast_to(np.ones(3), (3, 3))
    tangent = np.arange(9.0).reshape(3, 3)
    np.testing.assert_array_equal(tl.jvp(lambda x: x)(a, tangent=tangent)[1], tangent)


SPREAD: dict[str, Any] = {
    "rows": lambda: np.broadcast_to(WHOLE[0, :3], (3, 3)),
    "columns": lambda: np.broadcast_to(WHOLE[:3, :1], (3, 3)),
    "windows": lambda: np.lib.stride_tricks.sliding_window_view(WHOLE[0, :5].copy(), 3),
}


def in_one_piece_and_read(a):
    r = np.ascontiguousarray(a)
    b = a.T
    r[0] *= 3.0
    r[1] = r[0] * a[0]
    return np.sum(r * r) + np.sum(b * b * np.arange(3.0))


def part_of_it(a):
    b = a[1:]
    r = b.reshape(-1)
    r[0] = a.ravel()[0] * 2.0
    return np.sum(r**3) + np.sum(b * b)


def turned_and_copied(a):
    r = np.ascontiguousarray(np.asarray(a, dtype=float)[::-1])
    r[0] = 0.0
    return np.sum(r * r * a)


def with_gaps(a: Any) -> Any:
    result = np.zeros((7, 7))[:6:2, :6:2]
    result[...] = a
    return result


@pytest.mark.parametrize("f", [in_one_piece_and_read, part_of_it, turned_and_copied])
@pytest.mark.parametrize("layout", SPREAD)
def test_copies_of_arguments_whose_elements_share_memory(f: Any, layout: str) -> None:
    def of_list(xs):
        return f(xs[0])

    a, direction = SPREAD[layout](), np.sin(np.arange(9.0)).reshape(3, 3)
    before = a.copy()
    along = (f(with_gaps(a + 1e-6 * direction)) - f(with_gaps(a - 1e-6 * direction))) / 2e-6
    for gradient in (tl.grad(f)(a), tl.grad(of_list)([a])[0]):
        np.testing.assert_allclose(np.sum(gradient * direction), along, rtol=1e-6)
    for found in (
        tl.jvp(f)(a, tangent=direction),
        tl.jvp(of_list)([a], tangent=[direction]),
    ):
        np.testing.assert_allclose(found, (f(a), along), rtol=1e-6)
    np.testing.assert_array_equal(a, before)
