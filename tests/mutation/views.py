"""Views: slices, transposes, reshapes, rows; view or copy as the primal decides."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, W232, block, case, square, vector


@case(vector())
def write_through_a_slice(x):
    a = x * 1.0
    v = a[1:3]
    v[0] = x[0] * x[3]
    return np.sum(W4 * a * a) + v[0] * v[1]


@case(vector())
def view_sees_a_later_write(x):
    a = x * 1.0
    v = a[::2]
    a[2] = a[0] * a[1]
    return np.sum(v * v) * a[3]


@case(vector())
def view_read_after_its_base_was_overwritten(x):
    a = x * 1.0
    v = a[1:]
    before = np.sum(v * v)
    a[:] = np.sin(x)
    return before * np.sum(v) + np.sum(W4 * a)


@case(vector())
def view_of_a_view(x):
    a = x * 1.0
    v = a[1:][::-1][:2]
    v *= x[0]
    v[1] += a[3]
    return np.sum(W4 * a * a)


@case(vector())
def two_overlapping_views(x):
    a = x * 1.0
    u, v = a[:3], a[1:]
    u += v
    v *= u
    return np.sum(W4 * a) + np.sum(u * v)


@case(square())
def transpose(m):
    t = m.T
    t[0] = m[2] * m[1]
    m[1, 2] = t[0, 1]
    return np.sum(W33 * t * m)


@case(block())
def transposes_of_three_axes(t):
    u = np.transpose(t, (2, 0, 1))
    u[0, 1] *= 2.0
    v = t.swapaxes(0, 1)
    v[2] = u[:, :, 0].T
    w = np.moveaxis(t, 0, -1)
    w[0, 0, 1] = v[1, 0, 0] * w[1, 1, 0]
    return np.sum(W232 * t * t)


@case(vector())
def reshape_is_a_view(x):
    a = x * 1.0
    m = a.reshape(2, 2)
    m[1] = m[0] * x[0]
    m.shape
    return np.sum(W4 * a * a)


@case(square())
def reshape_of_a_transpose_is_a_copy(m):
    a = m * 1.0
    v = a.T.reshape(9)
    v[3] = 7.0
    a[1, 0] *= a[0, 1]
    return np.sum(W33 * a * a) + np.sum(v * v)


@case(square())
def ravel_is_a_view(m):
    v = m.ravel()
    v[1::2] = v[:4] * v[-1]
    return np.sum(W33 * m * m)


@case(square())
def ravel_of_columns_is_a_copy(m):
    v = m[:, :2].ravel()
    v *= 2.0
    m[0] = v[1:4]
    return np.sum(v * v * v) + np.sum(W33 * m * m)


@case(square(), True)
@case(square(), False)
def view_or_copy_by_a_branch(m, turned):
    a = m * 1.0
    b = a.T if turned else a
    v = b.reshape(-1)
    v[2] = v[0] * v[4]
    v *= 1.5
    return np.sum(W33 * a * a) + v[2] * v[5]


@case(square())
def ravel_in_memory_order(m):
    a = np.asfortranarray(m)
    v = a.ravel(order="F")
    w = a.ravel()
    v[1] = v[3] * 2.0
    w[0] = 3.0
    return np.sum(W33 * a * a) + np.sum(w * v)


@case(square())
def flatten_is_a_copy(m):
    v = m.flatten()
    v[4] = m[0, 0] * m[2, 2]
    m[1, 1] = v[4] * v[0]
    return np.sum(v * v) + np.sum(W33 * m * m)


@case(square())
def flat_writes(m):
    a = m * 1.0
    a.flat[4] = a[0, 1] * a[2, 0]
    a.flat[::4] = m[0]
    return np.sum(W33 * a * a)


@case(square())
def row_is_a_view_and_an_element_is_not(m):
    row = m[1]
    one = m[1, 1]
    row[1] = m[0, 0] * m[0, 1]
    one += 5.0
    return np.sum(W33 * m * m) + one * row[1]


@case(block())
def row_of_a_row(t):
    page = t[1]
    line = page[0]
    line[1] = t[0, 2, 1] * page[2, 0]
    page[2] += line
    return np.sum(W232 * t * t)


@case(square())
def diagonal_sees_a_write(m):
    d = np.diagonal(m)
    m[1, 1] = m[0, 2] * m[1, 0]
    return np.sum(d * d * d) + np.sum(W33 * m)


@case(vector())
def broadcast_sees_a_write(x):
    a = x * 1.0
    b = np.broadcast_to(a, (3, 4))
    a[2] = a[0] * a[1]
    return np.sum(b * b) + b[1, 2] * a[3]


@case(vector(), raises="ValueError")
def broadcast_is_read_only(x):
    b = np.broadcast_to(x, (2, 4))
    b[0, 1] = x[0]
    return np.sum(b * b)


@case(square(), raises="ValueError")
def diagonal_is_read_only(m):
    d = np.diagonal(m)
    d[0] = m[1, 2]
    return np.sum(m * m)


@case(square(), raises="ValueError")
def augmented_diagonal_is_read_only(m):
    d = m.diagonal()
    d += 1.0
    return np.sum(m * m)


@case(vector())
def expanded_axes(x):
    a = x * 1.0
    m = a[:, None]
    m[1:3, 0] = x[:2] * x[2]
    n = np.expand_dims(a, 0)
    n[0, 0] *= m[3, 0]
    s = np.squeeze(n)
    s[3] += a[1]
    return np.sum(W4 * a * a)


@case(vector())
def integers_copy(x):
    a = x * 1.0
    c = a[np.array([1, 2])]
    c[0] = x[0]
    c *= 3.0
    a[1] *= c[1]
    return np.sum(W4 * a * a) + c[0] * c[1]


@case(vector())
def mask_copies(x):
    a = x * 1.0
    c = a[a > 0.0]
    c *= x[1]
    a[0] = c[1]
    return np.sum(W4 * a * a) + np.sum(c * c)


@case(square())
def part_of_a_view_stays_when_the_name_moves(m):
    v = m[0]
    u = v[1:]
    v = m[1]
    v *= 2.0
    u[0] = v[2] * m[2, 2]
    return np.sum(W33 * m * m)


@case(square())
def views_made_by_split(m):
    top, rest = np.split(m, [1])
    top *= rest[0]
    rest[1, 0] = top[0, 1]
    return np.sum(W33 * m * m)


@case(square())
def a_part_that_is_overwritten_by_another(m):
    m = m.copy()
    top, middle, last = np.split(m, 3)
    last[:] = middle * 2.0
    return np.sum(W33 * m * m)


@case(square())
def views_made_by_unpacking_rows(m):
    a, b, c = m
    a += b
    b *= c
    c[:] = a
    return np.sum(W33 * m * m)


@case(vector())
def real_part_is_a_view(x):
    a = x * 1.0
    r = a.real
    r[1] = x[0] * x[2]
    return np.sum(W4 * a * a)


@case(square())
def write_through_a_chain(m):
    a = m * 1.0
    a.T[0, 1:] = a[2, :2] * a[0, 0]
    a[1:].T[1] *= a[0, 1]
    a.reshape(9)[4] += a[2, 2]
    return np.sum(W33 * a * a)


@case(square())
def view_kept_from_a_dead_name(m):
    def first_of_a_new_one(rows):
        fresh = rows * rows
        return fresh[0]

    v = first_of_a_new_one(m)
    v[1] *= m[2, 0]
    return np.sum(v * v * v)


@case(vector())
def window_that_moves(x):
    a = x * 1.0
    for i in range(3):
        w = a[i : i + 2]
        w[0] += w[1] * x[i]
        w *= 0.9
    return np.sum(W4 * a * a)


@case(vector())
def view_carried_through_a_loop(x):
    a = x * 1.0
    v = a
    while len(v) > 1:
        v = v[1:]
        v *= a[0]
    return np.sum(W4 * a * a) + v[0]


@case(vector())
def fortran_order(x):
    a = x * 1.0
    b = np.asfortranarray(a)
    b[1:] = b[:-1] * a[1:]
    return np.sum(W4 * a * b)


@case(square())
def fortran_order_of_a_matrix(x):
    a = x * 1.0
    b = np.asfortranarray(a)
    b[1:] = b[:-1] * a[1:]
    return np.sum(W33 * a * b)


def halved(v):
    for row in v:
        row *= 0.5


@case(vector()[:3], square())
def name_bound_anew_and_again_to_the_same_array(x, y):
    v = y * 1.0
    w = v
    a = x * np.diagonal(v)
    v = 0.5
    v = w.T
    halved(v)
    return np.sum(W4[:3] * a * a) + np.sum(W33 * v)


@case(vector(), 3)
def name_that_walks_from_array_to_array(x, n):
    a, b = x * 1.0, x * x
    total = 0.0
    for i in range(n):
        v = a[i : i + 2]
        total = total + v[0] * v[1]
        v = b
        v[i] = total * x[i]
        v = a
        v[i] = v[i + 1] * total
    return total + np.sum(W4 * (a + b))
