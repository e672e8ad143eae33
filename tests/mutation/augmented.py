"""Augmented stores: on elements, slices, repeats, names of arrays and names of floats."""

from __future__ import annotations

import operator

import numpy as np

from tests.mutation.registry import W4, W33, block, case, square, vector


@case(vector())
def element_plus(x):
    a = x * 1.0
    a[1] += a[0] * x[2]
    a[1] += a[1] * a[1]
    return np.sum(W4 * a * a)


@case(vector())
def every_operator(x):
    a = x * 1.0
    a[0] += x[1]
    a[0] -= x[2] * x[3]
    a[0] *= a[1]
    a[2] /= x[0]
    a[2] **= 3
    a[3] //= 0.4
    a[1] %= 0.7
    return np.sum(W4 * a * a)


@case(vector())
def slice_times(x):
    a = x * 1.0
    a[1:] *= x[:-1]
    a[::-2] -= x[0]
    return np.sum(W4 * a * a)


@case(vector())
def overlapping_sum(x):
    x[1:] += x[:-1]
    return np.sum(W4 * x * x)


@case(vector())
def power_by_an_array(x):
    a = x * x + 1.0
    a **= x
    return np.sum(W4 * a)


@case(vector())
def times_itself(x):
    a = x * 1.0
    a *= a
    a += a
    a -= a * a
    a /= a + 3.0
    return np.sum(W4 * a)


@case(vector())
def repeats_do_not_accumulate(x):
    a = x * x
    a[np.array([1, 1, 3])] += np.sin(x[:3])
    return np.sum(W4 * a * a)


@case(vector())
def repeats_times(x):
    a = x + 2.0
    a[np.array([0, 2, 0, 0])] *= x
    return np.sum(W4 * a * a)


@case(vector(), 0.3)
def repeats_and_a_scalar(x, s):
    x[[2, 2, 1]] += s * x[0]
    return np.sum(W4 * x * x)


@case(vector())
def mask_plus(x):
    a = x * x
    a[x > 0.5] += x[1]
    a[x < 0.0] *= x[x < 0.0]
    return np.sum(W4 * a * a)


@case(square())
def row_of_a_matrix(m):
    m[1] += m[0] * m[2]
    m[:, 2] *= m[1]
    m[0, 1] -= m[1, 2]
    return np.sum(W33 * m * m)


@case(square())
def row_and_then_element(m):
    a = m * 1.0
    a[1][2] += a[0, 0] * a[1, 1]
    a[2][:2] *= a[0][1:]
    return np.sum(W33 * a * a)


@case(square())
def matrix_plus_its_transpose(m):
    m += m.T
    return np.sum(W33 * m * m)


@case(square())
def matrix_product_in_place(m):
    a = m * 1.0
    a @= m + 1.0
    return np.sum(W33 * a)


@case(square())
def broadcast_row_onto_a_matrix(m):
    m += m[0]
    m *= m[:, :1]
    return np.sum(W33 * m)


@case(block())
def three_axes(t):
    t[0, ..., 1] += t[1, ..., 0]
    t[:, 1] *= t[:, 2]
    t[..., None, 0] -= t[0, 0, 0]
    return np.sum(t * t * t)


@case(vector())
def array_through_another_name(x):
    a = x * 1.0
    c = a
    c += x[0]
    return np.sum(W4 * a * c)


@case(vector())
def rebound_after_an_alias(x):
    a = x * 1.0
    c = a
    c = c + x[0]
    c *= 2.0
    return np.sum(W4 * a * c)


@case(0.7)
def float_rebinds(x):
    y = x
    y += x * x
    y *= y
    return x * y


@case(0.7)
def numpy_float_rebinds(x):
    s = np.sin(x)
    t = s
    t += x
    return s * t * t


@case(vector())
def element_taken_out_rebinds(x):
    s = x[1]
    s *= x[2]
    return np.sum(W4 * x * s)


def doubled(v, w):
    u = v
    u += w
    return u * v


@case(vector(), 0.6)
def same_helper_of_array_and_float(x, s):
    a = x * 1.0
    t = s * 1.0
    return np.sum(W4 * doubled(a, t)) + np.sum(a) * doubled(t, s) + t


