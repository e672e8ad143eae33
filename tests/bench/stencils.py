"""Stencils in their usual spellings, each with its adjoint by hand; see `against_hand`.

A linear stencil needs no forward sweep: neither has the adjoint by hand.
"""

from __future__ import annotations

import numpy as np

from tests.bench.against_hand import Array, case
from tests.kernels.stencils import jacobi_1d, jacobi_2d

LINE, STEPS = [(2000,), (12,)], [100, 3]
SHORT, FEW = [(200,), (12,)], [20, 3]
PLANE = [(60, 50), (6, 7)]


def double_buffer(a: Array, w: Array, steps: int) -> Array:
    """Two arrays in turn; ``b`` begins as a copy of ``a``."""
    ba, bb = w.copy(), np.zeros(a.shape)
    for _ in range(steps):
        for to, back in ((ba, bb), (bb, ba)):
            t = to[1:-1] * 0.33333
            to[1:-1] = 0.0
            back[2:] += t
            back[1:-1] += t
            back[:-2] += t
    ba += bb
    return ba


def exchanged(a: Array, w: Array, steps: int) -> Array:
    """Two arrays that change names after every half step."""
    ba, bb = w.copy(), np.zeros(a.shape)
    for _ in range(steps):
        ba, bb = bb, ba
        t = bb[1:-1] * 0.33333
        bb[1:-1] = 0.0
        ba[2:] += t
        ba[1:-1] += t
        ba[:-2] += t
    ba += bb
    return ba


def one_array(a: Array, w: Array, steps: int) -> Array:
    """Every step reads the old values, and the ends stay."""
    ba = w.copy()
    for _ in range(steps):
        t = ba[1:-1] * 0.33333
        ba[1:-1] = 0.0
        ba[2:] += t
        ba[1:-1] += t
        ba[:-2] += t
    return ba


def two_points(a: Array, w: Array, steps: int) -> Array:
    """Two arrays in turn, point after point."""
    ba, bb = w.copy(), np.zeros(a.shape)
    for _ in range(steps):
        for to, back in ((ba, bb), (bb, ba)):
            for i in reversed(range(1, len(a) - 1)):
                t = to[i] * 0.33333
                to[i] = 0.0
                back[i + 1] += t
                back[i] += t
                back[i - 1] += t
    ba += bb
    return ba


