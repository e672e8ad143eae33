"""Aliases: one array under several names, in containers, attributes, cells, and as two arguments."""

from __future__ import annotations

import numpy as np

from tests.mutation import sibling
from tests.mutation.registry import W4, W33, case, square, vector


@case(vector())
def second_name(x):
    a = x * 1.0
    b = a
    b[1] = x[0] * x[2]
    a[2] *= b[1]
    return np.sum(W4 * a * b)


@case(vector())
def first_name_rebound(x):
    a = x * 1.0
    b = a
    a = x * x
    a[0] = b[1]
    b[3] = a[2] * a[0]
    return np.sum(W4 * a * b)


@case(vector(), 1)
@case(vector(), 0)
def alias_by_a_branch(x, n):
    a = x * 1.0
    b = x * x
    c = a if n else b
    c[1] = a[0] * b[2]
    c += b[3]
    return np.sum(W4 * a * b)


@case(vector(), 3)
@case(vector(), 2)
def names_swapped_in_a_loop(x, n):
    u, v = x * 1.0, x * x
    for i in range(n):
        u[i] += v[i + 1] * 0.5
        u, v = v, u
    return np.sum(W4 * u * u) + np.sum(v * v * v)


@case(vector())
def three_names_in_turn(x):
    a, b, c = x * 1.0, np.sin(x), x * x
    for i in range(4):
        a[i] = b[i] * c[3 - i]
        a, b, c = b, c, a
    return np.sum(W4 * a) + np.sum(a * b * c)


def both_written(p, q):
    p[1] = q[0] * q[2]
    q += p[3]
    return np.sum(W4 * p * q)


@case(vector())
def one_array_twice_to_a_helper(x):
    return both_written(x, x)


@case(vector())
def overlapping_parts_to_a_helper(x):
    def shifted(p, q):
        p[:] = q * x[0]
        q[1] += p[2]
        return np.sum(p * q)

    a = x * 2.0
    return shifted(a[1:], a[:-1]) + np.sum(W4 * a)


@case(vector())
def same_helper_apart_and_together(x):
    a = x * x
    first = both_written(a, x)
    return first * both_written(a, a) + np.sum(x * a)


@case(vector())
def kept_in_a_list(x):
    a = x * 1.0
    kept = [a]
    a[1] = x[0] * x[3]
    kept[0][2] = a[1] * a[0]
    return np.sum(W4 * a * kept[0])


@case(vector())
def kept_in_a_tuple(x):
    a = x * 1.0
    pair = (a, x * x)
    a *= pair[1]
    pair[0][0] = pair[1][2]
    pair[1][1] = 2.0 * a[3]
    return np.sum(W4 * a * pair[1])


@case(vector())
def kept_in_a_dict(x):
    a = x * 1.0
    kept = {"a": a, "view": a[1:]}
    kept["a"] += x[0]
    kept["view"][1] = a[0] * a[3]
    a[2] *= kept["view"][0]
    return np.sum(W4 * a * a)


class Holder:
    """Holds an array."""

    def __init__(self, value):
        self.value = value

    def scale(self, factor):
        self.value *= factor


@case(vector())
def kept_in_an_attribute(x):
    a = x * 1.0
    holder = Holder(a)
    a[1] = x[0] * x[2]
    holder.value[3] *= a[1]
    holder.value += a[0]
    return np.sum(W4 * a * a)


@case(vector())
def written_by_a_method(x):
    a = x * 1.0
    holder = Holder(a[:2])
    holder.scale(x[3])
    return np.sum(W4 * a * a)


@case(vector())
def kept_in_a_cell(x):
    a = x * 1.0

    def write(i, value):
        a[i] = value * a[i - 1]

    write(1, x[2])
    b = a
    write(3, b[1])
    return np.sum(W4 * a * b)


@case(vector())
def list_of_one_array_thrice(x):
    row = x * 1.0
    rows = [row] * 3
    rows[0][1] = x[0] * x[2]
    rows[2] *= 2.0
    return np.sum(W4 * rows[1] * row)


