"""Arguments that write into what other arguments read: they are made in the order of the text."""

from __future__ import annotations

import itertools
import operator

import numpy as np

from tests.mutation.registry import W4, case, vector


def halved(v):
    v *= 0.5
    return v.sum()


def raised(v, k):
    v[k] += 1.0
    return k


@case(vector())
def copied_where(x):
    a = x * 1.0
    np.copyto(a, a * halved(a), where=a > -0.2)
    return a @ W4


@case(vector())
def product_where(x):
    a = x * 1.0
    b = x * 2.0
    np.multiply(a, halved(a), out=b, where=a > -0.2)
    return b @ W4 + a @ W4


@case(vector())
def put_in_order(x):
    a = x * 1.0
    np.put(a, [raised(a, 1), 2], a[:2] * halved(a))
    return a @ W4


@case(vector())
def place_and_value(x):
    a = x * 1.0
    a[raised(a, 1)] = a[1] * halved(a)
    return a @ W4


@case(vector())
def place_and_sum(x):
    a = x * 1.0
    a[raised(a, 1)] += a[1] * halved(a)
    return a @ W4


@case(vector())
def mask_and_values(x):
    a = x * 1.0
    np.putmask(a, a > halved(a), a * halved(a))
    return a @ W4


@case(vector())
def placed_in_order(x):
    a = x * 1.0
    np.place(a, a > 0.1, a[:2] * halved(a))
    return a @ W4


@case(vector())
def added_at_places(x):
    a = x * 1.0
    np.add.at(a, [raised(a, 0), 0], a[1] * halved(a))
    return a @ W4


@case(vector())
def method_put_and_fill(x):
    a = x * 1.0
    a.put([raised(a, 0)], a[1] * halved(a))
    a.fill(a[0] * halved(a))
    return a @ W4


@case(vector())
def keywords_in_order(x):
    a = x * 1.0
    np.copyto(src=a * halved(a), dst=a, where=a > 0)
    np.fill_diagonal(np.outer(a, a), halved(a))
    np.put_along_axis(a, np.array([raised(a, 1)]), a[1] * halved(a), axis=0)
    return a @ W4


@case(vector())
def sums_into_places(x):
    a = x * 1.0
    np.add(a, halved(a), out=a)
    np.add(halved(a), a, a)
    a[a > halved(a)] = a[0] * halved(a)
    return a @ W4


def drained(v):
    s = 0.0
    for row in v:
        s = s + np.sum(row * row)
        row *= 0.5
    return np.tanh(s)


def part_doubled(v):
    part = v[1:]
    part *= 2.0
    return v[0]


@case(vector())
def written_by_rows(x):
    m = np.outer(x, x)
    np.copyto(m, m * drained(m), where=m > -0.2)
    a = x * 1.0
    np.copyto(a, a * part_doubled(a), where=a > 0.3)
    return np.sum(m * W4) + a @ W4


@case(vector(), vector(1))
def sums_of_arrays_in_turn(x, y):
    rows = list(itertools.accumulate([x, y, x], operator.iadd))
    rows[1][0] = 3.0 * x[1]
    return np.sum(W4 * rows[0] * rows[2]) + np.sum(y * x)


def scaled(*rows, scale=1.0, **named):
    for row in rows:
        row *= scale
    for key, row in named.items():
        row += len(key) * rows[0][0]
    return rows[0], named


@case(vector(), vector(1))
def arguments_by_star_and_by_name(x, y):
    first, named = scaled(x[:2], y, scale=2.0, aa=x[2:], b=y[:2])
    first += 1.0
    named["b"] *= first[0]
    scaled(*[x, y[1:]], **{"zz": y, "scale": x[1]})
    return np.sum(W4 * x * y)


def picked(a, b, c, d, k):
    return (a, b, c, d)[k]


@case(vector(), vector(1))
def one_of_four(x, y):
    z, w = x * y, x + y
    for k in range(4):
        row = picked(x, y, z, w, k)
        row[1:] *= x[:-1]
        row[0] = y[k] * row[3]
    return np.sum(W4 * x * z) + np.sum(y * w)


class Pile:
    """What it was given, in turn."""

    def __init__(self, v):
        self.v, self.items = v, []

    def put(self, u):
        self.items.append(u * self.v)
        return self

    def __len__(self):
        return len(self.items)


@case(vector())
def owner_before_its_arguments(x):
    p = Pile(x[0])
    p.put(x[1]).put(len(p) * x[2]).put(sum(p.items))
    (p.put(x[3]) if x[1] < 9.0 else p).put(len(p) * x[0])
    return sum(k * v for k, v in enumerate(p.items))


@case(vector())
def popped_in_turn(x):
    rows, places = [[x[0]], [x[1]], [x[2]]], [1, 2, 0]
    rows[places.pop()].append(x[places.pop()])
    return rows[0][-1] * x[3] + rows[0][0] * rows[2][-1]
