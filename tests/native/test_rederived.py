"""What is a sum or a product of what is kept is made again, as long as that is what it was."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import V, W, agree


def weights(x, w):
    total = 0.0
    for _ in range(3):
        a = np.sin(x)
        b = 1 - a
        c = a * b
        x[:] = x * c + b * w
        total += np.sum(a * b * c)
    return total + np.sum(x)


def written_before_it_is_kept(x, w):
    for _ in range(3):
        a = np.sin(x)
        b = 1 - a
        a[0] = 0.5
        x[:] = x * a * b + w
    return np.sum(x * w)


def written_behind(x, w):
    total = 0.0
    for _ in range(3):
        a = np.sin(x)
        b = 2.0 * a - 1
        x[:] = x * b * a * w
        a *= 3.0
        total += np.sum(a * a)
    return total + np.sum(x)


def now_and_then(x, w):
    a = 0.5
    b = 0.25
    total = 0.0
    for i in range(6):
        if i % 2 == 0:
            a = np.sin(x[i]) * w[i]
        if i % 3 == 0:
            b = 1.0 - a * a
        x[i] = x[i] * a * b
        total += x[i] * b * a
    return total


def number_that_changes(x, w):
    s = 0.5
    for _ in range(3):
        a = np.cos(x)
        b = s * a
        s = s * 0.5 + 0.25
        x[:] = a * b * w + x * b
    return np.sum(x * w)


def given_number(x, w, s):
    for _ in range(3):
        a = np.cos(x)
        b = s * a - a * a
        x[:] = a * b * w + x * b * b
    return np.sum(x * w)


def given_number_that_changes(x, w, s):
    for _ in range(3):
        a = np.cos(x)
        b = s * a - a * a
        s = b[0] * 0.5
        x[:] = a * b * w + x * b * b
    return np.sum(x * w)


def tripled(a):
    a *= 3.0
    return a[0]


def helper_writes(x, w):
    for _ in range(3):
        a = np.cos(x)
        b = 1.0 - a
        t = tripled(a)
        x[:] = a * b * w + x * b * t
    return np.sum(x * w)


def view_writes(x, w):
    for _ in range(3):
        a = np.cos(x)
        b = 1.0 - a
        part = a[1:]
        part[:] = b[:-1]
        x[:] = a * b * w + x * b
    return np.sum(x * w)


def until(x, w):
    k = 0
    s = x[0]
    while s < 3.0 and k < 20:
        a = np.exp(-s)
        b = a * a + 1.0
        c = b - a
        s = s + a * b * c * w[k % 6] ** 2 + 0.1
        k += 1
    return s * x[1]


@pytest.mark.parametrize(
    "function",
    [
        weights,
        written_before_it_is_kept,
        written_behind,
        now_and_then,
        number_that_changes,
        helper_writes,
        view_writes,
        until,
    ],
    ids=lambda f: f.__name__,
)
def test_what_is_made_again_is_what_it_was(function) -> None:
    agree(function, V.copy(), W.copy())


@pytest.mark.parametrize("function", [given_number, given_number_that_changes])
def test_numbers_that_are_given(function) -> None:
    agree(function, V.copy(), W.copy(), 0.75)


def test_a_record_without_what_can_be_made_again() -> None:
    made = agree(weights, V.copy(), W.copy())
    kept = [line for line in made.kernels.splitlines() if "append" in line or "_rows" in line]
    assert len([line for line in kept if "append" in line or "np.empty" in line]) == 2, kept


def of_arguments(u, a, m, steps):
    r = np.zeros_like(u)
    for _ in range(steps):
        r[1:] = -a[1:] * (u[1:] - u[:-1])
        u[1:-1] += 0.3 * np.where(m[1:-1] > 0.5, r[1:-1], (1.0 - a[1:-1]) * u[2:])
    return np.sum(u * u * a)


def of_what_changes(u, a, m, steps):
    """The argument is another one in the other sweep, or was written into before."""
    r = np.zeros_like(u)
    for _ in range(steps):
        r[1:] = -a[1:] * (u[1:] - u[:-1])
        u[1:-1] += 0.3 * np.where(m[1:-1] > 0.5, r[1:-1], (1.0 - a[1:-1]) * u[2:])
        a[1:] *= 0.9 + 0.1 * u[:-1]
        m = 1.0 - m
    return np.sum(u * u * a)


def through_views(u, a, m, steps):
    b, k = a[:], m
    r = np.zeros_like(u)
    for _ in range(steps):
        r[1:] = -a[1:] * (u[1:] - u[:-1])
        u[1:-1] += 0.3 * np.where(k[1:-1] > 0.5, r[1:-1], -m[1:-1] * u[2:])
        b[1:] *= u[:-1]
    return np.sum(u * u * a)


@pytest.mark.parametrize("function", [of_arguments, of_what_changes, through_views])
@pytest.mark.parametrize(("n", "steps"), [(9, 4), (3, 1), (2, 2), (1, 2), (8, 0)])
def test_what_is_made_of_arguments_is_made_again(function, n, steps) -> None:
    u, a, m = np.random.default_rng(n).uniform(0.1, 0.9, (3, n))
    fast, plain = tl.grad(function, (0, 1), compile="numba"), tl.grad(function, (0, 1))
    for given in (m, np.repeat(m, 2)[::2], np.where(m == m[0], np.nan, m)):
        for one, other in zip(fast(u, a, given, steps), plain(u, a, given, steps)):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
    if function is of_arguments:
        kept = [line for line in fast.kernels.splitlines() if "_rows" in line.partition("=")[0]]
        assert kept and not any("np.bool_" in line or "-a[" in line for line in kept)
        np.testing.assert_allclose(fast(u, a, a, steps)[0], plain(u, a, a, steps)[0], rtol=1e-11)
