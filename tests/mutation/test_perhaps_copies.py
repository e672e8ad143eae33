"""What may be a copy of a stretched array or a view of it, while its base is written: right, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

X = np.array([0.31, -0.83, 1.17, 0.64])
V = np.array([0.5, 0.3, -0.8, 1.1])


def reshaped(x):
    a = x * 1.0
    c = np.broadcast_to(a, (3, 4)).reshape(12)
    a[1] = x[0] ** 2
    return np.sum(c * c) + a[1]


def taken_by_places(x):
    a = x * 1.0
    c = np.broadcast_to(a, (3, 4))[[0, 2]]
    a[1] = x[0] ** 2
    return np.sum(c * c) + a[1]


def taken_by_a_mask(x):
    a = x * 1.0
    b = np.broadcast_to(a, (3, 4))
    c = b[b > 0.5]
    a[1] = x[0] ** 2
    return np.sum(c * c) + np.sum(b)


def in_one_piece(x):
    a = x * 1.0
    c = np.ascontiguousarray(np.broadcast_to(a, (3, 4)))
    a[1] = x[0] ** 2
    return np.sum(c * c) + a[1]


def of_windows(x):
    a = x * 1.0
    c = np.lib.stride_tricks.sliding_window_view(a, 2).reshape(-1)
    a[1] = x[0] ** 2
    return np.sum(c * c) + a[1]


@pytest.mark.parametrize(
    "f", [reshaped, taken_by_places, taken_by_a_mask, in_one_piece, of_windows]
)
def test_it_is_no_wrong_number(f: Any) -> None:
    slope = (f(X + 1e-6 * V) - f(X - 1e-6 * V)) / 2e-6
    assert tl.jvp(f)(X, tangent=V)[1] == pytest.approx(slope, rel=1e-6)
    try:
        gradient = tl.grad(f)(X)
    except tl.AliasError as fault:
        assert "copy" in str(fault)
    else:
        assert gradient @ V == pytest.approx(slope, rel=1e-6)
