"""What is said in other words: elements that are unpacked, arrays that must not be copied, casts for those who check."""

from __future__ import annotations

import typing
from typing import Any, cast

import numpy as np
import pytest

import tangentlite as tl

M = np.array([[1.5, 2.0], [0.5, 3.0]])


def determinant(m: Any) -> Any:
    a, b, c, d = m.flat
    return a * d - b * c


def first_and_rest(m: Any) -> Any:
    a, *rest = m.T.flat
    return a * rest[0] + rest[-1]


def length(v: Any) -> Any:
    v = np.array(v, dtype=np.float64, copy=False)
    return cast(float, np.sqrt(np.sum(v * v)))


def writes(v: Any) -> Any:
    same = np.array(v, copy=False)
    same[0] = typing.cast("float", same[1]) * 2.0
    return v[0] * v[1]


def pair(v: Any) -> Any:
    x, y = cast("tuple[float, float]", (v[0], v[1]))
    return x * y


def test_elements_one_by_one() -> None:
    np.testing.assert_array_equal(tl.grad(determinant)(M), [[3.0, -0.5], [-2.0, 1.5]])
    np.testing.assert_array_equal(tl.grad(first_and_rest)(M), [[0.5, 0.0], [1.5, 1.0]])
    with pytest.raises(ValueError, match="too many values"):
        tl.grad(determinant)(np.ones(5))


def test_arrays_that_must_not_be_copied() -> None:
    v = np.array([3.0, 4.0])
    np.testing.assert_allclose(tl.grad(length)(v), v / 5.0)
    np.testing.assert_allclose(tl.grad(writes)(v), [0.0, 16.0])
    for given in (np.array([3, 4]), [3.0, 4.0]):
        with pytest.raises(ValueError, match="[cC]opy"):
            length(given)
        with pytest.raises(ValueError, match="[cC]opy"):
            tl.grad(length)(given)


def test_casts() -> None:
    np.testing.assert_array_equal(tl.grad(pair)(np.array([2.0, 5.0])), [5.0, 2.0])
    _, tangent = tl.jvp(pair)(np.array([2.0, 5.0]), tangent=np.array([1.0, 0.0]))
    assert tangent == 5.0
