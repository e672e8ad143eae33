"""Arrays whose lengths are known are not compared again, and share loops; others are right, or refused."""

from __future__ import annotations

import copy
import re
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

A, W, V, U = normal(size=(5, 6)), normal(size=(5, 6)), normal(size=9), normal(size=9)


def differences(a, w, n):
    down = np.empty((a.shape[0] - 1, a.shape[1]))
    across = np.empty((a.shape[0], a.shape[1] - 1))
    for _ in range(n):
        np.subtract(a[1:], a[:-1], out=down)
        np.subtract(a[:, 1:], a[:, :-1], out=across)
        down *= 0.1 * down
        across *= 0.1 * across
        a[1:] -= down
        a[:, :-1] += across
    return np.sum(a * w)


def bordered(x, w, n):
    m = x.shape[0]
    y = np.zeros(m + 2)
    for _ in range(n):
        y[1:-1] = x * w
        y[0] = y[1] * y[2]
        x[:] = 0.3 * (y[:-2] + y[2:]) + x * x * 0.1
    return np.sum(x * x)


def of_a_number(x, w, n):
    y = np.zeros(n + 1)
    z = np.zeros(n - 1)
    y[:-1] = x[:n] * w[:n]
    z[:] = y[1:-1] * y[2:]
    y[1:-1] *= z
    return np.sum(y * y) + np.sum(z)


def begun_in_branches(x, w, n):
    for k in range(n):
        if k > 0:
            low = 0.3 * x[k]
            x[k] -= low * low
        if k < n - 1:
            high = 0.3 * x[k + 1]
            x[k] += high
        den = 2.0 + x[k] * x[k]
        if k > 1:
            x[k] = (high - low * x[k - 1]) / den
    return np.sum(x * x) + np.sum(x[0] * w)


def added_up(x, w, n):
    s = np.zeros(len(x))
    t = x * w
    for k in range(n):
        s = s + t * w
        s = s * x - w
        t = t - s * x
        u = t
        t = t * w + s
        s = s + u
    return np.sum(s * t)


def piled(x, w, n):
    s = x * w
    for _ in range(n):
        s = s + 0.1 * w
        s = s * x
        s = s - x
    return np.sum(s * x)


def added_to_a_parameter(x, w, n):
    y = x
    for _ in range(n):
        x = x + w
        x = x * y
    return np.sum(x * y)


def longer_and_longer(x, w, n):
    s = x[:2] * w[:2]
    for k in range(2, n):
        s = s + 0.5
        s = np.concatenate((s, x[k : k + 1]))
    return np.sum(s * s)


def swapped(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[1:-1] = p[:-2] * p[2:] + 0.3 * p[1:-1]
        q[0], q[-1] = p[-1], p[0]
        p, q = q, p
    return np.sum(p * p * w)


def traded(p, q, n):
    s = 0.0
    for k in range(n):
        p, q = q, p
        p[1:] *= 0.5 * p[:-1]
        s = s + np.sum(p * p) + q[k]
    return s


def cut_shorter(p, q, n):
    for _ in range(n):
        p = p[1:] * p[:-1]
    return np.sum(p * q[: len(p)])


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (differences, (A, W, 2)),
    (bordered, (V, U, 2)),
    (of_a_number, (V, U, 7)),
    (of_a_number, (V, U, 1)),
    (begun_in_branches, (A, W[0], 4)),
    (begun_in_branches, (A, W[0], 1)),
    (added_up, (V, U, 3)),
    (piled, (V, U, 3)),
    (added_to_a_parameter, (V, U, 3)),
    (longer_and_longer, (V, U, 6)),
    (swapped, (V, U, 3)),
    (traded, (V, U, 3)),
    (traded, (V, U[:7], 4)),
    (cut_shorter, (V, U, 3)),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_programs(program: tuple[Any, tuple[Any, ...]]) -> None:
    agree(*program)


@pytest.mark.parametrize(
    "program",
    [
        (differences, (A, W, 2)),
        (bordered, (V, U, 2)),
        (swapped, (V, U, 2)),
        (begun_in_branches, (A, W[0], 4)),
    ],
    ids=lambda p: p[0].__name__,
)
def test_what_is_known_is_not_compared(program: tuple[Any, tuple[Any, ...]]) -> None:
    function, args = program
    gradient = tl.grad(function, compile="numba")
    gradient(*copy.deepcopy(args))
    lines = gradient.kernels.splitlines()
    lengths = {name: length for name, _, length in (s.strip().partition(" = ") for s in lines)}
    compared = [line for line in lines if " != " in line]
    for line in compared:
        said = re.sub(r"_len\d+", lambda name: lengths[name[0]], line)
        assert "w.shape" in said, line


def test_what_nobody_else_sees_is_added_to_in_place() -> None:
    gradient = tl.grad(piled, wrt="w", compile="numba")
    gradient(V.copy(), U, 3)
    assert "_o" not in gradient.kernels
    assert "bs[_0] *= x[_0]" in gradient.kernels


@pytest.mark.parametrize("n", [-3, 0])
def test_arrays_of_less_than_nothing(n: int) -> None:
    def outcome(function: Any) -> Any:
        try:
            return function(V.copy(), U, n)
        except (ValueError, tl.UnsupportedSyntaxError) as fault:
            return isinstance(fault, ValueError)

    mine, other = outcome(tl.grad(of_a_number, compile="numba")), outcome(tl.grad(of_a_number))
    assert type(mine) is type(other)
