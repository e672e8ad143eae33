"""Forward mode of programs that write in place: tangents share memory just as their primals do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.3, -0.7, 1.1, 0.5])
V = np.array([0.4, 1.3, -0.6, 0.9])


def put(p, q, x):
    p[0] = x * x
    return q.sum()


def one_array_for_two_parameters(x):
    a = np.zeros(3)
    return put(a, a, x[0]) * a[0]


def kept(p, q):
    t = q + 0.0
    p[0] = 5.0 * p[1]
    return np.sum(t * q)


def copy_of_an_argument_of_both_names(x):
    a = x * 1.0
    return kept(a, a)


def copy_by_a_sum(x):
    a = x.copy()
    b = a + 0.0
    a[0] = 3.0
    return np.sum(a * b)


def handed_on(p, x):
    p[1] = x[0]
    return p


def result_is_the_argument(x):
    a = np.zeros(4)
    b = handed_on(a, x)
    b[2] = x[1]
    a[3] = b[1] * b[2]
    return np.sum(a * b)


def views_in_another_layout(x):
    m = np.zeros((4, 3))
    t = m.T
    t[1] = x
    m[2] = x[:3] * m[3]
    r = t.reshape(-1)
    r[0] = 9.0
    return np.sum(m * t.T) + r[0]


def view_with_steps(x):
    b = np.outer(x, x)
    s = b[::2, ::-1]
    s[0] = x
    b[0, 0] *= 2.0
    w = s.reshape(-1)
    w[0] = 7.0
    return np.sum(b * b) + np.sum(s)


def bound_in_one_trip(x):
    for i in range(3):
        if i == 1:
            a = np.zeros(3)
        if i >= 1:
            a[i] = x[i]
    return np.sum(a * a)


def names_that_swap(x):
    u, v = x * 1.0, x * x
    for _ in range(3):
        u, v = v, u
        u[0] = v[1]
        v[2] += u[0]
    return np.sum(u * v)


def integers_round(x):
    a = np.zeros_like(x, dtype=int)
    a[:] = x * 3.0
    return np.sum(a * x)


def array_in_a_list(x):
    rows = [x * 1.0, x * 2.0]
    a = rows[0]
    a[0] = x[1]
    rows[1][1] = a[0]
    rows.append(a)
    rows[2][3] = x[0] * x[0]
    return np.sum(rows[0] * rows[1])


def argument(x):
    x[1] = x[0] * x[2]
    x += x[0]
    return x


PROGRAMS = [
    one_array_for_two_parameters,
    copy_of_an_argument_of_both_names,
    copy_by_a_sum,
    result_is_the_argument,
    views_in_another_layout,
    view_with_steps,
    bound_in_one_trip,
    names_that_swap,
    integers_round,
    array_in_a_list,
    argument,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("optimized", [True, False])
def test_tangent(program: Callable[..., Any], optimized: bool) -> None:
    h = 1e-5
    expected = (np.asarray(program(X + h * V)) - np.asarray(program(X - h * V))) / (2.0 * h)
    derivative = tl.autodiff(program, mode="forward", optimized=optimized)
    x, v = X.copy(), V.copy()
    for _ in range(2):
        np.testing.assert_allclose(derivative(x, dx=v), expected, rtol=1e-6, atol=1e-8)
    assert np.array_equal(x, X)
    assert np.array_equal(v, V)


def itself(x):
    return x


@pytest.mark.parametrize("program", [argument, itself], ids=lambda f: f.__name__)
def test_result_shares_nothing_with_what_was_given(program: Callable[..., Any]) -> None:
    x, v = X.copy(), V.copy()
    tangent = tl.jvp(program)(x, tangent=v)[1]
    assert not np.shares_memory(tangent, v)
    assert not np.shares_memory(tangent, x)


TABLE = np.zeros(3)


def in_a_new_shape(x):
    a = np.reshape(x, (1,))
    a[0] = a[0] * 3.0
    return a[0]


def flattened(x):
    a = np.ravel(x)
    a[0] *= 3.0
    return a[0]


def raised(x):
    a = np.atleast_2d(x)
    a[0, 0] = a[0, 0] * 3.0
    return np.sum(a)


def in_a_list(x):
    parts = [x]
    a = np.atleast_1d(parts[0])
    a[0] *= 3.0
    return a[0]


@pytest.mark.parametrize("program", [in_a_new_shape, flattened, raised, in_a_list])
@pytest.mark.parametrize("number", [float, np.float64, np.array])
def test_tangent_without_dimensions_is_left_alone(
    program: Callable[..., Any], number: Callable[[float], Any]
) -> None:
    given = np.array(1.0)
    for _ in range(2):
        assert tl.jvp(program)(number(2.0), tangent=given) == (6.0, 3.0)
        assert given == 1.0


def summed_in_a_loop(x):
    total = 0.0
    for _ in range(3):
        total = total + x * x
    return total


@pytest.mark.parametrize("given", [np.ones(3), np.ones(1), [1.0]])
def test_tangent_of_a_number_is_a_number(given: Any) -> None:
    with pytest.raises(TypeError, match="its tangent has shape"):
        tl.jvp(summed_in_a_loop)(2.0, tangent=given)


def writes_outside(x):
    table = TABLE
    table[0] = x[0]
    return table[0] * 2.0


def test_global_arrays_are_refused() -> None:
    with pytest.raises(tl.AliasError, match="TABLE"):
        tl.jvp(writes_outside)(X, tangent=V)


LEVELS = [288.0, 216.0, 217.0]
HEIGHTS = [0.0, 11e3, 20e3]


class Air:
    def __init__(self, height: Any, warmer: Any = 0.0) -> None:
        self.layer = LEVELS[self.number(height)]
        self.temperature = self.layer - 0.003 * height
        self.layer += 2.0 * height
        self.temperature += warmer * height
        self.density = self.temperature / self.layer

    @staticmethod
    def number(height: Any) -> int:
        for k, other in enumerate(HEIGHTS):
            if other >= height:
                return k - 1
        return 2


def density(height: Any) -> Any:
    return Air(height, 0.1).density * height


def test_a_number_from_a_list_outside_is_an_attribute_that_grows() -> None:
    expected = (density(12000.01) - density(11999.99)) / 0.02
    value, tangent = tl.jvp(density)(12000.0, tangent=1.0)
    assert value == density(12000.0)
    np.testing.assert_allclose(tangent, expected, rtol=1e-6)
    np.testing.assert_allclose(tl.grad(density)(12000.0), expected, rtol=1e-6)
    assert LEVELS == [288.0, 216.0, 217.0]
