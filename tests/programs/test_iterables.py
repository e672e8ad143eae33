"""What is made of iterables: generators, map, filter, zip, sorted, min and max with keys, reduce, next."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from functools import reduce
from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label, normal

ITEMS = [0.5, 1.3, 0.9, 0.2]


def scaled(v, by=3.0):
    return v * by * v


def both(a, b):
    return a * b * a


@case(ITEMS)
def generators_in_builtins(xs):
    t = tuple(x * x for x in xs)
    u = list(2.0 * x for x in xs if x > 0.4)
    low = min(x**3 for x in xs)
    return t[1] * u[2] * low + max(x * xs[0] for x in xs) + math.fsum(x * x for x in xs)


@case(ITEMS)
def a_sorted_generator(xs):
    low, *middle, high = sorted(x**2 for x in xs)
    return low * high + middle[0] * 3.0


@case(ITEMS)
def a_generator_of_pairs(xs):
    table = dict((i, x * x) for i, x in enumerate(xs) if i)
    return table[1] * table[2]


@case(ITEMS)
def an_array_from_a_generator(xs):
    a = np.fromiter((x * x for x in xs), float)
    b = np.fromiter((x * k for k, x in enumerate(xs)), dtype=np.float64, count=len(xs))
    return np.sum(a * a * b)


@case(ITEMS)
def a_loop_over_a_generator(xs):
    s = 0.0
    for y in (x * x for x in xs if x > 0.3):
        s += y * s + y
    for a, b in ((x, x * y) for x in xs for y in xs if x < y):
        s += a * b
    return s


@case(ITEMS)
def generators_side_by_side(xs):
    return sum(a * b for a, b in zip((x * x for x in xs), (y + 1.0 for y in xs if y > 0.4)))


@case(ITEMS)
def a_generator_in_a_membership_test(xs):
    return xs[0] * xs[1] if 0.9 in (x for x in xs[1:2]) else xs[0] ** 3


@case(ITEMS)
def the_next_element(xs):
    first = next(x * x for x in xs if x > 1.0)
    none = next((x * x for x in xs if x > 100.0), xs[0])
    nested = next((x * y for x in xs for y in xs if x + y > 2.0), None)
    return first * none + nested


@case(ITEMS)
def mapped(xs):
    return sum(map(abs, xs)) + sum(map(lambda v: v * v * xs[0], xs))


@case(ITEMS)
def mapped_in_many_ways(xs):
    a = list(map(math.sin, xs))
    b = sum(map(lambda v, w: v * w, xs, xs[1:]))
    c = tuple(map(scaled, xs))
    d = sum(map(pow, xs, range(4)))
    e = max(map(functools.partial(scaled, by=0.5), xs))
    return a[0] * xs[1] + b * c[2] + d + e


@case(ITEMS)
def loops_over_maps(xs):
    s = 1.0
    for v in map(scaled, filter(lambda v: v > 0.3, xs)):
        s *= 1.0 + v
    for a, b in zip(map(math.cos, xs), reversed(xs)):
        s += a * b
    return s


@case(ITEMS)
def filtered(xs):
    some = list(filter(lambda v: v > xs[0] - 0.1, xs))
    return sum(filter(None, xs)) * some[0] * len(some)


@case(ITEMS)
def map_of_map(xs):
    return sum(map(lambda v: v * v, map(lambda w: w + xs[1], xs)))


@case(ITEMS)
def lambdas_and_names(xs):
    v = 2.0
    x = xs[0]
    ys = list(map(lambda v: v * x, xs))
    return ys[1] * v + ys[2]


@case(ITEMS)
def sorted_lists(xs):
    up, down = sorted(xs), sorted(xs, reverse=True)
    far = sorted(xs, key=lambda v: -((v - 0.6) ** 2))
    return up[0] * down[1] + up[3] ** 2 * far[1]


@case(ITEMS)
def sorted_by_functions(xs):
    a = sorted(xs, key=abs)
    b = sorted(xs, key=scaled, reverse=True)
    c = sorted(range(len(xs)), key=lambda i: xs[i])
    return a[1] * b[0] + xs[c[0]] ** 3


@case(ITEMS)
def sorted_pairs(xs):
    pairs = sorted(((x * x, k) for k, x in enumerate(xs)), key=lambda p: p[0])
    named = sorted(zip("dcba", xs), key=operator.itemgetter(0))
    return pairs[0][0] * pairs[2][0] + named[0][1] * named[1][1]


@case(ITEMS)
def sorted_pairs_without_key(xs):
    pairs = sorted((x * x, k) for k, x in enumerate(xs))
    return sum(v * (k + 1) ** 2 for v, k in pairs)


@case(normal(5))
def sorted_arrays(x):
    low, *_, high = sorted(x)
    return low * high + sorted(x * x, reverse=True)[1]


@case(normal(3, 2))
def sorted_rows(a):
    rows = sorted(a, key=lambda row: row[1])
    return np.sum(rows[0] * rows[2]) + rows[1][0]


@case(ITEMS)
def extremes_with_keys(xs):
    a = max(xs, key=lambda v: -v)
    b = min(xs, key=lambda v: (v - xs[0]) ** 2)
    k = max(range(len(xs)), key=lambda i: xs[i])
    j = min(range(len(xs)), key=xs.__getitem__)
    return a * b * xs[k] * xs[j]


@case(1.5, -0.7)
def extremes_of_several(x, y):
    return max(x, y, key=abs) * min(x * y, y, 3.0, key=lambda v: v * v) * max(x, y, 0.0)


@case(ITEMS)
def extremes_with_defaults(xs):
    none = [x for x in xs if x > 100.0]
    a = max(none, default=xs[0])
    b = min(xs, default=3.0)
    c = max((x for x in none), key=abs, default=None)
    return a * b if c is None else c


@case({"a": 1.5, "b": 0.3, "c": 0.9})
def extremes_of_dicts(d):
    best = max(d, key=d.get)
    worst = min(d, key=lambda k: d[k])
    name, value = max(d.items(), key=lambda pair: pair[1])
    return d[best] * d[worst] * value * len(name)


@case(ITEMS)
def the_best_of_pairs(xs):
    value, k = max(((x - 0.6) ** 2, k) for k, x in enumerate(xs))
    return value * xs[k]


@case(ITEMS)
def reduced(xs):
    a = reduce(lambda a, b: a * b, xs)
    b = functools.reduce(lambda a, b: a * b + xs[0], xs, 2.0)
    c = reduce(operator.mul, xs, xs[0])
    return a + b + c + reduce(both, xs) + reduce(max, xs)


@case([normal(2, 2), normal(2, 2, seed=1), normal(2, 2, seed=2)])
def reduced_matrices(ms):
    return np.sum(reduce(np.dot, ms)) + np.sum(functools.reduce(lambda p, m: p @ m, ms, np.eye(2)))


@case(ITEMS)
def sums_with_a_start(xs):
    a = sum(xs, 1.0) * sum(xs, start=xs[0])
    b = sum((x * x for x in xs), xs[1])
    return a * b + sum([[x, x * x] for x in xs], [])[3]


@case(ITEMS)
def lists_of_pairs(xs):
    z = list(zip(xs, xs[1:]))
    e = list(enumerate(xs, 1))
    r = list(reversed(xs))
    return z[0][0] * z[2][1] + e[1][0] * e[1][1] * r[0]


@case(ITEMS)
def strict_zips(xs):
    return sum(a * b for a, b in zip(xs, xs[::-1], strict=True))


@case(ITEMS)
def products(xs):
    return math.prod(xs) + math.prod([x + 1.0 for x in xs], start=xs[0]) + math.prod(x for x in xs)


@case(ITEMS)
def itertools_functions(xs):
    a = sum(v * v for v in itertools.chain(xs, [2.0], xs[:1]))
    b = sum(i * xs[j] ** 2 for i, j in itertools.product(range(2), range(4)))
    c = sum(v * w for v, w in itertools.pairwise(xs))
    return a * b + c * list(itertools.islice(xs, 2))[1]


@case(ITEMS, second=False)
def sorted_in_place(xs):
    ys = xs.copy()
    ys.sort(key=lambda v: -v)
    return ys[0] * ys[1]


@case([1.0, 1.0, 2.0])
def ties_in_sorted_lists(xs):
    return sorted(xs)[2] * sum(sorted(xs)[:2])


@case(ITEMS)
def lists_in_reduce(xs):
    return sum(reduce(lambda acc, v: acc + [acc[-1] * v], xs, [1.0]))


@case(ITEMS)
def nested_searches(xs):
    best = min(((x - y) ** 2 + 0.1 * x, x, y) for x in xs for y in xs if x != y)
    top = sorted(enumerate(xs), key=lambda p: p[1], reverse=True)[:2]
    highest = max(max(x * y for y in xs) for x in xs)
    return best[0] * best[1] * best[2] + sum(v * v * i for i, v in top) * highest


@case(ITEMS)
def names_bound_again(xs):
    xs = sorted(xs)
    xs = [x * 2 for x in xs]
    xs = list(map(lambda x: x * x, xs))
    return xs[0] * xs[-1]


@case(ITEMS)
def nothing_to_walk(xs):
    none = sum(x for x in []) + sum(map(lambda v: v, [])) + len(sorted([]))
    return xs[0] ** 2 + none * xs[1]


@case(ITEMS)
def groups_by_key(xs):
    pairs = list(zip("aabb", xs))
    groups = {k: [v for _, v in vs] for k, vs in itertools.groupby(pairs, key=lambda p: p[0])}
    signs = {}
    for positive, vs in itertools.groupby(xs, lambda v: v > 0.6):
        signs[positive] = signs.get(positive, 0.0) + sum(vs)
    return groups["a"][0] * groups["b"][1] + signs[True] * signs[False]


@case(ITEMS)
def groups_into_lists(xs):
    groups = {}
    for key, group in itertools.groupby(sorted(xs, key=abs), key=lambda v: v > 0.6):
        groups.setdefault(key, []).append(sum(group) ** 2)
        groups[key][0] *= 2.0
    return sum(sum(rows) for rows in groups.values())


class Table:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    @property
    def turned(self):
        return Table(list(zip(*self.rows)))


@case(ITEMS)
def columns(xs):
    table = Table([xs, [v * xs[0] for v in xs]]).turned
    parts = {"rows": table.rows}
    back, sums = list(zip(*parts["rows"])), list(map(sum, zip(*table.rows[1:])))
    return table.rows[1][1] * back[0][2] + sums[0] + tuple(zip(*(r[::-1] for r in back)))[0][0]


@case(ITEMS)
def the_greatest_of_tuples_and_lists(xs):
    a, b, rows = (xs[0], 1.0), (xs[1], 2.0), [xs[:2], xs[2:]]
    best = (xs[3], 0)
    for k, v in enumerate(xs):
        best = max(best, (v * v, k))
    least = functools.reduce(min, [(v * v, v) for v in xs])
    return max(a, b)[0] * max(rows)[1] + best[0] * least[1] + max(zip(*rows))[0] * min(rows)[0]


@case(np.float32(1.5))
def narrow_numbers(x):
    return sum(map(lambda v: v * x, [x, 2.0])) + max([x, x * x], key=lambda v: -v)


@case(np.array(1.5))
def arrays_without_axes(x):
    return sum(v * x for v in (x, 2.0)) + math.prod([x, x])


@case(ITEMS)
def whole_numbers_from_lists(xs):
    return sum(xs[i] * i for i in list(range(4))) + sum(k * xs[k] for k in sorted(range(3)))


def pairs(items):
    result = []
    for k in range(len(items) - 1):
        for other in items[k + 1 :]:
            result.append((items[k], other))
    return result


@case([0.4, -0.2], [0.1, 0.6], 1.3, second=False)
def springs(start, other, mass):
    bodies = [
        ([0.0, 1.0], list(start), mass),
        (other, [0.3, -0.2], 0.5),
        ([1.5, 0.2], [0.1, 0.4], 0.7),
    ]
    energy = 0.0
    for _ in range(2):
        for ([x1, y1], v1, m1), ([x2, y2], v2, m2) in pairs(bodies):
            v1[0] -= (x1 - x2) * m2 * 0.1
            v2[1] += (y1 - y2) * m1 * 0.1
        for place, [u, v], m in bodies:
            place[0] += 0.1 * u
            place[1] += 0.1 * v
            energy += m * (u * u + v * v)
    return energy


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
