"""Extrema of memory that is written: the record says who won, and the operands need not be there again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.programs.strict import Check

NORMAL = np.random.default_rng(17).normal
Procedure = Callable[[Any, Any], None]


def shortest(path: Any, a: Any) -> None:
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]) * a)


def shortest_by_elements(path: Any, a: Any) -> None:
    n = path.shape[0]
    for k in range(n):
        for i in range(n):
            row = path[i, k] + path[k, :] * a[k]
            for j in range(n):
                path[i, j] = np.minimum(path[i, j], row[j])


def rectified(path: Any, a: Any) -> None:
    for k in range(3):
        path[k] -= a[k] * path[k - 1]
        path[:] = np.maximum(path, 0.1)


def best_chain(path: Any, a: Any) -> None:
    for i in range(path.shape[0] - 2, -1, -1):
        for j in range(i + 1, path.shape[1]):
            path[i, j] = np.maximum(path[i, j], path[i, j - 1])
            path[i, j] = np.maximum(path[i + 1, j - 1] + a[i, j] * a[j, i], path[i, j])


def decided(path: Any, a: Any) -> None:
    for k in range(3):
        if a[k, 0] > 0.0:
            path[k] = np.minimum(path[k], a[k] * path[k + 1])
        path[k, 1:] *= 0.5


PROCEDURES = (shortest, shortest_by_elements, rectified, best_chain, decided)


def loss_of(procedure: Procedure) -> Callable[..., Any]:
    def loss(path: Any, a: Any, w: Any) -> Any:
        procedure(path, a)
        return np.sum(path * path * w)

    return loss


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_right_in_both_modes(procedure: Procedure) -> None:
    Check(loss_of(procedure), tuple(NORMAL(size=(4, 4)) for _ in range(3))).run()


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_compiled(procedure: Procedure) -> None:
    pytest.importorskip("numba", reason="Numba is not installed: pip install tangentlite[numba]")
    loss = loss_of(procedure)
    for kind in (np.float64, np.float32):
        args = [NORMAL(size=(4, 4)).astype(kind) for _ in range(3)]
        plain = tl.grad(loss, wrt=(0, 1))(*(a.copy() for a in args))
        made = tl.grad(loss, wrt=(0, 1), compile="numba")(*(a.copy() for a in args))
        for one, other in zip(plain, made, strict=True):
            assert one.dtype == other.dtype == kind
            np.testing.assert_allclose(
                one, other, rtol=1e-4 if kind == np.float32 else 1e-9, atol=1e-6
            )


def test_ties_are_shared_and_what_loses_is_cut_off() -> None:
    def loss(x: Any, y: Any) -> Any:
        for _ in range(2):
            x[:] = np.maximum(x, y)
        return np.sum(x)

    bx, by = tl.grad(loss, wrt=(0, 1))(np.array([1.0, 2.0, 3.0]), np.array([1.0, np.inf, -np.inf]))
    assert np.array_equal(bx, [0.25, 0.0, 1.0])
    assert np.array_equal(by, [0.75, 1.0, 0.0])


def test_no_copy_is_kept() -> None:
    def loss(path: Any, w: Any) -> Any:
        shortest(path, 1.0)
        return np.sum(path * w)

    derivative = tl.grad(loss)
    derivative(NORMAL(size=(3, 3)), NORMAL(size=(3, 3)))
    assert "share" in derivative.source.split("tape.append")[1].split("\n")[0]
    assert "old" not in derivative.source


def test_what_is_not_written_is_read_again() -> None:
    def loss(x: Any, y: Any) -> Any:
        return np.sum(np.maximum(x, y))

    assert "share" not in tl.grad(loss).source
