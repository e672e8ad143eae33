"""Modules in which NumPy has no name have arrays for lists, and slices for loops, too."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import tangentlite as tl
from tangentlite.doors import sliced


def filled(x, n):
    u = [0.0] * n
    for k in range(n):
        u[k] = x * k
    return u[n - 1]


def summed(x, y):
    """The sum of

    what a loop reads."""
    s = 0.0
    for k in range(len(x)):
        s += math.sin(x[k]) * y
    return s


@pytest.mark.parametrize(
    ("f", "given", "what", "known"),
    [
        (filled, (0.7, 5), "lists", 4.0),
        (summed, (numpy.full(500, 0.25), 2.0), "slices", [2.0 * math.cos(0.25)] * 500),
    ],
    ids=["filled", "summed"],
)
def test_texts_with_numpy_are_taken(
    f: Callable[..., Any],
    given: tuple[Any, ...],
    what: str,
    known: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken, emitted = list[str](), sliced.emitted
    monkeypatch.setattr(
        sliced, "emitted", lambda made, what: taken.append(what) or emitted(made, what)
    )
    assert numpy.allclose(tl.grad(f)(*given), known, rtol=1e-12)
    assert what in taken
