"""Buffers: adding at any index, against a loop over the elements it names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hn

from tangentlite import runtime as rt
from tangentlite.errors import DerivativeError

SHAPE = (3, 4)
BASIC = hn.basic_indices(SHAPE, allow_newaxis=True, allow_ellipsis=True)
FANCY = hn.integer_array_indices(SHAPE)
MASKS = hn.arrays(bool, SHAPE)


@given(st.data(), BASIC | FANCY | MASKS | st.lists(st.integers(-3, 2), min_size=1))
@settings(max_examples=150, deadline=None)
def test_add_at_adds_once_for_each_time_an_element_is_named(data: Any, index: Any) -> None:
    places = np.arange(12).reshape(SHAPE)[index]
    e = np.arange(1.0, np.size(places) + 1.0).reshape(np.shape(places))
    expected = np.zeros(12)
    for place, value in zip(np.ravel(places), np.ravel(e), strict=True):
        expected[place] += value
    buffer = np.zeros(SHAPE)
    found = rt.add_at(buffer, index, e if np.ndim(e) else float(e))
    assert found is buffer
    np.testing.assert_array_equal(np.ravel(found), expected)


def test_contributions_are_summed_to_the_slot() -> None:
    found = rt.add_at(np.zeros(2), 0, np.array([1.0, 2.0]))
    np.testing.assert_array_equal(found, [3.0, 0.0])
    found = rt.add_at(np.zeros(2), slice(0, 1), np.array([1.0, 2.0]))
    np.testing.assert_array_equal(found, [3.0, 0.0])


def test_complex_contributions_to_real_buffers() -> None:
    found = rt.add_at(np.zeros(2), [0, 0], np.array([1.0 + 1.0j, 2.0]))
    np.testing.assert_array_equal(found, [3.0, 0.0])


def test_containers() -> None:
    assert rt.add_at([rt.ZERO, 1.0], 1, 2.0) == [rt.ZERO, 3.0]
    assert rt.add_at({"a": rt.ZERO}, "a", 2.0) == {"a": 2.0}
    assert rt.add_at([1.0, 1.0, 1.0], slice(0, 2), [1.0, rt.ZERO]) == [2.0, 1.0, 1.0]
    assert rt.add_at([1.0], 0, rt.ZERO) == [1.0]


def test_a_buffer_is_made_or_missed() -> None:
    np.testing.assert_array_equal(rt.add_at(rt.ZERO, 1, 2.0, np.ones(2)), [0.0, 2.0])
    with pytest.raises(DerivativeError, match="part of an array of integers"):
        rt.add_at(rt.ZERO, 1, 2.0)


@pytest.mark.parametrize(
    ("x", "dtype"),
    [
        (np.ones(2), float),
        (np.ones(2, np.float32), np.float32),
        (np.ones((2, 2), int), float),
        (np.ones(1, bool), float),
        (np.ones(3, complex), complex),
        (np.array(2.0), float),
    ],
)
def test_zeros_of_arrays(x: np.ndarray, dtype: type) -> None:
    found = rt.zeros(x)
    assert (found.shape, found.dtype) == (x.shape, dtype)
    assert not found.any()


def test_zeros_of_the_rest() -> None:
    assert [rt.zeros(x) for x in (1.0, 2, True, np.int64(2))] == [0.0] * 4
    assert type(rt.zeros(np.float32(1.0))) is np.float32
    assert rt.zeros((1.0, [2.0])) == [rt.ZERO, rt.ZERO]
    assert rt.zeros({"a": 1.0}) == {"a": rt.ZERO}
    assert rt.zeros("text") is rt.ZERO
    assert rt.zeros(None) is rt.ZERO


def test_sums_of_nests() -> None:
    assert rt.add([1.0, [2.0]], [rt.ZERO, [3.0]]) == [1.0, [5.0]]
    assert rt.add({"a": 1.0}, {"a": 2.0, "b": 3.0}) == {"a": 3.0, "b": 3.0}
    assert rt.add(rt.ZERO, 2.0) == 2.0
    with pytest.raises(ValueError, match="shorter"):
        rt.add([1.0, 2.0], [1.0])


def test_sequences() -> None:
    xs = [1, 2]
    assert rt.sequence(xs) is xs
    assert rt.sequence({"a": 1}) == ["a"]
    assert rt.sequence(x * x for x in (1, 2)) == [1, 4]
    assert rt.stack(xs) == xs
    assert rt.stack(xs) is not xs
    with pytest.raises(TypeError):
        rt.sequence(np.array(1.0))
    with pytest.raises(TypeError):
        rt.sequence(3)
    assert rt.unpack((1, 2), 2) == (1, 2)
    with pytest.raises(ValueError, match="too many values to unpack"):
        rt.unpack((1, 2), 1)
    with pytest.raises(ValueError, match="not enough values to unpack"):
        rt.unpack(iter((1, 2)), 3)
