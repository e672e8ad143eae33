"""Where the text tells that a vector is stored in the order in which it is read, nothing is checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def plain(x, k):
    n = len(x)
    a = np.sin(x)
    for i in range(1, n):
        a[i] = a[i - 1]
        a[0, :] = a[i]
        a[i, 1:] = a[0, :-1]
        a[:, 0] = a[:, i]
    a[k] = a[0]
    a[0] = a[1, 0]
    a[0, ::-1] = a[1]
    a[::2] = a[1::2]
    b = a
    b[1] = a[2]
    row = a[0]
    row[1:] = row[:-1]
    row[...] = a[1]
    row[:] = row[::-1]
    a[1] = a[:, 2] * 2.0
    a[1] += a[:, 2]
    return np.sum(a)


def swapped(x, n):
    u, v = x * 1.0, np.zeros_like(x)
    for _ in range(n):
        v[1:-1] = u[:-2] * u[2:]
        v[0] = v[-2]
        v[-1] = v[1]
        u, v = v, u
    return np.sum(u)


def strided(x, k):
    a = x * 1.0
    for d in range(1, 3):
        a[2 * d - 1 :: 2 * d] = a[d - 1 :: 2 * d]
        a[[0, d]] = a[[d, 0]]
    return np.sum(a)


def crossed(x, k):
    x[1] = x[:, 2]
    return np.sum(x)


def stepped(x, k):
    x[1:3] = x[::k]
    return np.sum(x)


def turned(x, k):
    a = x * 1.0
    row = a[1]
    a = a.T
    a[k] = row
    return np.sum(a)


def masked(x, k):
    a = x * 1.0
    a[a > 0.5] = a[:k]
    return np.sum(a)


def either(x, k):
    a = x * 1.0
    value = a[0]
    if k > 1:
        value = a[:, 0]
    a[1] = value
    return np.sum(a)


@pytest.mark.parametrize("f", [plain, swapped, strided])
@pytest.mark.parametrize("derivative", [tl.grad, tl.jvp])
def test_certain_stores_are_not_checked(f: Any, derivative: Any) -> None:
    assert "in_step" not in derivative(f, wrt=0).source


@pytest.mark.parametrize("f", [crossed, stepped, turned, masked, either])
@pytest.mark.parametrize("derivative", [tl.grad, tl.jvp])
def test_other_stores_are_checked_once(f: Any, derivative: Any) -> None:
    assert derivative(f, wrt=0).source.count("in_step") == 1


def test_what_is_checked_already_is_not_checked_again() -> None:
    assert tl.grad(tl.grad(crossed, wrt=0), wrt=0).source.count("in_step") == 1


def test_the_message_says_what_to_write() -> None:
    with pytest.raises(tl.AliasError, match="yet to read") as caught:
        tl.grad(crossed, wrt=0)(np.ones((3, 3)), 1)
    assert "a[:, 2].copy()" in str(caught.value)
