"""Steps of iterators inside of conditions, comparisons and texts; what is evaluated is evaluated once, in order."""

from __future__ import annotations

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.4, 1.1, 0.7, 0.9])


def tripled(x):
    yield x
    yield 2.0 * x
    yield 3.0 * x


@case(0.5)
def in_an_if(x):
    it = iter([x, 2.0 * x, 3.0 * x])
    if next(it) > 0.2:
        return next(it) * x
    return x


@case(0.5)
def in_an_if_of_a_generator(x):
    it = tripled(x)
    if next(it) > 0.2 and next(it) > 0.3:
        return next(it) * x
    return x


@case(X)
def in_a_while(x):
    it = iter(x)
    total = x[0]
    while next(it, 9.0) < 1.0:
        total = total * x[1]
    return total * next(it)


@case(0.53)
def all_that_is_left(x):
    it = iter([x, 2.0 * x, 3.0 * x])
    next(it)
    if sum(it) > 1.0:
        return x * x
    return x


@case(0.53)
def between_two(x):
    it = iter([x, 2.0 * x, 3.0 * x, x * x])
    less = (next(it) < next(it) < next(it)) + 0.5
    return less * next(it)


@case(0.53)
def under_not_and_in_a_tuple(x):
    it = iter([x, 2.0 * x, 3.0 * x, x * x])
    flags = not next(it), next(it) > 0.1
    return next(it) * flags[1] + flags[0] + next(it)


@case(0.53)
def in_an_assert(x):
    squares = map(lambda v: v * v, [x, 2.0 * x])
    assert next(squares) < 5.0
    return next(squares)


@case(0.53)
def in_a_comprehension(x):
    it = iter([x, 2.0 * x, 3.0 * x])
    return sum(v for v in [1.0, x] if v * next(it) > 0.0) * next(it)


@case(0.53)
def in_a_text(x):
    it = iter([x, 2.0 * x, 3.0 * x])
    label = f"{next(it):.2f}"
    return next(it) * len(label)


@case(X)
def the_default_is_evaluated(x):
    stock = [x[0], x[1], x[2]]
    first = next(iter([stock.pop(), stock.pop()]), stock.pop())
    return first * (1.0 + len(stock))


@case(X)
def elements_that_are_joined(x):
    stock = list(x)
    joined = np.r_[0, stock.pop(), 1.5, stock.pop()]
    return np.sum(joined * joined) * (1.0 + len(stock)) + stock[-1]


@case(X)
def what_pieces_are_given(x):
    stock = list(x)
    pieces = np.piecewise(
        x, [x < 0.8, x >= 0.8], [lambda v, k: v * k, lambda v, k: v - k], stock.pop()
    )
    return np.sum(pieces) * stock[-1]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function, args, options):
    check(function, *args, **options)
