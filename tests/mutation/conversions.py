"""Functions that hand memory on without looking like a view: conversions, copies that are shallow, einsum, max."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(square(), 0.4)
def rows_of_a_list(y, s):
    m = y * 1.0
    rows = list(m)
    rows[0] *= s
    rows[2][1] = s * s
    return np.sum(W33 * m * m)


@case(square(), 0.4)
def rows_of_a_tuple_of_a_transpose(y, s):
    m = y * 1.0
    columns = tuple(m.T)
    columns[1][:] = columns[0] * s
    return np.sum(W33 * m * m)


@case(square(), 0.4)
def loop_over_a_list_of_rows(y, s):
    m = y * 1.0
    for row in list(m):
        row *= s
        row[0] = row[1] * row[2]
    return np.sum(W33 * m * m)


@case(vector(), 0.4)
def list_of_numbers_is_no_view(x, s):
    numbers = list(x)
    numbers[1] = s * numbers[0]
    return numbers[1] * x[1] + numbers[2] * x[2]


@case(vector(), 0.4)
def copy_of_a_dict_is_shallow(x, s):
    a = x * 1.0
    table = {"u": a, "v": x * s}
    other = table.copy()
    other["u"] *= s
    other["v"] = other["u"] * x
    return np.sum(W4 * a * a) + np.sum(W4 * table["v"])


@case(vector(), 0.4)
def copy_of_a_list_is_shallow(x, s):
    a = x * 1.0
    items = [a, x * s]
    others = items.copy()
    others[0][1:] *= s
    others[1] = others[0] * x
    return np.sum(W4 * a * a) + np.sum(W4 * items[1])


def first_doubled(items):
    others = items.copy()
    others[0] *= 2.0
    others[0] = others[0] * others[1]


@case(vector(), 0.4)
def shallow_copy_in_a_helper(x, s):
    a = x * 1.0
    first_doubled([a, x * s])
    return np.sum(W4 * a * a)


@case(vector(), square())
def diagonal_by_einsum(x, y):
    m = y * 1.0
    np.einsum("ii->i", m)[:] = x[:3] * m[0]
    np.einsum("ij->ji", m)[2] *= x[1]
    return np.sum(W33 * m * m)


@case(vector(), 0.4)
def greatest_is_one_of_them(x, s):
    a = x * 1.0
    p = max(a[:1], a[1:2])
    p *= s
    return np.sum(W4 * a * a)


@case(vector(), 0.4)
def float64_of_an_array_is_the_array(x, s):
    a = x * 1.0
    b = np.float64(a)
    b[0] *= s
    b[1:] = b[:-1] * s
    return np.sum(W4 * a * a)


@case(vector())
def whole_numbers_of_what_is_differentiated(x):
    k = (np.abs(x) * 3.0).astype(int)
    a = np.take(x * x, k % 4) * np.repeat(x, k)[:4] * x[0]
    a[1:] += np.roll(a, k[1])[1:]
    return np.sum(W4 * a) + np.sum(np.triu(np.outer(a, x), k.max() - 2))


@case(vector())
def cast_whatever_comes(x):
    k = np.empty(4, dtype=int)
    np.floor(x * 3.0, out=k, casting="unsafe")
    j = np.zeros(4, dtype=int)
    np.copyto(j, x * 2.0, casting="unsafe")
    a = x * 1.0
    a[k % 4] *= a[j % 4]
    return np.sum(W4 * a * a) * k[2]


def carried(a, steps):
    moves = np.array([[0, 1], [1, 0], [2, 1]])
    for m, (i, j) in zip(moves, steps):
        a[i] *= np.roll(a[j], m[0])[m[1]]
        a[j] = np.roll(a[j] * a[i], m[1])
    where = np.where(a[0] > 0.0)[0]
    a[1] *= np.roll(a[2], where[0] + 1)


@case(square())
def moves_in_a_table_of_a_procedure(y):
    m = y * 1.0
    carried(m, [(0, 1), (2, 0), (1, 1)])
    return np.sum(W33 * m * m)
