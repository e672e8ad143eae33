"""Helpers that return what they wrote: the adjoint of a result may be that of other names too."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


def first_cleared(x):
    y = x * x
    y[0] = 0.0
    return y


def doubled_in_place(x):
    y = np.sin(x)
    for i in range(1, len(y)):
        y[i] += y[i - 1] * x[i]
    return y


def listed(x):
    ys = [x * x, x + 1.0]
    ys[0] = ys[1] * x
    ys.append(ys[0] * 2.0)
    return ys


def named(x):
    parts = {"a": x * 1.0, "b": x * x}
    parts["a"] = parts["b"] * x
    return parts


def both(x):
    y = x * 1.0
    y[1] = y[0] * y[2]
    return y, y


@case(vector(), vector(1))
def summed_with_another(x, u):
    w = u + first_cleared(x)
    return np.sum(W4 * w * w)


@case(vector(), vector(1))
def returned_sum(x, u):
    z = first_cleared(x)
    return W4 @ (z + u) + np.sum(u * u)


@case(vector())
def summed_with_its_argument(x):
    w = x + doubled_in_place(x)
    return np.sum(W4 * w * w)


@case(vector())
def summed_with_itself(x):
    z = doubled_in_place(x)
    w = z + z
    v = w + doubled_in_place(w)
    return np.sum(W4 * v * v)


@case(vector(), vector(1))
def in_a_loop(x, u):
    z = x * 1.0
    for _ in range(3):
        z = u + first_cleared(z)
    return np.sum(W4 * z * z)


@case(vector(), vector(1))
def behind_names(x, u):
    z = first_cleared(x)
    same = z
    w = same + u
    z = w
    return np.sum(W4 * z * z)


@case(vector(), vector(1))
def in_a_tuple(x, u):
    pair = (first_cleared(x), u)
    w = pair[0] + pair[1]
    z, v = pair
    return np.sum(W4 * w * w) + np.sum(z * v)


@case(vector(), vector(1))
def stacked(x, u):
    rows = np.stack([first_cleared(x), u, doubled_in_place(u)])
    return np.sum(rows[0] * rows[1] * rows[2]) + np.sum(rows * rows)


@case(square(), square(1))
def transposed(x, u):
    w = first_cleared(x).T + u
    return np.sum(W33 * w * w)


@case(vector(), vector(1))
def list_and_another(x, u):
    ys = listed(x)
    ws = ys + [u]
    v = ws[0] + ws[3] + ws[2]
    return np.sum(W4 * v * v)


@case(vector(), vector(1))
def dict_and_another(x, u):
    parts = named(x)
    w = parts["a"] + u
    v = parts["a"] + parts["b"]
    return np.sum(W4 * w * v)


@case(vector())
def twice_the_same(x):
    p, q = both(x)
    w = p + q
    return np.sum(W4 * w * w) + np.sum(p * x)


def tails_scaled(v, n):
    if n == 0:
        return v
    v[0] *= 1.5
    return tails_scaled(v[1:], n - 1)


@case(vector())
def recursion_that_reads_nothing_backward(x):
    p = x * x
    tails_scaled(p, 1)
    t = tails_scaled(p, 1)
    return np.sum(W4 * p * p) + np.sum(t * t * t)


def last_of(p, i):
    if i == 0:
        return p[0]
    return p[i] * last_of(p, i - 1)


@case(vector())
def recursion_that_reads_what_is_written(x):
    p = x * 1.0
    a = last_of(p, 2)
    p[1] = a * a
    return last_of(p, 3) * a


@case(vector(), vector(1))
def branches(x, u):
    z = first_cleared(x) if x[0] > 0.0 else doubled_in_place(x)
    w = np.where(W4 > 0.0, z, u) + u
    return np.sum(W4 * w * w)


@case(vector(), 0.5)
def scalar_seed_spread(x, s):
    z = first_cleared(x)
    w = z + s
    v = z - s
    return np.sum(W4 * w * v)


def rows_from_sums(items, table):
    items[0][:] = np.sum(table["u"])
    for row in items[0]:
        table["u"][0][1:] = np.sin(row[:2])


@case(square(), square(1))
def arrays_in_a_list_are_overwritten_call_after_call(x, y):
    a, b = x * 1.0, y * 1.0
    for _ in range(2):
        rows_from_sums([a], {"u": b})
    return np.sum(W33 * a * b)


def cubed_in_a_tuple(pair):
    u, (v, _) = pair
    u *= v[0]
    v[:] = u * u * u


@case(vector(), vector(1))
def arrays_in_a_tuple_are_overwritten_call_after_call(x, y):
    a, b = x * 1.0, y * 1.0
    for _ in range(3):
        cubed_in_a_tuple((a, [b, 1.0]))
    return np.sum(W4 * a * b)


def whole_and_part(items):
    return [items, items[0][1:]]


@case(vector(), 0.4)
def view_of_an_element_is_returned_beside_the_list(x, s):
    a = x * 1.0
    items, part = whole_and_part([a, x * x])
    part[1] = s
    items[1][0] *= part[0]
    return np.sum(W4 * a * a) + np.sum(items[1])


def stored_with_defaults(v, t=0.4, n=1, *, k=2):
    v[0] = v[n] * t
    v[k] *= t


@case(vector(), 0.7)
def helper_with_defaults(x, s):
    a = x * 1.0
    stored_with_defaults(a)
    stored_with_defaults(a, s, n=2)
    stored_with_defaults(a, t=s, k=3)
    return np.sum(W4 * a * a)


def new_and_old(v):
    return {"u": v[1] * 0.5, "v": v[1]}


@case(vector(), vector(1))
def new_array_beside_an_old_one_in_a_dict(x, y):
    b = y * 1.0
    table = new_and_old([b, b])
    table["u"][0] = x[1]
    table["v"][1] *= table["u"][2]
    return np.sum(W4 * table["u"] * x) + np.sum(W4 * b * b)
