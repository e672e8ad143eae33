"""Jacobi's stencil on a line, in place: a hundred steps."""

from __future__ import annotations

import numpy as np

SIZES = (200, 2_000, 20_000)
WRT = (0,)
LOOPS = True
GOAL = 1.1
STEPS = 100


def arguments(size):  # type: ignore[no-untyped-def]
    normal = np.random.default_rng(size).normal
    return normal(size=size), normal(size=size), STEPS


def loss(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return np.sum(a * w)


def by_hand(a, w, steps):  # type: ignore[no-untyped-def]
    ba, bb = w.copy(), np.zeros(a.shape)
    for _ in range(steps):
        t = ba[1:-1] * 0.33333
        ba[1:-1] = 0.0
        bb[2:] += t
        bb[1:-1] += t
        bb[:-2] += t
        t = bb[1:-1] * 0.33333
        bb[1:-1] = 0.0
        ba[2:] += t
        ba[1:-1] += t
        ba[:-2] += t
    ba += bb
    return ba


def rewritten(np, concatenate):  # type: ignore[no-untyped-def]
    """The same without writes, for tools that refuse them."""

    def loss(a, w, steps):  # type: ignore[no-untyped-def]
        b = a
        for _ in range(steps):
            b = concatenate([a[:1] * 0 + b[:1], 0.33333 * (a[:-2] + a[1:-1] + a[2:]), b[-1:]])
            a = concatenate([a[:1], 0.33333 * (b[:-2] + b[1:-1] + b[2:]), a[-1:]])
        return np.sum(a * w)

    return loss


def autograd_form(numpy):  # type: ignore[no-untyped-def]
    return rewritten(numpy, numpy.concatenate)


mygrad_form = autograd_form


def jax_eager_form(jax):  # type: ignore[no-untyped-def]
    return rewritten(jax.numpy, jax.numpy.concatenate)


def torch_form(torch):  # type: ignore[no-untyped-def]
    return rewritten(torch, torch.cat)


def jax_form(jax):  # type: ignore[no-untyped-def]
    def scanned(a, w, steps):  # type: ignore[no-untyped-def]
        def step(both, _):  # type: ignore[no-untyped-def]
            a, b = both
            b = b.at[1:-1].set(0.33333 * (a[:-2] + a[1:-1] + a[2:]))
            a = a.at[1:-1].set(0.33333 * (b[:-2] + b[1:-1] + b[2:]))
            return (a, b), None

        (a, _), _ = jax.lax.scan(step, (a, a), length=steps)
        return jax.numpy.sum(a * w)

    return scanned