@case(vector())
def two_lists_share(x):
    a, b = x * 1.0, x * x
    first, second = [a, b], [b, a]
    first[0][0] = second[0][1]
    second[1] += first[1]
    copied = list(first)
    copied[1] *= a
    return np.sum(W4 * a * b)


@case(vector())
def slot_replaced_is_no_write(x):
    a = x * 1.0
    kept = [a, a]
    kept[0] = kept[0] * 2.0
    kept[0][1] = 3.0
    kept[1][2] = a[0] * kept[0][3]
    return np.sum(W4 * a * kept[0])


def itself(v):
    return v


def itself_written(v):
    v[0] *= v[1]
    return v


def one_of(p, q, k):
    return p if k > 0 else q


@case(vector())
def helper_returns_its_argument(x):
    a = x * 1.0
    b = itself(a)
    b[2] = a[0] * a[1]
    c = itself_written(b)
    c += x[3]
    return np.sum(W4 * a * c)


@case(vector(), 1)
@case(vector(), -1)
def helper_returns_one_of_two(x, k):
    a, b = x * 1.0, x * x
    c = one_of(a, b, k)
    c[1] = a[3] * b[2]
    return np.sum(W4 * a * b) + c[1]


def halves(v):
    return v[:2], v[2:]


@case(vector())
def helper_returns_two_views(x):
    a = x * 1.0
    low, high = halves(a)
    low *= high
    high[0] = low[1]
    return np.sum(W4 * a * a)


@case(vector())
def argument_returned_by_rows(x):
    def pick(rows, i):
        return rows[i]

    m = np.zeros((2, 4))
    m[0] = x
    one = pick(m, 1)
    one += pick(m, 0) * x[0]
    pick(m, 0)[2] = one[3]
    return np.sum(W4 * m[0] * m[1])


@case(vector())
def array_born_in_a_loop(x):
    kept = []
    for i in range(3):
        t = np.zeros(4)
        t[i] = x[i] * x[i + 1]
        kept.append(t)
        t[3] += x[0]
    kept[1][1] *= kept[0][0]
    return np.sum(W4 * kept[0] * kept[2]) + np.sum(kept[1] * kept[1])


@case(vector())
def last_of_the_loop_escapes(x):
    last = x * 1.0
    for i in range(3):
        fresh = last * 0.5
        fresh[i] = last[i + 1]
        last[i + 1] = 2.0
        last = fresh
    return np.sum(W4 * last * last)


@case(vector())
def alias_from_the_trip_before(x):
    previous = x * 1.0
    total = 0.0
    for i in range(3):
        current = np.sin(previous)
        previous[i] *= 2.0
        total += np.sum(previous * current)
        previous = current
    return total


@case(square())
def argument_and_its_view(m):
    def both(rows, row):
        rows[0, 1] = row[2] * row[0]
        row[0] = rows[2, 2]
        return np.sum(W33 * rows * rows) + row[1]

    return both(m, m[0]) + np.sum(m[1] * m[0])


@case(vector())
def default_array_is_shared(x):
    start = np.zeros(4)

    def add_to(v, store=start):
        store[:] = v * v
        store[1] += v[0]
        return store

    p = add_to(x)
    total = np.sum(W4 * p)
    q = add_to(x * 0.5)
    return total + np.sum(p * q)


@case(vector())
def tuple_slot_augmented(x):
    a = x * 1.0
    pair = (a, a[1:])
    p, q = pair
    p += x[0]
    q *= p[0]
    return np.sum(W4 * pair[0] * a)


@case(vector(), raises="TypeError")
def store_into_a_tuple_of_arrays(x):
    pair = (x * 1.0, x)
    pair[0] += x[1]
    return np.sum(pair[0])


@case(vector())
def the_same_name_again(x):
    a = x * 1.0
    b = a
    a = a
    a += x[:1] * 0.5
    return np.sum(W4 * a * b)


