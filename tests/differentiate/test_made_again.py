"""What a trip makes again instead of recording it: sizes, parts of indices, elements of arrays that stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

G = np.random.default_rng(3)
A, B = G.normal(size=(4, 3)), G.normal(size=(4, 4))
W = np.arange(1.0, 17.0).reshape(4, 4)


def sizes(a, b, s):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            b[i, : i + 1] += s * a[i, k] * a[: i + 1, k]
    return np.sum(b * b[0])


def sizes_of_what_is_written(a, b, s):
    for i in range(len(b)):
        for k in range(b.shape[1] - 1):
            b[i, k] += s * a[i, k % 3] * a[i, 0]
    return np.sum(b)


def new_axes(a, b, s):
    for i in range(4):
        b[i] += np.sum(a[:, :, np.newaxis] * b[np.newaxis, 0] * s, axis=(0, 1))
    return np.sum(b * b)


def indices_that_are_written(a, b, s):
    places = np.array([0, 1, 2])
    total = 0.0
    for i in range(3):
        k = places[0]
        total = total + s * a[k, 0] * b[k, i]
        places[0] = places[0] + 1
    return total


def a_size_of_an_object(a, b, s):
    class Count:
        size = 0

    count = Count()
    total = 0.0
    for i in range(3):
        k = count.size
        total = total + s * a[k, 0] * b[k, i] * a[k, 1]
        count.size = count.size + 1
    return total


def elements_that_are_written(a, b, s):
    c = a.copy()
    for i in range(3):
        for k in range(3):
            b[i, k] += s * c[i, k] * b[i + 1, k]
            c[i, k] = b[i, k] * c[i + 1, k]
    return np.sum(b * b) + np.sum(c)


STARTS, COLUMNS = np.array([0, 2, 3, 4]), np.array([2, 0, 1, 2])


def rows_of_a_sparse_matrix(a, b, s):
    y = np.zeros(3)
    for i in range(3):
        columns = COLUMNS[STARTS[i] : STARTS[i + 1]]
        y[i] = s * (b[0][STARTS[i] : STARTS[i + 1]] @ a[1][columns])
    return np.sum(y * y)


def lines_chosen_from_what_is_written(a, b, s):
    x = a[1].copy()
    for i in range(3):
        columns = COLUMNS[STARTS[i] : STARTS[i + 1]]
        t = x[columns]
        b[0, i] += np.sum(np.sin(t) * t) * s
        x[columns] = t * b[1, 0]
    return np.sum(b * b) + np.sum(x)


PROGRAMS = [
    *(rows_of_a_sparse_matrix, lines_chosen_from_what_is_written),
    *(sizes, sizes_of_what_is_written, new_axes, indices_that_are_written),
    *(a_size_of_an_object, elements_that_are_written),
]


def slope(f: Any, args: list[Any], k: int, along: Any) -> float:
    def moved(h: float) -> float:
        given = [np.copy(x) if isinstance(x, np.ndarray) else x for x in args]
        given[k] = given[k] + h * along
        return float(f(*given))

    return (moved(1e-5) - moved(-1e-5)) / 2e-5


@pytest.mark.parametrize("f", PROGRAMS)
def test_it_is_what_it_was(f: Any) -> None:
    args = [A, B, 0.3]
    for df in (tl.grad(f, wrt=(0, 1, 2)), tl.grad(f, wrt=(0, 1, 2), optimized=False)):
        found = df(A.copy(), B.copy(), 0.3)
        for k, x in enumerate(args):
            along = np.cos(np.arange(np.size(x)) + 1.0).reshape(np.shape(x))
            expected = slope(f, args, k, along)
            assert np.sum(found[k] * along) == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_sizes_are_asked_for_again() -> None:
    assert "append" not in tl.grad(sizes_of_what_is_written, wrt=1).source


def test_parts_of_indices_are_no_record() -> None:
    source = tl.grad(new_axes, wrt=0).source
    assert "add_at" not in source
    assert source.count("append") == 1


def test_sizes_of_what_sums_are_written_into_are_asked_for_again() -> None:
    def sums(a):
        for i in range(a.shape[0]):
            for j in range(i, a.shape[0]):
                a[i, j] -= 0.5 * a[0, j]
        return np.sum(a * W)

    assert "append" not in tl.grad(sums).source
    tl.check_grads(sums, (B,), modes=("reverse",), order=1)


def spmv(row, column, value, x):
    y = np.empty(row.size - 1, value.dtype)
    for i in range(row.size - 1):
        columns = column[row[i] : row[i + 1]]
        values = value[row[i] : row[i + 1]]
        y[i] = values @ x[columns]
    return y


def test_what_a_line_of_places_chooses_is_read_again() -> None:
    def loss(v, x, row, column, w):
        return np.sum(spmv(row, column, v, x) * w)

    df = tl.grad(loss, wrt=(0, 1))
    v, x, w = G.normal(size=4), G.normal(size=3), G.normal(size=3)
    rows = np.repeat(np.arange(3), np.diff(STARTS))
    bv, bx = df(v, x, STARTS, COLUMNS, w)
    expected = np.zeros(3)
    np.add.at(expected, COLUMNS, v * w[rows])
    assert np.allclose(bv, x[COLUMNS] * w[rows])
    assert np.allclose(bx, expected)
    assert "append" not in df.source
    assert df.source.count("for i in") == 1
