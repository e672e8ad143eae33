"""What only a later trip would need is not computed, and nothing else is left out."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

NORMAL = np.random.default_rng(0).normal
WEIGHTS, X = NORMAL(size=(3, 2, 2)), NORMAL(size=(4, 2))
seen: list[Any] = []


def seen_behind(W, x):
    h = x
    for k in range(3):
        h = np.tanh(h @ W[k])
        with tl.insert_grad_of(h) as dh:
            seen.append(dh.copy())
    return np.sum(h)


def seen_before(W, x):
    h = x
    for k in range(3):
        with tl.insert_grad_of(h) as dh:
            seen.append(np.array(dh))
        h = np.tanh(h @ W[k])
    return np.sum(h)


def from_one(W, x):
    h = x
    for k in range(1, 3):
        h = np.tanh(h @ W[k])
    return np.sum(h)


def left_early(W, x):
    h = x
    for k in range(3):
        h = np.tanh(h @ W[k])
        if np.sum(h) > 100.0:
            break
    return np.sum(h)


def two_products(W, x):
    h = x
    for k in range(3):
        g = h @ W[k]
        h = np.tanh(g @ W[k].T)
    return np.sum(h)


def in_a_loop(W, x):
    s = 0.0
    for _ in range(2):
        h = x
        for k in range(3):
            h = np.tanh(h @ W[k])
        s = s + np.sum(h)
    return s


def in_branches(W, x):
    h = x
    for k in range(3):
        if k % 2:
            h = np.tanh(h @ W[k])
        else:
            h = h @ W[k]
    return np.sum(h)


def products_alone(W, x):
    h = x
    for k in range(len(W)):
        h = h @ W[k]
    return np.sum(h)


def begins_active(W, x):
    h = W[0]
    for k in range(3):
        h = h @ W[k]
    return np.sum(h * 2)


def two_states(W, x):
    h, c = x, x
    for k in range(3):
        h, c = np.tanh(c @ W[k]), h @ W[k]
    return np.sum(h * c)


PROGRAMS = (seen_behind, seen_before, from_one, left_early, two_products, in_a_loop, in_branches)
PROGRAMS += (products_alone, begins_active, two_states)


def found(function: Any, weights: Any, wrt: Any, optimized: bool) -> list[Any]:
    derivative = tl.grad(function, wrt=wrt, optimized=optimized)
    for _ in range(2):
        seen.clear()
        result = derivative(copy.deepcopy(weights), X.copy())
    parts = result if isinstance(result, tuple) else (result,)
    return [np.asarray(part) for part in parts] + [copy.deepcopy(part) for part in seen]


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("wrt", [0, 1, (0, 1)])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(function: Any, wrt: Any, listed: bool) -> None:
    weights = list(WEIGHTS) if listed else WEIGHTS
    mine, other = (found(function, weights, wrt, flag) for flag in (True, False))
    for one, two in zip(mine, other, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-14)


def test_what_is_written() -> None:
    weights = list(WEIGHTS)
    for wrt, expected in ((0, True), ((0, 1), False)):
        derivative = tl.grad(products_alone, wrt=wrt)
        derivative(weights, X)
        text = "".join(unit.source for unit, _ in derivative._variants.values())
        assert ("if k:" in text) is expected
