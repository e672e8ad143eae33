"""Helpers of whose results only the shape is asked for, sums that were broadcast, and places that are visited once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import Check

NORMAL = np.random.default_rng(5).normal


def rows(x: Any, v: Any) -> Any:
    y = np.empty((len(x), v.shape[1]))
    for i in range(len(x)):
        y[i, :] = np.sum(x[i, :, np.newaxis] * v, axis=0)
    return y


def shifted(x: Any, v: Any) -> Any:
    return rows(x, v) + v[0]


def made(x: Any, v: Any) -> Any:
    return np.sum(rows(x, v) * v[:2])


def made_and_shifted(x: Any, v: Any) -> Any:
    return np.mean(shifted(x, v) * 3.0 - v[:2])


def scaled_later(x: Any, v: Any) -> Any:
    y = shifted(x, v) * 2.0
    y = y + v[1]
    return np.sum(y * v[1:])


def asked_for_values(x: Any, v: Any) -> Any:
    y = shifted(x, v)
    return np.sum(y * y)


def written_after(x: Any, v: Any) -> Any:
    y = shifted(x, v)
    y[0] = y[1] * 2.0
    return np.sum(y * v[1:])


def called_twice(x: Any, v: Any) -> Any:
    return np.sum(rows(x, v) * v[1:]) + np.sum(rows(2.0 * x, v))


def repeated(x: Any, v: Any) -> Any:
    y = np.zeros((3, 4, v.shape[1]))
    for i in range(2):
        y[i] = np.sum(x * v[:, i : i + 1].T, axis=1, keepdims=True)
        y[:, i, :] += np.sum(v, axis=0)
    y[2] = np.sum(x, axis=(0, 1))
    y[2, 1:] += np.sum(x * x, axis=None)
    return y


def summed_down(x: Any, v: Any) -> Any:
    return np.sum(repeated(x[0], v) * repeated(x[1], v))


def summed_down_as_a_whole(x: Any, v: Any) -> Any:
    axes = None
    return np.sum(np.sum(x * x, axis=axes) * v) + np.sum(np.sum(x, axis=-1, keepdims=True) * v[0])


def no_trips(x: Any, v: Any) -> Any:
    return np.sum(rows(x[:0], v)) + np.sum(x) * 2.0


def visited_again(x: Any, v: Any) -> Any:
    y = np.empty((len(v), 3))
    for k in range(2):
        for i in range(3):
            y[:, i] = v[:, 0] * x[k, i]
            y[:, i] *= v[:, 1]
        x[0, 0] += np.sum(y)
    return np.sum(y * y)


def from_both_ends(x: Any, v: Any) -> Any:
    y = np.zeros((3, 2))
    for i in range(-1, 2):
        y[:, i] = v[:3, 0] * x[0, i]
    return np.sum(y * y)


def of_another_trip(x: Any, v: Any) -> Any:
    y = np.zeros((len(v), 4))
    for i in range(1, 4):
        y[:, i] = v[:, 0] * x[0, i - 1]
        y[:, i] += y[:, i - 1] * v[:, 1]
    return np.sum(y * y)


def across(x: Any, v: Any) -> Any:
    y = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            y[i, j] = x[0, i] * v[j, 0]
            y[j, i] = y[i, j] * v[i, 1]
    return np.sum(y * y)


def seen_as_a_view(x: Any, v: Any) -> Any:
    y = np.zeros((3, 3))
    row = y[1]
    for i in range(3):
        y[:, i] = x[0] * v[:3, 0]
        row[0] = row[i] * x[1, i]
    return np.sum(y * y)


def asked_after_the_loop(x: Any, v: Any) -> Any:
    y = np.zeros((3, 3))
    for i in range(3):
        y[:, i] = x[0] * v[:3, 0] * (i + 1)
    y[0, :] = y[1, :] * y[2, 0]
    return np.sum(y * y)


def kept(x: Any, v: Any) -> Any:
    ys = [np.zeros((3, 2))]
    for i in range(2):
        ys[0][:, i] = x[i] * v[:3, 0]
    return np.sum(ys[0] * ys[0])


PROGRAMS = (
    *(made, made_and_shifted, scaled_later, asked_for_values, written_after, called_twice),
    *(no_trips, visited_again, from_both_ends, of_another_trip, across, seen_as_a_view),
    *(asked_after_the_loop, kept),
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_right(program: Callable[..., Any]) -> None:
    Check(program, (NORMAL(size=(2, 3)), NORMAL(size=(3, 2)))).run()


@pytest.mark.parametrize("program", (summed_down, summed_down_as_a_whole))
def test_sums_that_were_broadcast(program: Callable[..., Any]) -> None:
    Check(program, (NORMAL(size=(2, 4, 3)), NORMAL(size=(3, 4)))).run()


def test_a_result_is_not_made_for_its_shape() -> None:
    derivative = tl.grad(made_and_shifted, wrt=(0, 1))
    derivative(NORMAL(size=(2, 3)), NORMAL(size=(3, 2)))
    assert "  y[i, :] = " not in derivative.source
    assert "  y[i, :] = " in tl.value_and_grad(made_and_shifted).source


def test_what_is_left_out_computes_with_no_numbers_at_random() -> None:
    x, v = NORMAL(size=(2, 3)), np.full((3, 2), 1e150)
    with np.errstate(all="raise"):
        tl.grad(made_and_shifted)(x * 1e-300, v * 1e-300)
        tl.grad(scaled_later)(x * 1e-300, v * 1e-10)


@pytest.mark.parametrize("dtype", (np.float32, np.complex128))
def test_other_precisions(dtype: Any) -> None:
    x, v = NORMAL(size=(2, 3)).astype(dtype), NORMAL(size=(3, 2)).astype(dtype)

    def loss(x: Any, v: Any) -> Any:
        y = np.empty((len(x), v.shape[1]), dtype=x.dtype)
        for i in range(len(x)):
            y[i, :] = np.sum(x[i, :, np.newaxis] * v, axis=0)
        return np.sum(y * v[:2]).real

    found, plain = tl.grad(loss), tl.grad(loss, optimized=False)
    assert found(x, v).dtype == dtype
    assert np.allclose(found(x, v), plain(x, v))


def test_a_place_is_emptied_unless_each_trip_has_its_own() -> None:
    emptied = "by[:, i] = 0.0"
    assert emptied not in tl.grad(one_visit).source
    for program in (visited_again, from_both_ends, of_another_trip):
        assert emptied in tl.grad(program).source.replace("by_1", "by")


def one_visit(x: Any, v: Any) -> Any:
    y = np.empty((len(v), 3))
    for i in range(3):
        y[:, i] = v[:, 0] * x[0, i]
    return np.sum(y * 2.0)


def smoothed(a: Any, b: Any) -> None:
    d = 2.0 * a[1:, :] - a[:-1, :]
    b[1:, :] = d * (a[1:, :] + b[:-1, 0]) - np.where(d > 0.0, d, 0.1 * d)


def through_shapes(x: Any, v: Any) -> Any:
    smoothed(v, x)
    return np.sum(x * 0.5)


def test_sums_and_products_of_which_shapes_are_read() -> None:
    x, v = NORMAL(size=(2, 2)), NORMAL(size=(2, 2))
    Check(through_shapes, (x, v)).run()


def test_what_does_not_fit_is_said_as_numpy_says_it() -> None:
    def loss(x: Any, y: Any) -> Any:
        t = x * y - y
        return np.sum(t * 2.0)

    with pytest.raises(ValueError, match="could not be broadcast"):
        tl.grad(loss, wrt=(0, 1))(np.ones(2), np.ones(3))
