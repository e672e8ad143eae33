"""Helpers inside of kernels, rows of loops, slices between numbers that are known: with Numba as without."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import M, V, W, normal
from tests.native.test_native import agree

S = normal(size=(5, 5))


def scaled(a, s):
    for i in range(1, len(a)):
        a[i] = a[i] * a[i - 1] * s


def read_before_and_after(a, s):
    early = np.sum(a * a)
    scaled(a, s)
    late = np.sum(a * a)
    return early * late


def twice(a, s):
    scaled(a, s)
    scaled(a, s + 0.5)
    return np.sum(a * a)


def in_a_loop(a, s):
    for k in range(3):
        scaled(a[k:], s)
        s = s * 0.9
    return np.sum(a * a)


def added(a, b):
    a[1:] += b[:-1] * a[:-1]
    return a


def given_back(a, w):
    c = added(a, w)
    c *= c
    return np.sum(a * w)


def one_array_twice(a):
    added(a, a)
    return np.sum(a * a)


def parts_of_one(a):
    added(a[2:], a[:-2])
    return np.sum(a * a)


def given_back_alone(a):
    return given_back(a, W)


def inner(a, n):
    t = a * 2.0
    for i in range(n):
        t[i] = np.sin(t[i]) * a[i]
    return t


def middle(t, n):
    a = inner(t, n)
    i = a[0]
    return a * i


def names_met_again(a):
    t, n, i = a * a, len(a), 0.5
    s = middle(t, n)
    return np.sum(s * t) * i


def early(a):
    if a[0] > 100.0:
        return a
    return a * a


def leaves_early(a):
    b = early(a)
    return np.sum(b * a)


def untouched_below(a, w):
    for k in range(len(a)):
        a[k + 1 :] += a[k] * w[k + 1 :]
        a[:k] *= w[k]
    return np.sum(a * a)


def ends_that_wrap(a, w):
    for k in range(3):
        a[: k - 1] *= w[: k - 1] * 0.5
        a[k - 2 :] += w[k - 2 :]
    return np.sum(a * a * w)


def downward(a, w):
    n = a.shape[0]
    for k in range(n - 1, -1, -1):
        a[:k] += w[k] * a[k] * w[:k]
        a[k:n] *= 1.1
    for k in range(0, n, 2):
        a[k:] *= w[k]
    return np.sum(a * w)


def inside(a, n):
    b = a.copy()
    for _ in range(2):
        b[1 : n - 1] = 0.5 * a[0 : n - 2] + b[2:n] * a[1 : n - 1]
    return np.sum(b * b)


def rest_of_the_rest(a):
    for i in range(len(a)):
        for j in range(i + 1):
            a[j : i + 1] *= 0.9 + 0.01 * a[j]
            a[i - j :] += 0.01 * np.sin(a[i])
    return np.sum(a * a)


def soft(x, w):
    top = np.max(x, axis=-1, keepdims=True)
    e = np.exp(x - top)
    s = np.sum(e, axis=-1, keepdims=True)
    return np.sum(e / s * w)


def rows_and_columns(x, w):
    m = x - np.sum(x, axis=1, keepdims=True) * 0.1
    c = np.sum(m * w, axis=0)
    d = m * c
    r = np.max(d, axis=0)
    return np.sum(r * c) + np.sum(np.min(d, axis=1, keepdims=True) * d)


def normed(x, w):
    for _ in range(2):
        s = np.sum(x * x, axis=1)
        x = x / np.sqrt(s)[:, np.newaxis] + w
    axis = np.newaxis
    return np.sum(x[:, axis, :] * w[:, :, axis] if False else x * w) + np.sum(x[axis] * w)


def steps(x, w):
    for i in range(x.shape[0]):
        row = x[i]
        t = np.sum(row * w[i])
        for j in range(x.shape[1] - 1):
            row[j + 1 :] += t * np.flip(w[i, j + 1 :])
            row[:j] = np.flip(row[:j]) * w[i, j]
    return np.sum(x * x)


VECTORS = [read_before_and_after, twice, in_a_loop]
PAIRS = [untouched_below, ends_that_wrap, downward]
ALONE = [names_met_again, leaves_early, rest_of_the_rest]
PLANES = [soft, rows_and_columns, normed, steps]
SMALL = pytest.mark.parametrize(
    "n", [9, pytest.param(3, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)


@SMALL
@pytest.mark.parametrize("function", VECTORS, ids=lambda f: f.__name__)
def test_helpers_with_numbers(function: Any, n: int) -> None:
    agree(function, (V[:n].copy(), 0.7))


@SMALL
@pytest.mark.parametrize("function", PAIRS, ids=lambda f: f.__name__)
def test_two_arrays(function: Any, n: int) -> None:
    agree(function, (V[:n].copy(), W[:n].copy()))


@SMALL
@pytest.mark.parametrize("function", ALONE, ids=lambda f: f.__name__)
def test_one_array(function: Any, n: int) -> None:
    agree(function, (V[:n].copy(),))


@pytest.mark.parametrize(
    "function", [one_array_twice, parts_of_one, given_back_alone], ids=lambda f: f.__name__
)
def test_memory_in_common_is_right_or_refused(function: Any) -> None:
    try:
        agree(function, (V.copy(),))
    except tl.UnsupportedSyntaxError as refusal:
        assert re.search("share memory|view", str(refusal))


@pytest.mark.parametrize("n", [9, 3, 2, 1, 0])
def test_slices_that_end_before_they_begin(n: int) -> None:
    agree(inside, (V[:n].copy(), n))


@pytest.mark.parametrize("shape", [(5, 6), pytest.param((1, 4), marks=pytest.mark.slow), (4, 1)])
@pytest.mark.parametrize("function", PLANES, ids=lambda f: f.__name__)
def test_planes(function: Any, shape: tuple[int, int]) -> None:
    agree(function, (M[: shape[0], : shape[1]].copy(), normal(size=shape)))


pull = "a name of the module that is one of a helper, too"


def force(a, b):
    return np.tanh(a * b)


def moved(a, b):
    pull = force(a, b)
    for _ in range(3):
        b += 0.1 * pull
        pull = force(a, b)


def of_a_name_that_is_taken(a, b):
    moved(a, b)
    return np.sum(b * b)


def test_a_name_that_is_taken() -> None:
    agree(of_a_name_that_is_taken, (V[:3].copy(), W[:3].copy()))
