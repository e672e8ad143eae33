"""Functions that write, called by builtins: in the order of Python, or refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.63, -0.41])


def test_a_function_whose_variable_is_bound_again_writes_all_the_same() -> None:
    def f(x):
        xs = [x - 0.5, x * 2.0]
        c = x[0]

        def scaled(t):
            t *= c
            return t

        for _ in range(2):
            c *= 0.7
            unused = sum(map(scaled, xs))  # noqa: F841
        return np.sum(xs[0]) * xs[1][0]

    tl.check_grads(f, (X,), order=1)


def test_the_key_of_a_comprehension_comes_before_its_value() -> None:
    def f(x):
        xs = [x - 0.5, x * 2.0]
        c = 0.5

        def scaled(t):
            nonlocal c
            t *= c
            c = c + t[0]
            return np.sum(t)

        table = {scaled(xs[0]): scaled(xs[1]) for _ in range(1)}
        return np.sum(xs[0]) * xs[1][0] + sum(table.values())

    tl.check_grads(f, (X,), order=1)


def halved(t):
    t *= 0.5
    return np.sum(t)


def some_of_a_map(x):
    xs = [x - 0.5, x * 2.0]
    steps = map(halved, xs)
    return next(steps) + np.sum(xs[1])


def some_of_pairs(x):
    xs = [x - 0.5, x * 2.0]
    steps = zip(xs, map(halved, xs))
    return next(steps)[1] + np.sum(xs[1])


def a_slice_of_a_map(x):
    xs = [x - 0.5, x * 2.0]
    return sum(itertools.islice(map(halved, xs), 1)) + np.sum(xs[1])


def a_slice_of_a_generator(x):
    xs = [x - 0.5, x * 2.0]
    for _ in itertools.islice((halved(t) for t in xs), 1):
        pass
    return np.sum(xs[1])


def as_long_as_it_is_small(x):
    xs = [x - 0.5, x * 2.0]
    unused = list(itertools.takewhile(lambda v: v > 99.0, map(halved, xs)))  # noqa: F841
    return np.sum(xs[1])


def taken_apart(x):
    xs = [x - 0.5, x * 2.0]
    first, *_ = map(halved, xs)
    return np.sum(xs[1])


def sorted_by_what_writes(x):
    xs = [x - 0.5, x * 2.0]
    xs[:2].sort(key=halved)
    return np.sum(xs[1])


def never_asked(x):
    xs = [x - 0.5, x * 2.0]
    steps = map(halved, xs)  # noqa: F841
    return np.sum(xs[1])


REFUSED = [some_of_a_map, some_of_pairs, a_slice_of_a_map, a_slice_of_a_generator]
REFUSED += [as_long_as_it_is_small, taken_apart, sorted_by_what_writes, never_asked]


@pytest.mark.parametrize("f", REFUSED)
def test_what_would_write_in_another_order_is_refused(f: Any) -> None:
    with pytest.raises(tl.DerivativeError):
        tl.grad(f)(X)


def doubled(t):
    return np.sum(t * 2.0)


def some(x):
    xs = [x - 0.5, x * x]
    steps = map(doubled, xs)
    return next(steps) * sum(itertools.islice(map(doubled, xs), 2)) + max(xs, key=doubled)[0]


def test_functions_that_do_not_write_are_followed() -> None:
    tl.check_grads(some, (X,), order=1)


class Counter:
    """Keeps the sum of what it was called with."""

    def __init__(self) -> None:
        self.total = 0.0

    def add(self, value):
        self.total = self.total + value
        return value


Y = np.array([1.3, -0.7, 2.45])


def any_of_a_map(y):
    counter = Counter()
    found = any(v < 0.0 for v in map(counter.add, y))
    return counter.total * found


def all_of_a_map(y):
    counter = Counter()
    found = all(v > u for v in map(counter.add, y) for u in (counter.add(w) for w in y) if u < 2.0)
    return counter.total * (1.0 + found)


def first_of_a_map(y):
    counter = Counter()
    first = next(v for k, v in enumerate(map(counter.add, y)) if v < 0.0)
    return counter.total * first


def pairs_of_one_length(y):
    counter = Counter()
    total = 0.0
    for v, w in zip(map(counter.add, y), y * y):
        total = total + v * w * counter.total
    return total + counter.total


def the_shorter_first(y):
    counter = Counter()
    return sum([v * w for v, w in zip(y[:2], map(counter.add, y))]) * counter.total


def vectorized(y):
    """NumPy asks the function for the first element twice: what it gives first tells the type."""
    counter = Counter()
    return np.sum(np.vectorize(counter.add)(y) * y) * counter.total


IN_ORDER = [
    any_of_a_map,
    all_of_a_map,
    first_of_a_map,
    pairs_of_one_length,
    the_shorter_first,
]


@pytest.mark.parametrize("f", IN_ORDER)
def test_no_element_is_made_that_nobody_asks_for(confirm: Any, f: Any) -> None:
    confirm(f, Y)


def test_vectorized_methods_are_asked_as_by_numpy() -> None:
    tl.check_grads(vectorized, (Y,), order=1)
    assert tl.value_and_grad(vectorized)(Y)[0] == vectorized(Y)


def the_longer_first(y):
    counter = Counter()
    return sum([v * w for v, w in zip(map(counter.add, y), y[:1])]) * counter.total


def a_longer_generator_first(y):
    kept = []
    return sum([v * w for v, w in zip((kept.append(v) or v for v in y), y[:1])]) * sum(kept)


def a_filter_beside_another(y):
    counter = Counter()
    return sum([v * w * counter.total for v, w in zip(y, filter(counter.add, y))])


def a_numbered_filter(y):
    counter = Counter()
    return sum([k * v * counter.total for k, v in enumerate(filter(counter.add, y))])


def maps_of_which_the_longest_counts(y):
    counter = Counter()
    pairs = itertools.zip_longest(map(counter.add, y), map(counter.add, y[:2]), fillvalue=1.0)
    return sum([v * w * counter.total for v, w in pairs])


@pytest.mark.parametrize(
    "f",
    [
        maps_of_which_the_longest_counts,
        the_longer_first,
        a_longer_generator_first,
        a_filter_beside_another,
        a_numbered_filter,
    ],
)
def test_elements_that_are_made_for_nobody_are_refused(f: Any) -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="may write"):
        tl.grad(f)(Y)
    with pytest.raises(tl.UnsupportedSyntaxError, match="may write"):
        tl.jvp(f)(Y, tangent=Y)
