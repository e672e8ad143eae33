"""What is chosen from lists, joined from lists, contracted along axes: compiled as NumPy means it."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.native.test_memory import V, W, agree

M = np.random.default_rng(3).normal(size=(3, 4))
S = np.random.default_rng(4).normal(size=(4, 4))


def select(x, w):
    y = np.select([x < 0.0, x < 0.5], [0.1 * x, x * w], default=w)
    return np.sum(y * x)


def select_without_default(x, w):
    y = np.select([(x < 0.0) & (w > 0.0), ~(x > 0.5), x < 1.0], [0.1 * x, x * x, w])
    return np.sum(y * x)


def select_numbers(x, w):
    kinds = np.select([x < 0.0, x < 0.5], [1, 2])
    return np.sum(x * w * kinds) + np.sum(x[kinds])


def select_in_a_loop(x, w):
    for k in range(3):
        x = np.select([x < 0.1 * k, x < 0.5], [0.1 * x, x * w], default=x + w)
    return np.sum(x * w)


def select_twice_from_one_list(x, w):
    parts = [x * w, x + w]
    y = np.select([x < 0.0, x < 0.5], parts, default=w) * np.select([w < 0.0, w < 0.5], parts)
    return np.sum(y * x)


def select_and_choose(x, w):
    places = (x > 0.0).astype(int)
    y = np.choose(places, [x, x * w]) + np.select([x < 0.2], [w], x)
    return np.sum(y * w)


def joined_from_a_list(x, w):
    rows = []
    for i in range(3):
        rows.append(x[i:] * w[0])
    return np.sum(np.concatenate(rows) ** 2)


def joined_from_parts(x, w):
    return np.sum(np.concatenate([x * w[i] for i in range(3)]) ** 2)


def stacked_from_parts(x, w):
    return np.sum(np.stack([x * w[i] for i in range(3)]) ** 2 * w)


def size_of_a_complex_number(x, w):
    z = x + 1j * w
    return np.sum(np.abs(z) * x) + abs(complex(x[0], w[1]))


def complex_numbers_of_real_ones(x, w):
    z = np.exp(1j * x) * w
    total = 0.0
    for k in range(len(x)):
        total += abs(z[k] + 0.5j * x[k])
    return total + np.sum(np.abs(z + w) ** 2)


LINES = [
    *(select, select_without_default, select_numbers),
    *(joined_from_a_list, joined_from_parts, stacked_from_parts),
    *(size_of_a_complex_number, complex_numbers_of_real_ones),
]


@pytest.mark.parametrize("function", LINES, ids=lambda f: f.__name__)
def test_lines(function) -> None:
    agree(function, V.copy(), W.copy())


@pytest.mark.parametrize(
    "function", [select_twice_from_one_list, select_and_choose, select_in_a_loop]
)
def test_lists_that_have_other_uses(function) -> None:
    try:
        agree(function, V.copy(), W.copy())
    except tl.UnsupportedSyntaxError as fault:
        assert "compile" in str(fault)


def along_the_first(a, b):
    return np.sum(np.tensordot(a, b, axes=([0], [0])) ** 2)


def along_the_last(a, b):
    return np.sum(np.tensordot(a, b, ((1,), (1,))) ** 2)


def along_numbers(a, b):
    return np.sum(np.tensordot(a, b, axes=(-1, 0)) * b)


def along_both(a, b):
    return np.tensordot(a, b * b, axes=([0, 1], [0, 1])) * 2.0


def along_both_turned(a, b):
    return np.tensordot(a, b * b, axes=([1, 0], [0, 1])) * 2.0


def with_a_line(a, b):
    return np.sum(np.tensordot(a, b[0], axes=([0], [0])) ** 2)


def of_lines(a, b):
    return np.sum(np.tensordot(a[0], b[0], 1) ** 2)


CONTRACTED = [along_the_first, along_the_last, along_numbers, along_both, along_both_turned]


@pytest.mark.parametrize("function", [*CONTRACTED, with_a_line, of_lines], ids=lambda f: f.__name__)
def test_axes_that_are_written_down(function) -> None:
    pytest.importorskip("scipy", reason="Numba multiplies matrices by way of SciPy")
    agree(function, S.copy(), S[::-1].copy() + 1.0)


def squeezed(a, w):
    y = np.squeeze(a[:, :1] * a[:, 1:2])
    return np.sum(y * y * w)


def squeezed_by_a_method(a, w):
    y = np.sum(a, axis=1, keepdims=True)
    return np.sum(y.squeeze() ** 2 * w)


def squeezed_argument(a, w):
    return np.sum(np.squeeze(a) ** 2 * w)


def test_axes_of_length_one() -> None:
    agree(squeezed, M.copy(), M[:, 2].copy())
    agree(squeezed_by_a_method, M.copy(), M[:, 2].copy())
    agree(squeezed_argument, M[:, :1].copy(), M[:, 2].copy())
    agree(squeezed_argument, M[:1, :].copy(), M[0].copy())
    agree(squeezed_argument, M.copy(), M.copy())


def test_an_axis_that_happens_to_have_length_one() -> None:
    """How many axes are left is known when it runs: that is said, and never a wrong number."""
    derivative = tl.grad(squeezed_by_a_method, compile="numba")
    with pytest.raises(tl.UnsupportedSyntaxError, match="axis that has length one"):
        derivative(M[:1].copy(), M[0].copy())
