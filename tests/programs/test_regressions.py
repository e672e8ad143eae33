"""Programs that were wrong once: each stands for a cause, named in its docstring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.programs.strict import check

X = np.array([0.3, -0.8])
M = np.array([[0.5, -0.2], [0.1, 0.7], [-0.4, 0.9]])


def summed_in_a_loop(z, w, n):
    """A scalar that stands for a whole array met ZERO and stayed a scalar."""
    x = z + w
    s = 0.0
    for _ in range(n):
        s = s + np.sum(x) * s + np.sum(x)
    return s


def summed_twice(z, w, c):
    """The same behind a branch."""
    x = z + w
    s = 0.0
    if c > 0:
        s = np.sum(x)
    return s * s + np.sum(x)


def scaled_mean(x, y):
    """The adjoint of a mean went to a smaller operand without the count of its broadcast."""
    return np.sum(x * y + y) * np.mean(x)


def grown_accumulator(x, a):
    """An adjoint larger than its primal was added to one of the right size."""
    for i in range(3):
        for j in range(i):
            x = x * a + np.sin(x) * j
        a = a * 0.5
    return np.sum(x)


def bound_in_one_branch(y, n):
    """A value of one branch told the shape of one in the other."""
    x = y
    if np.sum(x) > 0.3119:
        return np.sum(-y)
    items = [1.5]
    for _ in range(n):
        items.append(1.5 / (2.0 + y * y) + items[-1] * 0.5)
    return np.sum(y / (2.0 + x * x)) + items[-1][0] if n else np.sum(y)


def shapes_change_by_trip(params, x):
    """A shape named in the last trip counted as that of the first."""
    h = x
    for w, b in params:
        h = np.tanh(h @ w + b)
    return np.sum(h * h)


def unpacked_in_a_loop(x, n):
    """ZERO told the shape of what was summed in the second order."""
    y = x
    for _ in range(n):
        p = [x, np.tanh(x)]
        y, q = p
        y = y * q + p[-1]
    return np.sum(y * y)


def stacked_in_a_loop(x, y, n):
    """The same for the adjoint of a stack."""
    for _ in range(n):
        y, x = x, np.sum(np.stack([y * 1.0, y * y]))
    return x * y


def lists_of_a_trip(x):
    """The shadow of a list made in a loop outlived its trip."""
    rows = []
    for i in range(3):
        row = []
        for v in x:
            row.append(v * i)
        rows.append(row)
    return rows[1][1] * rows[2][1]


def index_of_an_index(x):
    """An index was recorded, or made again from what was not at hand."""
    s = 0.0
    for i in range(len(x) - 1):
        for j in range(2):
            k = (i + j) % 2
            s += x[k] * x[i + 1]
    return s


def unread_square(x, y):
    """The adjoint of a ZERO stayed in parts where an array was meant."""
    items = [v for v in (x, x)]
    total = np.sum(np.array([v for v in items]))
    p = [y, total * total]
    rows, _ = p
    [row * total for row in rows]
    return np.sum(y)


def mixed_list(x, y):
    """The tangent of a list without one was ZERO in every element, which has no shape to add."""
    return np.sum(sum([x, np.sum(y)] + [y]))


def unread_rows(x, y):
    """A rule fitted an adjoint to the shape of a ZERO."""
    rows = []
    for _ in range(3):
        rows.append(y * 0.5)
    x = np.mean(np.concatenate([np.ravel(v) for v in rows]))
    if np.sum(y) > 0.3119:
        return np.sum(y * y)
    return np.sum(y * x)


def halves(items):
    """A helper for ``unread_half``."""
    return [v for v in items], items


def unread_half(x, y):
    """The adjoint of a ZERO kept its own shape and met an array of another one."""
    rows = [y, [np.sum(np.concatenate([np.ravel(x), y]))]]
    product = rows[0] * rows[1][0]
    _, (_, last) = halves([x, product])
    return np.mean([y, last][0])


PROGRAMS: list[tuple[Any, ...]] = [
    (summed_in_a_loop, 0.3, X, 2),
    (summed_in_a_loop, X, M, 2),
    (summed_twice, 0.3, X, 1),
    (summed_twice, X, M, -1),
    (scaled_mean, X, M),
    (scaled_mean, 1.5, X),
    (grown_accumulator, X, 1.1),
    (bound_in_one_branch, np.array([[0.5], [-0.3]]), 2),
    (shapes_change_by_trip, [(M.T, np.ones(3)), (M, X)], M),
    (unpacked_in_a_loop, X, 2),
    (stacked_in_a_loop, 0.7, -0.4, 2),
    (lists_of_a_trip, np.array([1.0, 2.0, -1.0])),
    (index_of_an_index, np.array([1.0, 2.0, -1.0])),
    (unread_square, np.array(0.8), np.array([[0.5], [-0.3]])),
    (mixed_list, 0.45, X),
    (unread_rows, 0.45, -X),
    (unread_half, 0.45, X),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_program(program: tuple[Any, ...]) -> None:
    function, *args = program
    check(function, *args, second=not isinstance(args[0], list))
