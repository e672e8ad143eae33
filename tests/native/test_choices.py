"""What arrays of indices choose, and what is added there: loops that join their neighbors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.native.programs import normal
from tests.native.test_native import agree

pytest.importorskip("numba", reason="Numba is an extra")

LINE, PLANE, ROWS = normal(size=7), normal(size=(5, 6)), normal(size=(5, 2))
FIRST, SECOND = np.array([0, 3, 3, -1, 2, 0]), np.array([4, 1, -5, 0, 2, 1])
FLAGS = np.array([True, False, True, True, False, True, False])


def upstream(q, u, v, w, steps):
    n, m = q.shape
    rows, columns = np.arange(n)[:, None], np.arange(m)[None, :]
    for _ in range(steps):
        x = np.clip(rows - 0.5 * u, 0.0, n - 1.001)
        y = np.clip(columns - 0.5 * v, 0.0, m - 1.001)
        i, j = x.astype(int), y.astype(int)
        a, b = x - i, y - j
        q[:] = (1 - a) * ((1 - b) * q[i, j] + b * q[i, j + 1]) + a * q[i + 1, j] * b
    return np.sum(q * w)


def pulled(x, k, first, second, w):
    force = np.zeros_like(x)
    d = x[second] - x[first]
    pull = (k / np.sqrt(np.sum(d * d, axis=1) + 1.0))[:, None] * d
    np.add.at(force, first, pull)
    np.add.at(force, second, -pull)
    x += force
    x[1:] *= x[first[:4]]
    return np.sum(x * w)


def shifted(x, first, w):
    for k in range(2):
        x[:6] = x[first + k] * x[:6]
        y = x[(np.arange(7) + k) % 7] * w
        x[1:] += y[1:] * y[first]
    return np.sum(x * w)


def columns(a, first, w):
    a[:, 1:] *= a[:, first[:5]]
    np.add.at(a, (2, first), a[3, first])
    np.add.at(a, (first[:5], 1), w[:, 0])
    return np.sum(a * w)


def by_flags(x, flags, first, w):
    y = x[flags] * 2.0
    x[flags] = y
    x *= x[first[0]]
    return np.sum(x * w) + np.sum(y * x[first[:4]])


PROGRAMS: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (upstream, (PLANE, PLANE[::-1] + 0.3, PLANE * 0.7, PLANE + 1.0, 2)),
    (pulled, (ROWS, normal(size=6), FIRST, SECOND, ROWS + 1.0)),
    (shifted, (LINE, np.array([0, 3, 3, -1, 2, 0]), LINE + 1.0)),
    (columns, (PLANE, FIRST, PLANE + 1.0)),
    (by_flags, (LINE, FLAGS, FIRST, LINE + 1.0)),
)


@pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_indices(function: Any, args: tuple[Any, ...]) -> None:
    agree(function, args)


def test_elements_are_met_one_by_one() -> None:
    made = agree(*PROGRAMS[0])
    assert "_chosen(" not in made.kernels
    assert "rt.add_at(" not in made.kernels


def gathered(x, first):
    y = x[first] * x[first]
    return np.sum(y * y)


def test_an_index_that_is_too_large() -> None:
    made = tl.grad(gathered, compile="numba")
    assert made(LINE, FIRST).shape == (7,)
    with pytest.raises(IndexError):
        made(LINE, np.array([0, 7]))
    with pytest.raises(IndexError):
        made(LINE, np.array([0, -8]))