@case(double_buffer, LINE, LINE, STEPS)
def buffered(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return np.sum(a * w)


@case(double_buffer, LINE, LINE, STEPS)
def while_loop(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    t = 0
    while t < steps:
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
        t += 1
    return np.sum(a * w)


@case(exchanged, LINE, LINE, STEPS)
def swapped(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a, b = b, a
    return np.sum(a * w)


@case(one_array, LINE, LINE, STEPS)
def overlapping(a, w, steps):  # type: ignore[no-untyped-def]
    for _ in range(steps):
        a[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
    return np.sum(a * w)


@case(one_array, LINE, LINE, STEPS)
def copied(a, w, steps):  # type: ignore[no-untyped-def]
    for _ in range(steps):
        b = a.copy()
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return np.sum(a * w)


@case(one_array, LINE, LINE, STEPS)
def renewed(a, w, steps):  # type: ignore[no-untyped-def]
    for _ in range(steps):
        b = np.zeros_like(a)
        b[0] = a[0]
        b[-1] = a[-1]
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a = b
    return np.sum(a * w)


def jacobi_adjoint(a: Array, w: Array, steps: int) -> Array:
    """PolyBench counts from one."""
    return double_buffer(a, w, steps - 1)


@case(jacobi_adjoint, LINE, LINE, STEPS)
def procedure(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    jacobi_1d(steps, a, b)
    return np.sum(a * w)


def half_step(a, b):  # type: ignore[no-untyped-def]
    b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])


@case(double_buffer, LINE, LINE, STEPS)
def helper(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    for _ in range(steps):
        half_step(a, b)
        half_step(b, a)
    return np.sum(a * w)


@case(exchanged, LINE, LINE, STEPS)
def helper_swapped(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    for _ in range(steps):
        half_step(a, b)
        a, b = b, a
    return np.sum(a * w)


def next_state(a):  # type: ignore[no-untyped-def]
    b = a.copy()
    b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
    return b


@case(one_array, LINE, LINE, STEPS)
def helper_returns(a, w, steps):  # type: ignore[no-untyped-def]
    for _ in range(steps):
        a = next_state(a)
    return np.sum(a * w)


@case(two_points, SHORT, SHORT, FEW)
def points(a, w, steps):  # type: ignore[no-untyped-def]
    b = a.copy()
    for _ in range(steps):
        for i in range(1, len(a) - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        for i in range(1, len(a) - 1):
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])
    return np.sum(a * w)


def plane_adjoint(a: Array, b: Array, w: Array, steps: int) -> tuple[Array, Array]:
    """The five points of the plane."""
    ba, bb = w.copy(), np.zeros(b.shape)
    for _ in range(1, steps):
        for to, back in ((ba, bb), (bb, ba)):
            t = to[1:-1, 1:-1] * 0.2
            to[1:-1, 1:-1] = 0.0
            back[:-2, 1:-1] += t
            back[2:, 1:-1] += t
            back[1:-1, 2:] += t
            back[1:-1, :-2] += t
            back[1:-1, 1:-1] += t
    return ba, bb


@case(plane_adjoint, PLANE, PLANE, PLANE, STEPS, wrt=(0, 1))
def plane(a, b, w, steps):  # type: ignore[no-untyped-def]
    jacobi_2d(steps, a, b)
    return np.sum(a * w)


def heat_adjoint(u: Array, w: Array, steps: int, c: float) -> Array:
    """The explicit step, in one array."""
    bu = w.copy()
    for _ in range(steps):
        t = bu[1:-1, 1:-1] * c
        bu[1:-1, 1:-1] -= 4.0 * t
        bu[1:-1, :-2] += t
        bu[1:-1, 2:] += t
        bu[:-2, 1:-1] += t
        bu[2:, 1:-1] += t
    return bu


@case(heat_adjoint, PLANE, PLANE, STEPS, 0.2)
def heat_2d(u, w, steps, c):  # type: ignore[no-untyped-def]
    for _ in range(steps):
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        u[1:-1, 1:-1] += c * (around - 4.0 * u[1:-1, 1:-1])
    return np.sum(u * w)


def room_adjoint(a: Array, b: Array, w: Array, steps: int) -> tuple[Array, Array]:
    """The seven points of the room."""
    ba, bb = w.copy(), np.zeros(b.shape)
    inner = np.s_[1:-1, 1:-1, 1:-1]
    for _ in range(steps):
        for to, back in ((ba, bb), (bb, ba)):
            t = to[inner] * 0.125
            back[inner] += to[inner] - 6.0 * t
            to[inner] = 0.0
            back[2:, 1:-1, 1:-1] += t
            back[:-2, 1:-1, 1:-1] += t
            back[1:-1, 2:, 1:-1] += t
            back[1:-1, :-2, 1:-1] += t
            back[1:-1, 1:-1, 2:] += t
            back[1:-1, 1:-1, :-2] += t
    return ba, bb


def heat_step(new, old):  # type: ignore[no-untyped-def]
    new[1:-1, 1:-1, 1:-1] = (
        0.125 * (old[2:, 1:-1, 1:-1] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[:-2, 1:-1, 1:-1])
        + 0.125 * (old[1:-1, 2:, 1:-1] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[1:-1, :-2, 1:-1])
        + 0.125 * (old[1:-1, 1:-1, 2:] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[1:-1, 1:-1, 0:-2])
        + old[1:-1, 1:-1, 1:-1]
    )


def heat_3d(TSTEPS, A, B):  # type: ignore[no-untyped-def]
    for _ in range(TSTEPS):
        heat_step(B, A)
        heat_step(A, B)


ROOM = [(14, 15, 16), (5, 5, 6)]


@case(room_adjoint, ROOM, ROOM, ROOM, FEW, wrt=(0, 1))
def room(a, b, w, steps):  # type: ignore[no-untyped-def]
    heat_3d(steps, a, b)
    return np.sum(a * w)
