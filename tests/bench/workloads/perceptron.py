"""Three layers, sixteen examples: cross entropy of a softmax, for all weights and biases."""

from __future__ import annotations

import numpy as np

SIZES = (16, 64, 256, 1024)
WRT = (0, 1, 2, 3, 4, 5)
GOAL = {16: 1.5, 64: 1.3, 256: 1.1, 1024: 1.03}
BATCH = 16


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    layers = [
        a for _ in range(3) for a in (normal(size=(size, size)) / size**0.5, normal(size=size))
    ]
    targets = np.eye(size)[np.arange(BATCH) % size]
    return *layers, normal(size=(BATCH, size)), targets


def loss(w1, b1, w2, b2, w3, b3, x, t):  # type: ignore[no-untyped-def]
    h = np.tanh(x @ w1 + b1)
    h = np.tanh(h @ w2 + b2)
    y = h @ w3 + b3
    y = y - np.max(y, axis=1, keepdims=True)
    y = y - np.log(np.sum(np.exp(y), axis=1, keepdims=True))
    return -np.sum(y * t) / len(x)


def by_hand(w1, b1, w2, b2, w3, b3, x, t):  # type: ignore[no-untyped-def]
    h1 = np.tanh(x @ w1 + b1)
    h2 = np.tanh(h1 @ w2 + b2)
    y = h2 @ w3 + b3
    e = np.exp(y - y.max(axis=1, keepdims=True))
    by = (e * (t.sum(axis=1) / e.sum(axis=1))[:, None] - t) / len(x)
    bz2 = (by @ w3.T) * (1.0 - h2 * h2)
    bz1 = (bz2 @ w2.T) * (1.0 - h1 * h1)
    first = x.T @ bz1, bz1.sum(axis=0), h1.T @ bz2, bz2.sum(axis=0)
    return *first, h2.T @ by, by.sum(axis=0)


def torch_form(torch):  # type: ignore[no-untyped-def]
    def same(w1, b1, w2, b2, w3, b3, x, t):  # type: ignore[no-untyped-def]
        h = torch.tanh(x @ w1 + b1)
        h = torch.tanh(h @ w2 + b2)
        y = h @ w3 + b3
        return -torch.sum(torch.log_softmax(y, 1) * t) / len(x)

    return same
