"""A recurrence, element after element, in place."""

from __future__ import annotations

import math

import numpy as np

SIZES = (200, 2_000)
WRT = (0, 1)
LOOPS = True
GOAL = 3.0


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return normal(size=size), 0.5, normal(size=size)


def loss(x, a, w):  # type: ignore[no-untyped-def]
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * a + np.sin(x[i])
    return np.sum(y * w)


def by_hand(x, a, w):  # type: ignore[no-untyped-def]
    xs, n = x.tolist(), len(x)
    ys = [0.0] * n
    for i in range(1, n):
        ys[i] = ys[i - 1] * a + math.sin(xs[i])
    by, bx, ba = w.tolist(), [0.0] * n, 0.0
    for i in range(n - 1, 0, -1):
        bx[i] = by[i] * math.cos(xs[i])
        ba += by[i] * ys[i - 1]
        by[i - 1] += by[i] * a
    return np.array(bx), ba


def rewritten(sin, total):  # type: ignore[no-untyped-def]
    """The same with a list, for tools that refuse writes."""

    def loss(x, a, w):  # type: ignore[no-untyped-def]
        y, whole = 0.0, 0.0
        for i in range(1, len(x)):
            y = y * a + sin(x[i])
            whole = whole + y * w[i]
        return whole

    return loss


def autograd_form(numpy):  # type: ignore[no-untyped-def]
    return rewritten(numpy.sin, numpy.sum)


mygrad_form = autograd_form


def jax_eager_form(jax):  # type: ignore[no-untyped-def]
    return rewritten(jax.numpy.sin, jax.numpy.sum)


def torch_form(torch):  # type: ignore[no-untyped-def]
    return rewritten(torch.sin, torch.sum)


def jax_form(jax):  # type: ignore[no-untyped-def]
    def scanned(x, a, w):  # type: ignore[no-untyped-def]
        def step(y, x):  # type: ignore[no-untyped-def]
            y = y * a + jax.numpy.sin(x)
            return y, y

        _, y = jax.lax.scan(step, 0.0, x[1:])
        return jax.numpy.sum(y * w[1:])

    return scanned
