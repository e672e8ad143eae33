"""A number cubed: what a call costs."""

from __future__ import annotations

SIZES = (1,)
WRT = (0,)
GOAL = 4.0


def arguments(size):  # type: ignore[no-untyped-def]
    return (1.7,)


def loss(x):  # type: ignore[no-untyped-def]
    return x * x * x


def by_hand(x):  # type: ignore[no-untyped-def]
    y = x * x
    return y + 2.0 * x * x
