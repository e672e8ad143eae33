"""Rosenbrock's function of many variables."""

from __future__ import annotations

import numpy as np

SIZES = (100, 1_000, 10_000)
WRT = (0,)
GOAL = 1.1


def arguments(size):  # type: ignore[no-untyped-def]
    return (np.random.default_rng(size).normal(size=size),)


def loss(x):  # type: ignore[no-untyped-def]
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def by_hand(x):  # type: ignore[no-untyped-def]
    head, tail = x[:-1], x[1:]
    t = tail - head * head
    bx = np.zeros(x.shape)
    bx[1:] = 200.0 * t
    bx[:-1] -= 400.0 * t * head + 2.0 * (1.0 - head)
    return bx
