"""NumPy functions and methods that write: ``out=``, copyto, fill, sort, put_along_axis and others."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


@case(vector())
def out_of_a_new_array(x):
    a = np.empty(4)
    np.multiply(x, x, out=a)
    return np.sum(W4 * a * x)


@case(vector())
def out_is_an_operand(x):
    a = x * 1.0
    np.sin(a, out=a)
    np.multiply(a, x, a)
    return np.sum(W4 * a * a)


@case(vector())
def out_is_the_result(x):
    a = np.zeros(4)
    b = np.add(x, x[0], out=a)
    b[1] = x[2] * x[3]
    return np.sum(W4 * a * b)


@case(vector())
def out_overlaps_an_operand(x):
    a = x * 1.0
    np.multiply(a[:-1], x[1:], out=a[1:])
    return np.sum(W4 * a * a)


@case(vector())
def out_is_broadcast_into(x):
    a = np.zeros((2, 4))
    np.multiply(x, x[1], out=a)
    return np.sum(a[0] * W4 + a[1] * a[0])


@case(vector())
def out_with_where(x):
    a = x * x
    np.sin(x, out=a, where=x > 0.5)
    return np.sum(W4 * a * a)


@case(square())
def out_of_a_reduction(m):
    a = np.zeros(3)
    np.sum(m * m, axis=0, out=a)
    np.matmul(m, m[0], out=m[1])
    return np.sum(a * m[1]) + np.sum(W33 * m)


@case(vector())
def copyto(x):
    a = np.zeros(4)
    np.copyto(a, x * x)
    np.copyto(a[1:], a[:-1])
    return np.sum(W4 * a * a)


@case(vector())
def copyto_where(x):
    a = x * x
    np.copyto(a, x[0], where=x > 0.5)
    return np.sum(W4 * a * a)


@case(vector())
def fill_with_a_value(x):
    a = x * 1.0
    s = a[0] * a[1]
    a.fill(s)
    return np.sum(W4 * a * a * x)


@case(vector())
def fill_a_view_with_zero(x):
    a = x * 1.0
    a[1:3].fill(0.0)
    return np.sum(W4 * a * a)


@case(vector())
def sort_in_place(x):
    a = np.sin(x)
    b = a
    a.sort()
    return np.sum(W4 * a * b)


@case(square())
def sort_along_an_axis(m):
    m.sort(axis=0)
    m[1].sort()
    return np.sum(W33 * m * m)


@case(vector())
def sort_of_a_reversed_view(x):
    a = x * 1.0
    a[::-1].sort()
    return np.sum(W4 * a * a)


@case(square())
def put_along_axis(m):
    a = m * 1.0
    np.put_along_axis(a, np.array([[2], [0], [1]]), m[:, :1] * m[:, 1:2], axis=1)
    return np.sum(W33 * a * a)


@case(vector())
def put_and_place(x):
    a = x * 1.0
    np.put(a, [0, 2], x[1:3] * x[0])
    np.place(a, x < 0.0, x[0])
    np.putmask(a, x > 1.0, x * x)
    return np.sum(W4 * a * a)


@case(vector())
def method_put(x):
    a = x * x
    a.put([3, 3, 0], x[:3])
    return np.sum(W4 * a * a)


@case(square(), 0.3)
def fill_diagonal(m, s):
    a = m * m
    np.fill_diagonal(a, s * m[0])
    np.fill_diagonal(a[1:, :2], s)
    return np.sum(W33 * a * a)


@case(vector())
def swapped_by_a_copy(x):
    a = x * 1.0
    b = x * x
    t = a.copy()
    a[:] = b
    b[:] = t
    return np.sum(W4 * a * a * b)


@case(vector())
def empty_then_filled(x):
    a = np.empty(4)
    for i in range(4):
        a[i] = x[i] * x[3 - i]
    return np.sum(W4 * a * a)


@case(vector())
def empty_like_and_full(x):
    a = np.empty_like(x)
    a[:] = x[::-1]
    b = np.full(4, x[0])
    b[2] = a[1]
    c = np.ones_like(x)
    c[:2] *= b[1:3]
    return np.sum(W4 * a * b * c)


@case(vector())
def value_given_to_full_is_copied(x):
    a = np.full((2, 4), x)
    a[0, 1] = 4.0
    x[2] = a[1, 3]
    return np.sum(W4 * a[0] * a[1]) + np.sum(x * x)


@case(vector())
def array_copies_asarray_does_not(x):
    a = np.array(x)
    b = np.asarray(x)
    a[0] = 2.0
    b[1] = x[2] * x[3]
    return np.sum(W4 * x * x) + np.sum(a * b)


@case(vector())
def array_without_a_copy(x):
    a = np.array(x, copy=None)
    a[1] *= x[0]
    b = np.atleast_2d(x)
    b[0, 2] *= x[3]
    return np.sum(W4 * x * a)


@case(vector())
def arrays_that_may_be_copies(x):
    a = np.array(x, copy=None)
    a[1] *= x[0]
    b = np.asarray(x, copy=True)
    b[2] *= a[1]
    c = np.array(x * 2.0, dtype=float, copy=None, ndmin=2)
    c[0, 1] *= b[2]
    return np.sum(W4 * x * a * b * c[0])


@case(vector())
def concatenation_copies(x):
    a = np.concatenate([x, x])
    b = np.stack([x, x * x])
    x[1] = 0.2 * x[0]
    a[2] = b[1, 3]
    b[0] *= a[:4]
    return np.sum(W4 * x * a[4:]) + np.sum(b * b)


@case(vector())
def where_and_take_copy(x):
    a = np.where(x > -100.0, x, 0.0)
    b = np.take(x, [0, 1, 2, 3])
    a[0] = x[1]
    x[0] *= 2.0
    b *= x
    return np.sum(W4 * a * b)
