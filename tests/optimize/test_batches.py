"""Outer products that a loop adds to one matrix are added many at a time, and no other sums are."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

NORMAL = np.random.default_rng(5).normal
X, H, W, U = (
    NORMAL(size=(70, 3)),
    NORMAL(size=2),
    NORMAL(size=(3, 2)) * 0.4,
    NORMAL(size=(2, 2)) * 0.4,
)


def recurrent(x, h, w, u):
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ u)
    return np.sum(h**2)


def in_place(x, h, w, u):
    h = h.copy()
    for t in range(x.shape[0]):
        h[:] = np.tanh(x[t] @ w + u @ h)
        h[0] *= 0.5
    return np.sum(h)


def both_ways(x, h, w, u):
    for t in range(x.shape[0]):
        h = np.tanh(u @ h + h @ u + x[t] @ w)
    return np.sum(h)


def perhaps(x, h, w, u):
    for t in range(x.shape[0]):
        if x[t, 0] > 0.0:
            h = np.tanh(x[t] @ w + h @ u)
        elif x[t, 1] > 1.5:
            break
    return np.sum(h)


def nested(x, h, w, u):
    total = 0.0
    for k in range(3):
        for t in range(k, x.shape[0], 20):
            h = np.tanh(x[t] @ w + h @ u)
        total = total + np.sum(h) * k
    return total


def until(x, h, w, u):
    t = 0
    while t < len(x) and abs(h[0]) < 0.9:
        h = np.tanh(u @ h + x[t] @ w)
        t += 1
    return np.sum(h)


def decaying(x, h, w, u):
    for t in range(5):
        h = np.tanh(x[t] @ w + h @ u)
        u = u * 0.9
    return np.sum(h) + np.sum(u * u)


def on_views(x, h, w, u):
    for t in range(6):
        h = np.tanh(x[t, ::2] @ w[::2] + u[:, ::-1] @ h)
    return np.sum(h)


PROGRAMS = [recurrent, in_place, both_ways, perhaps, nested, until, decaying, on_views]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("trips", [6, 70])
def test_programs(program: Callable[..., Any], trips: int, confirm: Any) -> None:
    def weights(w, u):
        return program(X[:trips], H, w, u)

    for k in (0, 1):
        _, exact = tl.jvp(weights, wrt=k)(W, U, tangent=np.ones_like((W, U)[k]))
        for optimized in (True, False):
            slope = tl.grad(program, wrt=(2, 3), optimized=optimized)
            found = slope(X[:trips], H.copy(), W, U)
            again = slope(X[:trips], H.copy(), W, U)
            np.testing.assert_array_equal(found[k], again[k])
            np.testing.assert_allclose(np.sum(found[k]), exact, rtol=1e-9)
    if trips == 6:
        confirm(program, X[:trips], H.copy(), W, U)


@pytest.mark.parametrize("program", [recurrent, in_place, both_ways])
def test_no_trips(program: Callable[..., Any]) -> None:
    bw, bu = tl.grad(program, wrt=(2, 3))(X[:0], H.copy(), W, U)
    np.testing.assert_array_equal(bw, np.zeros((3, 2)))
    np.testing.assert_array_equal(bu, np.zeros((2, 2)))


@pytest.mark.parametrize("kinds", ["ffff", "dfff", "fdff", "ffdf", "dddf"])
def test_precisions(kinds: str) -> None:
    args = [a.astype(kind) for a, kind in zip((X, H, W, U), kinds)]
    exact = tl.grad(recurrent, wrt=(2, 3))(X, H, W, U)
    for found, wanted, kind in zip(tl.grad(recurrent, wrt=(2, 3))(*args), exact, kinds[2:]):
        assert found.dtype == kind
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-5)


def test_rows_are_read_when_they_are_kept() -> None:
    slope = tl.grad(in_place, wrt=(2, 3))
    slope(X, H.copy(), W, U)
    texts = [unit.source for unit in slope._units]
    assert any("rt.add_outer" in text for text in texts)


def test_what_is_computed_again_waits_for_nothing() -> None:
    def sparing(x, h, w):
        for t in tl.checkpoint_loop(range(len(x)), slots=3):
            h = np.tanh(x[t] @ w + h)
        return np.sum(h)

    slope = tl.grad(sparing, wrt=2)
    _, exact = tl.jvp(sparing, wrt=2)(X, H, W, tangent=np.ones_like(W))
    np.testing.assert_allclose(np.sum(slope(X, H, W)), exact, rtol=1e-9)
    assert not any("rt.add_outer" in unit.source for unit in slope._units)


def test_the_exported_text(tmp_path: Path) -> None:
    slope = tl.specialize(tl.grad(recurrent, wrt=3), X, H, W, U)
    path = tmp_path / "exported.py"
    tl.export(slope, path)
    assert "add_outer" in path.read_text()
    spec = importlib.util.spec_from_file_location("exported", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    exported = getattr(module, slope.__name__)
    np.testing.assert_array_equal(exported(X, H, W, U), slope(X, H, W, U))
