"""A loop that ends when its state says so: the trips are counted, the states recorded."""

from __future__ import annotations

SIZES = (1_000, 10_000)
WRT = (0,)
LOOPS = True
GOAL = 1.3


def arguments(size):  # type: ignore[no-untyped-def]
    return 1.3, size


def loss(x, n):  # type: ignore[no-untyped-def]
    s = x
    i = 0
    while i < n:
        s = s - 0.001 * s * s * x
        i = i + 1
    return s


def by_hand(x, n):  # type: ignore[no-untyped-def]
    states = []
    s = x
    i = 0
    while i < n:
        states.append(s)
        s = s - 0.001 * s * s * x
        i = i + 1
    bs, bx = 1.0, 0.0
    while i > 0:
        i = i - 1
        s = states.pop()
        t = 0.001 * s * bs
        bx = bx - t * s
        bs = bs - 2.0 * t * x
    return bx + bs


def jax_form(jax):  # type: ignore[no-untyped-def]
    def bounded(x, n):  # type: ignore[no-untyped-def]
        return jax.lax.fori_loop(0, n, lambda _, s: s - 0.001 * s * s * x, x)

    return bounded
