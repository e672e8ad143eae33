"""Iterators that are followed step by step, and what `itertools` makes."""

from __future__ import annotations

import io
import itertools
import math
import operator
from itertools import (
    accumulate,
    chain,
    combinations_with_replacement,
    compress,
    count,
    cycle,
    dropwhile,
    filterfalse,
    groupby,
    islice,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
    zip_longest,
)
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label, normal

X = normal(4)


def squares(x):
    for v in x:
        yield v * v


@case(X)
def steps(x):
    it = iter(x)
    a = next(it)
    return a * next(it) ** 2 * (next(it) + 2 * next(it))


@case(X)
def a_header_and_the_rest(x):
    it = iter(list(x))
    a = next(it)
    s = a
    for v in it:
        s = s * v + a
    return s


@case(X)
def a_default_at_the_end(x):
    it = iter(x)
    s = 1.0
    while True:
        v = next(it, None)
        if v is None:
            break
        s *= v + 1
    return s


@case(X)
def the_end_is_caught(x):
    it = iter(x)
    s = 1.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        s = s * v + 1
    return s


@case(X)
def what_is_left(x):
    it = iter(x)
    first = next(it)
    return first * sum(it) + sum(it)


@case(X[:3])
def two_at_a_time(x):
    it = iter(x)
    s = 0.0
    for a in it:
        b = next(it, 2.0)
        s += a * b
    return s


@case(X)
def a_loop_that_is_left(x):
    it = iter(x)
    s = 0.0
    for a in it:
        s += a * a
        if a > 0.1:
            break
    for a in it:
        s += a**3
    return s


@case(X)
def pairs(x):
    it = zip(x, x[::-1])
    a, b = next(it)
    return a * b + sum(p * q * q for p, q in it)


@case(X)
def of_a_generator(x):
    g = squares(x)
    a = next(g)
    return a * next(g) + next(g)


@case(X)
def of_other_iterables(x):
    it = iter({"a": x[0], "b": x[1]}.values())
    back = reversed(list(x))
    mapped = map(lambda v: v * v, x)
    a, *rest = iter(x)
    return next(it) * next(it) + next(back) ** 2 * next(back) + next(mapped) * a * rest[1]


@case(X)
def anew_in_each_trip(x):
    s = 0.0
    for k in range(2):
        it = iter(x)
        s += next(it) * k
        for v in it:
            s += v * v
    return s


@case(X)
def one_after_the_other(x):
    it = iter(x)
    s = 0.0
    for _ in range(2):
        for v in it:
            s += v * v
    return s


@case(X)
def in_loops_with_else(x):
    it = iter(x)
    s = 0.0
    for v in it:
        if v > 5.0:
            continue
        s += v * next(it)
    else:
        s = s * 2
    return s


@case(X)
def skipped(x):
    it = iter(x)
    next(it)
    next(it, None)
    return next(it) ** 2


@case(X)
def in_expressions(x):
    it = iter(x)
    s = 0.0
    while (v := next(it, None)) is not None:
        s += v * v
    return s + next(iter(x)) * next(iter([]), x[1]) + sum(iter(x))


@case(X[:3])
def counting(x):
    s = 0.0
    for k in count():
        if k == 3:
            break
        if k == 1:
            continue
        s += x[k] * k + x[0] ** 2
    return s


@case(X[:3])
def cycling_left_by_return(x):
    s = 0.0
    for k, v in enumerate(cycle(x)):
        s += v * k
        if k > 4:
            return s


@case(X[:3])
def counting_by_active_steps(x):
    return sum(a * v for a, v in zip(count(x[0], x[1]), x))


@case(X[:3])
def mapped_over_a_cycle(x):
    return sum(map(operator.mul, cycle(x), [1.0, 2.0, 3.0, 4.0]))


@case(X[:3])
def parts_of_what_is_endless(x):
    return (
        sum(islice(cycle(x), 5))
        + sum(islice(count(1), 3)) * x[0]
        + sum(v * w for v, w in zip(repeat(x[0]), x))
    )


@case(X[:3])
def all_orders(x):
    return sum(a * b * c**2 for a, b, c in permutations(x))


@case(X[:3])
def the_longest(x):
    rows = list(zip_longest(x, x[1:], x[2:], fillvalue=1.0))
    return sum(a * b * c for a, b, c in rows)


@case(X[:3])
def accumulated(x):
    acc = list(accumulate(x, lambda a, b: a * 0.9 + b))
    return (
        acc[-1] * acc[0] + max(accumulate(x, max)) + sum(accumulate(x, operator.mul, initial=x[2]))
    )


