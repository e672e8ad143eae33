"""What is no view of an argument that is written afterwards has a derivative of its own, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.mutation.registry import W33

A = np.array([[0.63, -0.41, 0.87], [0.35, 0.78, -0.26], [1.2, -0.7, 0.3]])
V = np.array([0.52, -0.33, 0.71])


def moved(x):
    return x + 1.0


def copied(x):
    return np.array(x)


def raised(x):
    return np.array(x, ndmin=3)


def reshaped(x):
    return np.reshape(x - 0.5, (1, 3, 3))


def with_itself(x):
    return [x, x + 1.0]


@pytest.mark.parametrize("helper", [moved, copied, raised, reshaped])
def test_what_a_helper_gives_is_kept_while_its_argument_is_written(helper: Any) -> None:
    def f(x):
        y = helper(x)
        x[0] = 2.0
        return np.sum(y * y * W33) + np.sum(x)

    tl.check_grads(f, (A,), order=1)


def test_what_a_helper_gives_in_a_list_is_kept_while_its_argument_is_written() -> None:
    def f(x):
        same, other = with_itself(x)
        x[0] = 2.0
        return np.sum(other * same * W33) + np.sum(x)

    tl.check_grads(f, (A,), order=1)


@pytest.mark.parametrize("before", [0.5, V[:, None]], ids=["number", "column"])
def test_differences_with_ends_are_no_view(before: Any) -> None:
    def f(x, before):
        y = np.diff(x, n=1, prepend=before, append=1.0)
        x[0] = 2.0
        return np.sum(y[:, :3] ** 2 * W33) + np.sum(x)

    tl.check_grads(f, (A, before), wrt=(0, 1), order=1)


@pytest.mark.parametrize("n", [0, -1])
def test_powers_of_a_matrix_are_no_view(n: int) -> None:
    def f(x):
        y = np.linalg.matrix_power(x, n)
        x[0] = 2.0
        return np.sum(y * y * W33) + np.sum(x)

    tl.check_grads(f, (A,), order=1)


@pytest.mark.parametrize("axes", [(0, 1), (1, 2), (-1, 0)])
def test_traces_of_stacks_are_arrays_that_may_be_written(axes: tuple[int, int]) -> None:
    def f(x, s):
        y = np.trace(x, 0, *axes)
        y[-1:] *= s
        return np.sum(y * y * V)

    tl.check_grads(f, (np.stack([A, A * 0.3, W33]), 0.57), wrt=(0, 1), order=1)


def test_what_a_list_in_a_dict_is_lengthened_by_stays_as_it_is() -> None:
    def scale(xs):
        for x in xs:
            x *= 0.7

    def f(x, table):
        table["a"] += [x]
        scale(table["a"])
        return np.sum(x * x * V)

    x, table = V.copy(), {"a": [V * 0.3]}
    value, tangent = tl.jvp(f)(x, table, tangent=np.ones(3))
    np.testing.assert_array_equal(x, V)
    assert len(table["a"]) == 1
    np.testing.assert_allclose(value, np.sum(0.49 * V * V * V))
    np.testing.assert_allclose(tangent, np.sum(2.0 * 0.49 * V * V))
