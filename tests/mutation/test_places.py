"""What is read at one place and written at others need not be kept; what may be the same place is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import Check

NORMAL = np.random.default_rng(11).normal
SPARED: list[Callable[..., Any]] = []
KEPT: list[Callable[..., Any]] = []


def spared(function: Callable[..., Any]) -> Callable[..., Any]:
    SPARED.append(function)
    return function


def kept(function: Callable[..., Any]) -> Callable[..., Any]:
    KEPT.append(function)
    return function


@spared
def a_line_at_the_end(a: Any) -> Any:
    for k in range(1, a.shape[0]):
        a[k] = a[0] / a[k - 1]
    last = a[-1]
    return np.sum(last * last)


@kept
def a_line_in_the_middle(a: Any) -> Any:
    first = a[1]
    s = np.sum(first * first)
    for k in range(1, a.shape[0]):
        a[k] = a[0] / a[k - 1]
    return s + np.sum(a)


@spared
def factor(a: Any) -> Any:
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])
    return np.sum(a**2)


@spared
def solved(a: Any) -> Any:
    n = a.shape[0]
    x = np.zeros(n)
    for i in range(n):
        x[i] = (a[i, 0] - np.dot(a[i, :i], x[:i])) / a[i, i]
    return np.sum(np.sin(x))


@spared
def solved_upwards(a: Any) -> Any:
    n = a.shape[0]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (a[i, 0] - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return np.sum(np.sin(x))


@spared
def recurrence(a: Any) -> Any:
    y = np.zeros(len(a))
    for i in range(1, len(a)):
        y[i] = y[i - 1] * np.sin(y[i - 1]) + a[i, 0]
    return np.sum(y)


@spared
def second_order_recurrence(a: Any) -> Any:
    y = np.zeros(len(a))
    for i in reversed(range(len(a) - 2)):
        y[i] = y[i + 1] * y[i + 2] + a[i, 0]
    return np.sum(y)


@spared
def rows_of_rows(a: Any) -> Any:
    for i in range(1, len(a)):
        a[i] = a[i - 1] * np.sin(a[i - 1])
    return np.sum(a)


@kept
def around_the_end(a: Any) -> Any:
    y = a[0] * 1.0
    for i in range(len(a)):
        y[i] = y[i - 1] * y[i - 1] * 0.5 + a[i, 0]
    return np.sum(y)


@kept
def again_and_again(a: Any) -> Any:
    y = a[0] * 1.0
    for _ in range(2):
        for i in range(1, len(a)):
            y[i] = y[i - 1] * y[i - 1] * 0.5 + a[i, 0]
    return np.sum(y)


@kept
def ahead(a: Any) -> Any:
    y = a[0] * 1.0
    for i in range(len(a) - 1):
        y[i] = y[i + 1] * y[i + 1] * 0.5 + a[i, 0]
    return np.sum(y)


@kept
def itself(a: Any) -> Any:
    for i in range(len(a)):
        a[i, i] = np.sin(a[i, i]) * a[i, i]
    return np.sum(a)


@kept
def turned_over(a: Any) -> Any:
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            a[i, j] = a[j, i] * a[j, i] * 0.5
    return np.sum(a)


@kept
def steps_of_two(a: Any) -> Any:
    y = a[0] * 1.0
    for i in range(2, len(a), 2):
        y[i] = y[i - 1] * y[i - 2]
    for i in range(1, len(a), 2):
        y[i] = y[i - 1] * y[i - 1]
    return np.sum(y)


@kept
def by_a_name_that_moves(a: Any) -> Any:
    y, k = a[0] * 1.0, 0
    for i in range(1, len(a)):
        y[i] = y[k] * y[k]
        k = (k + 2) % 3
    return np.sum(y)


@kept
def an_unknown_step(a: Any, step: int = -1) -> Any:
    y = a[0] * 1.0
    for i in range(1, 3, 1) if step > 0 else range(2, 0, -1):
        y[i] = y[i - 1] * y[i - 1]
    return np.sum(y)


@kept
def another_array(a: Any) -> Any:
    x, y = a[0] * 1.0, a[1] * 1.0
    for i in range(1, len(a)):
        y[i] = x[i - 1] * y[i - 1]
        x, y = y, x
    return np.sum(x * y)


@kept
def a_shifted_view(a: Any) -> Any:
    y = a[0] * 1.0
    for i in range(1, 2):
        y[i] = y[i - 1] * y[i - 1]
        y = y[1:]
        y[i - 1] = y[i] * y[i - 1]
    return np.sum(a[0, :2] * y)


@kept
def through_a_row(a: Any) -> Any:
    row = a[1]
    for i in range(1, len(a)):
        a[i, i] = a[i - 1, i - 1] * row[i - 1] * row[i]
        row[i - 1] = row[i] * a[0, i]
    return np.sum(a)


@kept
def a_whole_row(a: Any) -> Any:
    for i in range(1, len(a)):
        a[:, i] = a[:, i - 1] * a[i, i]
    return np.sum(a)


@kept
def number_that_changes(a: Any) -> Any:
    y, k = a[0] * 1.0, np.array(0)
    for i in range(1, len(a)):
        y[i] = y[k] * y[k]
        k[...] = 2 - k
    return np.sum(y)


def inputs() -> Any:
    a = NORMAL(size=(3, 3))
    return a @ a.T + 2.0 * np.eye(3)


@pytest.mark.parametrize("program", [*SPARED, *KEPT])
def test_it_is_right(program: Callable[..., Any]) -> None:
    Check(program, (inputs(),)).run()


@pytest.mark.parametrize("program", SPARED)
def test_nothing_is_kept(program: Callable[..., Any]) -> None:
    derivative = tl.grad(program)
    derivative(inputs())
    assert all("_old" not in unit.source for unit, _ in derivative._variants.values())


def multiplied(a: Any, b: Any) -> None:
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j]) * b[i, j]
    b *= 1.5


def triangular(a: Any, b: Any) -> None:
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= 1.5


def swept_down(a: Any, b: Any) -> None:
    for i in range(1, b.shape[0]):
        b[i] = b[i - 1] * a[i] * b[i]


def swept_up(a: Any, b: Any) -> None:
    for i in range(b.shape[0] - 1):
        b[i] = b[i + 1] * a[i] * b[i]


def swept_twice(a: Any, b: Any) -> None:
    for _ in range(2):
        for i in range(b.shape[0] - 1):
            b[i] = b[i + 1] * a[i]


def told_on(a: Any, b: Any) -> None:
    for i in range(b.shape[0] - 1):
        b[i] = b[i + 1] * a[i]
        a[i, 0] = b[i, 1] * b[i, 1]


def decided(a: Any, b: Any) -> None:
    for i in range(b.shape[0] - 1):
        b[i] = b[i + 1] * a[i]
        if b[i, 0] > 0.1:
            a[i] = a[i + 1] * a[i]


def itself_next(a: Any, b: Any) -> None:
    for i in range(b.shape[0] - 1):
        b[i + 1] = b[i + 1] * b[i] * a[i]


def put_in_order(a: Any, b: Any) -> None:
    for _ in range(3):
        t = np.sort(b * a, axis=0)
        b[:] = t


def cubed(v: Any) -> Any:
    return v * v * v


def shifted_cubes(a: Any, b: Any) -> None:
    for _ in range(3):
        u = b * 0.5
        v = cubed(u)
        b[1:] = v[:-1] + a[1:]


def least(a: Any, b: Any) -> None:
    for k in range(3):
        b[:] = np.minimum(b, a[:, k : k + 1] + b[k])


PROCEDURES = (
    put_in_order,
    shifted_cubes,
    least,
    multiplied,
    triangular,
    swept_down,
    swept_up,
    swept_twice,
    told_on,
    decided,
    itself_next,
)


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_where_nobody_sees_what_is_written(procedure: Callable[..., Any]) -> None:
    w = NORMAL(size=(3, 3))

    def loss(a: Any, b: Any) -> Any:
        procedure(a, b)
        return np.sum(b * w) + np.sum(a)

    Check(loss, (NORMAL(size=(3, 3)), NORMAL(size=(3, 3)))).run()


def test_what_is_read_before_only_is_not_written() -> None:
    def loss(a: Any, b: Any) -> Any:
        triangular(a, b)
        return np.sum(b)

    derivative = tl.grad(loss, wrt=(0, 1))
    derivative(inputs(), inputs())
    assert "for i in" not in derivative._units[-1].source.split("def triangular_backward")[0]
