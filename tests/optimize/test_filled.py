"""Adjoints that are one array from the beginning need no zeros; all others keep them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.sums.filled import filled

ZEROS = "bx = np.zeros(x.shape)\n"
STAYS = {
    "written later": ZEROS + "bx[...] += by * x\nbx[1:] += by",
    "of unknown shape": ZEROS + "bx[...] += by * z\nreturn bx",
    "no array of its own": ZEROS + "bx[...] += bz\nreturn bx",
    "summed down, of another's memory": "bx = rt.zeros(x)\nbx[...] += rt.unbroadcast(bz, x)\nreturn bx",
    "summed down to another shape": "bx = rt.zeros(x)\n"
    + "bx[...] += rt.unbroadcast(np.where(c, 0.0, by), z)\nreturn bx",
    "in part": ZEROS + "bx[1:] += by * x[1:]\nreturn bx",
    "multiplied": ZEROS + "bx[...] *= by * x\nreturn bx",
    "of a part": ZEROS + "bx[...] += by * x[0]\nreturn bx",
    "under a name that is read later": ZEROS
    + "bx[0] += by\nbt1 = bx\n"
    + ZEROS
    # the copy is read again, so that the old array must stay
    + "bx[...] += bt1\nreturn bx, bt1",
    "of an array of another shape": "bx = np.zeros(z.shape)\nbt1 = bx\n"
    + ZEROS
    + "bx[...] += bt1\nreturn bx",
}


def after(text: str) -> str:
    sample = function(text, names={"rt": runtime, "np": np})
    return text_of(filled(sample.body, Scope(sample, USER, lambda callee: True)))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(text).body)


def test_the_difference_is_negative() -> None:
    assert after("y = x\n" + ZEROS + "bx[...] -= by * x\nreturn bx").endswith(
        "bx = -(by * x)\nreturn bx"
    )


def test_what_is_summed_down_needs_no_zeros() -> None:
    text = "y = x\nbx = rt.zeros(x)\nbx[...] = rt.unbroadcast(np.where(c, 0.0, by), x)\nreturn bx"
    assert after(text).endswith("y = x\nbx = rt.unbroadcast(np.where(c, 0.0, by), x)\nreturn bx")


def sines(u, w):
    u = np.sin(u)
    for k in range(1, 3):
        u[k:] = u[k:] * w
    return np.sum(u * u)


def negated(u, w):
    v = -u
    v[1:] += w * v[:-1]
    return np.sum(v**3)


def shared(u, w):
    v = u * w
    v[0] = 0.0
    z = v * v
    z[1:] -= v[1:]
    return np.sum(z * v)


def copied(u, w):
    v = u.copy()
    for i in range(1, 4):
        v[i] = v[i] * v[i - 1] + w
    return np.sum(v * v) + v[1] * np.sum(u)


PROGRAMS = [sines, negated, shared, copied]
X = np.array([0.3, -0.5, 0.8, 0.2])


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives(program: Any, confirm: Any) -> None:
    confirm(program, X, 0.7)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("weight", [np.float32(0.7), np.float64(0.7)])
def test_precision(program: Any, weight: Any) -> None:
    wanted = tl.grad(program)(X, 0.7)
    for x in (X, X.astype(np.float32)):
        found, plain = (tl.grad(program, optimized=o)(x, weight) for o in (True, False))
        assert found.dtype == plain.dtype == x.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_the_result_is_an_array_of_its_own() -> None:
    x = X.copy()
    slope = tl.grad(sines)
    first = slope(x, 0.7)
    first[:] = 9.0
    assert not np.any(slope(x, 0.7) == 9.0)
