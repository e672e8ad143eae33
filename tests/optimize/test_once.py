"""Quotients that are computed once, and what goes with the second one."""

from __future__ import annotations

from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.products.once import once
from tangentlite.optimize.samples import USER, function, text_of


def after(text: str) -> str:
    sample = function(text, names={"rt": runtime})
    return text_of(once(sample.body, Scope(sample, USER, lambda f: True)))


def test_a_copy_that_only_quotients_have_read_goes_with_them() -> None:
    first = "bt1 = by\nby = z * rt.quotient(bt1, x)\n"
    again = "bx = rt.cancel(rt.quotient(bt1, x), y)\n"
    assert after(first + again) == "t1 = rt.quotient(by, x)\nby = z * t1\nbx = rt.cancel(t1, y)"
    kept = after(first + again + "bz = bt1 * y\n")
    assert kept.startswith("bt1 = by\n") and kept.endswith("bz = bt1 * y")
