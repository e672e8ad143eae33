"""Shapes: sums over what was repeated, against loops over elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as hn

from tangentlite import runtime as rt

SHAPES = hn.array_shapes(min_dims=0, max_dims=3, max_side=3)
PAIRS = hn.mutually_broadcastable_shapes(num_shapes=1, base_shape=(2, 1, 3), max_dims=3)


def summed(b: np.ndarray, target: tuple[int, ...]) -> np.ndarray:
    """The sum down to ``target``, element by element."""
    result = np.zeros(target)
    offset = b.ndim - len(target)
    for index in np.ndindex(b.shape):
        place = tuple(0 if n == 1 else i for i, n in zip(index[offset:], target, strict=True))
        result[place] += b[index]
    return result


@given(st.data(), SHAPES)
@settings(max_examples=80, deadline=None)
def test_unbroadcast_sums_what_was_repeated(data: Any, full: tuple[int, ...]) -> None:
    cut = data.draw(st.integers(0, len(full)))
    target = tuple(data.draw(st.sampled_from([1, n])) for n in full[cut:])
    b = np.arange(float(np.prod(full))).reshape(full) + 1.0
    found = rt.unbroadcast(b, np.zeros(target))
    assert np.shape(found) == target
    np.testing.assert_array_equal(found, summed(b, target))


@given(st.data(), SHAPES, st.booleans())
@settings(max_examples=80, deadline=None)
def test_unreduce_is_the_adjoint_of_sum(data: Any, full: tuple[int, ...], keepdims: bool) -> None:
    axes = st.none() | hn.valid_tuple_axes(len(full)) if full else st.none()
    axis = data.draw(axes)
    x = np.arange(float(np.prod(full))).reshape(full) - 2.0
    y = np.sum(x, axis=axis, keepdims=keepdims)
    b = np.asarray(y) * 0.5 + 1.0
    found = rt.unreduce(b, x, axis, keepdims)
    assert np.shape(found) == full
    np.testing.assert_allclose(np.sum(found * x), np.sum(b * y), atol=1e-12)


def test_the_same_shape_comes_back_untouched() -> None:
    b = np.ones(3)
    assert rt.unbroadcast(b, np.zeros(3)) is b
    assert rt.broadcast(b, np.zeros(3)) is b
    assert rt.unbroadcast(2.0, 1.0) == 2.0
    assert rt.unbroadcast(rt.ZERO, b) is rt.ZERO


@pytest.mark.parametrize("like", [1.0, 3, True, np.float64(1.0), np.float32(1.0)])
def test_scalars_stay_scalars(like: Any) -> None:
    for b in (2.0, np.float64(2.0), np.array(2.0), np.array([0.5, 1.5])):
        found = rt.unbroadcast(b, like)
        assert found == 2.0
        assert not isinstance(found, np.ndarray)


def test_lists_count_as_arrays() -> None:
    np.testing.assert_array_equal(rt.unbroadcast(np.ones((2, 3)), [1.0, 2.0, 3.0]), [2.0] * 3)
    np.testing.assert_array_equal(rt.unreduce(2.0, [1.0, 2.0]), [2.0, 2.0])


def test_a_real_operand_takes_the_real_part() -> None:
    assert rt.unbroadcast(1.0 + 2.0j, 3.0) == 1.0
    found = rt.unbroadcast(np.array([1.0 + 2.0j]), np.array([1.0]))
    assert found.dtype == np.float64
    assert rt.unbroadcast(1.0 + 2.0j, 3.0j) == 1.0 + 2.0j


def test_spread_and_broadcast_make_arrays_of_their_own() -> None:
    x = np.zeros((2, 3), np.float32)
    for f in (rt.spread, rt.broadcast):
        found = f(2.0, x)
        assert found.dtype == np.float32
        assert found.flags.writeable
        assert found.base is None
        np.testing.assert_array_equal(found, np.full((2, 3), 2.0))
        assert f(2.0, 1.0) == 2.0


@pytest.mark.parametrize("like", [0.5, 0.5j, np.ones(2), np.ones(2) * 1j], ids=repr)
def test_complex_numbers_keep_their_digits(like: Any) -> None:
    value = 0.1 + 0.3j
    for made in (rt.broadcast(value, np.full(2, like)), rt.spread(value, np.full(2, like))):
        assert np.all(made.real == value.real)
        assert not np.iscomplexobj(made) or np.all(made.imag == value.imag)
    single = rt.broadcast(value, np.ones(2, np.complex64))
    assert single.dtype == np.complex64


def test_counts() -> None:
    x = np.zeros((2, 3))
    assert rt.count(x) == 6
    assert rt.count(x, (0, -1)) == 6
    assert rt.count(x, 1, ddof=1) == 2
    np.testing.assert_array_equal(rt.count(x, 1, where=[[True, False, True]]), [2, 2])
    assert np.isnan(rt.count(np.zeros(1), ddof=1))


def test_a_mask_cuts_the_adjoint() -> None:
    found = rt.unreduce(2.0, np.zeros(2), where=np.array([True, False]))
    np.testing.assert_array_equal(found, [2.0, 0.0])


@pytest.mark.parametrize("b", [0.0, np.float64(0.0), np.zeros(2)], ids=repr)
@pytest.mark.parametrize(
    "d", [np.inf, -np.inf, np.nan, np.float64("inf"), np.array([np.inf, np.nan])]
)
def test_times_of_zero_is_zero(b: Any, d: Any) -> None:
    np.testing.assert_array_equal(rt.times(b, d), np.zeros(np.broadcast(b, d).shape))


def test_times_is_the_product_elsewhere() -> None:
    np.testing.assert_array_equal(rt.times(np.array([2.0, 0.0]), np.inf), [np.inf, 0.0])
    assert rt.times(3.0, 2.0) == 6.0
    assert np.isnan(rt.times(np.nan, 2.0))
    assert np.isnan(rt.times(1.0, np.nan))
    assert rt.times(np.float32(2.0), np.float32(np.inf)).dtype == np.float32
    assert rt.times(rt.ZERO, np.inf) is rt.ZERO
    assert rt.times(np.inf, rt.ZERO) is rt.ZERO
    np.testing.assert_array_equal(rt.times(1.0, np.array([1e300, 2.0])), [1e300, 2.0])
