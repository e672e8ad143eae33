"""Adjoints of places that keep what they held are neither copied nor put back, unless something comes in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.sums.restored import restored

TAKE, PUT = "bx = np.zeros(n)\nt1 = bx[1:].copy()\n", "bx[1:] = t1\n"
STAYS = {
    "written in between": TAKE + "bx[2:] += by\n" + PUT,
    "emptied in between": TAKE + "bx[1:] = 0.0\n" + PUT,
    "written through a view": "bx = np.zeros(n)\nt3 = bx[2:]\nt1 = bx[1:].copy()\nt3 += by\n" + PUT,
    "another place": TAKE + "bx[:-1] = t1",
    "another array": "bz = np.zeros(n)\n" + TAKE + "bz[1:] = t1",
    "another index": "bx = np.zeros(n)\nt1 = bx[i].copy()\ni = i + 1\nbx[i] = t1",
    "another array of the name": TAKE + "bx = np.ones(n)\n" + PUT,
    "the copy is written": TAKE + "t1 *= 2.0\n" + PUT,
    "a loop in between": TAKE + "for k in range(n):\n    bx[k] = 0.0\n" + PUT,
    "a call in between": TAKE + "change(bx)\n" + PUT,
    "read before it comes back": TAKE + "bx[1:] = -by\nbz = bx[2:] * y\nbx[1:] += t1",
    "stored before it comes back": TAKE + "bx[1:] = -by\nbx[2:] = by\nbx[1:] += t1",
    "comes back elsewhere": TAKE + "bx[1:] = -by\nbx[:-1] += t1",
    "comes back in part": TAKE + "bx[1:] = -by\nbx[1:] -= t1",
    "comes back under another index": "bx = np.zeros(n)\nt1 = bx[i:].copy()\nbx[i:] = -by\n"
    "i = i + 1\nbx[i:] += t1",
    "of a list": "bx = rt.zeros(x)\nt1 = bx[0].copy()\nbx[0] = -by\nbx[0] += t1",
    "in the shape of another": TAKE + "bx[1:] = -by\nbx[1:] += rt.unbroadcast(t1, y[1:])",
}
COPIES = {
    "written before it is read": TAKE + PUT + "bx[:-1] += t1\nbz = t1 * y",
    "held": TAKE + PUT + "bz = t1\nbx[2:] += by\nreturn bz",
    "a view": TAKE + PUT + "bz = t1[1:]\nbx[2:] += by\nreturn bz",
    "added to itself": TAKE + PUT + "bx[:-1] += t1",
    "returned": TAKE + PUT + "return t1",
}


def after(text: str) -> str:
    sample = function(text, names={"rt": runtime, "np": np})
    return text_of(restored(sample.body, Scope(sample, USER, lambda callee: True)))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(text).body)


@pytest.mark.parametrize("text", COPIES.values(), ids=COPIES)
def test_a_copy_stays(text: str) -> None:
    assert after(text) == text_of(function(text.replace(PUT, "")).body)


def test_a_copy_that_nobody_reads_goes() -> None:
    assert after(TAKE + PUT + "bx[2:] += by") == "bx = np.zeros(n)\nbx[2:] += by"


def test_what_comes_back_is_never_taken_away() -> None:
    text = TAKE + "bz = t1 * y\nbx[1:] = bz * z\nbx[2:] -= bz\nbx[1:] += rt.unbroadcast(t1, x[1:])"
    wanted = "bx = np.zeros(n)\nbz = bx[1:] * y\nbx[1:] += bz * z\nbx[2:] -= bz"
    assert after(text) == wanted


def heat(u, n):
    u = u.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def nonlinear(u, n):
    u = np.sin(u)
    for k in range(1, n):
        u[k:] = u[k:] + u[:-k] * u[k:] * 0.1
    return np.sum(u * u)


def by_masks(u, n):
    u = u * 1.0
    for _ in range(n):
        m = u > 0.1
        u[m] = u[m] + 0.2 * u[m] ** 2
    return np.sum(u**3)


def overlapping(u, n):
    u = u * 1.0
    v = u[::-1]
    for _ in range(n):
        u[1:] = u[1:] + 0.3 * v[:-1]
        v[2:] = v[2:] + 0.1 * np.sin(u[:-2])
    return np.sum(u * v)


def twice_the_same(u, n):
    u = u * 1.0
    index = np.array([0, 0, 2, 1])
    for _ in range(n):
        u[index] = u[index] + 0.5 * np.cos(u[1:5])
    return np.sum(u * u)


def scalars(u, n):
    u = u.copy()
    for i in range(1, len(u)):
        u[i] = u[i] + 0.5 * np.sin(u[i - 1])
    return np.sum(u * u)


def rows(u, n):
    m = np.outer(u, u)
    for i in range(n):
        m[i] = m[i] + m[i + 1] * u
        m[:, i] = m[:, i] + 0.2 * m[:, i + 1]
    return np.sum(m * np.cos(m))


PROGRAMS = [heat, nonlinear, by_masks, overlapping, twice_the_same, scalars, rows]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("trips", (0, 1, 3))
def test_derivatives(program: Any, trips: int, confirm: Any) -> None:
    confirm(program, np.array([0.3, -0.5, 0.8, 0.2, -0.9, 0.6]), trips)


def test_heat_reads_as_by_hand() -> None:
    slope = tl.grad(heat)
    slope(np.ones(6), 3)
    assert ".copy()" not in slope.source.partition("# Backward")[2]
