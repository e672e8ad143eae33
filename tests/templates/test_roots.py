"""Squares of roots at zero, where the root has no second derivative and the square has one; roots of sums of squares."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

ZERO, ONE = np.zeros(2), np.eye(2)
SPREAD = np.array([[0.5, -0.5], [-0.5, 0.5]])


def named(x):
    r = np.linalg.norm(x)
    return 0.5 * r * r


def in_place(x):
    r = np.hypot(x[0], x[1])
    r *= r
    return r


def in_a_loop(x):
    total = 0.0
    for k in range(3):
        r = np.linalg.norm(x)
        total = total + k * r * r
    return total


def beside_a_write(x):
    y = x * 1.0
    r = np.linalg.norm(y)
    y[0] = 5.0
    return r**2 + y[0] + y[1]


def in_an_attempt(x):
    try:
        r = np.linalg.norm(x)
        return r**2
    except ValueError:
        return 0.0


def of_a_helper(x):
    def squared(v):
        r = np.linalg.norm(v)
        return r * r

    return squared(x)


def used_twice(x):
    n = np.linalg.norm(x)
    return n * n + 0.5 * n * n * n


SQUARES: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda x: np.linalg.norm(x) ** 2, 2 * ONE),
    (lambda x: np.square(np.linalg.norm(x)), 2 * ONE),
    (lambda x: np.power(np.linalg.norm(x), 2), 2 * ONE),
    (lambda x: np.linalg.norm(x) * np.linalg.norm(x), 2 * ONE),
    (lambda x: np.hypot(x[0], x[1]) * np.hypot(x[0], x[1]), 2 * ONE),
    (lambda x: np.linalg.norm(x, 2) ** 2, 2 * ONE),
    (lambda x: np.linalg.norm(np.outer(x, x + 1.0), "fro") ** 2, 4 * ONE),
    (lambda x: np.sum(np.linalg.norm(x[None], axis=1, keepdims=True) ** 2), 2 * ONE),
    (lambda x: np.linalg.norm([x[0], x[1]]) ** 2, 2 * ONE),
    (lambda x: np.linalg.norm(x + 1j * x) ** 2, 4 * ONE),
    (lambda x: np.linalg.vector_norm(x) ** 2, 2 * ONE),
    (lambda x: np.linalg.matrix_norm(x[None]) ** 2, 2 * ONE),
    (lambda x: np.linalg.norm(x) ** 4, 0 * ONE),
    (lambda x: np.linalg.norm(x) ** 3, 0 * ONE),
    (lambda x: np.linalg.norm(x) ** 2.5, 0 * ONE),
    (lambda x: np.exp(-((np.linalg.norm(x) / 0.5) ** 2)), -8 * ONE),
    (lambda x: np.hypot(x[0], x[1]) ** 2, 2 * ONE),
    (lambda x: math.hypot(x[0], x[1], 0.0) ** 2, 2 * ONE),
    (lambda x: math.dist(x, [0.0, 0.0]) ** 2, 2 * ONE),
    (lambda x: np.std(x) ** 2, SPREAD),
    (lambda x: x.std() ** 2, SPREAD),
    (lambda x: np.nanstd(x) ** 2, SPREAD),
    (lambda x: np.sqrt(np.sum(x * x)) ** 2, 2 * ONE),
    (lambda x: ((x[0] ** 2 + x[1] ** 2) ** 0.5) ** 2, 2 * ONE),
    (lambda x: np.sqrt(x @ x) ** 2, 2 * ONE),
    (lambda x: np.sqrt(np.var(x)) ** 2, SPREAD),
    (lambda x: np.sum(np.abs(x) ** 2), 2 * ONE),
    (lambda x: np.abs(x[0] + 1j * x[1]) ** 2, 2 * ONE),
    (lambda x: np.sum(np.cbrt(x + 0.0) ** 3 * x), 2 * ONE),
    (lambda x: np.sum(np.sqrt(np.abs(x) ** 2) ** 4), 0 * ONE),
    (lambda x: np.sqrt(np.sum(x)) ** 4, 2 * np.ones((2, 2))),
    (lambda x: np.sqrt(np.sum(x)) ** 6, 0 * ONE),
    (named, ONE),
    (in_place, 2 * ONE),
    (in_a_loop, 6 * ONE),
    (beside_a_write, 2 * ONE),
    (in_an_attempt, 2 * ONE),
    (of_a_helper, 2 * ONE),
    (used_twice, 2 * ONE),
]


@pytest.mark.parametrize(("f", "bend"), SQUARES)
def test_the_square_of_a_root_has_its_second_derivative(f: Any, bend: Any) -> None:
    found = [
        [tl.vjp(tl.grad(f))(ZERO)[1](v) for v in ONE],
        [tl.jvp(tl.grad(f, optimized=False))(ZERO, tangent=v)[1] for v in ONE],
        [tl.jvp(tl.grad(f))(ZERO, tangent=v)[1] for v in ONE],
        [tl.vjp(along(f, v))(ZERO)[1](1.0) for v in ONE],
        [[tl.jvp(along(f, v))(ZERO, tangent=w)[1] for w in ONE] for v in ONE],
    ]
    for hessian in found:
        np.testing.assert_allclose(hessian, bend, atol=1e-12)


def along(f: Any, v: Any) -> Any:
    df = tl.jvp(f)
    return lambda x: df(x, tangent=v)[1]


def added_in_a_loop(x):
    s = 0.0
    for v in x:
        s += v**2
    return np.sqrt(s)


def added_while_it_is_small(x):
    s, i = 0, 0
    while i < len(x):
        s += x[i] * x[i] if i % 2 else 3.0 * x[i] ** 2
        i += 1
        if s > 5.0:
            break
    return math.sqrt(s)


def distances(x):
    rows = x.reshape(2, -1)
    total = 0.0
    for i in range(2):
        for j in range(2):
            s = 0.0
            for k in range(rows.shape[1]):
                s += (rows[i, k] - rows[j, k]) ** 2
            total += np.sqrt(s)
    return total


def in_turn(x):
    a, b = 0.0, 0.0
    for v in x:
        a, b = b, a + v * v
    return np.sqrt(a + b)


def sum_of_squares(v):
    return np.sum(v * v)


def length(v):
    return np.sqrt(sum_of_squares(v))


def squared_distance(a, b):
    d = a - b
    return d @ d


def doubled(s):
    return 2.0 * s


def within(v, k):
    return v[k] ** 2 + (within(v, k - 1) if k else 0.0)


class Point:
    def __init__(self, place):
        self.place = place

    def squared(self):
        return self.place[0] ** 2 + self.place[1] ** 2

    def length(self):
        return np.sqrt(self.squared())


def stored_first(x):
    a = np.zeros(2)
    a[0] = np.sum(x * x)
    return np.sqrt(a[0])


def table(x):
    d = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            v = x[i : i + 1] - x[j : j + 1]
            d[i, j] = v @ v
    return np.sum(np.sqrt(d))


def added_in_an_array(x):
    a = np.zeros(1)
    for v in x:
        a[0] += v**2
    return math.sqrt(a[0])


def through_a_view(x):
    a = np.empty(3)
    b = a[1:]
    a[0] = 0.0
    b[:] = x * x
    return np.sqrt(a.sum())


def plus_nothing(x):
    eps = 0.0
    return np.sqrt(x @ x + eps)


def in_a_dict(x):
    d = {}
    d["s"] = np.sum(x * x)
    return np.sqrt(d["s"])


def in_a_list(x):
    squares = [v * v for v in x]
    return np.sqrt(squares[0] + squares[1])


def beside_others(x):
    s, other = np.sum(x**2), x[0]
    pair = (s, other)
    return np.sqrt(pair[0])


def weighted_by_hand(x, w=1.5):
    return np.sum(np.sqrt(w * x * x))


def with_the_mean(x):
    return np.sqrt(np.sum((x - np.mean(x)) ** 2) / len(x)) ** 1.0


def complex_length(x):
    z = x[0] + 1j * x[1]
    return np.sqrt((z * np.conj(z)).real)


def column(x):
    c = x.reshape(-1, 1)
    return np.sum(np.sqrt(c.T @ c))


FLAT: list[Callable[[Any], Any]] = [
    length,
    stored_first,
    table,
    added_in_an_array,
    through_a_view,
    plus_nothing,
    in_a_dict,
    in_a_list,
    beside_others,
    weighted_by_hand,
    with_the_mean,
    complex_length,
    column,
    lambda x: np.sqrt(sum_of_squares(x)),
    lambda x: squared_distance(x, np.zeros(2)) ** 0.5,
    lambda x: np.sqrt(doubled(sum_of_squares(x))),
    lambda x: np.sqrt(within(x, 1)),
    lambda x: Point(x).length(),
    lambda x: np.sqrt(np.einsum("i,i", x, x)),
    lambda x: np.sum(np.sqrt(np.einsum("ij,ij->i", x[None], x[None]))),
    lambda x: np.sqrt(np.einsum("i,i,i->", x, np.array([1.0, 2.0]), x)),
    lambda x: np.sqrt(np.tensordot(x, x, 1)),
    lambda x: np.sqrt(x.T @ x),
    lambda x: np.sqrt(np.real(np.vdot(x + 0j, x + 0j))),
    lambda x: np.sqrt(sum([v**2 for v in x])),
    lambda x: np.sqrt(np.cumsum(x * x)[-1]),
    lambda x: np.sqrt(max(np.sum(x * x), 0.0)),
    lambda x: np.sqrt(np.maximum(np.sum(x * x), 0.0)),
    lambda x: np.sqrt(np.clip(np.sum(x * x), 0.0, None)),
    lambda x: math.sqrt(float(np.sum(x * x))),
    lambda x: np.sqrt(np.sum(np.array([1.0, 2.0]) * x * x)),
    lambda x: np.sum(np.sqrt(np.concatenate([x * x, (x * x).reshape(2)]))),
    lambda x: np.sum(np.sqrt(np.where(x > 0.0, x * x, x**4))),
    lambda x: np.sum(np.sqrt(np.abs(x**3))),
    lambda x: np.sum(np.sqrt(x**3)),
    lambda x: np.sum(np.sqrt(x * x / (1.0 + x))),
    lambda x: np.sqrt(np.expm1(np.sum(x * x))),
    added_in_a_loop,
    added_while_it_is_small,
    distances,
    in_turn,
    lambda x: np.sqrt(x[0] ** 2 + x[1] ** 2 + 0.0),
    lambda x: np.sqrt(sum(v**2 for v in x)),
    lambda x: sum(v * v for v in x) ** 0.5,
    lambda x: np.sqrt(np.sum(x * x)),
    lambda x: np.sqrt(x[0] * x[0] + x[1] ** 2),
    lambda x: (2.0 * np.mean(np.square(x)) / 3.0) ** 0.5,
    lambda x: math.sqrt(np.dot(x, x)),
    lambda x: np.sqrt(x @ x),
    lambda x: np.sqrt(np.var(x)),
    lambda x: np.hypot(x[0], x[1]),
    lambda x: math.dist(x, [0.0, 0.0]),
]


@pytest.mark.parametrize("f", FLAT)
def test_the_root_of_a_sum_of_squares_is_flat_at_zero(f: Any) -> None:
    for optimized in (True, False):
        np.testing.assert_array_equal(tl.grad(f, optimized=optimized)(ZERO), ZERO)
    np.testing.assert_array_equal([tl.jvp(f)(ZERO, tangent=v)[1] for v in ONE], ZERO)


def falls(x):
    s = 0.0
    for v in x:
        s = s - v
    return np.sqrt(s)


def begins_elsewhere(x):
    s = x[0] + x[1]
    for v in x:
        s = s + v * v
    return np.sqrt(s)


def perhaps_no_square(x):
    s = 0.0
    for k, v in enumerate(x):
        s = s + v if k else s + v * v
    return np.sqrt(s)


def written_over(x):
    a = x * x
    a[0] = x[1]
    return np.sqrt(a[0])


def written_through_a_view(x):
    a = x * x
    b = a[:1]
    b[0] = x[1]
    return np.sqrt(a[0])


def fill(a, v):
    a[0] = v


def written_by_a_helper(x):
    a = x * x
    fill(a, x[1])
    return np.sqrt(a[0])


def subtracted(x):
    a = x * x
    a[0] -= x[1]
    return np.sqrt(a[0] + 0.0)


def replaced_in_a_list(x):
    s = [x[0] ** 2]
    s[0] = x[1]
    return np.sqrt(s[0])


def put_where_it_was(x):
    s = [x[0] ** 2]
    s.pop()
    s.append(x[1])
    return np.sqrt(s[0])


def replaced_in_a_dict(x):
    d = {"s": x[0] ** 2}
    d["s"] = x[1]
    return np.sqrt(d["s"])


def bound_by_a_closure(x):
    s = x[0] ** 2

    def other():
        nonlocal s
        s = x[1]

    other()
    return np.sqrt(s)


def chosen_later(x):
    s = x[0] ** 2
    for v in x:
        if v >= 0.0:
            s = v
    return np.sqrt(s)


class Holder:
    pass


def written_into_an_object(x):
    h = Holder()
    h.s = x[0] ** 2
    h.s = x[1]
    return np.sqrt(h.s)


POLES: list[Callable[[Any], Any]] = [
    written_over,
    written_through_a_view,
    written_by_a_helper,
    subtracted,
    replaced_in_a_list,
    put_where_it_was,
    replaced_in_a_dict,
    bound_by_a_closure,
    chosen_later,
    written_into_an_object,
    lambda x: np.sqrt(doubled(x[1])),
    lambda x: np.sqrt(doubled(x)[1] * 1.0),
    lambda x: np.sqrt(max(x[0] ** 2, x[1])),
    lambda x: np.sqrt(np.where(x[0] > 0.0, x[0] ** 2, x[1])),
    lambda x: np.sqrt(x[1] - x[0] ** 2),
    lambda x: np.sqrt(np.abs(x[1])),
    lambda x: np.sqrt(np.log1p(x[1])),
    lambda x: np.sqrt(np.exp(x[0]) * x[1]),
    lambda x: np.sqrt((x[0] + 1.0) ** 2 * x[1]),
    lambda x: np.sqrt(np.array([x[0] ** 2, x[1]])[1]),
    lambda x: np.sqrt((x[0] ** 2, x[1])[1]),
]


@pytest.mark.parametrize("f", [*POLES, falls, begins_elsewhere, perhaps_no_square])
def test_what_is_added_up_keeps_its_pole_unless_all_are_squares(f: Any) -> None:
    with np.errstate(all="ignore"):
        assert not np.any(np.isfinite(tl.grad(f)(ZERO)[-1:]))


def product(m):
    return m @ m


def rows(m):
    a = np.zeros((2, 2))
    a[:] = m @ m
    return np.sum(np.sqrt(a))


def cell(m):
    return np.sqrt((m @ m)[0, 1])


@pytest.mark.parametrize(
    "f", [rows, cell, lambda m: np.sum(np.sqrt(product(m))), lambda m: np.sqrt(np.sum(m @ m))]
)
def test_products_of_matrices_are_no_squares(f: Any) -> None:
    with np.errstate(all="ignore"):
        matrix = np.array([[0.0, 1.0], [0.0, 0.0]])
        assert not np.isfinite(tl.grad(f)(matrix)).all()


def test_a_weight_is_a_constant_or_is_not() -> None:
    def f(x, w):
        return np.sqrt(w * np.sum(x * x))

    def g(x, w):
        return np.sqrt(np.sum(w * x * x))

    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(tl.grad(f)(ZERO, 2.0), ZERO)
        np.testing.assert_array_equal(tl.grad(f)(np.ones(2), 0.0), ZERO)
        assert tl.grad(f, wrt=1)(np.ones(2), 0.0) == np.inf
        assert tl.grad(f, wrt=(0, 1))(np.ones(2), 0.0)[1] == np.inf
        assert not np.isfinite(tl.grad(g)(np.ones(2), np.array([1.0, -1.0]))).any()


def test_other_roots_keep_their_pole() -> None:
    with np.errstate(divide="ignore", invalid="ignore"):
        assert tl.grad(lambda x: np.sqrt(x))(0.0) == np.inf
        matrix = np.array([[0.0, 1.0], [0.0, 0.0]])
        assert not np.isfinite(tl.grad(lambda x: np.sum(np.sqrt(x @ x)))(matrix)).all()
        assert np.isnan(tl.grad(lambda s: np.sqrt(s) ** 2)(-1.0))


def test_a_root_to_a_power_has_a_tangent() -> None:
    for f in (
        lambda x: np.sqrt(x) ** 3,
        lambda x: np.sqrt(x) ** 2.5,
        lambda x: x * x * np.sqrt(x),
        lambda x: np.sqrt(x) * 0.0,
        lambda x: np.sin(x) * np.cbrt(x),
    ):
        assert tl.grad(f)(0.0) == 0.0
        assert tl.jvp(f)(0.0, tangent=1.0)[1] == 0.0


def raised(x, y):
    r = np.sqrt(np.abs(x * y) + 0.1)
    return np.sum(r**3 + r**4 - np.cbrt(y) ** 3 + np.cbrt(x * y) ** 6 + np.hypot(x, y) ** 4)


def overwritten(x, y):
    r = np.sqrt(x * x + y * y)
    r[0] = 2.0
    return np.sum(r * r)


def squared_before_it_is_overwritten(x, y):
    r = np.sqrt(x * x + y * y)
    q = r * r
    r[0] = 2.0
    return np.sum(q * r)


def radicand_overwritten(x, y):
    x = x.copy()
    r = np.linalg.norm(x)
    x[:] = y
    return r * r + np.linalg.norm(x) ** 2


def carried_over(x, y):
    r = 0.0
    for k in range(3):
        q = r * r
        r = np.linalg.norm(x * k) + q * 0.1
    return r * r * y[1]


def merged(x, y):
    if x[0] > 0:
        r = np.linalg.norm(x)
    else:
        r = np.linalg.norm(y)
    return r * r


def rebound(x, y):
    r = np.linalg.norm(x)
    x = y
    return r * r * x[0]


def scaled(x, y):
    r = np.linalg.norm(x)
    return (y[0] * r) * r + (r / y[1]) ** 2 + (-r) ** 2


def scaled_by_what_is_overwritten(x, y):
    c = y * 1.0
    r = np.abs(x)
    t = c * r
    c[:] = 3.0
    return np.sum(t * t + r * t * c)


def scaled_root_overwritten(x, y):
    s = x * x * y * y * y * y
    t = y * np.sqrt(s)
    s[0] = 3.0
    return np.sum(t * t * s)


def listed(x, y):
    rs = [np.hypot(a, b) for a, b in zip(x, y)]
    return sum([r**2 for r in rs])


PROGRAMS = [
    raised,
    overwritten,
    squared_before_it_is_overwritten,
    radicand_overwritten,
    carried_over,
    merged,
    rebound,
    scaled,
    scaled_by_what_is_overwritten,
    scaled_root_overwritten,
    listed,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs_with_roots(f: Any, confirm: Any) -> None:
    confirm(f, np.array([0.3, 1.2, 2.0]), np.array([0.7, -0.4, 1.5]))


def test_an_ordinary_gradient_reads_better_for_it() -> None:
    def f(x):
        return np.linalg.norm(x) ** 2

    text = tl.grad(f).source
    assert "bx = 2.0 * by * x" in text
    assert "norm(x)" not in text.replace("return np.linalg.norm(x)", "")


def test_values_are_those_of_the_function() -> None:
    x = np.array([0.1, 0.7, 1.3], np.float32)
    for f in (lambda x: np.linalg.norm(x) ** 2, lambda x: np.std(x) ** 2):
        value, tangent = tl.jvp(f)(x, tangent=x)
        assert value == f(x)
        assert value.dtype == tangent.dtype == f(x).dtype
        assert tl.grad(f)(x).dtype == np.float32
