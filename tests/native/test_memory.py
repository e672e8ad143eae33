"""What a kernel may take for granted about memory: helpers, arrays that are computed where they are read."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

numba = pytest.importorskip(
    "numba", reason="Numba is not installed: pip install tangentlite[numba]"
)
normal = np.random.default_rng(5).normal
V, W, M, S = normal(size=6), normal(size=6), normal(size=(4, 6)), normal(size=(5, 5))


def agree(function: Any, *args: Any) -> Any:
    wrt = tuple(k for k, a in enumerate(args) if np.asarray(a).dtype.kind == "f")
    plain = tl.grad(function, wrt=wrt)(*copy.deepcopy(args))
    made = tl.grad(function, wrt=wrt, compile="numba")
    for _ in range(2):
        given = copy.deepcopy(args)
        for mine, other in zip(made(*given), plain, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-11)
        for mine, other in zip(given, args, strict=True):
            np.testing.assert_array_equal(mine, other)
    return made


def changed_between(x, w):
    t = x * w
    x[1:] = x[:-1] * 2.0
    y = x + t
    x *= y
    u = y * 2.0
    y[0] = 7.0
    return np.sum(x * u * y)


def number_between(x, w):
    s = 2.0
    t = s * x
    s = 3.0
    y = t * s
    return np.sum(y * w * s)


def loop_between(x, w):
    t = x * w
    for i in range(3):
        x[i] = 1.5
    y = t + x
    return np.sum(y * y)


def branch_between(x, w):
    t = x * w
    if x[0] > 0:
        x[:] = t
    else:
        w[:] = x * 2.0
    return np.sum(x * w)


def onto_itself(x, w):
    t = x[1:] * w[1:]
    x[:-1] = t
    u = x[:-1] + w[:-1]
    x[1:] *= u
    v = x[::-1] * w
    x[:] = v
    return np.sum(x * x)


def row_in_plane(m, w):
    t = w * w
    y = m * t
    u = np.exp(w[:6])
    m[1:] += u
    return np.sum(y * m)


CASES = [changed_between, number_between, loop_between, branch_between, onto_itself]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_arrays_computed_where_they_are_read(function: Any) -> None:
    agree(function, V, W)


@pytest.mark.slow
@pytest.mark.parametrize("function", CASES[:1] + CASES[3:], ids=lambda f: f.__name__)
def test_short_arrays(function: Any) -> None:
    for length in (1, 2):
        agree(function, V[:length], W[:length])


def test_a_row_is_computed_once() -> None:
    agree(row_in_plane, M, W)


def below(A, B):
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])


def two_matrices(A, B):
    below(A, B)
    return np.sum(B * B)


def one_matrix(A):
    below(A, A)
    return np.sum(A * A)


def test_results_of_helpers_share_no_memory_with_records() -> None:
    made = agree(two_matrices, S, S.T.copy())
    assert "_w" not in made.kernels
    assert "np.empty((_n" not in made.kernels


@pytest.mark.filterwarnings("ignore:np.dot")
def test_one_array_for_two_parameters() -> None:
    pytest.importorskip("scipy")
    agree(one_matrix, S)


def powers(a, n):
    for i in range(n):
        a = a * a + 0.1 * i
    return a


def of_powers(x, w):
    y = powers(x, 3)
    z = powers(y * w, 0)
    z = z + powers(x, 0)
    return np.sum(y * z * w)


def test_a_helper_may_give_back_what_it_was_given() -> None:
    agree(of_powers, V, W)


def reflected(r):
    y = np.zeros(len(r))
    alpha = -r[0]
    y[0] = alpha
    for k in range(1, len(r)):
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) * 0.3
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def of_reflected(r, w):
    y = reflected(r)
    return np.sum(y * y * w)


def skipping(y, w):
    for k in range(2, len(y)):
        part = y[1:k]
        other = y[k - 1 :: -2]
        y[k] *= np.dot(part, w[1:k]) + np.sum(other * other) * 0.1
        y[:k] *= 0.9


def of_skipping(y, w):
    skipping(y, w)
    return np.sum(y * w)


def both(y, w):
    skipping(y, w)
    skipping(w, y)
    return np.sum(y * w)


def test_parts_of_a_copied_array_on_a_list() -> None:
    agree(of_reflected, V, W)


@pytest.mark.slow
@pytest.mark.parametrize("function", [of_skipping, both], ids=lambda f: f.__name__)
def test_parts_of_several_arrays_on_a_list(function: Any) -> None:
    agree(function, V, W)


@pytest.mark.slow
def test_short_parts() -> None:
    for length in (1, 2, 3):
        agree(of_reflected, V[:length], W[:length])
