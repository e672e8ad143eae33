"""Iterables that Python walks over as it goes: what is written meanwhile is seen, as far as it has not been read."""

from __future__ import annotations

import itertools

import numpy as np

from tests.mutation.registry import W4, case, square, vector

LATE = "a loop writes into what its iterable has yet to read"


@case(vector())
def generator_with_a_name(x):
    a = x * 1.0
    k = 2.0
    g = (a[i] * v * k for i, v in enumerate(a))
    a[0] = 5.0 * x[1]
    k = 3.0
    return sum(g)


@case(vector())
def base_of_a_generator_is_bound_again(x):
    a = x * 1.0
    g = (v * a[0] for v in a)
    a = a * 5.0
    return sum(g)


@case(vector())
def side_by_side(x):
    a = x * 1.0
    xs = [x[0], x[1], x[2]]
    z = zip(a, a[1:], xs)
    a[1] = 3.0 * a[0]
    xs[0] = x[3]
    s = 0.0
    for p, q, r in z:
        s += p * q * r
        a[2] *= 1.1
    return s


@case(vector())
def backward_and_numbered(x):
    a = x * 1.0
    r = reversed(a)
    e = enumerate(a, 1)
    a[3] = a[0] * a[1]
    s = sum(v * w for v, w in zip(r, W4))
    return s + sum(k * v * v for k, v in e)


@case(vector())
def lists_that_grow(x):
    xs = [x[0], x[1]]
    g = (v * v for v in xs)
    xs.append(x[2])
    rows = [x, x * 2.0]
    z = zip(*rows)
    rows[0] = x * 5.0
    return sum(g) * sum(p * q for p, q in z)


@case(vector())
def values_of_a_dict_that_changes(x):
    d = {"a": x[0], "b": x[1]}
    values = d.values()
    d["a"] = x[2]
    d["c"] = x[3]
    return sum(v * v for v in values)


@case(vector())
def filtered_late(x):
    a = x * 1.0
    f = filter(lambda v: v > 0.1, a)
    m = map(lambda v: v * v, f)
    a[1] = 7.0 * x[0]
    return sum(m)


@case(vector())
def made_as_the_loop_goes(x):
    a = x * 1.0
    s = 0.0
    for v, w in zip(a[:-1], (u * 2.0 for u in a[1:])):
        a[3] += v
        s += v * w
    for i, v in enumerate(map(lambda u: u * a[0], a)):
        a[0] += v * 0.1
        s += v * v * i
    return s


@case(vector())
def other_arrays_are_written(x):
    a, y = x * 1.0, np.zeros(4)
    for i, v in enumerate(filter(lambda u: u > 0.1, a)):
        y[i] = v * a[0]
    for p, q in itertools.pairwise(a):
        y[3] += p * q
    for p, q in itertools.product(a[:2], a[2:]):
        a[3] += p
        y[0] += p * q
    return np.sum(W4 * y * y)


@case(vector(), gap=LATE)
def one_after_the_other(x):
    a = x * 1.0
    b = a[1:]
    s = 0.0
    for v in itertools.chain(a, x):
        b[2] += v
        s += v * v
    return s


@case(vector(), gap=LATE)
def pairs_of_old_and_new(x):
    a = x * 1.0
    s = 0.0
    for p, q in itertools.pairwise(a):
        a[2] += p
        s += p * q
    return s


@case(vector())
def parts_from_the_last_one_on(x):
    a = x * 1.0
    parts = [a[:1], a[1:3], a[2:]]
    for k, p in enumerate(reversed(parts)):
        p *= p[0] + k
        p[-1] += k
    return np.sum(a * W4)


@case(square())
def rows_beside_rows_from_the_last_one_on(x):
    a = x * 1.0
    for k, (r, s) in enumerate(zip(reversed(a), a)):
        r[0] += s[1] * k
        s *= r[1]
    return np.sum(a * a)


@case([vector(), square()], [vector(1), square(1)])
def layers_from_the_last_one_on(ws, vs):
    for w, v in zip(reversed(ws), reversed(vs)):
        v += w * w
        w -= 0.1 * v
    return sum(np.sum(w * w) for w in ws) + sum(np.sum(v) for v in vs)


@case(vector(), gap=LATE)
def places_from_the_last_one_on(x):
    a = x * 1.0
    for k, v in enumerate(reversed(a)):
        a[k] = v * v
    return np.sum(a * W4)


@case(vector(), gap=LATE)
def places_of_a_list_from_the_last_one_on(x):
    parts = [x[:2] * 1.0, x[1:] * 2.0, x[:1] * 3.0]
    for k, p in enumerate(reversed(parts)):
        p *= 0.5
        parts[k] = p * x[0]
    return sum(np.sum(p * p) for p in parts)


def doubled(items):
    for v in items:
        yield v * 2.0


@case(vector(), gap=LATE)
def generator_function_beside_another_name(x):
    a = x * 1.0
    b = a
    s = 0.0
    for v in doubled(a):
        b[3] += v
        s += v * v
    return s


@case(vector(), gap="elements that `next` takes late")
def next_of_what_changes(x):
    a = x * 1.0
    e = enumerate(a)
    s = 0.0
    for _ in range(4):
        k, v = next(e)
        a[3] += v
        s += k * v
    return s


@case(vector())
def sequence_that_changes_between_steps(x):
    a = x * 1.0
    it = iter(a)
    s = next(it)
    a[1] = 7.0 * x[0]
    s *= next(it)
    return s + sum(v * v for v in it)
