"""What goes to one place of an adjoint is added there at once, and only there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.sums.gather import gather
from tests.programs.strict import check

HANDED = "bx = rt.buffer(bx, x)\nbz = rt.buffer(bz, z)\nbt = np.cos(y)\n"
GATHERED = {
    "past what is stored elsewhere": (
        "bx[1:] += bt * 2.0\nbz[1:] = 0.0\nbx[:-1] += bt\nbx[1:] += bt * y",
        "bz[1:] = 0.0\nbx[:-1] += bt\nbx[1:] += bt * 2.0 + bt * y",
    ),
    "like terms": (
        "bx[1:] -= bt * 2.0\nbx[:-1] += bt\nbx[1:] -= bt * 2.0\nbx[1:] -= bt",
        "bx[:-1] += bt\nbx[1:] -= 5.0 * bt",
    ),
}
APART = {
    "what is added is part of what is written": "bt2 = rt.unbroadcast(bz[1:], y)\nbx[1:] += bt2\nbz[1:] = 0.0\nbx[1:] += bt",
    "what is added is written": "bx[1:] += bz[1:]\nbz[2:] += bt\nbx[1:] += bt",
    "it is read": "bx[1:] += bt\nbz[1:] += bx[1:]\nbx[1:] += bt",
    "a part of it is read": "bu = bx[2:]\nbx[1:] += bt\nbz[2:] += bu\nbx[1:] += bt",
    "a place that is stored": "bx[1:] += bt\nbx[2:] = 0.0\nbx[1:] += bt",
    "an index that moves": "bx[i:] += bt\ni = i + 1\nbx[i:] += bt",
}


def after(text: str) -> str:
    """The statements after the pass, for adjoints that the caller hands in."""
    sample = function(HANDED + text, params=("bx", "bz", "x", "i"), names={"rt": runtime})
    found = text_of(gather(sample.body, Scope(sample, USER, lambda callee: True)))
    return found.removeprefix(HANDED).strip()


@pytest.mark.parametrize(("text", "expected"), GATHERED.values(), ids=GATHERED)
def test_sums_are_gathered(text: str, expected: str) -> None:
    assert after(text) == expected


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_sums_that_stay_apart(text: str) -> None:
    assert after(text) == text


def heat(b, k):
    b[1:-1] += k * (b[:-2] - 2.0 * b[1:-1] + b[2:]) + k * (b[2:] - 2.0 * b[1:-1] + b[:-2])


def warmed(x, k):
    b = x * 1.0
    for _ in range(3):
        heat(b, k)
    return np.sum(b * x)


def test_a_place_that_is_read_twice_is_added_to_once() -> None:
    args: tuple[Any, ...] = (np.sin(np.arange(7.0)), 0.2)
    check(warmed, *args)
    df = tl.grad(warmed)
    df(*args)
    assert df.source.count("bb[2:] +=") + df.source.count("bb_2 +=") == 1
