"""Lists that are bound anew while elements are left in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import case, cases, check, label

X = np.array([0.7, 1.3, -0.4, 0.9])


@case(X)
def begun_anew(x):
    kept = []
    for v in x:
        kept.append(v * v)
    a = kept.pop()
    kept = []
    for v in x:
        kept.append(v)
    return a * kept.pop()


@case(X)
def begun_with_what_was_taken(x):
    kept = [x[0], x[1] * x[0]]
    y = kept.pop()
    kept = [y]
    kept.append(x[2])
    while kept:
        y = y * kept.pop()
    return y


@case(X)
def begun_in_each_trip(x):
    y = 0.0
    for k in range(2):
        kept = []
        for v in x:
            kept.append(v * v)
        y = y + kept.pop() * x[k]
    return y


@pytest.mark.parametrize(("function", "args", "options"), cases(__name__), ids=label)
def test_program(function: Any, args: Any, options: Any) -> None:
    check(function, *args, **options)
