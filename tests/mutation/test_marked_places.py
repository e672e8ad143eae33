"""`np.putmask`, `np.place`, `np.put` and `flat` with numbers for values, and in arrays without axes."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import tangentlite as tl


def putmask(x, s):
    y = x.copy()
    np.putmask(y, y > 0, s)
    return np.sum(y * y)


def putmask_of_itself(x, s):
    y = x.copy()
    np.putmask(y, y > 0, y * y * s)
    return np.sum(y * y)


def place(x, s):
    y = x.copy()
    np.place(y, y > 0, s)
    return np.sum(y * y)


def put(x, s):
    y = x.copy()
    y.put([0], s * s)
    np.put(y, [0], y.flat[0] * 2.0)
    return np.sum(y * y)


def flat(x, s):
    y = x.copy()
    y.flat[:1] = s
    z = x.copy()
    z.flat = s
    return np.sum(y * y * z)


WRITTEN = [putmask, putmask_of_itself, place, put, flat]
PLACES = [np.array([0.5, -0.2, 0.3]), np.array(0.5), np.array([[0.5]])]
NUMBERS = [0.3, np.float64(0.3), np.array(0.3), np.array([0.3])]


@pytest.mark.parametrize("s", NUMBERS, ids=lambda s: f"{type(s).__name__}{np.shape(s)}")
@pytest.mark.parametrize("x", PLACES, ids=lambda x: str(np.shape(x)))
@pytest.mark.parametrize("f", WRITTEN, ids=lambda f: f.__name__)
def test_numbers_are_put(f, x, s, confirm):
    confirm(f, x, s)


def test_arguments_are_left_alone():
    x = np.array(0.5)
    before = copy.deepcopy(x)
    assert tl.grad(putmask_of_itself)(x, 2.0) == pytest.approx(4.0 * 4.0 * 0.5**3)
    assert x == before
