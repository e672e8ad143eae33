"""Procedures: helpers that write their arguments and return nothing, nested, recursive, in loops."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, W33, case, square, vector


def scale(v, s):
    v *= s


def swap(v, i, j):
    v[i], v[j] = v[j], v[i]


def smooth(v, w):
    for i in range(1, len(v)):
        v[i] = v[i] + w * v[i - 1]


@case(vector(), 0.7)
def returns_nothing(x, s):
    a = x * 1.0
    scale(a, s * x[0])
    scale(a[1:3], a[3])
    return np.sum(W4 * a * a)


@case(vector())
def writes_the_argument_of_the_top(x):
    scale(x, x[1])
    smooth(x, x[0])
    return np.sum(W4 * x * x)


@case(vector())
def elements_swapped(x):
    swap(x, 0, 2)
    swap(x, 2, 3)
    return np.sum(W4 * x * x * x)


def smooth_twice(v, w):
    smooth(v, w)
    scale(v, w)
    smooth(v[::-1], 0.5)


@case(vector(), 0.4)
def procedure_within_a_procedure(x, w):
    a = np.sin(x)
    smooth_twice(a, w)
    smooth_twice(a, a[0])
    return np.sum(W4 * a * a)


@case(vector(), 0.4, 3)
@case(vector(), 0.4, 0)
def procedure_in_a_loop(x, w, n):
    a = x * 1.0
    total = 0.0
    for i in range(n):
        smooth(a, w * a[i])
        total += a[3] * a[i]
    return total + np.sum(W4 * a)


def halve_from(v, k):
    if k < len(v):
        v[k] *= v[k - 1]
        halve_from(v, k + 1)
        v[k - 1] += 0.5 * v[k]


@case(vector())
def recursion(x):
    a = x * 1.0
    halve_from(a, 1)
    return np.sum(W4 * a * a)


def sorted_sums(v):
    if len(v) > 1:
        half = len(v) // 2
        sorted_sums(v[:half])
        sorted_sums(v[half:])
        v[half:] += v[half - 1]
        v[0] *= v[-1]


@case(vector())
def recursion_on_views(x):
    sorted_sums(x)
    return np.sum(W4 * x * x)


def clamp(v, low):
    if v[0] < low:
        v[0] = low
        return
    v[1:] *= v[0]


@case(vector(), 0.5)
@case(vector(), 0.1)
def early_return_of_nothing(x, low):
    a = x * x
    a[0] = x[0]
    clamp(a, low)
    return np.sum(W4 * a * a)


def store_and_tell(v, i):
    v[i] = v[i] * v[i + 1]
    return v[i] + 1.0


@case(vector())
def writes_and_returns(x):
    a = x * 1.0
    b = store_and_tell(a, 0) * store_and_tell(a, 1)
    return b + np.sum(W4 * a * a)


@case(vector())
def order_of_evaluation(x):
    a = x * 1.0
    s = a[1] * store_and_tell(a, 1) + a[1]
    t = np.sum(a) * store_and_tell(a, 0) * np.sum(a)
    return s * t


@case(vector())
def argument_is_a_temporary(x):
    scale(x * 2.0, x[0])
    b = store_and_tell(x * 2.0, 1)
    return b + np.sum(W4 * x * x)


def fill_both(p, q, v):
    p[:] = v * v
    q[:] = p * v
    p[1] = q[2]


@case(vector())
def several_outputs(x):
    p, q = np.empty(4), np.zeros(4)
    fill_both(p, q, x)
    fill_both(q, x, p)
    return np.sum(W4 * p * q) + np.sum(x)


def swapped_inside(p, q):
    p, q = q, p
    p[0] = 2.0 * q[1]
    p = p * 3.0
    p[1] = 5.0
    q += p[2]


@case(vector())
def parameters_rebound(x):
    a, b = x * 1.0, x * x
    swapped_inside(a, b)
    return np.sum(W4 * a * b)


def append_squares(items, v):
    items.append(v * v)
    items[0] = items[0] + v[0]


@case(vector())
def list_grown_by_a_procedure(x):
    items = [x]
    append_squares(items, x)
    append_squares(items, items[1])
    return np.sum(W4 * items[0] * items[1] * items[2])


def into(store, key, v):
    store[key] = v
    store["sum"] = store["sum"] + np.sum(v)


@case(vector())
def dict_filled_by_a_procedure(x):
    store = {"sum": 0.0}
    into(store, "a", x * x)
    into(store, "b", store["a"] * x)
    store["a"][1] = 2.0
    return store["sum"] * np.sum(W4 * store["a"] * store["b"])


def keyword_only(*, target, by=2.0):
    target[1:] *= by


def starred(first, *rest, **named):
    for v in rest:
        first += v
    named["out"][0] = first[1]


@case(vector())
def all_kinds_of_parameters(x):
    a, b = x * 1.0, x * x
    keyword_only(target=a)
    keyword_only(by=x[0], target=b)
    starred(a, b, x, out=b)
    return np.sum(W4 * a * b)


@case(square())
def row_operations(m):
    def eliminate(rows, i):
        for j in range(i + 1, 3):
            rows[j] -= rows[i] * (rows[j, i] / (3.0 + rows[i, i]))

    for i in range(2):
        eliminate(m, i)
    return np.sum(W33 * m * m)


@case(vector())
def procedure_chosen_at_run_time(x):
    def double(v):
        v *= 2.0

    def square_it(v):
        v *= v

    a = x * 1.0
    for step in (double, square_it, double):
        step(a)
    (double if x[0] > 0.0 else square_it)(a[:2])
    return np.sum(W4 * a * a)


@case(vector(), gap="writing inside an expression")
def procedure_by_a_lambda(x):
    a = x * 1.0
    write = lambda i, v: a.__setitem__(i, v * a[0])
    write(1, x[2])
    write(0, x[1])
    return np.sum(W4 * a * a)


@case(vector())
def writes_what_it_does_not_read(x):
    def overwrite(v):
        v[:] = 0.25

    a = x * x
    before = np.sum(a * a)
    overwrite(a)
    return before * a[0] + np.sum(W4 * a * x)


@case(vector(), raises="IndexError")
def error_in_a_procedure(x):
    a = x * 1.0
    store_and_tell(a, 3)
    return np.sum(a)


def applied(procedure, a):
    procedure(a)
    return a


@case(vector())
def procedures_as_values(x):
    total, log = np.zeros(2), []

    def bump(a):
        a[0] += x[1] * a[1]
        total[1] += a[0] * x[2]
        log.append(a[0])

    a = x * 1.0
    b = applied(bump, a)
    again = bump
    again(b[1:])
    applied(again, b[::-1])
    return np.sum(W4 * a * a) + total[1] * log[0] + log[2]


def doubled_in_its_place(items):
    first = items[0]
    items[0] = first * 2.0
    return first


def last_of(items):
    return items.pop()


@case(vector())
def array_taken_out_of_a_list(x):
    a = x * 1.0
    items = [x[0], a]
    b = last_of(items)
    a[0] = 5.0 * x[1]
    b[1] *= x[2]
    b[3] = a[0] * items[0]
    return np.sum(W4 * a * b)


@case(vector())
def array_replaced_in_a_list(x):
    a = x * 1.0
    items = [a]
    b = doubled_in_its_place(items)
    b[0] = 5.0 * x[1]
    a[2] *= b[1]
    return np.sum(W4 * a * b) * items[0][1]


@case(vector())
def argument_replaced_in_a_list(x):
    items = [x]
    append_squares(items, x)
    first = doubled_in_its_place(items)
    x[1] = first[2] * items[1][0]
    return np.sum(W4 * items[0] * items[1] * first)
