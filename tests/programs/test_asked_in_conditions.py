"""Steps of iterators inside of conditions, comparisons and texts; what is evaluated is evaluated once, in order."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
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


class Lazy:
    """What it is asked for, it computes and keeps."""

    def __init__(self, v):
        self.v, self.size, self.asked = v, None, 0

    @property
    def squared(self):
        if self.size is None:
            self.size = self.v * self.v
        return self.size

    def __getitem__(self, k):
        self.v = self.v * 1.1
        return k

    def __eq__(self, other):
        self.v = self.v * 1.1
        return True

    def again(self):
        return self.squared


@case(0.5)
def asked_before(x):
    o = Lazy(x)
    size = o.squared
    if size > 0.1 and o.again() > 0.2:
        return o.size * x
    return o.size * o.v


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function, args, options):
    check(function, *args, **options)


def in_a_test(x):
    o = Lazy(x)
    if o.squared > 0.1:
        return o.size * x
    return x


def in_a_while_with_and(x):
    o, k = Lazy(x), 0
    while k < 2 and o[k] < 5:
        k += 1
    return o.v * x


def in_a_value(x):
    o = Lazy(x)
    large = not o.squared < 0.1
    return o.size * large


def in_a_list(x):
    return sum(o.v for o in [Lazy(x), Lazy(2.0 * x)] if o != 3)


def in_a_helper(x):
    return kept(Lazy(x)) * x


def kept(o):
    return o.size if o.squared > 0.1 else o.v


@pytest.mark.parametrize("f", [in_a_test, in_a_while_with_and, in_a_value, in_a_list, in_a_helper])
@pytest.mark.parametrize("make", [tl.grad, tl.jvp])
def test_what_writes_when_it_is_asked_is_refused(f, make):
    options = {} if make is tl.grad else {"tangent": 1.0}
    with pytest.raises(
        tl.UnsupportedSyntaxError, match="of a `Lazy`, which writes, in a condition"
    ):
        make(f)(0.5, **options)
