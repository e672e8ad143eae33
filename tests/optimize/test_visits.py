"""Loops that come to each place of an adjoint once store there; what is emptied may be read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.loops.visits import visits
from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of

DOWN = "bx = np.zeros(n)\nbz = np.zeros(n)\nfor i in reversed(range(n)):\n    "
UP = "bx = np.zeros(n)\nbz = np.zeros(n)\nfor i in range(1, n):\n    "
STORED = {
    "down": DOWN + "bx[i] += bw * 2.0",
    "up": UP + "bx[i] += bw * 2.0",
    "the one before": UP + "bx[i - 1] += bw",
    "subtracted": DOWN + "bx[i] -= bw",
    "in a branch of its own": DOWN + "bx[i] += bw\n    if i:\n        bw = bw * 2.0",
}
ADDED = {
    "before the first": DOWN + "bx[i - 1] += bw",
    "twice": DOWN + "bx[i] += bw\n    bx[i] += bw",
    "read": DOWN + "bx[i] += bw\n    bw = bx[i + 1]",
    "in an inner loop": DOWN + "for k in range(n):\n        bx[i] += bw",
    "at another place": DOWN + "bx[i * 2] += bw",
    "at a place that is bound": DOWN + "i = 0\n    bx[i] += bw",
    "no zeros any more": "bx = np.zeros(n)\nbx[0] = 1.0\nfor i in range(n):\n    bx[i] += bw",
    "a loop before": DOWN + "bx[i] += bw\nfor i in range(n):\n    bx[i] += bw",
    "from somewhere": "bx = np.zeros(n)\nfor i in range(k, n):\n    bx[i] += bw",
    "a list": "bx = np.zeros(n)\nfor i in x:\n    bx[i] += bw",
    "a view": "bx = np.zeros(n)\nbv = bx[1:]\nfor i in range(n):\n    bx[i] += bw\n    bw = bv[0]",
}
LEFT = {
    "down": DOWN + "bw = bz[i + 1] * 2.0\n    bz[i + 1] = 0.0\n    bz[i] += bw",
    "up": "bz = np.zeros(n)\nfor i in range(n):\n    bw = bz[i] * 2.0\n    bz[i] = 0.0\n    bz[i + 1] += bw",
}
EMPTIED = {
    "read behind": DOWN + "bz[i] = 0.0\n    bw = bz[i]",
    "read later": DOWN + "bw = bz[i] * 2.0\n    bz[i] = 0.0\n    bz[i + 1] += bw",
    "read behind the loop": DOWN + "bw = bz[i] * 2.0\n    bz[i] = 0.0\nbw = bz[0]",
    "the last is before the first": DOWN + "bw = bz[i] * 2.0\n    bz[i] = 0.0\n    bz[i - 1] += bw",
    "given": "for i in reversed(range(n)):\n    bw = by[i] * 2.0\n    by[i] = 0.0",
    "handed": "bz = rt.buffer(by, x)\nfor i in range(n):\n    bw = bz[i] * 2.0\n    bz[i] = 0.0",
    "another name": "bz = np.zeros(n)\nbv = bz[1:]\nfor i in range(n):\n    bw = bz[i] * 2.0\n    bz[i] = 0.0\nbw = bv[0]",
    "inside of a loop": "for k in range(3):\n    for i in range(n):\n        bw = bz[i] * 2.0\n        bz[i] = 0.0",
}


def after(text: str) -> str:
    sample = function(text + "\nreturn bw", names={"np": np})
    return text_of(visits(sample.body, Scope(sample, USER, sample_is_pure)))


@pytest.mark.parametrize("text", STORED.values(), ids=STORED)
def test_stored(text: str) -> None:
    assert "+=" not in after(text) and "-=" not in after(text)


@pytest.mark.parametrize("text", ADDED.values(), ids=ADDED)
def test_added(text: str) -> None:
    assert "+= bw" in after(text)


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_not_emptied(text: str) -> None:
    assert "] = 0.0" not in after(text)


@pytest.mark.parametrize("text", EMPTIED.values(), ids=EMPTIED)
def test_emptied(text: str) -> None:
    assert "] = 0.0" in after(text)


def states(w, u, x):
    h = np.zeros((len(x) + 1, 3))
    for t in range(len(x)):
        h[t + 1] = np.tanh(w @ h[t] + u @ x[t])
    return np.sum(h[-1] ** 2)


def all_states(w, u, x):
    h = np.zeros((len(x) + 1, 3))
    z = x @ u
    for t in range(len(x)):
        h[t + 1] = np.tanh(z[t] + h[t] @ w)
    return np.sum(h[1:] ** 2)


def backward_in_time(w, u, x):
    h = np.zeros((len(x) + 1, 3))
    for t in range(len(x) - 1, -1, -1):
        h[t] = np.tanh(w @ h[t + 1] + u @ x[t])
    return np.sum(h[0] ** 2) + np.sum(h[1])


def two_before(w, u, x):
    h = np.zeros((len(x) + 2, 3))
    h[1] = x[0]
    for t in range(len(x)):
        h[t + 2] = np.tanh(w @ h[t + 1] - u @ h[t]) * x[t]
    return np.sum(h[len(x)] * h[-1])


def round_and_round(w, u, x):
    h = np.zeros((len(x), 3))
    for t in range(len(x)):
        h[t] = np.tanh(w @ h[t - 1] + u @ x[t])
    for t in range(len(x)):
        h[t] = np.tanh(w @ h[t - 1] + h[t])
    return np.sum(h[-1] * h[0])


def given(w, u, x):
    for t in range(1, len(x)):
        x[t] = np.tanh(w @ x[t - 1] + u @ x[t])
    return np.sum(x[-1])


PROGRAMS = [states, all_states, backward_in_time, two_before, round_and_round, given]


@pytest.mark.parametrize("f", PROGRAMS)
@pytest.mark.parametrize("trips", [0, 1, 2, 5])
def test_programs(f: Callable[..., Any], trips: int) -> None:
    rng = np.random.default_rng(3)
    w, u, x = rng.normal(size=(3, 3)) * 0.4, rng.normal(size=(3, 3)) * 0.4, rng.normal(size=(5, 3))
    x = x[: max(trips, 1 if f in (two_before, round_and_round, given, backward_in_time) else 0)]
    found = tl.grad(f, wrt=(0, 1, 2))(w, u, x.copy())
    expected = tl.grad(f, wrt=(0, 1, 2), optimized=False)(w, u, x.copy())
    for a, b in zip(found, expected):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-14)
    value, pullback = tl.vjp(f, wrt=2)(w, u, x.copy())
    for scale in (1.0, 2.0, 1.0):
        np.testing.assert_allclose(pullback(scale), scale * expected[2], rtol=1e-11, atol=1e-14)
