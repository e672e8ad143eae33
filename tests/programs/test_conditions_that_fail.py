"""A condition in a `try` that raises: neither of its branches runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, -0.4, 0.9])
TABLE = {"a": 1.0}


class Meter:
    def __init__(self, total):
        self.total, self.n = total, 1.0


@case(X)
def nothing_of_the_other_branch(x):
    y, z = 0.0, 1.0
    try:
        if TABLE["b"] > 0:
            y = y + x[0]
            z = z * x[1] / TABLE["a"]
        else:
            y = y + x[0] * x[0]
            z = z * x[2] / TABLE["a"]
    except KeyError:
        z = z + 2.0 * x[0]
    return y * x[1] + z


@case(X)
def the_second_of_three(x):
    y, z = x[3], 1.0
    for key in ("a", "b", "a"):
        try:
            if TABLE["a"] > 1:
                y += x[0]
                z *= x[1] / TABLE["a"]
            elif TABLE[key] > 0:
                y *= x[1]
                z += x[2] / TABLE["a"]
            else:
                y -= x[2]
                z = x[0] / TABLE[key]
            z *= y
        except KeyError:
            z = z + 2.0 * x[0]
    return y * x[1] + z


@case(X)
def in_a_loop_that_ends(x):
    y, z = x[3], 1.0
    for key in ("a", "b"):
        try:
            for i in range(3):
                if TABLE[key if i else "a"] < i:
                    y *= x[1]
                    z += x[2] / TABLE["a"]
                else:
                    y += x[i]
                    z *= x[i] / TABLE["a"]
                y = y * y
        except KeyError:
            z = z * x[0]
    return y * x[1] + z


@case(X)
def while_it_holds(x):
    y, z, keys = x[3], 1.0, ["a", "a", "b", "a"]
    try:
        while TABLE[keys.pop(0)] > 0:
            y *= x[1]
            z += x[2] / y
    except KeyError:
        z = z * x[0] + len(keys)
    return y * x[1] + z


@case(X)
def sums_of_attributes_are_one_step(x):
    meter = Meter(x[0])
    for key in ("a", "b", "a"):
        try:
            meter.total += x[1] * x[2] / TABLE[key] + np.sin(x[3])
            meter.n *= x[2] * meter.total
        except KeyError:
            meter.n += meter.total
    return meter.total * meter.n


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
