"""An adjoint of which nothing had to be summed is its own, as long as nobody reads it under its other name."""

from __future__ import annotations

import pytest

from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.sums.accumulate import accumulate

START = "t1 = rt.quotient(by, y)\n"
SUM = "bx = bx + rt.unreduce(bt, x, 1)\n"
STAYS = {
    "read later": START + "bx = rt.unbroadcast(t1, x)\n" + SUM + "bz = t1 * y",
    "no own memory": "bx = rt.unbroadcast(by, x)\n" + SUM,
    "another name": START + "bz = t1\nbx = rt.unbroadcast(t1, x)\n" + SUM + "return bz",
    "another name in between": START + "bx = rt.unbroadcast(t1, x)\nbz = t1\n" + SUM + "return bz",
    "put on a list": START + "bx = rt.unbroadcast(t1, x)\ntape.append(t1)\n" + SUM,
    "returned": START + "bx = rt.unbroadcast(t1, x)\n" + SUM + "return bx, t1",
    "in a loop": START + "for i in range(n):\n    bx = rt.unbroadcast(t1, x)\n    " + SUM,
    "around a loop": START
    + "bx = rt.unbroadcast(t1, x)\nfor i in range(n):\n    "
    + SUM
    + "    bz = t1 * y",
    "of another value": START + "bx = rt.unbroadcast(t1, x)\nbx = bx + rt.unreduce(bt, z, 1)",
}


def after(text: str) -> str:
    sample = function(text, names={"rt": runtime})
    return text_of(accumulate(sample.body, Scope(sample, USER, lambda callee: True)))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(text).body)


def test_in_place() -> None:
    text = START + "bx = rt.unbroadcast(t1, x)\nbt = t1 * y\n" + SUM + "bz = bx * y"
    assert "bx += rt.unreduce(bt, x, 1)" in after(text)


def test_a_view_that_it_became_is_not_written() -> None:
    text = START + "bx = rt.unbroadcast(t1, x)\n" + SUM + SUM
    assert after(text).count("+=") == 1
