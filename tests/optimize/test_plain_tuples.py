"""Tuples of numbers as arguments, beside numbers and arrays, and the largest of several numbers, in Python's floats."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

PLAIN: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
SLOW = ("rt.unbroadcast", "rt.add_at", "rt.zeros", "rt.times")


def plain(*args: Any) -> Callable[[Any], Any]:
    return lambda f: PLAIN.setdefault(f.__name__, (f, args))[0]


@plain(np.array([1.0, 0.5, 0.7]), (1.0, 0.8), 9)
def two_species(theta, start, n):
    a, b, c = theta
    x, y = start
    for _ in range(n):
        x, y = x + 0.01 * (a * x - b * x * y), y + 0.01 * (b * x * y - c * y)
    return x * y


@plain((0.5, 0.3), (1.0, 2.0))
def by_places(theta, start):
    a, b = theta
    s = 0.0
    for _ in range(5):
        s = s * a + start[0] * b + math.sin(start[1]) ** 2
    return s


@plain(np.linspace(0.1, 0.9, 12), (0.5, 0.3, 0.2), (1, 11))
def weights(x, c, ends):
    y = np.zeros(len(x))
    for i in range(ends[0], ends[1]):
        y[i] = c[0] * x[i - 1] + c[1] * x[i] + c[2] * math.sin(y[i - 1])
    return np.sum(y * y)


@plain(np.array([0.3, -0.2, 0.9]))
def largest_of_an_array(x):
    m, s = max(x), 0.0
    for v in x:
        s += math.exp(v - m)
    return m + math.log(s) + min(x)


@plain(0.4, 0.6)
def largest_of_a_list(x, c):
    xs = [x]
    for _ in range(3):
        xs.append(math.sin(xs[-1]) * c)
    return max(xs) * xs[-1] + min(xs)


def both(f: Any, args: Any, **options: Any) -> Any:
    wrt = tuple(k for k, a in enumerate(args) if not holds_integers(a))
    df, expected = (tl.grad(f, wrt=wrt, **options, optimized=o) for o in (True, False))
    for _ in range(2):
        agree(df(*args), expected(*args))
    return df


def holds_integers(a: Any) -> bool:
    return isinstance(a, int) or (isinstance(a, tuple) and isinstance(a[0], int))


def agree(found: Any, known: Any) -> None:
    assert type(found) is type(known)
    if isinstance(known, tuple | list):
        assert len(found) == len(known)
        for a, b in zip(found, known):
            agree(a, b)
    elif known is not None:
        np.testing.assert_allclose(found, known, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", PLAIN)
def test_they_are_floats(name: str) -> None:
    f, args = PLAIN[name]
    df = both(f, args)
    said = inspect.getsource(df.__func__)
    assert not any(slow in said for slow in SLOW)
    value = tl.value_and_grad(f)(*args)[0]
    assert value == f(*args)
    assert type(value) is type(f(*args))


@pytest.mark.parametrize("name", PLAIN)
def test_second_derivatives(name: str) -> None:
    f, args = PLAIN[name]
    tl.check_grads(f, args, wrt=0, order=2)


@pytest.mark.parametrize(
    "start",
    [
        (1, 0.8),
        (1, 2),
        [1.0, 0.8],
        (np.float64(1.0), 0.8),
        (np.ones(2), 0.8),
        np.array([1.0, 0.8]),
        (np.float32(1.0), 0.8),
        (np.array(1.0), True),
    ],
)
def test_other_things_may_come_later(start: Any) -> None:
    f, args = PLAIN["two_species"]
    gradient, slow = tl.grad(f), tl.grad(f, optimized=False)
    summed, slowly = (
        tl.grad(lambda t, s, n: np.sum(f(t, s, n)), optimized=o) for o in (True, False)
    )
    for given in (args[1], start, args[1]):
        if isinstance(given[0], np.ndarray) and given[0].ndim:
            agree(summed(args[0], given, 4), slowly(args[0], given, 4))
        else:
            agree(gradient(args[0], given, 4), slow(args[0], given, 4))


def places(x, c):
    y = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        y[i] = c[0] * x[i - 1] + c[-1] * x[i + 1]
    return np.sum(y * y)


def test_longer_tuples_are_told_apart() -> None:
    x = np.linspace(0.1, 0.9, 40)
    gradient, slow = tl.grad(places), tl.grad(places, optimized=False)
    for c in ((0.5, 0.3), (0.5, 0.3, 0.2), (0.5,), (1, 2), (1, 3, 2), (0.5, 3)):
        for _ in range(2):
            agree(gradient(x, c), slow(x, c))


def shaped(x, shape):
    n, m = shape
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += x[i, j] ** 2 * (i + 2 * j)
    return s


def test_tuples_of_integers() -> None:
    x = np.arange(20.0).reshape(4, 5)
    gradient, slow = tl.grad(shaped), tl.grad(shaped, optimized=False)
    for shape in ((4, 5), (3, 5), (4, 2), (2, 2), (0, 3)):
        agree(gradient(x, shape), slow(x, shape))


@pytest.mark.parametrize(
    "xs", [[2.0, 2.0, 1.0], [1.0], [2, 3, 1.5], [math.nan, 1.0], [1.0, math.inf]]
)
def test_ties_and_the_like(xs: Any) -> None:
    def largest(xs):
        m, s = max(xs), 0.0
        for v in xs:
            s += v * m
        return s + min(xs)

    for given in (xs, tuple(xs), np.array(xs)):
        with np.errstate(all="ignore"):
            agree(tl.grad(largest)(given), tl.grad(largest, optimized=False)(given))


def test_the_row_that_is_largest_is_no_number() -> None:
    def row(x):
        s = 0.0
        for k in range(2):
            s += np.sum(max(x) ** 2) * k
        return s

    for x in (np.array([[1.0, 2.0]]), np.array([[1.0], [2.0], [2.0]])):
        agree(tl.grad(row)(x), tl.grad(row, optimized=False)(x))
        tl.check_grads(row, (x[:2],), order=2)


def test_nothing_is_the_largest_of_nothing() -> None:
    def largest(xs, c):
        return max(xs) * c

    for given in ([], (), np.zeros(0)):
        with pytest.raises(ValueError, match="empty"):
            tl.grad(largest, wrt=1)(given, 2.0)
