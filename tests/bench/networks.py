"""A number cubed, and networks, each with its adjoint by hand; see `against_hand`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.bench.against_hand import Array, case

WEIGHTS = [(64, 64), (5, 5)]
BIASES = [(64,), (5,)]
BATCH = [(32, 64), (3, 5)]
STEPS = [(50, 64), (4, 5)]


def cube_adjoint(x: float) -> float:
    """What a person would write."""
    y = x * x
    return y + 2.0 * x * x


@case(cube_adjoint, 1.7, calls=5000)
def cube(x):  # type: ignore[no-untyped-def]
    return x * x * x


def perceptron_adjoint(
    w1: Array, b1: Array, w2: Array, b2: Array, w3: Array, b3: Array, x: Array, t: Array
) -> tuple[Array, ...]:
    """The layers are kept, and their slopes are made of them."""
    h1 = np.tanh(x @ w1 + b1)
    h2 = np.tanh(h1 @ w2 + b2)
    by = 2.0 * (h2 @ w3 + b3 - t)
    bz2 = (by @ w3.T) * (1.0 - h2 * h2)
    bz1 = (bz2 @ w2.T) * (1.0 - h1 * h1)
    first = x.T @ bz1, np.sum(bz1, 0), h1.T @ bz2, np.sum(bz2, 0)
    return *first, h2.T @ by, np.sum(by, 0)


LAYERS = (WEIGHTS, BIASES, WEIGHTS, BIASES, WEIGHTS, BIASES)


@case(perceptron_adjoint, *LAYERS, BATCH, BATCH, wrt=(0, 1, 2, 3, 4, 5), calls=20)
def perceptron(w1, b1, w2, b2, w3, b3, x, t):  # type: ignore[no-untyped-def]
    h = np.tanh(x @ w1 + b1)
    h = np.tanh(h @ w2 + b2)
    y = h @ w3 + b3
    return np.sum((y - t) ** 2)


def recurrent_adjoint(w: Array, u: Array, b: Array, xs: Array) -> tuple[Any, ...]:
    """All states are kept in one array."""
    n = len(xs)
    hs = np.zeros((n + 1, len(b)))
    for i in range(n):
        hs[i + 1] = np.tanh(w @ hs[i] + u @ xs[i] + b)
    bw, bu, bb = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    bh = 2.0 * hs[n]
    for i in reversed(range(n)):
        bz = bh * (1.0 - hs[i + 1] * hs[i + 1])
        bw += np.outer(bz, hs[i])
        bu += np.outer(bz, xs[i])
        bb += bz
        bh = w.T @ bz
    return bw, bu, bb


@case(recurrent_adjoint, WEIGHTS, WEIGHTS, BIASES, STEPS, wrt=(0, 1, 2))
def recurrent(w, u, b, xs):  # type: ignore[no-untyped-def]
    h = np.zeros(len(b))
    for x in xs:
        h = np.tanh(w @ h + u @ x + b)
    return np.sum(h * h)
