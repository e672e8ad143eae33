"""What lives outside the function and is overwritten there, before the derivative has read it, is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import check

TABLE, OTHER = np.ones(5), np.full(5, 2.0)
X = np.array([0.4, 0.9, 1.3])


def a_view(x):
    TABLE[:] = x.shape[0]
    v = TABLE[:2]
    s = v * x[:2]
    TABLE[0] = 7.0
    return np.sum(s * s)


def an_operand(x):
    TABLE[:] = 2.0
    s = TABLE[:3] * x
    TABLE[0] = 7.0
    return np.sum(s * s)


def by_methods(x):
    np.copyto(TABLE, 3.0)
    s = TABLE[:3] * x
    TABLE.fill(5.0)
    return np.sum(s * s)


def by_out(x):
    np.add(TABLE * 0.0, 3.0, out=TABLE)
    s = TABLE[:3] * x
    np.add(TABLE, 1.0, out=TABLE)
    return np.sum(s * s)


def trip_by_trip(x):
    s = 0.0
    for k in range(3):
        TABLE[:] = k + 1.0
        s = s + np.sum(TABLE[:3] * x * x)
    return s


def in_a_helper(x):
    return an_operand(x) * 2.0


OVERWRITING = (a_view, an_operand, by_methods, by_out, trip_by_trip, in_a_helper)


@pytest.mark.parametrize("f", OVERWRITING, ids=lambda f: f.__name__)
def test_what_is_overwritten_outside_is_refused(f: Any) -> None:
    with pytest.raises(tl.AliasError, match="overwrites what the derivative reads, outside"):
        tl.grad(f)(X)


def written_before(x):
    TABLE[:] = 3.0
    return np.sum(TABLE[:3] * x * x)


def counted(x):
    s = OTHER[:3] * x
    TABLE[0] += 1.0
    return np.sum(s * s)


def read_no_more(x):
    TABLE[:] = 3.0
    s = x + TABLE[:3]
    TABLE[:] = 4.0
    return np.sum(s * s)


@pytest.mark.parametrize("f", [written_before, counted, read_no_more], ids=lambda f: f.__name__)
def test_what_is_not_needed_may_be_overwritten(f: Any) -> None:
    check(f, X)


def another_axis(x):
    s = TABLE[None] * x[0]
    TABLE[0] = TABLE[0] + 7.0
    return np.sum(s * s)


def by_dots(x):
    s = TABLE[...] * x[0]
    TABLE[0] = TABLE[0] + 7.0
    return np.sum(s * s)


@pytest.mark.parametrize("f", [another_axis, by_dots], ids=lambda f: f.__name__)
def test_new_axes_and_dots_are_views(f: Any) -> None:
    with pytest.raises(tl.AliasError, match="overwrites what the derivative reads, outside"):
        tl.grad(f)(X)


def elements(x):
    TABLE[0] = 3.0
    s = TABLE[0] * x[0]
    TABLE[0] = 5.0
    return s * s


def test_elements_are_numbers() -> None:
    check(elements, X)
