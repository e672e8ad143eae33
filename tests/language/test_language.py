"""Every row of docs/language.md is true."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tests.language import table
from tests.language.rows import Row
from tests.programs.strict import Check, alike, differences, direction, leaves, structured
from tests.turns import slow

ROWS = [row for _, row in table.rows()]
RUN = [row for row in ROWS if row.function is not None and row.refused is None]


def label(row: Any) -> str:
    if isinstance(row, str):
        return row
    return getattr(row.function, "__name__", row.proof.rpartition("::")[2])


MIXTURES = ("reverse over reverse", "forward over reverse", "reverse over forward")


class Brief(Check):
    """Each mode once, and one mixture of two; tests/programs asks for more."""

    def first(self) -> None:
        for k in self.active:
            seed = self.seed
            expected = differences(self.f, self.args, k, leaves(seed))
            self.split(k, expected)
            self.forward(k, expected)
            args = self.fresh()
            gradient = tl.grad(self.f, wrt=k)(*args, adjoint=seed)
            alike(args, self.args, "arguments")
            self.close(structured(gradient, args[k], "reverse"), expected, "reverse")

    def mixture(self, which: str) -> None:
        for k in self.active:
            v = direction(self.args[k], 7)
            if which == "reverse over forward":
                self.reverse_over_forward(k, v)
                continue
            slope = tl.grad(self.f, wrt=k)
            expected = differences(slope, self.args, k, leaves(v))
            if which == "forward over reverse":
                _, tangent = tl.jvp(slope, wrt=k)(*self.fresh(), tangent=v)
                found, expected = np.dot(leaves(tangent), leaves(v)), expected @ leaves(v)
            else:
                _, pullback = tl.vjp(slope, wrt=k)(*self.fresh())
                found = structured(pullback(v), self.args[k], which)
            self.close(found, expected, which, 10)


@pytest.mark.parametrize("row", RUN, ids=label)
def test_it_is_differentiated(row: Row) -> None:
    assert row.function is not None
    Brief(row.function, row.args).first()


@pytest.mark.parametrize(
    ("row", "which"),
    [
        pytest.param(row, m, marks=[pytest.mark.slow] if slow(k, m, MIXTURES) else [])
        for k, row in enumerate(RUN)
        for m in MIXTURES
        if row.second
    ],
    ids=label,
)
def test_it_is_differentiated_twice(row: Row, which: str) -> None:
    assert row.function is not None
    Brief(row.function, row.args).mixture(which)


@pytest.mark.parametrize("row", [row for row in ROWS if row.refused is not None], ids=label)
def test_it_is_refused(row: Row) -> None:
    fault = row.fault()
    assert fault.place is not None
    assert fault.place.file.endswith(f"{row.function.__module__.rpartition('.')[2]}.py")
    assert fault.hint


@pytest.mark.parametrize("row", [row for row in ROWS if row.proof], ids=label)
def test_it_is_shown_elsewhere(row: Row) -> None:
    module, _, name = row.proof.partition("::")
    assert callable(getattr(importlib.import_module(module), name))


def test_the_page_is_up_to_date() -> None:
    hint = "write it anew: python -m tests.language.table"
    assert table.PAGE.read_text(encoding="utf-8") == table.page(), hint
