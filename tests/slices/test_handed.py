"""Arrays that are made in a loop, filled, and handed on to the next trip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.slices.taken import case, cases, check


@case("LT")
def new_each_time(u, T):
    for t in range(T):
        new = u.copy()
        for i in range(1, len(u) - 1):
            new[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u = new
    return np.sum(u * u)


@case("PT")
def new_planes(A, T):
    n, m = A.shape
    for t in range(T):
        B = np.zeros((n, m))
        for i in range(n):
            for j in range(m):
                B[i, j] = 0.25 * (
                    A[(i - 1) % n, j] + A[(i + 1) % n, j] + A[i, (j - 1) % m] + A[i, (j + 1) % m]
                )
        A = B
    return np.sum(A * A)


@case("LT", slices=False)
def one_buffer(u, T):
    n = len(u)
    new = np.zeros(n)
    for t in range(T):
        for i in range(1, n):
            new[i] = u[i] + 0.1 * u[i - 1]
        u = new
    return np.sum(u * u)


@case("LT", slices=False)
def written_after(u, T):
    n = len(u)
    for t in range(T):
        new = u.copy()
        for i in range(1, n):
            new[i] = u[i] + 0.1 * u[i - 1]
        u = new
        for i in range(1, n):
            new[i] += u[i - 1]
    return np.sum(u * u)


@case("LT", slices=False)
def half_as_long(u, T):
    for t in range(T):
        m = len(u) // 2
        new = np.zeros(m)
        for i in range(m):
            new[i] = u[2 * i] + u[2 * i + 1]
        u = new
    return np.sum(u * u)


@case("LLT")
def then_in_place(x, w, T):
    u = x.copy()
    n = len(x)
    for t in range(T):
        new = np.zeros_like(u)
        for i in range(n):
            new[i] = u[i] * w[i]
        for i in range(1, n):
            new[i] -= u[i - 1]
        u = new
        for i in range(n):
            u[i] = u[i] * 0.5
    return np.sum(u * u)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
