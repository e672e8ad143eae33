"""Values that lie in the memory they are stored into, and ``.flat``, which writes and reads one element after the other."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector

STEPS = "NumPy overwrites elements of the value before it reads them"
PARTS = "the parts of what is joined lie where it is stored"


@case(vector())
def flat_hands_on_to_the_right(x):
    a = x * 1.0
    a.flat[1:4] = a.reshape(-1)[:3]
    return np.sum(W4 * a * a) + a[3] * x[1]


@case(vector())
def flat_takes_from_the_right(x):
    a = x * 1.0
    a.flat[:3] = a.reshape(-1)[1:]
    return np.sum(W4 * a * a)


@case(vector())
def flat_turned_round_halfway(x):
    a = x * 1.0
    a.flat[...] = a[::-1]
    return np.sum(W4 * a * a * x)


@case(vector(), vector(1))
def flat_begins_again(x, v):
    a = x * 1.0
    a.flat[1:] = v[:2] * x[0]
    a.flat[[0, 2, 3]] = v[2:]
    return np.sum(W4 * a * a)


@case(square())
def flat_of_a_transpose(y):
    m = y * 1.0
    m.T.flat[1:6] = m[0]
    m[:, 1].flat[1:] = m[:2, 1]
    return np.sum(W33 * m * m)


@case(square())
def flat_of_a_mask_and_of_a_matrix(y):
    m = y * 1.0
    m.flat[np.arange(9) % 2 == 1] = m[0]
    m.flat[np.array([[0, 1], [1, 2]])] = m[1]
    m.flat[:4] = m[::2, ::2]
    return np.sum(W33 * m * m)


@case(vector())
def flat_as_a_whole(x):
    a = np.outer(x, x)
    a.T.flat = x[:3] * x[1]
    a[1:, ::2].flat = a[0]
    c = x * x
    c.flat = a[3]
    c.flat = c[::-1]
    c.flat = c[1:]
    c.flat = c[:3]
    c[1:].flat = [x[0], x[1] * 2.0]
    return np.sum(a * a) + np.sum(W4 * c)


@case(vector())
def flat_as_a_whole_of_a_transpose(x):
    a = np.outer(x, x * x)
    a.flat = a.T
    a.T.flat = a
    a.T.flat = a[::-1, 1:]
    return np.sum(a * np.outer(W4, x))


@case(square())
def flat_augmented_takes_a_copy(y):
    m = y * 1.0
    m.flat[2:6] *= m.flat[1:5]
    m.T.flat[[0, 3]] += m.flat[[1, 2]]
    m.flat[1:4] -= m.reshape(-1)[:3]
    return np.sum(W33 * m * m)


@case(vector())
def flat_is_read_as_a_copy(x):
    a = x * 1.0
    v, w = a.flat[1:3], a.flat[0]
    a[:2] = a[2] * w
    v *= a[1]
    return np.sum(W4 * a * a) + v[0] * v[1] * w


@case(square())
def flat_walks_over_what_changes(y):
    m = y * 1.0
    s, t = 0.0, np.zeros(9)
    for k, (u, v) in enumerate(zip(m.T.flat, m.flat)):
        s += u * v * k
        t[k] = u
        m[2, 2] = 2.0 * m[0, 0] + u
        m.flat[k] *= v
    return s * np.sum(t * np.ravel(m)) + sum(m.T.flat) + sum(v * v * v for v in m.T.flat)


@case(square())
def flat_under_a_name(y):
    m = y * 1.0
    v = m.T.flat
    v[1] = v[2] * 3.0
    m[0, 1] *= 2.0
    for i in range(4):
        v[i] += v[i + 1]
    v[::4] = m[1]
    w = (m - 2.0 * y).flat
    return np.sum(W33 * m * m) + np.sum(v) + np.sqrt(np.dot(w, w))


@case(vector())
def flat_and_put_take_lists(x):
    a = x * 1.0
    a.flat[1:] = [x[0], x[1] * x[2]]
    np.put(a, [0, -2], (x[3], x[3] ** 2))
    np.put(a, [True, False], [x[1]])
    np.place(a, [0, 0, 0, 1], [x[0]])
    return np.sum(W4 * a * a)


@case(vector(), raises="ValueError")
def flat_element_of_two_values(x):
    a = x * 1.0
    a.flat[1] = x[:2]
    return np.sum(a)


@case(square())
def diagonal_hands_on(y):
    m = y * 1.0
    np.fill_diagonal(m.T[1:], m[0, :2])
    np.fill_diagonal(m[:, 1:], m[1, :2])
    return np.sum(W33 * m * m)


@case(square())
def diagonal_of_itself(y):
    m = y * 1.0
    np.fill_diagonal(m, m.diagonal())
    np.fill_diagonal(m, m[::-1].diagonal())
    return np.sum(W33 * m * m * y)


@case(vector())
def place_hands_on(x):
    a = x * 1.0
    np.place(a, [0, 1, 1, 1], a[:2])
    np.place(a, x < 5.0, a[::-1])
    return np.sum(W4 * a * a * x)


@case(vector())
def put_and_putmask_take_copies(x):
    a = x * 1.0
    np.put(a, [1, 2, 3], a[:3])
    np.putmask(a[1:], [1, 1, 0], a[:3])
    np.copyto(a[1:], a[:-1], where=a[1:] > a[:-1])
    return np.sum(W4 * a * a * x)


@case(vector(), gap=PARTS)
def halves_swapped_by_a_concatenation(x):
    a = x * 1.0
    np.concatenate([a[2:], a[:2]], out=a)
    return np.sum(W4 * a * a)


@case(vector(), gap=PARTS)
def rows_stacked_into_themselves(x):
    a = np.outer(x, x)
    np.stack([a[1], a[0], a[2], a[0]], out=a)
    return np.sum(W4 * a * a)


@case(vector())
def concatenation_into_another_array(x):
    a, b = x * 1.0, np.empty(4)
    np.concatenate([a[2:] * a[0], a[:2]], out=b)
    np.stack([b[0], b[2]], out=a[:2])
    return np.sum(W4 * a * b)


@case(square(), gap=PARTS)
def rows_swapped_by_a_list(y):
    m = y * 1.0
    m[:2] = m[1], m[0]
    return np.sum(W33 * m * m)


@case(square(), gap=PARTS)
def rows_copied_from_a_list(y):
    m = y * 1.0
    rows = [m[1], m[0] * 2.0]
    np.copyto(m[:2], rows)
    return np.sum(W33 * m * m)


@case(square())
def rows_joined_before_they_are_stored(y):
    m = y * 1.0
    m[:2] = np.array([m[1], m[0]])
    m[[0, 2]] = m[2], m[0]
    m[:, 0] = m[0, 1], m[1, 0], m[2, 2]
    m[1:] = [m[0] * 2.0, m[0]]
    return np.sum(W33 * m * m)


def column_into_row(p, q):
    p[:] = q


def second_row_from_the_last_column(v):
    v[1] = v[:, 2]


@case(square(), gap=STEPS)
def columns_into_a_row(y):
    v = y * 1.0
    for j in range(3):
        v[1][:] = v[:, j]
    return np.sum(W33 * v)


@case(square(), gap=STEPS)
def column_into_a_row_of_an_argument(y):
    y[1] = y[:, 2]
    return np.sum(W33 * y * y)


@case(square(), gap=STEPS)
def column_copied_into_a_row(y):
    m = np.sin(y)
    np.copyto(m[1], m[:, 2])
    return np.sum(W33 * m)


@case(square(), gap=STEPS)
def column_copied_into_a_row_through_a_mask(y):
    m = np.sin(y)
    np.copyto(m[1], m[:, 2], where=y[0] < 5.0)
    return np.sum(W33 * m * m)


@case(square(), gap=STEPS)
def column_into_a_row_by_a_helper(y):
    m = y * 1.0
    column_into_row(m[1], m[:, 2])
    return np.sum(W33 * m)


@case(square(), gap=STEPS)
def column_into_a_row_within_a_helper(y):
    m = y * 1.0
    second_row_from_the_last_column(m)
    return np.sum(W33 * m)


@case(square(), gap=STEPS)
def column_into_a_row_under_names(y):
    m = y * 1.0
    rows = [m[1], m[:, 2]]
    row = rows[0]
    row[:] = rows[1]
    return np.sum(W33 * m)


@case(square(), gap=STEPS)
def matrix_of_one_row_into_a_row(y):
    m = y * 1.0
    m[1] = m[:, 2:].T
    return np.sum(W33 * m * m)


@case(vector(), gap=STEPS)
def spread_out_in_place(x):
    a = np.concatenate([x, x * x])
    a[::2] = a[:4]
    return np.sum(a * a * np.arange(8.0))


@case(vector(), gap=STEPS)
def spread_out_by_a_mask(x):
    a = x * 1.0
    a[np.arange(4) % 2 == 1] = a[:2]
    a[np.arange(4) % 2 == 0] = a[:2]
    a[np.arange(4) != 1] = a[1:]
    a[np.arange(4) != 1] = a[:3]
    return np.sum(W4 * a * a)


@case(square())
def columns_into_rows_that_cross_at_themselves(y):
    m = y * 1.0
    for i in range(3):
        m[i, :] = m[:, i]
        m[i, i:] = m[i:, i]
    column_into_row(m[1], m[:, 1])
    return np.sum(W33 * m * m * y)


@case(square())
def an_array_of_flat_is_no_copy(y):
    m = y * 1.0
    a, b = np.array(m.flat), np.copy(m.flat)
    c, d = np.array(m.T.flat), np.array(m.flat, dtype=float, copy=True)
    m[0] = 2.0
    m[1, 1] = y[0, 2] * y[1, 0]
    d[5] *= 3.0
    return np.sum(np.arange(9.0) * (a * b + c * d * d))


@case(vector())
def gathered_in_place(x):
    a = np.concatenate([x, x * x])
    a[:4] = a[::2]
    a[3:5] = a[:2]
    a[:3] = a[6:0:-2]
    a[np.arange(8) < 3] = a[4:7]
    return np.sum(a * a * np.arange(8.0))


@case(square())
def column_copied_before_it_is_stored(y):
    m = y * 1.0
    m[1] = m[:, 2].copy()
    m[:2, :1] = m[1:, 2:]
    m[1:2] = m[:, 2]
    m[2] += m[:, 1]
    m[0] = m[:, 1] * 2.0
    return np.sum(W33 * m * m * y)
