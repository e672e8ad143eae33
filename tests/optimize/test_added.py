"""An attribute of which a part is read gets what belongs to that part, and no array of zeros is made for it."""

from __future__ import annotations

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime
from tangentlite.optimize.samples import function, text_of
from tangentlite.optimize.sums.added import at_once
from tests.programs.strict import check

ZEROS = "bt = rt.zeros(x)\n"
ADDED = {
    "a slice": ("bt[1:] = by", "slice(1, None), by"),
    "a slice with steps": ("bt[::2] = by", "slice(None, None, 2), by"),
    "an element": ("bt[-1] += by", "-1, by"),
    "of two axes": ("bt[1:, 0] = by * y", "(slice(1, None), 0), by * y"),
}
STAYS = {
    "subtracted": ZEROS + "bt[1:] -= by\nrt.add_at(bw, ..., bt)",
    "two parts": ZEROS + "bt[1:] = by\nbt[:1] += by\nrt.add_at(bw, ..., bt)",
    "places that may be the same": ZEROS + "bt[i] = by\nrt.add_at(bw, ..., bt)",
    "it is read again": ZEROS + "bt[1:] = by\nrt.add_at(bw, ..., bt)\nreturn bt",
    "a part is added": ZEROS + "bt[1:] = by\nrt.add_at(bw, 0, bt)",
    "something between": ZEROS + "bt[1:] = by\nby = bw[0]\nrt.add_at(bw, ..., bt)",
    "no zeros": "bt = rt.storage(x)\nbt[1:] = by\nrt.add_at(bw, ..., bt)",
    "zeros in a branch": f"if n:\n    {ZEROS}bt[1:] = by\nrt.add_at(bw, ..., bt)",
}


def after(text: str, **names: object) -> str:
    return text_of(at_once(function(text, names={"rt": runtime, "slice": slice, **names}))).strip()


@pytest.mark.parametrize(("text", "expected"), ADDED.values(), ids=ADDED)
def test_a_part_is_added_at_once(text: str, expected: str) -> None:
    assert after(f"{ZEROS}{text}\nrt.add_at(bw, ..., bt)") == f"rt.add_at(bw, {expected})"


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_zeros_that_stay(text: str) -> None:
    assert after(text) == text_of(function(text).body).strip()


def test_slices_that_mean_something_else() -> None:
    text = ZEROS + "bt[1:] = by\nrt.add_at(bw, ..., bt)"
    assert after(text, slice=print) == text_of(function(text).body).strip()


class Rod:
    def __init__(self, u, c):
        self.u, self.c = u.copy(), c

    def step(self, dt):
        new = self.u * 0.5
        new[1:-1] += -dt * self.c[1:] * (2.0 * self.u[1:-1] - self.u[:-2] - self.u[2:])
        new[0] = self.u[-1] * dt
        self.u = new
        return self


def warmed(u, c, dt):
    rod = Rod(u, c * 1.0)
    for _ in range(2):
        rod.step(dt).step(-dt)
    return np.sum(rod.u * u)


def test_objects_whose_attributes_are_sliced() -> None:
    args = (np.sin(np.arange(5.0)), np.cos(np.arange(4.0)), 0.3)
    check(warmed, *args)
    df = tl.grad(warmed)
    df(*args)
    assert "slice(1, -1)" in df.source
    assert "rt.zeros" not in df.source
