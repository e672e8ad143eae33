"""Programs that were wrong once: each stands for a cause, named in its docstring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
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


def walked_tree(x):
    """An element of a number had rank -1, that of it rank -2, and so on."""
    total = 0.0

    def walk(part, depth):
        nonlocal total
        if isinstance(part, (list, tuple)):
            for inner in part:
                walk(inner, depth + 1)
        else:
            total = total + part * x**depth

    walk([x, (2.0, [x * x]), 1.0], 0)
    return total


def test_walk_over_a_tree_of_all_kinds() -> None:
    check(walked_tree, 1.3, second=False)  # what a walk records is of several kinds


def wrapped(value, times):
    """Each call is given a list in one more list."""
    return value if times == 0 else wrapped([value], times - 1)


def wraps(x):
    return wrapped(x, 3)[0][0][0] * x


def grown(row, times):
    """Each call is given a longer tuple."""
    return sum(row) if times == 0 else grown((*row, row[-1] * 0.5), times - 1)


def grows(x):
    return grown((x, x * x), 3)


@pytest.mark.parametrize("program", [wraps, grows], ids=lambda f: f.__name__)
def test_kinds_without_end_are_refused(program: Any) -> None:
    with pytest.raises(tl.UnsupportedSyntaxError, match="another kind of value each time") as found:
        tl.grad(program)
    assert found.value.place is not None and "def " in str(found.value)


def counted_twice(x, n):
    """A counter was left away for another one, though it was read before the loop."""
    i = 0
    j = 0
    y = x * np.sin(x + j)
    while i < n:
        y = np.sin(y) * x
        i = i + 1
        j = j + 1
    return y * j


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
    (counted_twice, 0.7, 3),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_program(program: tuple[Any, ...]) -> None:
    function, *args = program
    check(function, *args, second=not isinstance(args[0], list))


def taken(stack):
    return stack.pop()


def held_by_three(x):
    """What the helper gives may share memory with three names."""
    a = x * 2.0
    rows = [a[:2], a[2:]]
    k = np.array([0, 1])
    b = rows[-1]
    top = taken(rows)
    top[k] = top[::-1] * x[0]
    k[:] = 1
    b += x[:2]
    a[::2][0] *= x[3]
    return np.sum(a * a) + np.sum(b * top)


def test_many_aliases() -> None:
    check(held_by_three, np.array([0.7, 0.4, 0.9, 0.3]))


@pytest.mark.parametrize("axis", [0, -1])
def test_reductions_of_numbers_along_an_axis(axis: int) -> None:
    """NumPy takes a number for an array of one axis there."""
    for reduce in (np.prod, np.sum, np.max, np.cumsum):
        check(lambda x, f=reduce: np.sum(f(x, axis=axis)) ** 2 * x, 1.7)
