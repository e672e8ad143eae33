"""Arrays of integers held in lists, dicts and objects: their adjoints are forgotten, those of their views as well."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def views_in_a_list(x):
    a = np.array([1, 2, 3, 4])
    views = [a[1:], a.reshape(2, 2), a[::-1].T]
    views.append(np.reshape(a, (4,)))
    y = x[:3] * views[0]
    z = np.sum(views[1] * x[0]) + np.sum(views[2] * x)
    return np.sum(y) * z + np.sum(views.pop() * x * x)


def floats_are_cut_off(x):
    a = np.array([1, 2, 3, 4])
    b = a.reshape(2, 2)
    b[0] = 7
    v = x[0] * x[1]
    a[1] = v * 10
    return np.sum(b * x[2]) + v


def floats_after_integers(x):
    a = np.zeros(4, dtype=int)
    held = {"view": a[None, :], "number": a[1]}
    v = x[0] * 4
    held["view"][0, 1] = v
    w = held["view"] * x
    held["view"] = w
    return np.sum(held["view"] ** 2) + v + held["number"] * v


def attributes_that_become_floats(x):
    held = SimpleNamespace()
    held.a = np.arange(4)[:, None]
    held.b = held.a.T
    held.b = held.b * x
    held.a = held.a + x
    return np.sum(held.b) + np.sum(held.a**2)


def converted(x):
    a = np.asarray(np.zeros(4, int))
    a[x > 0.6] = 1
    b = np.asarray(a)
    b[1] = x[2] * 104.3
    c = a.astype(a.dtype, copy=False)
    c[0] = 3
    return np.sum(x * a) + np.sum(x[a == 1] ** 2) + b[1] * x[0] + c[2] * x[1]


@pytest.mark.parametrize(
    "program",
    [
        converted,
        views_in_a_list,
        floats_are_cut_off,
        floats_after_integers,
        attributes_that_become_floats,
    ],
)
def test_right_in_every_mode(program: Any, confirm: Any) -> None:
    confirm(program, np.array([0.3, 0.5, 0.7, 1.1]))


def through_asarray(x):
    v = np.asarray(x)
    v[0] = 5
    return v[1] * x[0]


def through_an_equal_type(x):
    v = x.astype(x.dtype, copy=False)
    v[0] = 5
    return v[1] * x[0]


def through_another_name_only(x):
    v = np.asarray(x)
    v[1:] *= 2
    return np.sum(v * v)


def through_a_copy_only(x):
    v = np.array(x)
    for i in range(2):
        v[i] = v[i] * 2
    return np.sum(v * v)


def rows_of_a_stack(x):
    a = x + 0
    for row in np.stack([a, a]):
        row[0] = 3
        a[1] += row[2]
    return np.sum(a)


def rows_one_by_one(x):
    row = next(iter(x.reshape(1, 3)))
    row[0] = 5
    return row[1] * x[0]


def doubled_first(x):
    a = x * 2
    a[0] = 5
    return np.sum(a)


def an_element_of_its_own(x):
    a = x + 0
    a[0] = x[1]
    return np.sum(a)


def added_in_place(x):
    a = x * 2
    a += 1
    return np.sum(a)


def scaled_in_place(x):
    a = 2 * x
    a *= 3
    return np.sum(a * a)


def chosen(x):
    a = np.where(x > 1, x, 0)
    a[0] = x[2]
    return np.sum(a)


def joined(x):
    a = np.concatenate([x, x])
    a[0] = x[2]
    return np.sum(a)


def summed_up(x):
    a = np.cumsum(x)
    a[0] = x[2]
    return np.sum(a)


def gathered(x):
    a = x[np.array([0, 1, 0])]
    a[1] = 4
    return np.sum(a)


def products(x):
    b = np.outer(x, x)
    b[0, 0] = x @ x
    return np.sum(b)


def turned(x):
    a = (x * 3).reshape(1, 3).T
    a[1, 0] = x[0]
    return np.sum(a * x)


def of_two(x):
    a = x * 2
    b = a - x
    b[0] = 1
    a[1] = 2
    return np.sum(a) + np.sum(b)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize(
    "program",
    [
        doubled_first,
        an_element_of_its_own,
        added_in_place,
        scaled_in_place,
        chosen,
        joined,
        summed_up,
        gathered,
        products,
        turned,
        of_two,
        through_asarray,
        through_an_equal_type,
        through_another_name_only,
        through_a_copy_only,
        rows_of_a_stack,
        rows_one_by_one,
    ],
)
def test_stores_into_integers_that_were_given_are_refused(program: Any, optimized: bool) -> None:
    gradient = tl.grad(program, optimized=optimized)
    with pytest.raises(tl.DerivativeError, match="array of integers.* which rounds them"):
        gradient(np.array([1, 2, 3]))
    floats = np.array([1.0, 2.0, 3.0])
    known = [(program(floats + 1e-6 * e) - program(floats - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(gradient(floats), known, atol=1e-6)


def rounding(x):
    k = np.zeros(2, int)
    k[0] = x
    return x * k[0]


def squares_one_by_one(x):
    y = np.empty_like(x)
    for i in range(3):
        y[i] = x[i] * x[i]
    return np.sum(y)


@pytest.mark.parametrize(
    "program", [an_element_of_its_own, scaled_in_place, joined, summed_up, squares_one_by_one]
)
def test_tangents_of_integers_are_not_stored_either(program: Any) -> None:
    push = tl.jvp(program)
    with pytest.raises(tl.DerivativeError, match="array of integers.* which rounds them"):
        push(np.array([1, 2, 3]), tangent=np.ones(3))
    x, v = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])
    known = (program(x + 1e-6 * v) - program(x - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(push(x, tangent=v)[1], known, atol=1e-6)


def test_floats_are_rounded_where_integers_hold_them() -> None:
    assert tl.jvp(rounding)(2.5, tangent=1.0) == (5.0, 2.0)
