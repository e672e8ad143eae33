"""Statements that read elements of an array which they write: NumPy reads first, and so does a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is not installed (pip install numba)")
A = np.random.default_rng(0).normal(size=(3, 3))


def a_column_and_a_row(a):
    m = a.copy()
    for j in [2, 0, 1]:
        m[:, j] += m[1]
    return np.sum(np.cos(m))


def a_row_and_a_column(a):
    m = a.copy()
    for j in (2, 0, 1):
        m[j] *= m[:, 1]
        m[:, j] -= m[j]
    return np.sum(np.cos(m))


def neighbors(a):
    m = a.copy()
    y = a[0].copy()
    for k in [1, 2]:
        m[k:] += m[:-k]
        y[k:] += y[:-k]
        y[::-1] *= y
        y[:2] = y[1:]
    return np.sum(np.cos(m)) + np.sum(np.cos(y))


def parts_with_names(a):
    m = a.copy()
    for k in [1, 2]:
        v = m[k:]
        w = m[:-k]
        v += w
        w -= v
    return np.sum(np.cos(m))


def a_matrix_and_its_transpose(a):
    m = a.copy()
    for _ in [1, 2]:
        m += m.T
        m -= np.transpose(m) * 0.2
        np.add(m, m.T, out=m)
    return np.sum(np.cos(m))


@pytest.mark.parametrize(
    "program",
    [
        a_column_and_a_row,
        a_row_and_a_column,
        neighbors,
        parts_with_names,
        a_matrix_and_its_transpose,
    ],
)
def test_what_is_written_is_read_before(program: Any) -> None:
    value, gradient = tl.value_and_grad(program, compile="numba")(A)
    assert value == pytest.approx(program(A), rel=1e-12)
    np.testing.assert_allclose(gradient, tl.grad(program, optimized=False)(A), rtol=1e-10)


def added_to_and_never_read(a):
    v = np.ones(3) * 0.4
    s = 0.1
    parts = [0.3]
    for k in range(2):
        s += 0.2 * sum(parts)
        v[:] += s
        parts.append(s)
    return np.sum(np.cos(a)) + np.sum(v)


def test_what_is_added_to_is_made_though_nobody_reads_it() -> None:
    gradient = tl.grad(added_to_and_never_read, compile="numba")
    np.testing.assert_allclose(gradient(A), -np.sin(A))
