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


def swept(u: Any, n: int) -> None:
    p, q = np.empty(u.shape), np.empty(u.shape)
    for _ in range(n):
        p[0], q[0] = 0.3, u[0]
        for j in range(1, len(u)):
            p[j] = 1.0 / (p[j - 1] * 0.2 + 1.5)
            q[j] = (u[j] - 0.3 * q[j - 1]) * p[j]
        for j in range(len(u) - 2, -1, -1):
            u[j] = p[j] * u[j + 1] + q[j]


def unseen(u: Any) -> Any:
    swept(u, 2)
    return np.sum(u * 3.0)


def seen_twice(u: Any) -> Any:
    swept(u, 2)
    return np.sum(u * 3.0) + np.sum(u * u)


def seen_before(u: Any) -> Any:
    s = np.sum(u**2)
    swept(u, 1)
    return np.sum(u) * 2.0 + s


def seen_in_a_part(u: Any) -> Any:
    v = u[1:]
    swept(u, 1)
    return np.sum(v * v)


def seen_by_another(u: Any) -> Any:
    swept(u, 1)
    scaled(u, 0.3)
    return np.sum(u * 2.0)


def seen_under_another_name(u: Any) -> Any:
    v = u
    swept(u, 1)
    return np.sum(v * v)


def unseen_of_a_part(u: Any) -> Any:
    swept(u[1:], 2)
    return np.sum(u * 3.0)


def unseen_after_it_was_read(u: Any) -> Any:
    before = u.copy()
    swept(u, 1)
    return np.sum(u * before)


def given_twice(u: Any, v: Any) -> None:
    for j in range(1, len(u)):
        u[j] = u[j - 1] * v[j] + u[j]


def unseen_beside_itself(u: Any) -> Any:
    given_twice(u, u)
    return np.sum(u * 3.0)


def unseen_beside_a_part(u: Any) -> Any:
    given_twice(u[1:], u[:-1])
    return np.sum(u * 3.0)


def growing(u: Any) -> None:
    for j in range(1, len(u)):
        u[j] = u[j] * u[j - 1] if u[j - 1] > 0.2 else u[j] - 0.5 * u[j - 1]


def unseen_branches(u: Any) -> Any:
    growing(u)
    return np.mean(-u)


def seen_in_a_test(u: Any) -> Any:
    swept(u, 1)
    return np.sum(u * 2.0) if u[0] > 0.5 else np.sum(u)


PROGRAMS = (written_again, several_times, in_a_loop, of_a_part, within_another, run_again)
PROGRAMS += (unseen, seen_twice, seen_before, seen_in_a_part, seen_by_another, seen_in_a_test)
PROGRAMS += (seen_under_another_name, unseen_of_a_part, unseen_after_it_was_read)
PROGRAMS += (unseen_beside_itself, unseen_beside_a_part, unseen_branches)


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


def test_what_nobody_sees_is_not_computed() -> None:
    text = tl.grad(unseen).source
    assert "u = rt.own(u)" in text.partition("def swept_forward")[2]
    assert "q[j]" not in text.partition("def swept_forward")[2].partition("def swept_backward")[0]
    value, gradient = tl.value_and_grad(unseen)(point())
    u = point()
    assert value == unseen(u)
    assert np.array_equal(gradient, tl.grad(unseen)(point()))


def limited(u: Any) -> None:
    for j in range(1, len(u)):
        u[j] = u[j] * u[j - 1]
        if u[j] > 50.0:
            raise ValueError("beyond 50")


def test_what_nobody_sees_may_still_raise() -> None:
    def loss(u: Any) -> Any:
        limited(u)
        return np.sum(u)

    assert np.array_equal(tl.grad(loss)(np.full(3, 2.0)), [7.0, 6.0, 4.0])
    with pytest.raises(ValueError, match="beyond 50"):
        tl.grad(loss)(np.full(3, 8.0))


def test_a_record_is_not_copied_where_it_is_read_once() -> None:
    def loss(r: Any) -> Any:
        return np.sum(recurrence(r))

    assert "recurrence_backward(rt.spent(saved)" in tl.grad(loss).source
    assert "rt.spent" not in tl.value_and_grad(lambda r: (0.0, recurrence(r)), has_aux=True).source