@case(vector(), 0.6, True)
@case(vector(), 0.6, False)
def array_or_float_by_a_branch(x, s, wide):
    a = x * 1.0
    y = a if wide else s
    z = y
    z += 0.5
    z *= 2.0
    return np.sum(W4 * y * a) + np.sum(z)


@case(np.array(0.7))
def array_without_axes(x):
    a = x.copy()
    c = a
    c += x * x
    c[...] *= 2.0
    c[()] += x
    return a * c


@case(vector())
def list_element_of_floats(x):
    xs = [x[0], x[1] * x[2]]
    y = xs[0]
    xs[0] += x[3]
    xs[1] *= xs[0]
    return y * xs[0] * xs[1]


@case(vector())
def list_element_of_arrays(x):
    a = x * 1.0
    xs = [a, x]
    xs[0] += x[1]
    xs[0][2] *= a[0]
    return np.sum(W4 * a * a) + np.sum(xs[0] * xs[1])


@case(vector())
def accumulator_starts_as_a_float(x):
    s = 0.0
    s += x * x
    s += x[0]
    s *= 2.0
    return np.sum(W4 * s * s)


@case(vector())
def index_is_evaluated_once(x):
    ks = [3, 0, 1]
    a = x * 1.0
    a[ks.pop()] += x[0] * x[2]
    a[ks.pop()] *= a[ks[-1]]
    return np.sum(W4 * a * a)


@case(vector())
def functions_of_operator(x):
    a = x * 1.0
    b = operator.iadd(a, x * x)
    operator.setitem(b, 1, x[0] * x[3])
    return np.sum(W4 * a * b)


@case(vector())
def add_at_accumulates(x):
    a = x * 1.0
    k = np.array([1, 1, 3, 1])
    np.add.at(a, k, x * x)
    return np.sum(W4 * a * a)


@case(vector(), 0.4)
def add_at_of_a_scalar(x, s):
    a = np.zeros(4)
    np.add.at(a, [0, 2, 2], s * x[1])
    np.subtract.at(a, [2, 3, 3], x[:3])
    return np.sum(W4 * a * a)


@case(square())
def add_at_of_pairs(m):
    a = m * 1.0
    np.add.at(a, (np.array([0, 2, 0]), np.array([1, 1, 1])), m[2])
    np.add.at(a, 1, m[0])
    return np.sum(W33 * a * a)


@case(vector())
def multiply_at(x):
    a = x + 2.0
    np.multiply.at(a, np.array([1, 1, 2]), x[:3])
    return np.sum(W4 * a * a)


def halved(a):
    total = np.tanh(np.sum(a * a))
    a *= 0.5
    return total


@case(vector())
def plus_a_call_that_writes_the_element(x):
    a = x * 1.0
    a[0] += halved(a)
    a[[1, 1, 2]] -= halved(a) * x[:3]
    return np.sum(W4 * a * a)


@case(vector())
def plus_a_call_that_writes_the_slice(x):
    a = x * 1.0
    a[1:] += halved(a)
    return np.sum(W4 * a * a)


@case(0.7, vector())
def number_that_becomes_an_array(x, y):
    pair = (x, y)
    x = pair[1] * pair[0]
    x -= np.mean(x)
    return np.sum(W4 * x * y)


@case(0.7, vector())
@case(vector(1), vector())
def number_or_array_by_branch(x, y):
    first = x
    if y[0] > 0.1:
        x = x * y
    x *= np.mean(x) + first
    x += y
    return np.sum(W4 * x * x) + np.sum(first)


@case(0.7, vector(), 3)
@case(0.7, vector(), 0)
def number_that_becomes_an_array_in_a_loop(x, y, n):
    s = x
    for _ in range(n):
        s += np.sin(s) * np.mean(x)
        x = x * y
        x[1] = s
        x += y
    return np.sum(W4 * x) * s


@case(0.7, vector())
def array_that_becomes_a_number(x, y):
    a = y * x
    a[0] = x
    b = a
    a = a[1] * a[2]
    a += x
    b *= a
    return np.sum(W4 * b) + a
