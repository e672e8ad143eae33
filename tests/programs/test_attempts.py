"""A `try` whose body fails after it has written: what was done before the failure stays, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

FOUR = np.array([0.63, 0.41, 1.17, 0.88])
WEIGHTS = np.cos(1.0 + np.arange(4.0))


@case(FOUR, 3)
@case(FOUR, None)
@case(FOUR, np.int32(2))
@case(FOUR, 2.5)
def a_bound_that_is_no_number(x, n):
    a = x * 1.0
    try:
        a[0] = a[1] * a[2]
        for i in range(n):
            a[i] = a[i] * a[3]
    except TypeError:
        a[1] *= 3.0
    return np.sum(WEIGHTS * a * a)


@case(FOUR, 3)
@case(FOUR, None)
def a_test_that_fails(x, limit):
    a = x * 1.0
    k = 0
    try:
        a[0] = a[1] * a[2]
        while k < limit:
            a[k] *= a[3]
            k += 1
    except TypeError:
        a[1] *= 3.0
    return np.sum(WEIGHTS * a * a)


@case(FOUR, [3] * 8)
@case(FOUR, [3, 3])
@case(FOUR, [])
@case(FOUR, [3, 3, 0, 0])
def a_test_that_fails_in_a_later_trip(x, limits):
    a = x * 1.0
    k = 0
    try:
        a[0] = a[1] * a[2]
        while k < limits[k]:
            a[k] *= a[3]
            k += 1
            if k == 3:
                break
    except IndexError:
        a[1] *= 3.0
    else:
        a[2] *= 0.5
    return np.sum(WEIGHTS * a * a)


@case(FOUR, [1.0, 2.0])
@case(FOUR, [1.0, 2.0, 3.0, 4.0])
@case(FOUR, [1.0, None, 3.0])
def a_list_with_a_gap(x, xs):
    s = x[0]
    t = [s]
    try:
        for v in xs:
            s = s * x[1] + v
            t.append(s * s)
            if len(t) > 3:
                raise ValueError(t)
    except (TypeError, ValueError):
        s = s + x[2]
        t[-1] *= x[3]
    finally:
        s = s * 2.0
    return s * t[-1] + t[0]


@case(FOUR, FOUR)
@case(FOUR, FOUR + 5.0)
def divides_before_it_fails(x, b):
    a = x * 1.0
    try:
        a /= b
        if b[0] > 4:
            raise ValueError
    except Exception:
        a[1] = 3.0
    return np.sum(WEIGHTS * a * a)


@case(FOUR, 2.0)
def divides_a_number(x, b):
    s = 1.0
    try:
        s /= x[0]
        s *= b
    except ArithmeticError:
        s = x[1]
    return s


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)


def divides_where_numpy_raises(x):
    a = x * 1.0
    with np.errstate(all="raise"):
        try:
            a /= WEIGHTS
        except Exception:
            a[1] *= 3.0
    return np.sum(a)


def divides_into_its_argument(x):
    a = x * 1.0
    try:
        np.divide(a, WEIGHTS, out=a)
    except FloatingPointError:
        a[1] = 3.0
    return np.sum(a)


def test_an_array_that_is_changed_by_half_is_refused(refused: Any) -> None:
    refused(
        divides_where_numpy_raises, "a /= WEIGHTS", "by half", args=(FOUR,), error=tl.AliasError
    )
    refused(divides_into_its_argument, "out=a", "by half", args=(FOUR,), error=tl.AliasError)
