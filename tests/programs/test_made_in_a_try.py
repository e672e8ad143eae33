"""Lists, dicts and arrays that are made in a `try`: where the handler takes over before, their adjoints begin as nothing."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import case, cases, check, label

PATHS = [[0.1, 1.0, 2.0], [0.5, 1.0, 2.0], [0.5, 6.0, 2.0], [0.1, 1.0, 4.0], [2.0, 1.0, 0.3]]


@case(np.array(PATHS[0]))
@case(np.array(PATHS[1]))
def behind_a_raise(x):
    s = 0.0
    try:
        if x[0] > 0.3:
            raise ValueError
        made = [x[0]]
        for w in x:
            made.append(made[-1] * 0.5 + w)
        s = sum(made) * made[2]
    except ValueError:
        s = x[1]
    return s * x[2]


@case(np.array(PATHS[0]))
@case(np.array(PATHS[1]))
@case(np.array(PATHS[2]))
@case(np.array(PATHS[3]))
def in_nested_attempts(x):
    s = 0.0
    try:
        try:
            if x[0] > 0.3:
                raise KeyError
            made = [x[0], x[1] * x[2]]
            made[1] = made[1] * made[0]
        except KeyError:
            if x[1] > 5.0:
                raise ValueError from None
            made = [x[1]]
        kept = {"a": made[0] * 2.0}
        if x[2] > 3.0:
            raise ValueError
        for _ in range(2):
            kept["a"] = kept["a"] * made[-1]
        s = kept["a"] + sum(made)
    except ValueError:
        s = x[1] * x[1]
    return s * x[2]


@case(np.array(PATHS[0]))
@case(np.array(PATHS[4]))
def in_each_trip(x):
    total = 0.0
    for v in x:
        try:
            if v > 1.5:
                raise ValueError
            u = np.zeros(2)
            u[0] = v
            u[1] = u[0] * v
            made = [u[1]]
            made.append(made[0] * u[0])
            total += sum(made)
        except ValueError:
            total += v
    return total * x[0]


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_derivatives(function, args, options):
    check(function, *args, **options)


def reads_too_early(x):
    try:
        if x[0] > 0.3:
            raise ValueError
        made = [x[0]]
        made.append(made[0] * x[1])
    except ValueError:
        pass
    return made[0] * made[-1]


def test_reading_too_early_raises_as_it_does() -> None:
    x = np.array(PATHS[1])
    with pytest.raises(UnboundLocalError):
        reads_too_early(x)
    with pytest.raises(UnboundLocalError):
        tl.grad(reads_too_early)(x)
    check(reads_too_early, np.array(PATHS[0]))
