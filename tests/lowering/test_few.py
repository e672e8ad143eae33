"""Loops that write into a few arrays, which they name: each trip is written for its array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

U, V = np.array([0.4, 1.3, -0.7, 0.9]), np.array([1.1, -0.2, 0.6, 0.3])


def edges(u, v):
    for z in (u, v):
        z[0] = z[1] * 2.0
        z[-1] += z[-2] * z[0]
    return np.sum(u * v)


def in_turn(u, v):
    for to, back in ((u, v), (v, u)):
        to[1:-1] = 0.3 * (back[:-2] + back[1:-1] * back[2:])
    return np.sum(u * v)


def read_behind(u, v):
    for z in [u, v]:
        z *= 2.0
        for k in range(2):
            z[k + 1] = z[k] * z[k + 1]
    return np.sum(u * z)


def rebound_inside(u, v):
    for z in (u, v, u):
        z[0] *= z[1]
        z = z * 2.0
        z[1] = z[0] * 3.0
        v = v + z
    return np.sum(u * v)


def left_early(u, v):
    for z in (u, v):
        z[0] = z[1] ** 2
        if z[0] > 0.5:
            break
        z[1] = z[0]
    else:
        u[2] = v[2] * 2.0
    return np.sum(u * v)


def twice_the_same(u, v):
    for c, z in ((0.5, u), (2.0, u)):
        z[:-1] = c * z[1:] * z[:-1]
    return np.sum(u * v)


@pytest.mark.parametrize(
    "function", [edges, in_turn, read_behind, rebound_inside, left_early, twice_the_same]
)
def test_trips(function: Any, confirm: Any) -> None:
    confirm(function, U, V)


def test_each_trip_says_its_array() -> None:
    text = tl.grad(in_turn, wrt=(0, 1)).source
    assert "for " not in text.replace("# Grad of: for", "")
    assert "rt.view" not in text


def test_numbers_stay_in_their_loop() -> None:
    def powers(x):
        for k in (2, 3):
            x = x**k
        return x

    assert "for " in tl.grad(powers).source
