"""Arrays that a loop trades are the rows of one array in machine code, where nobody can tell the difference."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import V, W, agree

numba = pytest.importorskip("numba")
A = np.random.default_rng(5).normal(size=(5, 4))
B = np.random.default_rng(6).normal(size=(5, 4))


def in_two_axes(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[1:-1, 1:-1] = p[:-2, 1:-1] * w[1:-1, 1:-1] + p[2:, 1:-1] * p[1:-1, :-2]
        q[0] = p[0] * w[0]
        q[-1, 1:] = p[-1, 1:]
        p, q = q, p
    return np.sum(p * w) + np.sum(q * p)


def both_local(p, w, n):
    a, b = np.zeros(len(p)), np.zeros(len(p))
    a[:] = p
    for _ in range(n):
        b[1:] = a[:-1] * w[1:] + a[1:] ** 2
        b[0] = a[-1]
        a, b = b, a
    return np.sum(a * w)


def till_it_is_small(p, w, n):
    q = np.empty_like(p)
    while np.sum(p * p) > 0.1 and n > 0:
        q[1:] = 0.5 * p[:-1] * w[1:]
        q[0] = 0.3 * p[0]
        p, q = q, p
        n -= 1
    return np.sum(p * w)


def in_a_branch(p, w, n):
    q = np.zeros_like(p)
    for k in range(n):
        q[1:] = p[:-1] * w[1:] + q[1:] * p[1:]
        if k % 2:
            p, q = q, p
    return np.sum(p * w) + np.sum(q * q)


def element_by_element(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[0] = p[0]
        for i in range(1, len(p)):
            q[i] = p[i] * w[i] + q[i - 1] * p[i - 1]
        p, q = q, p
    return np.sum(p * w)


def with_products(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[:] = np.dot(p, w) * p
        q[1:] += w[:-1]
        p, q = q, p
    return np.sum(p * w)


def one_of_three(p, w, n):
    q, r = np.zeros_like(p), np.zeros_like(w)
    for _ in range(n):
        r[:] = p * w + q
        p, q, r = q, r, p
    return np.sum(p * w) + np.sum(q * r)


def made_in_a_loop(p, w, n):
    total = 0.0
    for k in range(n):
        a, b = np.zeros_like(p), np.zeros_like(p)
        a[:] = p * k
        for _ in range(2):
            b[1:] = a[:-1] * w[1:] + a[1:] * p[1:]
            a, b = b, a
        total += np.sum(a * w)
    return total


def other_length(p, w, n):
    a, b = np.zeros(len(p)), np.zeros(len(p) - 1)
    a[:] = p
    for _ in range(n):
        m = min(len(a), len(b))
        b[:m] = a[:m] * w[:m]
        a, b = b, a
    return np.sum(a[:3]) + np.sum(b[:2])


def through_an_array_of_places(p, w, n):
    q = np.zeros_like(p)
    k = np.array([0, 2, 1, 0, 3])
    for _ in range(n):
        q[:5] = p[k] * w[k]
        p, q = q, p
    return np.sum(p * w)


def kept_part(p, w, n):
    q = np.zeros_like(p)
    total = 0.0
    for _ in range(n):
        part = q[1:]
        part[:] = p[:-1] * w[1:] + part * w[:-1]
        p, q = q, p
        total += np.sum(part * q[1:])
    return total + np.sum(p * w)


def step(p, q, w):
    q[1:] = p[:-1] * w[1:]
    q[0] = p[0] * p[1]


def helper_writes(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        step(p, q, w)
        p, q = q, p
    return np.sum(p * w)


ROWS = [both_local, till_it_is_small, in_a_branch, element_by_element, one_of_three, helper_writes]
OTHERS = [with_products, made_in_a_loop, other_length, through_an_array_of_places, kept_part]


@pytest.mark.parametrize("function", [*ROWS, *OTHERS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_as_without(function, n) -> None:
    made = agree(function, V.copy(), W.copy(), n)
    assert "_at = 1" in made.kernels or function in OTHERS, made.kernels


@pytest.mark.parametrize("n", [0, 1, 4])
def test_two_axes(n) -> None:
    made = agree(in_two_axes, A.copy(), B.copy(), n)
    assert "_rows_p[q_at" in made.kernels, made.kernels


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("function", [both_local, element_by_element, helper_writes])
def test_short_ones(function, size) -> None:
    if function is helper_writes and size == 1:
        pytest.skip("reads an element that is not there")
    agree(function, V[:size].copy(), W[:size].copy(), 3)


@pytest.mark.parametrize("function", [both_local, in_a_branch, one_of_three])
def test_wherever_they_lie(function) -> None:
    wide = np.random.default_rng(3).normal(size=(6, 2))
    plain = tl.grad(function, wrt=(0, 1), optimized=False)
    made = tl.grad(function, wrt=(0, 1), compile="numba")
    for p, w in (
        (wide[:, 0].copy(), wide[:, 1].copy()),
        (wide[:, 0], wide[:, 1].copy()),
        (V[::-1], W[::-1]),
        (V.astype(np.float32), W.astype(np.float32)),
        (np.where(V > 1.0, np.nan, V), W),
        (np.where(W == W.max(), np.inf, V), W),
    ):
        given = copy.deepcopy((p, w))
        with np.errstate(all="ignore"):
            pairs = zip(made(*given, 3), plain(p, w, 3), strict=True)
            for mine, other in pairs:
                rough = mine.dtype != float
                np.testing.assert_allclose(mine, other, rtol=1e-4 if rough else 1e-9, atol=1e-7)
        for mine, other in zip(given, (p, w), strict=True):
            np.testing.assert_array_equal(mine, other)


def last_state(p, w, n):
    q = np.zeros_like(p)
    for _ in range(n):
        q[1:] = p[:-1] * w[1:] + 0.1 * p[1:]
        q[0] = p[0]
        p, q = q, p
    return np.sum(p * w), p


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_what_is_given_back_is_the_row_that_was_meant(n) -> None:
    made = tl.value_and_grad(last_state, wrt=(0, 1), has_aux=True, compile="numba")
    plain = tl.grad(last_state, wrt=(0, 1), has_aux=True, optimized=False)
    value, wanted = last_state(V.copy(), W.copy(), n)
    for _ in range(3):
        (found, aux), grads = made(V.copy(), W.copy(), n)
        assert found == pytest.approx(value)
        np.testing.assert_allclose(aux, wanted)
        for mine, other in zip(grads, plain(V.copy(), W.copy(), n)[0], strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-10)
