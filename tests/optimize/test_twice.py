"""What a trip computes twice is computed once, unless something of it changes in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.products.twice import twice
from tangentlite.optimize.samples import USER, function, text_of

HEAD = "x = np.zeros(n)\nz = np.zeros(n)\n"
FIRST = "t1 = x[1:, i - 1]\nx[1:, i] = 3.0 / (2.0 * t1 + y)\n"
LAST = "t2 = x[1:, i - 1]\nz = 4.0 / (2.0 * t2 + y)"
LOOP = "for i in range(1, 9):"
STAYS = {
    "the array is another one": (LOOP, FIRST + "x = z\n" + LAST),
    "the index is another one": (LOOP, FIRST + "t2 = x[1:, i - 2]\nz = 4.0 / (2.0 * t2 + y)"),
    "an element is no view": (LOOP, "t1 = x[0, i]\nx[0, i] = 2.0\nt2 = x[0, i]\nz = t2"),
    "an index that may be an array": (LOOP, "t1 = x[1:, k]\nx[1:, k] = 2.0\nt2 = x[1:, k]\nz = t2"),
    "a sum of one term": (LOOP, "z = 3.0 / (y + 1.0)\nv = 4.0 / (y + 1.0)"),
    "perhaps only": (LOOP, "z = 3.0 / (y * 2.0 + 1.0)\nv = 4.0 / (y * 2.0 + 1.0) if n else 0.0"),
    "what changes": (LOOP, "z = 3.0 / (y * 2.0 + 1.0)\ny = z\nv = 4.0 / (y * 2.0 + 1.0)"),
    "a call may write": (LOOP, "z = 3.0 / (y * 2.0 + 1.0)\nprint(y)\nv = 4.0 / (y * 2.0 + 1.0)"),
    "not in a loop": ("if n:", "z = 3.0 / (y * 2.0 + 1.0)\nv = 4.0 / (y * 2.0 + 1.0)"),
}
WRITTEN = {
    "the same place": (LOOP, "x[1:, i - 1]", "x[1:, i - 1]"),
    "a place that may be the same": (LOOP, "x[1:, i - 1]", "x[1:, 2]"),
    "around the end": ("for i in range(9):", "x[1:, i - 1]", "x[1:, i]"),
    "from the end": ("for i in range(-3, 9):", "x[1:, i]", "x[1:, i + 1]"),
    "another axis": (LOOP, "x[1:, i - 1]", "x[i, 1:]"),
    "slices": (LOOP, "x[1:, i - 1]", "x[:1, i - 1]"),
    "by an unknown index": (LOOP, "x[1:, i - 1]", "x[k]"),
}


def after(text: str) -> str:
    sample = function(text, names={"rt": runtime})
    return text_of(twice(sample.body, Scope(sample, USER, lambda callee: callee is not print)))


def looped(head: str, text: str) -> str:
    return HEAD + head + "\n    " + text.replace("\n", "\n    ")


@pytest.mark.parametrize(("head", "text"), STAYS.values(), ids=STAYS)
def test_it_stays(head: str, text: str) -> None:
    assert after(looped(head, text)) == text_of(function(looped(head, text)).body)


@pytest.mark.parametrize(("head", "part", "place"), WRITTEN.values(), ids=WRITTEN)
def test_a_sum_of_what_may_be_written(head: str, part: str, place: str) -> None:
    text = f"t1 = {part}\n{place} = 3.0 / (2.0 * t1 + y)\nz = 4.0 / (2.0 * t1 + y)"
    assert after(looped(head, text)).count("2.0 * t1 + y") == 2


def test_once() -> None:
    assert after(looped(LOOP, FIRST + LAST)).count("2.0 * t1 + y") == 1


def test_beside_slices() -> None:
    text = (LOOP, "x[i, :] = 3.0 / (y * 2.0 + 1.0)\nz = x[i, 1:] * (y * 2.0 + 1.0)")
    body = "\n    ".join([text[0], *text[1].splitlines()])
    assert after(HEAD + body).count("y * 2.0 + 1.0") == 1


def test_tangents_of_rows(confirm: Any) -> None:
    def rows(a, b, x, A):
        C = np.ones(A.shape)
        for i in range(1, len(x)):
            for k in range(i):
                C[i, :] += a * A[i, :] * x[k] + b * C[k, :]
                C[i, :] += a * A[i, :] * C[i, k]
        return np.sum(np.cos(C))

    normal = np.random.default_rng(2).normal
    confirm(rows, 0.4, 0.3, normal(size=3), normal(size=(3, 3)))
