"""Records that are read once: the backward function of a helper puts back where the forward one wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import Check


def recurrence(r: Any) -> Any:
    y = np.zeros_like(r)
    y[0] = r[0]
    for k in range(1, len(r)):
        y[:k] += r[k] * np.flip(y[:k]) * y[:k]
        y[k] = r[k]
    return y


def scaled(a: Any, c: Any) -> None:
    for k in range(1, len(a)):
        a[k] *= a[k - 1] * c
        a[:k] += a[k] * a[:k]


def taken(a: Any) -> Any:
    b = a * a
    scaled(b, 0.7)
    a[0] += b[-1]
    return b, a[1:]


def written_again(r: Any) -> Any:
    y = recurrence(r)
    v = y[1:]
    s = np.sum(v * v)
    y[1:] = np.sin(y[1:]) * s
    return np.sum(y) + np.sum(v * r[1:])


def several_times(r: Any) -> Any:
    b = r.copy()
    scaled(b, 0.5)
    t = np.sum(b * b)
    scaled(b, t)
    q = b[1:] * b[:-1]
    scaled(b, 0.1)
    return np.sum(b * q.sum()) + t


def in_a_loop(r: Any) -> Any:
    b, s = r * 1.0, 0.0
    for _ in range(3):
        v = b[:2]
        scaled(b, 0.3)
        s = s + np.sum(v**2) * b[-1]
    return s


def of_a_part(r: Any) -> Any:
    a = r.copy()
    b = a[1:]
    scaled(a, 0.3)
    c = b * b
    scaled(b, 0.2)
    return np.sum(a) * np.sum(c)


def within_another(r: Any) -> Any:
    z = r.copy()
    b, v = taken(z)
    c, w = taken(z)
    b[0] *= c[1]
    scaled(b, 0.2)
    return np.sum(b * c) + np.sum(v * w)


def run_again(r: Any) -> Any:
    block, s = tl.checkpoint(recurrence), 0.0
    for _ in range(2):
        r = block(r) * 0.8
        s = s + np.sum(r * r)
    return s


PROGRAMS = (written_again, several_times, in_a_loop, of_a_part, within_another, run_again)


def point() -> Any:
    return np.array([0.4, 0.9, 1.3])


@pytest.mark.parametrize("program", PROGRAMS)
def test_memory_is_walked_back(program: Callable[..., Any]) -> None:
    Check(program, (point(),)).run()


def test_what_is_shown_is_not_walked_back() -> None:
    def both(r: Any) -> Any:
        y = recurrence(r)
        return np.sum(y * y), {"whole": y, "parts": [y[1:]]}

    (_, shown), gradient = tl.value_and_grad(both, has_aux=True)(point())
    assert np.array_equal(shown["whole"], recurrence(point()))
    assert np.array_equal(shown["parts"][0], recurrence(point())[1:])
    assert np.allclose(gradient, tl.grad(lambda r: both(r)[0])(point()))


def test_a_pullback_is_called_twice() -> None:
    def outer(r: Any) -> Any:
        return recurrence(recurrence(r))

    value, pullback = tl.vjp(outer)(point())
    first = pullback(np.ones(3))
    assert np.array_equal(first, pullback(np.ones(3)))
    assert np.array_equal(value, recurrence(recurrence(point())))


def test_a_record_is_not_copied_where_it_is_read_once() -> None:
    def loss(r: Any) -> Any:
        return np.sum(recurrence(r))

    assert "recurrence_backward(rt.spent(saved)" in tl.grad(loss).source
    assert "rt.spent" not in tl.value_and_grad(lambda r: (0.0, recurrence(r)), has_aux=True).source
