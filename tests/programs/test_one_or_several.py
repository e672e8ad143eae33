"""Programs that take a number, an array or a list, and ask which it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def has_length(x):
    return sum(v * v for v in (x if hasattr(x, "__len__") else [x]))


def has_no_length(x):
    if not hasattr(x, "__len__"):
        x = [x]
    return sum(v * v for v in x)


def is_list_or_array(x):
    values = x if isinstance(x, (list, tuple, np.ndarray)) else [x]
    return sum(v * v for v in values)


def is_iterable(x):
    if not np.iterable(x):
        x = (x,)
    total = 0.0
    for v in x:
        total += v * v
    return total


def is_scalar(x):
    if np.isscalar(x):
        x = [x]
    return sum(v * v for v in x)


def has_items(x):
    if hasattr(x, "__iter__") and not isinstance(x, str):
        return sum(v * v for v in x)
    return x * x


PROGRAMS = [has_length, has_no_length, is_list_or_array, is_iterable, is_scalar, has_items]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_of_all_kinds(f):
    df: Any = tl.grad(f)
    assert df(0.7) == pytest.approx(1.4)
    assert df(np.float64(0.7)) == pytest.approx(1.4)
    assert df(np.array([0.7, 0.3])) == pytest.approx(np.array([1.4, 0.6]))
    assert df([0.7, 0.3]) == pytest.approx([1.4, 0.6])
    assert tl.jvp(f)(0.7, tangent=1.0)[1] == pytest.approx(1.4)
    assert tl.grad(f, optimized=False)(0.7) == pytest.approx(1.4)


def arrays_without_dimensions(x):
    values = x if hasattr(x, "__len__") else [x]
    total = 0.0
    for k, v in enumerate((np.reshape(values[0], ()), np.array(values[0]), np.sum(values))):
        several = hasattr(v, "__iter__"), hasattr(v, "__len__"), isinstance(v, np.ndarray)
        total = total + (k + 1.0) * v * (1.0 + several[0] + 2.0 * several[1] + 4.0 * several[2])
        total = total + (v if np.isscalar(v) else 3.0 * v)
    return total


def test_an_array_without_dimensions_is_no_number():
    f, x = arrays_without_dimensions, np.array([0.7, 0.3])
    expected = [(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(2)]
    assert tl.grad(f)(x) == pytest.approx(np.array(expected))
