"""What ``functools.cached_property`` has kept stays, whoever changes the object, and whoever asks for it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

X = np.array([1.2, 0.7, 0.4])


class Square:
    def __init__(self, side):
        self.side = side

    @functools.cached_property
    def area(self):
        return self.side**2


class Lens:
    def __init__(self, radius):
        self.radius = radius

    @functools.cached_property
    def power(self):
        return 1.0 / self.radius


def thrice(square):
    return square.area * 3.0


def through(lens, light):
    return light * lens.power


@case(X)
def asked_by_a_helper_before_and_after(x):
    square = Square(x[0])
    before = thrice(square)
    square.side = x[1]
    return before * thrice(square)


@case(X)
def asked_here_then_by_a_helper(x):
    square = Square(x[0])
    before = square.area
    square.side = x[1]
    return before * thrice(square)


@case(X)
def asked_by_a_helper_between_two_changes(x):
    square = Square(x[0])
    square.side = x[1]
    before = thrice(square)
    square.side = x[2]
    return before * square.area


@case(X)
def of_what_nobody_changes_in_loops(x):
    light = 1.0
    for v in x:
        lens = Lens(v)
        light = through(lens, light) * through(lens, v)
    return light


@case(X)
def of_many(x):
    lenses, s = [Lens(v) for v in x], 0.0
    for lens in lenses:
        s += lens.power * lens.power
    return s * lenses[0].power


def changed_in_a_loop(x):
    total, square = 0.0, Square(x[0])
    for v in x:
        total = total + thrice(square) * v
        square.side = v
    return total


def test_what_is_kept_stays_while_a_loop_changes_objects() -> None:
    first = 6.0 * X[0] * np.sum(X)
    for optimized in (True, False):
        found = tl.grad(changed_in_a_loop, optimized=optimized)(X)
        np.testing.assert_allclose(found, 3.0 * X[0] ** 2 + np.array([first, 0.0, 0.0]))


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
