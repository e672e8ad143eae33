"""``xs[i] += v`` where nobody knows what lists and dicts hold: numbers, arrays and lists."""

from __future__ import annotations

import numpy as np

from tests.mutation.registry import W4, case, vector


@case(vector())
def counted(x):
    d = {}
    for k, v in enumerate(x):
        d.setdefault(k % 3, 0.0)
        d[k % 3] += v * v
        d[k % 3] -= x[0] * v
    return d[0] * d[1] + d[2] ** 2


@case(vector())
def arrays_under_two_names(x):
    d = {0: x * 2.0, 1: x[0]}
    a = d[0]
    for k in range(2):
        d[k] += x * x[1]
    return np.sum(W4 * a * d[0]) + np.sum(d[1])


@case(vector())
def value_reads_what_is_added_to(x):
    d = {}
    for k in range(4):
        if k % 2 not in d:
            d[k % 2] = x[k]
        d[k % 2] += d[k % 2] * x[k] + len(d)
    return d[0] + d[1] * d[0]


@case(vector())
def lists_grow_in_a_list(x):
    xs = [[], [x[0]]]
    for k in range(4):
        xs[k % 2] += [x[k] * x[0], x[k]]
    return xs[0][1] * xs[1][2] + sum(xs[0])


@case(vector())
def an_element_that_another_name_holds(x):
    xs = [x[1:3], x[3]]
    held = xs[0]
    for k in range(2):
        xs[k] += x[0]
    return np.sum(held * held) + xs[1] * xs[0][0] + x[1]


@case(vector())
def in_a_helper(x):
    d = {"a": x[0], "b": x * 1.0}
    for name in d:
        add_to(d, name, x[2])
    return d["a"] ** 2 + np.sum(d["b"] * W4)


def add_to(d, name, v):
    d[name] += v * v
    d[name] -= v


@case(vector())
def the_last_of_one(x):
    xs = [x]
    xs[-1] += 0.1
    return x[0] * x[1]


@case(vector(), 0.7)
def counted_from_the_end(x, s):
    xs, ys = [x, s, x[1:]], [s, x, s]
    xs[-1] -= s
    ys[-2] += ys[-1]
    ys[-3] += ys[0]
    return np.sum(W4 * x * x) * xs[1] * ys[-3]