@case(X[:3])
def spread_out(x):
    return sum(starmap(math.hypot, [(x[0], x[1]), (x[1], x[2])])) + sum(
        starmap(lambda i, v: i * v, enumerate(x))
    )


@case(X[:3])
def chains(x):
    return (
        sum(chain(x, x[1:], [2.0, x[0]]))
        + sum(v * v for v in chain.from_iterable([list(x), [x[0]]]))
        + sum(chain(*[x, x]))
    )


@case(X[:3])
def next_of_a_counter(x):
    ids = itertools.count(1)
    s = 0.0
    for v in x:
        s += v ** next(ids)
    return s


@case(X[:3])
def repeated(x):
    return (
        sum(v * k for v, k in zip(x, repeat(2.0)))
        + sum(repeat(x[0] * x[1], 3))
        + sum(map(pow, x, repeat(2)))
    )


@case(X[:3])
def while_and_until(x):
    return (
        sum(takewhile(lambda v: v < 1, x))
        + sum(v * v for v in dropwhile(lambda v: v < 1, x))
        + sum(filterfalse(lambda v: v > 1, x)) ** 2
    )


@case(X[:3])
def products_and_combinations(x):
    s = 0.0
    for i, (a, b) in enumerate(itertools.product(x, x)):
        s += i * a * b
    for a, b in itertools.combinations(enumerate(x), 2):
        s += a[0] * b[1] + a[1]
    return s


@case(X[:3])
def else_of_an_endless_loop(x):
    for i in count():
        y = x[0] * i
        if i > 3:
            break
    else:
        y = 1.0
    return y * x[1]


@case(X[:3])
def groups(x):
    return sum(k * sum(x[i] for i in g) for k, g in groupby(range(3), key=lambda i: i // 2))


@case(X[:3])
def products_of_three(x):
    return sum(a * b * c for a, b, c in product(x, x[:2], [1.0, 2.0])) + sum(
        a * b for a, b in product(x, repeat=2)
    )


@case(X[:3])
def others(x):
    pairs = combinations_with_replacement(x, 2)
    return sum(a * b for a, b in pairs) + sum(compress(x, [1, 0, 1])) ** 2


def captured(x):
    it = iter(x)

    def step():
        return next(it)

    return step() * step()


def asked_after_zip(x):
    it = iter(x)
    s = sum(a * b for a, b in zip([1.0, 2.0], it))
    return s + next(it)


class Powers:
    def __init__(self, base, count):
        self.base, self.count = base, count

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at >= self.count:
            raise StopIteration
        self.at += 1
        return self.base**self.at


@case(1.3)
def an_iterator_that_begins_anew(x):
    powers, total = Powers(x, 3), 0.0
    for value in powers:
        total += value
    for value in powers:
        total *= value
    return total + sum(Powers(x, 2)) * [v * v for v in Powers(x, 4)][2]


@case(X)
def np_nditer(x):
    total = 0.0
    for value in np.nditer(np.outer(x, x).T):
        total = 0.5 * total * value + value**2
    return total


@case(X)
def reduceat(x):
    rows = np.add.reduceat(np.outer(x, x), [0, 2, 1], axis=1)
    return np.sum(rows**2) + np.sum(np.multiply.reduceat(x, [1, 0]))


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def bound_beside_a_number(x):
    it, total = iter([0, 1, 2, 3]), 0.0
    for k in it:
        if k == 1:
            break
    for k in it:
        total += x[k] ** k
    return total


def test_refused(refused: Any) -> None:
    refused(captured, "iter(x)")
    refused(asked_after_zip, "iter(x)")
    refused(bound_beside_a_number, "iter([0, 1, 2, 3])")


def taken_from_a_file(file, x):
    """The rest of the lines would be lost where the first loop lists them all."""
    total = 0.0
    for line in file:
        if line == "end\n":
            break
    for line in file:
        total = total + float(line) * x
    return total


def test_what_is_read_on_is_no_sequence() -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="which is read again"):
        tl.grad(taken_from_a_file, wrt="x")(io.StringIO("1\nend\n2\n"), 0.5)
    assert tl.grad(taken_from_a_file, wrt="x")(["3\n"], 0.5) == 3.0


def test_the_end_is_an_error() -> None:
    with pytest.raises(StopIteration):
        tl.grad(steps)(np.array([1.0, 2.0]))


def endless_under_a_name(x):
    c = count(1)
    return sum(v * k for v, k in zip(x, c))


def test_what_has_no_end_does_not_hang() -> None:
    with pytest.raises(TypeError, match="no end"):
        tl.grad(endless_under_a_name)(X)
