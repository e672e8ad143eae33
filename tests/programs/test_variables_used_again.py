"""Loops whose variables have the names of others around them: what a trip has read is read backward, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def the_same_in_a_loop_inside(y, s):
    r = s
    for i in range(3):
        r = r + y[i] * s * r
        for i in range(2):
            r = r * 0.9
    return r


def stored_at(y, s):
    y = y * s
    r = s
    for i in range(2):
        y[i] += s
        for i in range(3):
            r = r * 0.5
    return np.sum(y * y) + r


def bound_before_a_loop(y, s):
    r, n = s, 0
    while n < 2:
        n += 1
        i = n - 1
        r = r + y[i] * s * r
        for i in range(3):
            r = r * 0.5
    return r


def read_after_a_loop(y, s):
    r = s
    for i in range(3):
        r = r + y[i] * s * r
        for j in range(2):
            r = r * y[j] + s
            for i in range(2):
                r = r * 0.9
            for j in range(3):
                r = r * np.sin(y[i])
        r = r * np.cos(y[j])
    return r


PROGRAMS = [the_same_in_a_loop_inside, stored_at, bound_before_a_loop, read_after_a_loop]


@pytest.mark.parametrize("f", PROGRAMS)
def test_indices_are_read_as_they_were(f: Any) -> None:
    tl.check_grads(f, (np.array([0.35, 0.68, -0.26]), 0.57), wrt=(0, 1), order=2)


def checkpointed_and_bound_again(y, s):
    r = s
    for i in tl.checkpoint_loop(range(3), slots=1):
        r = r + y[i] * s * r
        for i in range(2):
            r = r * 0.9
    return r


def checkpointed_inside(y, s):
    r = s
    for i in range(3):
        r = r + y[i] * s * r
        for i in tl.checkpoint_loop(range(2), slots=1):
            r = r * np.sin(y[i])
    return r


@pytest.mark.parametrize("f", [checkpointed_and_bound_again, checkpointed_inside])
def test_the_variable_of_a_loop_with_checkpoints_has_a_name_of_its_own(f: Any) -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="bound again"):
        tl.grad(f)
