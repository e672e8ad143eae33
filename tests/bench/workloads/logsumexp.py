"""Logarithms of sums of exponentials, one for each row."""

from __future__ import annotations

import numpy as np

SIZES = (10, 100, 1_000)
WRT = (0,)
GOAL = 1.1
COLUMNS = 100


def arguments(size):  # type: ignore[no-untyped-def]
    return (np.random.default_rng(size).normal(size=(size, COLUMNS)),)


def loss(x):  # type: ignore[no-untyped-def]
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1)))


def by_hand(x):  # type: ignore[no-untyped-def]
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def torch_form(torch):  # type: ignore[no-untyped-def]
    def same(x):  # type: ignore[no-untyped-def]
        m = torch.amax(x, 1, keepdim=True)
        return torch.sum(m[:, 0] + torch.log(torch.sum(torch.exp(x - m), 1)))

    return same
