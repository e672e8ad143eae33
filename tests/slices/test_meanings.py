"""Programs in which something else happens than loops over places, before, between or in them: nothing is moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.doors import sliced
from tests.slices.taken import case, cases, check

Function = Callable[..., Any]


# What is not chosen is computed, too ------------------------------------------------------------


def known_ones(x, y):
    s = 0.0
    for i in range(len(x)):
        if y[i] == y[i]:
            s += x[i] * y[i]
    return s


def known_or_not(x, y):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * y[i] if y[i] == y[i] else x[i]
    return np.sum(z * z)


def small_ones(x, y):
    z = np.zeros(len(x))
    for i in range(len(x)):
        if abs(y[i]) < 1e3:
            z[i] += x[i] * y[i] * y[i]
    return np.sum(z)


def quotients(x, y):
    s = 0.0
    for i in range(len(x)):
        if y[i] != 0.0 and x[i] / y[i] > 0.5:
            s += x[i]
    return s


@np.errstate(all="ignore")
@pytest.mark.parametrize("f", [known_ones, known_or_not, small_ones, quotients])
@pytest.mark.parametrize("odd", [np.nan, np.inf, 1e200, 0.0])
def test_places_that_are_not_chosen(f: Function, odd: float) -> None:
    x, y = numbers(odd)
    for _ in range(5):  # slices are given up at some time
        known = tl.grad(f, optimized=False)(x, y)
        np.testing.assert_allclose(tl.grad(f)(x, y), known, rtol=1e-9)
        value, found = tl.value_and_grad(f)(x, y)
        np.testing.assert_array_equal(value, f(x, y))
        np.testing.assert_allclose(found, known, rtol=1e-9)


def numbers(odd: float) -> tuple[Any, Any]:
    draw = np.random.default_rng(1).normal
    x, y = draw(size=200), draw(size=200)
    y[::3] = odd
    return x, y


@np.errstate(all="raise")
@pytest.mark.parametrize("f", [small_ones, quotients])
@pytest.mark.parametrize("odd", [np.inf, 1e200, 0.0])
def test_nobody_is_warned_of_what_is_not_chosen(f: Function, odd: float) -> None:
    x, y = numbers(odd)
    value = f(x, y)
    known = tl.grad(f, optimized=False)(x, y)
    np.testing.assert_allclose(tl.grad(f)(x, y), known, rtol=1e-9)
    found = tl.value_and_grad(f)(x, y)
    assert found[0] == value
    np.testing.assert_allclose(found[1], known, rtol=1e-9)


def positive_ones(x, y):
    s = 0.0
    for i in range(len(x)):
        if y[i] > 0.0:
            s += x[i] * y[i]
    return s


def test_slices_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = list[Any]()
    emitted = sliced._emitted
    monkeypatch.setattr(sliced, "_emitted", lambda found: taken.append(found) or emitted(found))
    x, y = np.ones(200), np.ones(200)
    y[3] = np.nan
    np.testing.assert_array_equal(tl.grad(positive_ones)(x, y), np.where(y == y, y, 0.0))
    assert taken[0].chooses


SEEN = list[float]()


def seen(value: float) -> float:
    SEEN.append(value)
    return value


def shows(x, y):
    s = 0.0
    for i in range(len(x)):
        if y[i] == y[i]:
            s += x[i] * y[i]
    return s * seen(2.0)


def test_what_is_seen_happens_once() -> None:
    SEEN.clear()
    x, y = np.ones(200), np.ones(200)
    y[3] = np.nan
    np.testing.assert_array_equal(tl.grad(shows)(x, y), np.where(y == y, 2.0, 0.0))
    assert [2.0] == SEEN


# Names for places that are written later --------------------------------------------------------


@case("LLN")
def either_place(x, y, c):
    z = np.zeros(len(x))
    for i in range(len(x)):
        t = x[i] if c > 0.0 else y[i]
        x[i] = 2.0 * y[i]
        z[i] = t * y[i]
    return np.sum(z * x)


@case("LLN")
def either_branch(x, y, c):
    z = np.zeros(len(x))
    for i in range(len(x)):
        if c > 0.0:
            t = x[i]
        else:
            t = y[i]
        u = t
        x[i] = y[i] * y[i]
        z[i] = u
    return np.sum(z * x)


# Several targets --------------------------------------------------------------------------------


@case("LL")
def chain(x, y):
    n = len(x)
    z = np.zeros(n)
    for i in range(n):
        z[i] = x[i] * y[i]
    place = np.arange(n)[::-1] // 2
    here, s = 3, 0.0
    for _ in range(n):
        here = there = place[here]
        s += z[here] * x[there]
    return s


@case("LP")
def first_row(x, A):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * 2.0
    A = B = A[0]
    return np.sum(A * B) * np.sum(z)


# Helpers that do not only give a value ----------------------------------------------------------


def higher(a):
    a += 1.0
    return a


def scaled(z, k):
    z[k] = 2.0 * z[k]
    return z[k]


def inverse(v):
    t = 1.0 / v
    return t


def place(a, i):
    t = a[i]
    return t


@case("LL")
def read_before(x, y):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * y[i]
    s = 0.0
    for i in range(len(x)):
        s += 1e-3 * x[i] * higher(x)[i] * z[i]
    return s


@case("LL")
def added_to_before(x, y):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * y[i]
    for i in range(len(x)):
        z[i] += scaled(z, i)
    return np.sum(z)


@case("LLN")
def only_if_it_can_be_divided(x, y, c):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * y[i]
    s = t = 0.0
    for i in range(len(x)):
        s = 0.5 * s + (inverse(t) if t != 0.0 else 1.0) * z[i]
        t = 0.0 if i < 9 else t + c
    return s


@case("LL")
def only_if_there_is_one(x, y):
    n = len(x)
    z = np.zeros(n)
    for i in range(n):
        z[i] = x[i] * y[i]
    s = 0.0
    for i in range(n):
        rises = i + 1 < n and place(z, i + 1) > 0.0
        s = 0.5 * s + (z[i] if rises else 1.0) * y[i]
    return s


# Rows that are written in another way -----------------------------------------------------------


def touch(rows):
    rows[0] = 2.0 * rows[0]
    rows[1] = 1.0
    return 2.0


@case("RL")
def filled_rows(x, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * 2.0
    s = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[0]
        x.fill(0.5)
        s += np.sum(d * d)
    return s + np.sum(z)


@case("RL")
def touched_rows(x, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * 2.0
    s = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[0]
        s = 0.5 * s + touch(x)
        s += np.sum(d * d)
    return s + np.sum(z)


@case("RL")
def rows_with_another_name(x, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * 2.0
    b = x
    s = 0.0
    for i in range(1, len(x)):
        d = x[i] - x[0]
        b[i] = 0.0
        s += d[0] * d[1]
    return s + np.sum(z)


@case("RL")
def copied_rows(x, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * 2.0
    s = 0.0
    for i in range(1, len(x)):
        d = x[i] * 2.0
        np.copyto(x[i], 1.0)
        s += np.sum(d * d)
    return s + np.sum(z)


@case("RL")
def touched_before_the_sum(x, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * 2.0
    s = 0.0
    for i in range(1, len(x)):
        s = 0.5 * s + touch(x) * (x[i] @ x[i - 1])
    return s + np.sum(z)


# Loops that end with the shortest array ---------------------------------------------------------


@case("VL")
def short_zip(x, y):
    z = np.zeros(len(x))
    for i in range(len(x)):
        if i == 0:
            z[i] = x[i]
        else:
            z[i] = x[i] * y[i - 1]
    s = 0.0
    for a, b in zip(y, x):
        s = 0.5 * s + a * b
    return s + np.sum(z)


@case("RVL")
def short_zip_inside(x, y, w):
    z = np.zeros(len(w))
    for i in range(len(w)):
        z[i] = w[i] * 2.0
    s = 0.0
    for i in range(len(x)):
        d = x[i] - x[0]
        for a, b in zip(w, y):
            s = 0.5 * s + a * b * d[0]
    return s + np.sum(z)


# Statements that are not said number by number ----------------------------------------------------


@case("RkL")
def stored_vectors(x, v, y):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * 2.0
    Y = np.zeros((len(x), 3))
    for i in range(len(x)):
        Y[i] = v
        Y[i] += x[i]
    return np.sum(Y * Y) + np.sum(z)


@case("RL", value=False)
def sums_of_rows(x, y):
    Y = np.zeros_like(x)
    for i in range(len(x)):
        Y[i] = np.cumsum(x[i]) * 2.0
    s = 0.0
    for i in range(len(y)):
        s += y[i]
    return np.sum(Y * Y) + s


@case("RNL", value=False)
def products_with_numbers(x, c, y):
    Y = np.zeros_like(x)
    for i in range(len(x)):
        Y[i] = np.dot(x[i], c) * 2.0
    s = 0.0
    for i in range(len(y)):
        s += y[i]
    return np.sum(Y * Y) + s


# Integers and numbers of Python -----------------------------------------------------------------


@case("LL", slices=False)
def integer_afterwards(x, y):
    z = np.zeros(len(x))
    for i in range(len(x) - 1):
        k = i + 1
        z[i] = x[k] * y[i]
    return np.sum(z) * x[k]


def divided(x, k):
    z = np.zeros(len(x))
    for i in range(len(x)):
        t = 1.0
        t /= i - k
        z[i] = t * x[i]
    return np.sum(z)


def test_divisions_by_zero_are_errors() -> None:
    x = np.ones(200)
    assert np.all(np.isfinite(tl.grad(divided)(x, -1)))
    assert tl.value_and_grad(divided)(x, -1)[0] == divided(x, -1)
    with pytest.raises(ZeroDivisionError):
        tl.value_and_grad(divided)(x, 5)


# Names of the module ----------------------------------------------------------------------------

i = 3
t_1 = 7.0


@case("L", value=False)
def number_of_the_module(x):
    s = 0.0
    for v in x:
        s += v * i
    return s


@case("LLL")
def another_number_of_the_module(x, y, w):
    z = np.zeros(len(x))
    for j in range(2):
        for k in range(len(x)):
            t = x[k] * w[k]
            if k == 0:
                z[k] += t * t_1
            else:
                t = t * y[k - 1]
                z[k] += t * t_1
    return np.sum(z * x)


@pytest.mark.parametrize("f", cases(globals()))
def test_slices_say_what_loops_say(f: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    check(f, monkeypatch)
