"""Stores: ``a[i] = v`` with every kind of index, target and value."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, W232, block, case, square, vector


@case(vector())
def one_element(x):
    a = np.zeros(4)
    a[0] = x[1] * x[2]
    a[2] = np.sin(x[0])
    return np.sum(W4 * a * a) + a[0]


@case(vector())
def over_an_element_of_the_argument(x):
    x[1] = x[0] * x[3]
    return np.sum(W4 * x * x)


@case(vector())
def read_before_and_after(x):
    a = x * 1.0
    before = a[1] * a[2]
    a[1] = np.sin(a[2])
    return before * a[1] + np.sum(W4 * a)


@case(vector())
def stored_twice(x):
    a = np.zeros(4)
    a[1] = x[0] * x[0]
    a[1] = x[2] * a[1]
    a[1] = a[1] * a[1]
    return a[1] + np.sum(W4 * a)


@case(vector())
def last_store_wins(x):
    a = x * 2.0
    a[3] = np.exp(x[0])
    a[-1] = np.sin(x[1])
    return np.sum(a * a)


@case(vector())
def negative_index(x):
    a = x * x
    a[-2] = a[-1] * x[0]
    return np.sum(W4 * a)


@case(vector(), 2)
def computed_index(x, n):
    a = x.copy()
    a[(n + 3) % 4] = a[n - 1] * x[n]
    return np.sum(W4 * a * a)


@case(vector())
def constant_stored(x):
    a = x * x
    a[1] = 3.0
    return np.sum(W4 * a * x)


@case(vector())
def zero_stored_in_a_slice(x):
    a = np.sin(x)
    a[1:3] = 0
    return np.sum(W4 * a * a) + np.prod(1.0 + a)


@case(vector())
def scalar_over_everything(x):
    a = x * 1.0
    b = a[0] * a[1]
    a[:] = b
    return np.sum(W4 * a * a) * b


@case(vector())
def slice_with_a_step(x):
    a = np.zeros(4)
    a[::2] = x[1:3]
    a[1::2] = x[:2] * x[2:]
    return np.sum(W4 * a * a)


@case(vector())
def slice_backwards(x):
    a = np.zeros(4)
    a[::-1] = x * x
    a[2:0:-1] = a[:2] * 0.5
    return np.sum(W4 * a)


@case(vector())
def overlap_to_the_right(x):
    x[1:] = x[:-1]
    return np.sum(W4 * x * x)


@case(vector())
def overlap_to_the_left(x):
    a = np.sin(x)
    a[:-1] = a[1:] * a[:-1]
    return np.sum(W4 * a * a)


@case(vector())
def reversal_in_place(x):
    x[:] = x[::-1]
    return np.sum(W4 * x * x * x)


@case(square())
def transposed_in_place(m):
    m[:] = m.T
    return np.sum(W33 * m * m)


@case(vector())
def empty_slice(x):
    a = x * x
    a[2:2] = x[3:3] * 5.0
    a[3:1] = x[0]
    return np.sum(W4 * a)


@case(square())
def row_from_a_vector(m):
    a = np.zeros((3, 3))
    a[1] = m[0] * m[2]
    a[0, :] = m[:, 1]
    return np.sum(W33 * a * a)


@case(square())
def column(m):
    a = m * 1.0
    a[:, 1] = m[2] * m[:, 0]
    return np.sum(W33 * a * a)


@case(square(), 0.4)
def row_broadcast_to_a_matrix(m, s):
    a = np.ones((3, 3)) * s
    a[...] = m[1] * s
    a[1:, :2] = s * s
    return np.sum(W33 * a * m)


@case(square())
def column_broadcast_to_a_matrix(m):
    a = np.zeros((3, 3))
    a[:] = m[:, :1] * 2.0
    return np.sum(W33 * a * a)


@case(vector())
def leading_axes_of_one_are_dropped(x):
    a = np.zeros(4)
    a[:] = x[None, :] * x[0]
    a[1:3] = np.reshape(x, (1, 1, 4))[:, :, 2:]
    return np.sum(W4 * a * a)


@case(block())
def ellipsis_and_newaxis(t):
    a = np.zeros((2, 3, 2))
    a[..., 0] = t[..., 1] * t[..., 0]
    a[0, ..., 1] = t[1, :, 0]
    a[:, None, 2, :] = t[:, :1, :] * 0.5
    return np.sum(W232 * a * a)


@case(block())
def parts_of_three_axes(t):
    a = t * t
    a[1, 0] = a[0, 2]
    a[:, 1, ::-1] = t[::-1, 0, :]
    a[0, 2, 1] = t[1, 1, 1] * a[0, 2, 0]
    return np.sum(W232 * a)


@case(vector())
def integer_array(x):
    k = np.array([3, 0, 1])
    a = x * 1.0
    a[k] = x[:3] * x[1:]
    return np.sum(W4 * a * a)


@case(vector())
def repeated_integers_last_wins(x):
    k = np.array([1, 2, 1, 1])
    a = x * x
    a[k] = np.sin(x)
    return np.sum(W4 * a * a)


@case(vector())
def list_of_integers(x):
    a = np.zeros(4)
    a[[2, 0, 2]] = x[1:] * x[:3]
    return np.sum(W4 * a * a)


@case(vector(), 0.3)
def repeated_integers_broadcast(x, s):
    a = x * s
    a[np.array([[0, 1], [1, 0]])] = np.array([s, 2.0]) * x[2]
    return np.sum(W4 * a * a)


@case(square())
def two_integer_arrays(m):
    a = m * m
    a[np.array([0, 2, 0]), np.array([1, 1, 1])] = m[0]
    return np.sum(W33 * a * a)


@case(square())
def integers_beside_a_slice(m):
    a = np.zeros((3, 3))
    a[np.array([2, 0]), 1:] = m[:2, :2]
    a[1:, np.array([0, 0])] = m[:2, 1:] * m[1, 1]
    return np.sum(W33 * a * a)


@case(block())
def integers_apart_move_to_the_front(t):
    a = t * 1.0
    a[np.array([0, 1]), :, np.array([1, 0])] = t[:, :, 0] * 2.0
    return np.sum(W232 * a * a)


@case(vector())
def boolean_mask(x):
    a = x * 1.0
    a[x > 0.5] = x[0] * x[1]
    return np.sum(W4 * a * a)


@case(vector())
def mask_takes_as_many_values(x):
    a = np.zeros(4)
    positive = x > 0.0
    a[positive] = np.sin(x[positive]) * x[1]
    a[~positive] = x[2]
    return np.sum(W4 * a * a)


@case(square())
def mask_of_two_axes(m):
    m[m < 0.0] = 0.0
    m[m > 0.9] = m[0, 0] * 0.1
    return np.sum(W33 * m * m)


@case(square())
def mask_of_rows(m):
    a = m * m
    a[m[:, 0] > 0.0] = m[0]
    return np.sum(W33 * a)


@case(vector())
def mask_of_nothing(x):
    a = x * x
    a[x > 100.0] = x[0]
    return np.sum(W4 * a)


@case(vector())
def numpy_tuple_of_where(x):
    a = x * 1.0
    a[np.where(x > 0.5)] = x[1] * x[1]
    a[np.nonzero(x < 0.0)] *= 2.0
    return np.sum(W4 * a * a)


@case(vector(), 0.6)
def chained_targets(x, s):
    a = np.zeros(4)
    b = x * 1.0
    a[1] = b[2] = s * x[0]
    return np.sum(W4 * a * b) + np.sum(b * a) + a[1] * b[2]


@case(vector())
def chained_targets_of_one_array(x):
    k = 0
    k = x[k] = 2
    return np.sum(W4 * x * x) + k * x[3]


@case(vector())
def name_and_element_share_a_value(x):
    a = np.zeros((2, 4))
    b = a[0] = x * x
    b[1] = 5.0
    return np.sum(W4 * a) + np.sum(b * x)


@case(vector())
def stored_by_unpacking(x):
    a = x * 1.0
    b = x * x
    a[0], b[1] = b[0] * a[2], a[3]
    a[1], (b[2], a[2]) = x[0], (a[0], b[1])
    return np.sum(W4 * a * b)


@case(vector())
def element_swap(x):
    x[0], x[2] = x[2], x[0]
    x[1], x[2] = x[2] * x[0], x[1]
    return np.sum(W4 * x * x)


@case(square())
def row_swap_through_views(m):
    m[0], m[1] = m[1], m[0]
    return np.sum(W33 * m * m)


@case(square())
def row_swap_through_integers(m):
    m[[0, 2]] = m[[2, 0]]
    return np.sum(W33 * m * m)


@case(vector())
def index_changes_after_the_store(x):
    a = x * 1.0
    i = 1
    a[i] = a[i + 1] * a[0]
    i = 2
    a[i] = a[i + 1] * a[1]
    k = np.array([0, 1])
    a[k] = a[2:] * a[k]
    k[0] = 3
    return np.sum(W4 * a) + a[k[0]]
