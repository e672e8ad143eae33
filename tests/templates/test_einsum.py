"""``np.einsum`` with lists of labels that have names, or are made in the function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

ROWS, OUT = [0, 1], (0, 2)


def in_variables(x, y):
    a, b, out = [0, 1], [1, 2], [0, 2]
    return np.sum(np.einsum(x, a, y, b, out) ** 2)


def outside(x, y):
    return np.sum(np.einsum(x, ROWS, y, [1, 2], OUT) ** 2)


def with_a_name_inside(x, y, n=30):
    return np.sum(np.einsum(x, [0, 1], y, [1, n], [0, n]) ** 2)


def of_ranges(x, y):
    return np.sum(np.einsum(x, range(2), y, range(1, 3), optimize=True) ** 2)


def unpacked(x, y):
    operands = [x, [0, 1], y, [1, 2], [2, 0]]
    return np.sum(np.einsum(*operands) ** 2)


def with_an_ellipsis(x, y):
    a = [..., 1]
    return np.sum(np.einsum(x, a, y, [1, 2]) ** 2)


def without_output(x, y):
    a, b = [3, 1], [1, 0]
    return np.sum(np.einsum(x, a, y, b) ** 2 * np.ones((2, 3)) * np.arange(3.0))


def subscripts_in_a_variable(x, y):
    spec = "ij,jk"
    return np.sum(np.einsum(spec, x, y) ** 2)


@pytest.mark.parametrize(
    "f",
    [
        in_variables,
        outside,
        with_a_name_inside,
        of_ranges,
        unpacked,
        with_an_ellipsis,
        without_output,
        subscripts_in_a_variable,
    ],
)
def test_lists_of_labels(f: Any, confirm: Any) -> None:
    draw = np.random.default_rng(4)
    confirm(f, draw.normal(size=(3, 4)), draw.normal(size=(4, 2)))
