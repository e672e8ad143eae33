"""What comes first to a place of zeros is stored; what may come second is added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.sums.disjoint import disjoint

ZEROS = "bz = np.zeros(9)\nbz[:3] = bx\n"
SIZE = "m = len(x) // 3\nbz = np.zeros(9)\nbz[:m] = bx\n"
STORED = {
    "behind": ZEROS + "bz[3:] += by",
    "from the end": "bz = np.zeros(9)\nbz[:-2] = bx\nbz[-2:] += by",
    "between the ends": "bz = np.zeros(9)\nbz[0] = bx\nbz[-1] = bx\nbz[1:-1] += by",
    "every other": "bz = np.zeros(9)\nbz[::2] = bx\nbz[1::2] += by",
    "a row of columns": "bz = np.zeros((9, 9))\nbz[:, :3] = bx\nbz[:, 3:] += by",
    "sizes": SIZE + "bz[m:] += by",
    "multiples": SIZE + "bz[m:2 * m] += by",
    "of a shape": "m = x.shape[0]\n" + ZEROS.replace("3", "m") + "bz[m:] += by",
}
ADDED = {
    "the same": ZEROS + "bz[1:] += by",
    "both ends": ZEROS + "bz[-3:] += by",
    "every third": "bz = np.zeros(9)\nbz[::2] = bx\nbz[1::3] += by",
    "sizes in no order": SIZE + "bz[k:] += by",
    "a size that may be less than zero": "m = n // 3\n" + ZEROS.replace("3", "m") + "bz[m:] += by",
    "a size that changes": SIZE + "m = m - 1\nbz[m:] += by",
    "written in a loop": ZEROS + "for i in range(n):\n    bz[i] += 1.0\nbz[3:] += by",
    "written under another name": ZEROS + "bv = bz[4:]\nbv[0] = 1.0\nbz[3:] += by",
    "known to a function": ZEROS + "print(bz)\nbz[3:] += by",
    "no zeros": "bz = np.ones(9)\nbz[:3] = bx\nbz[3:] += by",
    "one of several lists": ZEROS + "bz[k, 1:] += by",
}


def after(text: str) -> str:
    sample = function(text + "\nreturn bz", names={"np": np})
    return text_of(disjoint(sample.body, Scope(sample, USER, lambda callee: callee is not print)))


@pytest.mark.parametrize("text", STORED.values(), ids=STORED)
def test_stored(text: str) -> None:
    assert "+=" not in after(text)


@pytest.mark.parametrize("text", ADDED.values(), ids=ADDED)
def test_added(text: str) -> None:
    assert "+= by" in after(text)


def gates(x, k):
    n = len(x) // 4
    for _ in range(k):
        x = np.concatenate((x[n : 2 * n] * x[:n], x[2 * n : 3 * n], x[3 * n :] * 2, x[:n]))
    return np.sum(x**2)


def meeting(x, n):
    y = x[:n] * x[n : 2 * n] + x[-n:]
    return np.sum(y * y)


def nested(x):
    m, s = 2 * (x.shape[0] // 3), 0.0
    for _ in range(3):
        s = s + np.sum(x[m:] ** 2) * x[0] + np.sum(x[:m] * x[-m:]) + x[-1] * np.sum(x[: m // 2])
        m = m // 2
    return s


def borders(x):
    a = x.reshape(4, 3)
    inner = np.sum(a[1:-1, 1:-1] ** 2)
    return np.sum(a[0, :] * a[-1, :]) + np.sum(a[1:-1, 0] * a[1:-1, -1]) + inner


def stripes(x):
    return np.sum(x[::2] * x[1::2]) + np.sum(x[::3] ** 2) * np.sum(x[2::3]) + np.sum(x[4::4])


X = np.random.default_rng(4).normal(size=12)


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (gates, (X, 3)),
        (gates, (X[:9], 2)),
        (gates, (X[:3], 1)),
        (meeting, (X, 3)),
        (meeting, (X, 5)),
        (nested, (X,)),
        (nested, (X[:11],)),
        (borders, (X,)),
        (stripes, (X,)),
    ],
)
def test_programs(program: Callable[..., Any], args: tuple[Any, ...], confirm: Any) -> None:
    confirm(program, *args)


def test_two_gates() -> None:
    def cell(x, y):
        n = len(y)
        a, b = np.sin(x), np.cos(x * 2.0)
        z = a[:n] + b[:n]
        return np.sum(z * np.tanh(a[n : 2 * n] * b[n : 2 * n]) + a[2 * n :] * b[2 * n :])

    slope = tl.grad(cell)
    slope(X, X[:4])
    assert "+=" not in slope.source


def test_gates_are_stored() -> None:
    def cell(x):
        n = x.shape[0] // 2
        return np.sum(np.tanh(x[:n]) * np.sin(x[n : 2 * n]))

    slope = tl.grad(cell)
    slope(X)
    assert "+=" not in slope.source