@case(vector())
def name_of_a_number_in_a_tuple_that_is_an_alias_later(x):
    pair = (x[0] * 2.0, np.sin(x[1]))
    a = pair[0]
    total = a * a
    a = x * 3.0
    b = a
    a[0] = b[1] * x[2]
    return total + np.sum(b * a * x)


@case(vector())
def name_of_popped_numbers_that_is_an_alias_later(x):
    items = []
    for k in range(3):
        items.append(x[k] * (k + 1.0))
    total = 0.0
    for k in range(3):
        a = items.pop()
        total += a * a * (k + 1.0)
    a = x * 3.0
    b = a
    a[0] = b[1] * x[2]
    return total + np.sum(b * a * x)


@case(vector())
def name_of_numbers_in_a_loop_that_is_an_alias_later(x):
    total = 0.0
    for a in [x[0] * 2.0, x[1] * x[2]]:
        total += a * a
    for _, a in {"u": x[0] * 2.0, "v": np.sin(x[1])}.items():
        total += a * a
    a = x * 3.0
    b = a
    a[0] = b[1] * x[2]
    return total + np.sum(b * a * x)


def two_numbers(x):
    return x[0] * 2.0, x[1] * x[2]


@case(vector())
def name_of_a_result_that_is_an_alias_later(x):
    a, c = two_numbers(x)
    total = a * a * c
    a = c
    total += a
    a = two_numbers(x)[0] + c
    total += a * a
    a = x * 3.0
    b = a
    a[0] = b[1] * x[2]
    return total + np.sum(b * a * x)


@case(vector())
def name_of_lists_that_is_an_alias_later(x):
    c = [x[0] * x[1]]
    a = c + [x[2]]
    total = a[0] * a[1]
    a = [c[0], x[3]]
    total += a[0] * a[1]
    a = [x * 3.0]
    b = a
    a[0][0] = b[0][1] * x[2]
    return total + np.sum(b[0] * a[0] * x)


@case(vector(), vector(1))
def rank_kept_round_a_loop(x, y):
    a = x * 1.0
    b = a
    for _ in range(3):
        e = np.tile(y[0], 4)
        a *= e
        a += y * b[1]
    return np.sum(W4 * b * a)


@case(square())
def written_in_an_array_of_the_shape_of_another(m):
    a = np.zeros(m.shape)
    filled(a, m)
    b = np.reshape(a.ravel() * 2.0, m.shape)
    b *= m
    filled(b, a)
    return np.sum(W33 * a * b)


def filled(a, m):
    a += m[1] * m[1]


@case(vector(), 2.0)
def changed_by_a_helper_of_another_module(x, s):
    a = x * 1.0
    sibling.settle(a, x)
    sibling.copyto(a, s)
    sibling.at(a, 1, x[0])
    return np.sum(W4 * a * x)


def rotated(c, s, p, q):
    for k in range(len(p)):
        t = c * p[k] + s * q[k]
        q[k] = c * q[k] - s * p[k] * p[k]
        p[k] = t


@case(square(), 0.6)
def overlapping_rows_to_a_helper(m, c):
    a = m * 1.0
    for i in range(2):
        rotated(c, a[0, 1], a[i], a[i + 1])
    return np.sum(W33 * a * a)


def moved_along(p, q):
    r = p[1:]
    r *= q[0]
    q[2] = r[0] * p[0]
    r[1:] += q[2]


@case(vector())
def views_of_overlapping_arguments(x):
    a = x * 1.0
    moved_along(a, a[:3])
    return np.sum(W4 * a * a)


def twice_moved(p, q):
    moved_along(p, q)
    p[3] *= p[0]
    both_written(q, p)


@case(vector())
def overlapping_arguments_handed_on(x):
    a = x * 1.0
    twice_moved(a, a)
    return np.sum(W4 * a * a)


def with_a_shadow_of_its_own(p, shadow_p):
    p *= shadow_p
    shadow_p[1] += p[0]


@case(vector())
def overlapping_arguments_called_shadows(x):
    a = x * 1.0
    with_a_shadow_of_its_own(a, a)
    return np.sum(W4 * a * a)
