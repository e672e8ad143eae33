"""What is kept for the backward sweep, and where."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def recurrence(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return np.sum(y)


def linear(x, n):
    y = x
    for i in range(n):
        y = y * 0.5 + x
    return np.sum(y)


def several_values(x, n):
    y = z = x
    for i in range(n):
        y = np.sin(y) * z
        z = np.cos(z) * y
    return np.sum(y * z)


def nested(x, n):
    y = x
    for i in range(n):
        for j in range(i):
            y = np.tanh(y) * x
        y = np.exp(-y * y)
    return np.sum(y)


def counted(x, limit):
    y = x
    while np.sum(y) < limit:
        y = y * y + 1.0
    return np.sum(y)


def counted_twice(x, n):
    y = x
    for i in range(n):
        k = 0
        while k < i:
            y = y * x
            k = k + 1
    return np.sum(y)


def overwritten(x):
    y = np.exp(x)
    y = y * np.sin(y)
    x = y * y
    return np.sum(x * y)


def branch_of_changed(x):
    y = x * x
    if y > 1.0:
        y = np.sin(y)
        if y > 0.5:
            y = y * y
    else:
        y = y * 3.0
    return y


def only_integers(x, n):
    k = 0
    for i in range(n):
        k = k + i
    return np.sum(x * k)


def index_remade(x):
    s = 0.0
    for i in range(len(x) - 1):
        s = s + x[i] * x[i + 1]
    return s


def branch_in_loop(x):
    s = 0.0
    for v in x:
        if v > 0.0:
            w = v * v
            s = s + w * v
        else:
            s = s - v
    return s


X = np.array([0.4, 1.3, -0.7])
PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (recurrence, (X, 4)),
    (recurrence, (0.8, 4)),
    (linear, (X, 4)),
    (several_values, (X, 3)),
    (nested, (X, 4)),
    (counted, (X + 1.0, 60.0)),
    (counted_twice, (X, 4)),
    (overwritten, (X,)),
    (branch_of_changed, (0.9,)),
    (branch_of_changed, (1.2,)),
    (branch_of_changed, (1.7,)),
    (only_integers, (X, 4)),
    (index_remade, (X,)),
    (branch_in_loop, (X,)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_derivatives(f: Any, args: tuple[Any, ...], confirm: Any) -> None:
    confirm(f, *args)


@pytest.mark.parametrize("f", [recurrence, linear, several_values, nested, counted_twice])
def test_no_trips(f: Any, confirm: Any) -> None:
    confirm(f, X, 0)


def test_no_trips_of_while(confirm: Any) -> None:
    confirm(counted, X, -10.0)


def pushes(source: str) -> list[str]:
    return re.findall(r"(\w+)\.append\(", source)


@pytest.mark.parametrize("f", [linear, only_integers])
def test_nothing_is_recorded_where_nothing_is_read(f: Any) -> None:
    assert not pushes(tl.grad(f).source)


@pytest.mark.parametrize("f", [recurrence, several_values])
def test_one_record_per_trip(f: Any) -> None:
    source = tl.grad(f).source
    assert pushes(source) == ["tape"]
    assert source.count("tape.pop()") == 1


def test_one_tape_per_place() -> None:
    source = tl.grad(nested).source
    assert len(pushes(source)) == len(set(pushes(source))) == 2


def test_what_is_cheap_is_made_again() -> None:
    """Elements of what nothing writes are read again."""
    assert not pushes(tl.grad(index_remade).source)


def test_a_while_keeps_its_trips() -> None:
    source = tl.grad(counted).source
    assert source.count("while np.sum(y) < limit:") == 1
    assert "for " in source.partition("# Backward")[2]


@pytest.mark.parametrize("f", [recurrence, several_values, nested, counted_twice])
def test_records_are_used_up(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many pops as pushes: what the forward sweep leaves, the backward sweep takes."""
    source = tl.grad(f).source
    for tape in set(pushes(source)):
        made = f"{tape} = []"
        assert source.count(made) == 1
    watched = source.replace(
        "return rt.like(",
        "assert not any((" + ", ".join(sorted(set(pushes(source)))) + ",))\n    return rt.like(",
    )
    assert watched != source
    space = {"np": np, "rt": tl.rt}
    exec(watched, space)
    derivative = next(v for n, v in space.items() if n.startswith("d") and callable(v))
    np.testing.assert_allclose(derivative(X, 4), tl.grad(f)(X, 4))


def test_memory_is_given_back() -> None:
    """The backward sweep pops: what a trip recorded dies with the trip."""
    source = tl.grad(recurrence).source
    backward = source.partition("# Backward")[2]
    assert "tape.pop()" in backward
    assert "tape[" not in backward
