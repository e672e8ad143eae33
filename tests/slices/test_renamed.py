"""Arguments that are bound anew, and buffers that are turned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("LT")
def own_copy_handed_on(u, T):
    u = u.copy()
    for t in range(T):
        v = np.zeros_like(u)
        v[0] = u[0]
        v[-1] = u[-1]
        for i in range(1, len(u) - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u = v
    return np.sum(u * u)


@case("LT")
def own_copies_turned(u, T):
    n = len(u)
    u = np.array(u)
    v = u.copy()
    for t in range(T):
        for i in range(1, n - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    return np.sum(u * u) + np.sum(v)


@case("LL")
def as_arrays(x, w):
    x = np.asarray(x)
    w = np.asarray(w, dtype=float)
    x = x * 2.0
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = x[i - 1] * w[i]
    return np.sum(y * y)


@case("LL")
def twice(x, w):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * w[i]
    x = y
    for i in range(1, len(w)):
        w[i] = w[i] * 2.0 + x[i - 1]
    return np.sum(w * x)


@case("LL")
def one_after_another(x, u):
    x = x * 1.5
    u = x.copy()
    for i in range(1, len(x) - 1):
        u[i] = 0.3 * u[i + 1] * x[i]
    return np.sum((u * x) ** 2)


@case("LT", slices=False)
def in_a_branch(x, T):
    if T > 2:
        x = x[::2].copy()
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i] * x[i]
    return np.sum(y)


@case("LN")
def as_a_number(x, a):
    y = np.zeros(len(x))
    a = a * 2.0
    for i in range(len(x)):
        y[i] = x[i] * a
    x = [v * a for v in (1.0, 2.0)]
    return np.sum(y) + x[0] * x[1]


@case("LL", slices=False)
def asked_in_a_comprehension(x, w):
    x = w.copy()
    for i in range(len(w)):
        x[i] = x[i] * w[i]
    return sum([x * w[0] for x in (x[0], x[1])]) + np.sum(x)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
