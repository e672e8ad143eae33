"""Procedures that write into what they are given, and their backward functions: compiled as they are interpreted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

A, W, V, U = normal(size=(5, 6)), normal(size=(5, 6)), normal(size=9), normal(size=9)


def step(a, b):
    c = a[1:-1, 1:-1]
    b[1:-1, 1:-1] = c + 0.1 * (a[2:, 1:-1] - 2.0 * c + a[:-2, 1:-1])
    b[1:-1, 1:-1] += 0.1 * (a[1:-1, 2:] - 2.0 * c + a[1:-1, :-2])


def to_and_fro(a, w, n):
    b = a.copy()
    for _ in range(n):
        step(a, b)
        step(b, a)
    return np.sum(a * a * w)


def onto_itself(a, w, n):
    b = a.copy()
    for _ in range(n):
        step(a, a)
        step(a, b)
        step(b, b)
    return np.sum(a * b * w)


def product_step(a, b, k):
    b[1:] += k * a[:-1] * a[1:]


def products(u, v, n):
    for i in range(n):
        product_step(u, v, 0.3)
        product_step(v, u, 0.1 * i)
    return np.sum(u * v)


def parts(u, v):
    for k in range(3):
        product_step(u, v, 0.5)
        product_step(v[k:], u[k:], 0.7)
    return np.sum(u * v)


def relax(u, f, h, times):
    for _ in range(times):
        u[1:-1] = 0.4 * u[1:-1] + 0.3 * (u[:-2] + u[2:] + h * f[1:-1])


def two_levels(u, f, n):
    for _ in range(n):
        relax(u, f, 1.0, 2)
        r = np.zeros(len(u))
        r[1:-1] = f[1:-1] + u[:-2] - 2.0 * u[1:-1] + u[2:]
        e = np.zeros((len(u) + 1) // 2)
        relax(e, r[::2].copy(), 4.0, 3)
        u[::2] += e
        u[1::2] += 0.5 * (e[:-1] + e[1:])
        relax(u, f, 1.0, 1)
    return np.sum(u * u)


def given_back(a, b):
    b *= a
    return np.sum(a * b), b


def rebound(u, v, n):
    s = 0.0
    for _ in range(n):
        t, v = given_back(u, v)
        s = s + t
        v = v + 0.1 * u
    return s + np.sum(u * v)


def forced(u, f, c):
    u[1:-1] += c * (u[:-2] - 2.0 * u[1:-1] + u[2:]) + f[1:-1] * u[1:-1]


def read_between(u, f, n):
    for k in range(n):
        forced(u, f, 0.1)
        f += 0.3 * u
        forced(u, f, 0.2)
    return np.sum(u * f)


def forced_by_itself(u, f, n):
    for k in range(n):
        forced(u, u, 0.1)
        forced(f, u, 0.1)
        forced(u, f, 0.1)
    return np.sum(u * f)


def another_array_each_time(u, f, n):
    for k in range(n):
        g = f * u
        forced(u, g, 0.1)
        g = g[: len(f)] + u
        forced(u, g, 0.1)
    return np.sum(u * f)


def rows_of_a_plane(a, w, n):
    for k in range(1, n):
        forced(a[k], w[k - 1], 0.1)
        forced(a[k - 1], a[k], 0.1)
    return np.sum(a * w)


def scaled_down(u, f, c):
    u -= f * c
    u *= f


def one_number_for_all(u, f, n):
    for k in range(n):
        scaled_down(u, f[k], 0.1)
        scaled_down(u, f, 0.1)
        scaled_down(f, u[k : k + 1], 0.1)
    return np.sum(u * f)


def written_first(u, f):
    u[:-1] = f[1:] * f[:-1]
    u[0] += f[2]


def sums_of_both(u, f, n):
    for k in range(n):
        written_first(u, f)
        f += u
        written_first(f, u)
    return np.sum(u * f)


def fluxes(h, m, f, g):
    f[:] = m
    np.multiply(m, m, out=g)
    g /= 2.0 + h * h
    g += 0.3 * h * h


def waves(h, m, n):
    f, g = np.empty(len(h)), np.empty(len(h))
    other, last = np.empty_like(h), np.empty_like(m)
    for _ in range(n):
        fluxes(h, m, f, g)
        other[1:-1] = 0.5 * (h[:-2] + h[2:]) - 0.1 * (f[2:] - f[:-2])
        last[1:-1] = 0.5 * (m[:-2] + m[2:]) - 0.1 * (g[2:] - g[:-2])
        other[0], other[-1] = other[1], other[-2]
        last[0], last[-1] = -last[1], -last[-2]
        h, other = other, h
        m, last = last, m
    return np.sum(h * h) + np.sum(m * h)


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (to_and_fro, (A, W, 2)),
    (onto_itself, (A, W, 2)),
    (products, (V, U, 3)),
    (parts, (V, U)),
    (two_levels, (V, U, 2)),
    (rebound, (V, U, 2)),
    (read_between, (V, U, 2)),
    (another_array_each_time, (V, U, 2)),
    (sums_of_both, (V, U, 2)),
    (waves, (V, U, 3)),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_procedures(program: tuple[Callable[..., Any], tuple[Any, ...]]) -> None:
    agree(*program)


def test_records_within_records_lie_flat() -> None:
    gradient = tl.grad(waves, compile="numba")
    gradient(V.copy(), U.copy(), 2)
    assert "saved" not in gradient.kernels


@pytest.mark.parametrize(
    "program",
    [
        (forced_by_itself, (V, U, 2)),
        (rows_of_a_plane, (A, W, 4)),
        (one_number_for_all, (V, U, 2)),
    ],
    ids=lambda p: p[0].__name__,
)
def test_memory_in_common_is_refused(
    program: tuple[Callable[..., Any], tuple[Any, ...]],
) -> None:
    function, args = program
    with pytest.raises(tl.UnsupportedSyntaxError, match="memory in part|shapes differ"):
        tl.grad(function, (0, 1), compile="numba")(*args)


def test_an_array_that_is_given_back_keeps_its_lengths() -> None:
    gradient = tl.grad(to_and_fro, compile="numba")
    gradient(A.copy(), W, 2)
    kernel = gradient.kernels.rpartition("\ndef ")[2]
    assert "ba.shape" not in kernel and "_w" not in kernel
    assert "saved" not in gradient.kernels


def test_what_a_helper_adds_up_is_added_to_what_the_caller_has() -> None:
    gradient = tl.grad(to_and_fro, compile="numba")
    gradient(A.copy(), W, 2)
    assert gradient.kernels.count("np.zeros(") == 1  # the adjoint of b
    assert "backward" not in gradient.kernels


def bound_in_branches(x, w, n):
    for k in range(n):
        if k > 0:
            low = 0.5 * x[k]
            x[k] *= low
        if k < n - 1:
            high = x[k + 1] * w[k]
            x[k] += high
        if k > 1:
            x[k - 1] *= np.sin(low) - high
    return np.sum(x * w)


def bound_in_a_branch_by_length(x, w, n):
    total = 0.0
    for k in range(1, n):
        if w[k, 0] > -9.0:
            part = x[k, :k] * w[k, :k]
        if k > 2:
            total = total + np.sum(part * part) * np.sum(part)
    return total


def numbers_bound_in_branches(x, w, n):
    total = 0.0
    for k in range(n):
        if k > 0:
            low = 0.5 * x[k, 0]
        if k > 1:
            total = total + low * low * np.sum(x[k] * w[k])
    return total


def renewed(x, w, n):
    s, t = x[0] * 1.0, x[1] * w[1]
    kept = np.zeros(x.shape[1])
    for k in range(n):
        kept += s
        s = np.sin(s) * x[k] + t
        t = t + s * w[k]
        s, t = t, s
    return np.sum(s * kept) + np.sum(t)


BOUND = bound_in_branches, numbers_bound_in_branches, renewed


@pytest.mark.parametrize("function", BOUND)
def test_names_that_a_branch_binds(function: Any) -> None:
    agree(function, (A.copy(), W, 4))
    single = A.astype(np.float32), W.astype(np.float32)
    found = tl.grad(function, compile="numba")(*single, 4)
    np.testing.assert_allclose(found, tl.grad(function)(*single, 4), rtol=2e-4, atol=1e-5)


def read_before_it_is_bound(x, w, n):
    for k in range(n):
        if k > 5:
            low = 0.5 * x[k]
        x[k] *= low
    return np.sum(x * w)


def test_what_is_not_bound_is_not_read() -> None:
    with pytest.raises(UnboundLocalError):
        tl.grad(read_before_it_is_bound, compile="numba")(A.copy(), W, 3)


def test_another_length_each_time_is_refused() -> None:
    gradient = tl.grad(bound_in_a_branch_by_length, compile="numba")
    with pytest.raises(tl.UnsupportedSyntaxError, match="shapes differ"):
        gradient(A.copy(), W, 4)


def of_single_precision(x, w, n):
    s = np.zeros(x.shape[1], dtype=np.float32)
    for k in range(n):
        s = s + np.sin(x[k])
        s = s * x[k]
    return np.sum(s * w[0])


def test_an_array_of_single_precision_stays_one() -> None:
    single = A.astype(np.float32), W.astype(np.float32)
    found = tl.grad(of_single_precision, compile="numba")(*single, 4)
    np.testing.assert_allclose(found, tl.grad(of_single_precision)(*single, 4), rtol=1e-5)
