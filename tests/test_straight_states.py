"""States in tuples, of which loops over numbers take the parts, give what they gave."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.4, 0.7, -0.2])


def turned(x, t):
    state = (x, 0.5)
    for _ in range(4):
        p, q = state
        state = (p + 0.1 * q, q - t * math.sin(p))
    return state[0] * state[1]


def exchanged(x, t):
    s = x, t
    k = 0
    while s[0] < 2.0 and k < 5:
        s = s[1] + 0.5, math.sin(s[0]) + s[1]
        k += 1
    return s[0] - s[1]


def chosen(x, t):
    s = (x, t)
    for k in range(4):
        if s[0] > 0.4:
            s = (s[0] * 0.5, s[1])
        else:
            a, b = s
            s = (b, a + k)
    return s[0] * s[1]


def names_meet(x, t):
    s = (x, t)
    s_0, s_1_ = 2.0, 0.5
    for _ in range(3):
        s = (s[0] * s_0 - s[1], math.sin(s[0]) * s_1_)
    return s[0] + s[1] + s_0


def of_arrays(x, t):
    s = (x[0], 1)
    for k in range(len(x)):
        s = (s[0] * t + x[k], s[1] + 1)
    return s[0] * s[1]


def in_a_sum(x, t):
    s = (x, t)
    total = 0.0
    for k in range(3):
        total = total + sum([s[0] * j for j in range(2)]) * s[1]
        s = (s[1], math.sin(s[0]) + k)
    return total


def whole(x, t):
    s = (x, t)
    kept = s
    for _ in range(3):
        s = (s[1], math.sin(s[0]))
    return s[0] * kept[1] + len(s)


def from_the_end(x, t):
    s = (x, t)
    for _ in range(3):
        s = (s[-1], math.sin(s[0]))
    return s[-2] * s[1]


def of_other_sizes(x, t):
    s = (x, t)
    for k in range(2):
        s = (s[1], math.sin(s[0]))
    s = (s[0], s[1], x)
    return s[0] * s[2]


def bound_late(x, t):
    for k in range(3):
        if k:
            s = (s[0] + x, s[1] * t)
        else:
            s = (x, t)
    return s[0] * s[1]


PROGRAMS: tuple[tuple[Any, ...], ...] = (
    *(
        (f, 0.3, 0.7)
        for f in (turned, exchanged, chosen, names_meet, in_a_sum, whole, from_the_end)
    ),
    *((f, 0.3, 0.7) for f in (of_other_sizes, bound_late)),
    (turned, np.float64(0.3), 0.7),
    (of_arrays, X, 0.7),
)


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case[0].__name__)
def test_programs(case: Any) -> None:
    function, *args = case
    plain = tl.grad(function, wrt=(0, 1), optimized=False)
    both = tl.value_and_grad(function, wrt=(0, 1))
    for _ in range(2):
        value, second = both(*args)
        for found in (tl.grad(function, wrt=(0, 1))(*args), second):
            for mine, other in zip(found, plain(*args), strict=True):
                assert type(mine) is type(other)
                np.testing.assert_allclose(mine, other, rtol=1e-12)
        assert (value, type(value)) == (function(*args), type(function(*args)))
        args = [a * 1.25 for a in args]
    tl.check_grads(function, args, order=1)


def test_the_parts_have_names() -> None:
    for function in (turned, exchanged, chosen, names_meet):
        derivative = tl.grad(function, wrt=(0, 1))
        derivative(0.3, 0.7)
        text = inspect.getsource(derivative.__func__)
        assert "bstate = " not in text and "bs = " not in text and "[" not in text.replace("[]", "")


def slopes(state, c):
    x, y = state
    return c * y, -math.sin(x)


def with_an_argument_of_that_name(x, y, c):
    state = (x, y)
    for _ in range(3):
        dx, dy = slopes(state, c)
        state = (state[0] + 0.1 * dx, state[1] + 0.1 * dy)
    return state[0] * 2.0


def test_seeds_may_have_other_names() -> None:
    derivative = tl.grad(with_an_argument_of_that_name, wrt=(0, 1, 2))
    plain = tl.grad(with_an_argument_of_that_name, wrt=(0, 1, 2), optimized=False)
    expected = plain(0.3, 0.4, 0.7)
    assert derivative(0.3, 0.4, 0.7) == pytest.approx(expected, rel=1e-12)
    assert "_forward(" not in inspect.getsource(derivative.__func__)
    doubled = derivative(0.3, 0.4, c=0.7, adjoint=2.0)
    assert doubled == pytest.approx([2.0 * v for v in expected], rel=1e-12)
    assert derivative(0.3, y=0.4, c=0.7) == pytest.approx(expected, rel=1e-12)


def beyond(x):
    s = (x, x)
    for _ in range(2):
        s = (s[1], s[2] * x)
    return s[0]


def too_many(x):
    s = (x, x)
    for _ in range(2):
        a, b, c = s
        s = (b, a + c)
    return s[0]


@pytest.mark.parametrize("function", (beyond, too_many))
def test_errors_stay(function: Any) -> None:
    with pytest.raises((IndexError, ValueError, tl.DerivativeError)):
        tl.grad(function)(0.3)
