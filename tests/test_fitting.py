"""Calls with lists, dicts and objects go by one look after a few of them, and still notice what changes."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

RATE = 2.0


class Layer:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def __call__(self, x: Any) -> Any:
        return np.tanh(x @ self.w + self.b)


def act(x):
    return np.tanh(x)


def network(layers, x):
    for w, b in layers:
        x = act(x @ w + b)
    return np.sum(x**2) * RATE


def objects(layers, x, scale=1.0):
    for layer in layers:
        x = layer(x)
    return np.sum(x**2) * scale


def written(state, x):
    y = state["y"]
    for i in range(1, len(x)):
        y[i] = y[i - 1] * x[i]
    return np.sum(y * x)


def pairs(size: int = 2, rows: bool = False) -> Any:
    draw = np.random.default_rng(size).normal
    return [(draw(size=(3, 3)), draw(size=(1, 3) if rows else 3)) for _ in range(size)]


def same(found: Any, known: Any) -> None:
    assert type(found) is type(known)
    if isinstance(known, list | tuple):
        assert len(found) == len(known)
        for a, b in zip(found, known):
            same(a, b)
    elif isinstance(known, dict) or hasattr(known, "__dict__"):
        a, b = (v if isinstance(v, dict) else vars(v) for v in (found, known))
        assert a.keys() == b.keys()
        for key in a:
            same(a[key], b[key])
    elif known is not None:
        np.testing.assert_allclose(found, known, rtol=1e-12)


X = np.arange(12.0).reshape(4, 3) / 10


def often(df: Any, *args: Any, **kwargs: Any) -> Any:
    for _ in range(3):
        found = df(*args, **kwargs)
    return found


def test_arguments_of_other_kinds() -> None:
    df, slow = tl.grad(network), tl.grad(network, optimized=False)
    others = [pairs(), pairs(3), pairs(2, True), tuple(pairs()), [list(p) for p in pairs()], []]
    others += [[(w.astype(np.float32), b) for w, b in pairs()], [(w, 0.5) for w, _ in pairs()]]
    for given in [*others, *reversed(others), *others]:
        same(often(df, given, X), slow(given, X))
        same(df(given, X[0]), slow(given, X[0]))


def test_what_is_read_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    df, given = tl.grad(network), pairs()
    before = often(df, given, X)
    monkeypatch.setitem(globals(), "RATE", 4.0)
    same(often(df, given, X), [(2 * w, 2 * b) for w, b in before])
    monkeypatch.setitem(globals(), "act", lambda x: x * 1.0)
    same(often(df, given, X), tl.grad(network, optimized=False)(given, X))
    monkeypatch.setitem(globals(), "RATE", np.ones(3))
    with pytest.raises(TypeError, match="scalar"):
        often(df, given, X)
    monkeypatch.undo()
    same(often(df, given, X), before)


def test_methods_and_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    df, given = tl.grad(objects), [Layer(w, b) for w, b in pairs()]
    before = often(df, given, X)
    monkeypatch.setattr(Layer, "__call__", lambda self, x: x @ self.w + self.b)
    after = often(df, given, X)
    same(after, tl.grad(objects, optimized=False)(given, X))
    monkeypatch.setattr(objects, "__defaults__", (3.0,))
    same(often(df, given, X), tl.grad(objects, optimized=False)(given, X))
    monkeypatch.undo()
    same(often(df, given, X), before)
    given[0].name = "first"
    same(often(df, given, X), tl.grad(objects, optimized=False)(given, X))


def test_seeds_and_names() -> None:
    df, given = tl.grad(network), pairs()
    once = often(df, given, X)
    twice = [(2 * w, 2 * b) for w, b in once]
    same(df(given, X, adjoint=2.0), twice)
    same(df(layers=given, x=X), once)
    same(df(given, x=X), once)
    with pytest.raises(TypeError, match="missing"):
        df(given)
    with pytest.raises(TypeError):
        df(given, X, 3.0)


def test_memory_that_is_shared() -> None:
    df, slow = tl.grad(written, wrt=1), tl.grad(written, wrt=1, optimized=False)
    x, state = np.linspace(0.2, 1.0, 6), {"y": np.ones(6)}
    for _ in range(3):
        same(df(x=x, state={"y": np.ones(6)}), slow({"y": np.ones(6)}, x))
        same(df(state, x), slow({"y": np.ones(6)}, x))
        np.testing.assert_array_equal(state["y"], np.ones(6))


def test_what_runs_is_found() -> None:
    df = tl.grad(network)
    often(df, pairs(), X)
    assert "reversed" in inspect.getsource(df.__func__)
    assert df.__code__.co_name == df.__name__
