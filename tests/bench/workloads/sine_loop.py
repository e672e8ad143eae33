"""A logistic map and a sine in turn: scalar code with functions of NumPy."""

from __future__ import annotations

import math

import numpy as np

SIZES = (1_000,)
WRT = (0, 1)
LOOPS = True
GOAL = 1.5


def arguments(size):  # type: ignore[no-untyped-def]
    return 0.3, 0.7, size


def loss(x, r, n):  # type: ignore[no-untyped-def]
    s = x
    for _ in range(n):
        s = r * s * (1.0 - s) + 0.1 * np.sin(s)
    return s


def by_hand(x, r, n):  # type: ignore[no-untyped-def]
    states = []
    s = x
    for _ in range(n):
        states.append(s)
        s = r * s * (1.0 - s) + 0.1 * math.sin(s)
    bs, br = 1.0, 0.0
    for _ in range(n):
        s = states.pop()
        br = br + bs * s * (1.0 - s)
        bs = bs * (r * (1.0 - 2.0 * s) + 0.1 * math.cos(s))
    return bs, br


def jax_form(jax):  # type: ignore[no-untyped-def]
    def bounded(x, r, n):  # type: ignore[no-untyped-def]
        def step(_, s):  # type: ignore[no-untyped-def]
            return r * s * (1.0 - s) + 0.1 * jax.numpy.sin(s)

        return jax.lax.fori_loop(0, n, step, x)

    return bounded
