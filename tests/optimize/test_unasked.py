"""Where only the shape of a result is asked for, what its operands hold is not made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import Check

NORMAL = np.random.default_rng(7).normal


def waves(x: Any, k: float) -> Any:
    """Two recurrences, there and back."""
    k = np.exp(-k)
    y1, y2 = np.empty_like(x), np.empty_like(x)
    y1[:, 0] = k * x[:, 0]
    for j in range(1, x.shape[1]):
        y1[:, j] = k * x[:, j] + 0.5 * y1[:, j - 1]
    y2[:, -1] = 0.0
    for j in range(x.shape[1] - 2, -1, -1):
        y2[:, j] = k * x[:, j + 1] + 0.25 * y2[:, j + 1]
    return 1 * (y1 + y2)


def squares(x: Any, k: float) -> Any:
    """What is stored is read by what comes later: it must be made."""
    y = np.zeros(x.shape)
    for j in range(1, x.shape[1]):
        y[:, j] = k * y[:, j - 1] * y[:, j - 1] + x[:, j]
    return y - x


def bound_again(x: Any, k: float) -> Any:
    """The operand that the result is made of is not the one at the end."""
    a = np.zeros(x.shape)
    a[0] = k * x[0]
    y = a * x[:1]
    a = np.zeros((1, 1))
    return y


def in_branches(x: Any, k: float) -> Any:
    a = np.zeros(x.shape)
    for j in range(len(x)):
        a[j] = k * x[j]
    if k > 0.0:
        y = a + x
    else:
        y = a[:1] + x
    return y


def of_another_shape(x: Any, k: float) -> Any:
    """Broadcast, a view turned round, and a number."""
    a = np.zeros((x.shape[1],))
    for j in range(x.shape[1]):
        a[j] = k * x[0, j]
    return k * (a[::-1] * x) - 3


def written_later(x: Any, k: float) -> Any:
    y = x * 2.0
    y[0] = k * x[1]
    y[1:] += y[:-1]
    return y


def a_list(x: Any, k: float) -> Any:
    parts = [x * k, x]
    return np.stack(parts + [x])


def by_break(x: Any, k: float) -> Any:
    a = np.ones(x.shape)
    for j in range(len(x)):
        if j > 1:
            break
        a[j] = k * x[j]
    return a * x


PROGRAMS = (
    waves,
    squares,
    bound_again,
    in_branches,
    of_another_shape,
    written_later,
    a_list,
    by_break,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_every_derivative(program: Any) -> None:
    Check(lambda x, k: np.sum(program(x, k) * 3.0), (NORMAL(size=(3, 4)), 0.7)).run()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_it_is_what_is_made_without_sparing(program: Any) -> None:
    def loss(x: Any, k: float, w: Any) -> Any:
        return np.sum(program(x, k) * w)

    for dtype in (float, np.float32):
        x = NORMAL(size=(3, 4)).astype(dtype)[:, ::-1]
        w = NORMAL(size=np.shape(program(x, 0.7))).astype(dtype)
        for one, other in zip(
            tl.grad(loss, wrt=(0, 1, 2))(x, 0.7, w),
            tl.grad(loss, wrt=(0, 1, 2), optimized=False)(x, 0.7, w),
        ):
            assert np.allclose(one, other, rtol=1e-14 if dtype is float else 1e-6)
            assert np.asarray(one).dtype == np.asarray(other).dtype


def forward_of(program: Any) -> str:
    """The forward function of a program, for the arguments of a call."""
    f = tl.grad(lambda x, w: np.sum(program(x, 0.7) * w))
    f(NORMAL(size=(3, 4)), NORMAL(size=(3, 4)))
    name = program.__name__
    return str(f.source[f.source.index(f"def {name}_forward") : f.source.index(f"def {name}_back")])


def test_recurrences_that_nobody_asks_for_are_not_run() -> None:
    assert "for " not in forward_of(waves)


def test_those_that_the_gradient_asks_for_are_run() -> None:
    assert "for " in forward_of(squares)
