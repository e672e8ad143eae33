"""Lists of floats as arguments are arrays in a gradient, where nobody can tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.doors import sliced

Function = Callable[..., Any]


def running(x, c):
    s = 0.0
    for v in x:
        s = s * c + v * v
    return s


def sums(x, c):
    u = [0.0] * (len(x) + 1)
    for i in range(len(x)):
        u[i + 1] = u[i] * c + x[i]
    return u[len(x)] * 2.0 + u[len(x) // 2]


def products(x, c):
    return sum(a * b for a, b in zip(x, x)) ** 2 * c


def copied(x, c):
    y = x[:]
    for i in range(1, len(y)):
        y[i] += c * y[i - 1]
    return y[-1] + x[0]


def planes(x, c):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x[i])):
            s += math.sin(x[i][j]) * (i + j) * c
    return s


def rows(x, c):
    s = 0.0
    for i in range(len(x)):
        row = x[i]
        for j in range(len(row)):
            s += row[j] * row[0] * c
    return s


def written(x, c):
    for i in range(1, len(x)):
        x[i] = x[i] * x[i - 1] * c
    return x[-1]


def renamed(x, c):
    y = x
    for i in range(1, len(y)):
        y[i] = y[i] * y[i - 1] * c
    return x[-1]


def kept(x, c):
    y = [x, x]
    s = 0.0
    for i in range(len(x)):
        s += y[0][i] * y[1][i] * c
    return s


FLAT = [[0.5, -1.0, 2.0, 0.3], [1.5], [0.2, 0.1], [0.5, np.float64(2.0)], [1, 2.0], [0.5, True]]
ROW = [0.3, 0.7]
NESTED = [
    [[0.5, 1.0], [0.2, 0.1]],
    [[0.4]],
    [[0.5, 1.0], [0.2]],
    [ROW, ROW],
    [[0.5, 1], [1.0, 2.0]],
]
CASES = [
    *((f, x) for f in (running, sums, products, copied, written, renamed, kept) for x in FLAT),
    *((f, x) for f in (planes, rows) for x in NESTED),
]


def deep(x: Any) -> Any:
    """A copy in which rows that are one stay one."""
    known = {id(part): part.copy() for part in x if isinstance(part, list)}
    return [known.get(id(part), part) for part in x]


def agree(found: Any, known: Any) -> None:
    assert type(found) is type(known)
    if isinstance(known, list):
        assert len(found) == len(known)
        for a, b in zip(found, known):
            agree(a, b)
    elif known is not None:
        assert math.isclose(found, known, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize(("f", "x"), CASES, ids=lambda part: getattr(part, "__name__", None))
def test_gradients_are_those_of_lists(f: Function, x: Any) -> None:
    own = deep(x)
    found, known = (tl.grad(f, wrt=(0, 1), optimized=o)(own, 0.9) for o in (True, False))
    assert own == x
    agree(list(found), list(known))
    value, found = tl.value_and_grad(f, wrt=(0, 1))(own, 0.9)
    assert own == x
    agree(list(found), list(known))
    agree(value, f(deep(x), 0.9))
    agree(tl.grad(f)(own, 0.9), known[0])


@pytest.mark.parametrize("f", [running, sums, products, copied, planes])
def test_they_are_arrays(f: Function, monkeypatch: pytest.MonkeyPatch) -> None:
    taken, emitted = list[str](), sliced.emitted
    monkeypatch.setattr(
        sliced, "emitted", lambda made, what: taken.append(what) or emitted(made, what)
    )
    x = [[0.5, 1.0], [0.2, 0.1]] if f is planes else [0.5, -1.0, 2.0]
    assert tl.value_and_grad(f, wrt=(1, 0))(x, 0.9)
    assert "lists" in taken


def test_rows_of_other_lengths_may_come_later() -> None:
    gradient = tl.grad(planes)
    for x in NESTED:
        agree(gradient(x, 0.9), tl.grad(planes, optimized=False)(x, 0.9))


def test_seeds_and_names_are_heard() -> None:
    x = [0.5, -1.0, 2.0]
    known = tl.grad(running)(x, 0.9)
    agree(tl.grad(running)(x, 0.9, adjoint=2.0), [2.0 * part for part in known])
    agree(tl.grad(running)(x, c=0.9), known)
    agree(tl.grad(running)(x=x, c=0.9), known)


def test_an_error_is_that_of_the_function() -> None:
    def beyond(x):
        s = 0.0
        for i in range(len(x) + 1):
            s = s * x[i]
        return s

    def divided(x):
        s = 0.0
        for v in x:
            s += 1.0 / v
        return s

    for make in (tl.grad, tl.value_and_grad):
        with pytest.raises(IndexError):
            make(beyond)([1.0, 2.0])
        with pytest.raises(ZeroDivisionError):
            make(divided)([1.0, 0.0, 2.0])
