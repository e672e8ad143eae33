"""A product of an adjoint is made once, unless something of it, or what would be read instead, changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.products.again import again
from tangentlite.optimize.samples import USER, function, text_of
from tests.programs.strict import Check

NORMAL = np.random.default_rng(6).normal
HEAD = "bx = np.zeros(n)\nbz = np.zeros(n)\nbt1 = np.cos(x)\n"
FIRST = "bt2 = bt1 * 0.5\nbx[1:] += bt2\n"
LAST = "bt3 = bt1 * 0.5\nbx[:-1] += bt3"
STAYS = {
    "the factor is another one": FIRST + "bt3 = bt1 * 0.25\nbx[:-1] += bt3",
    "an integer": "bt2 = bt1 * 2\nbx[1:] += bt2\nbt3 = bt1 * 2\nbx[:-1] += bt3",
    "no adjoint": "bt2 = y * 0.5\nbx[1:] += bt2\nbt3 = y * 0.5\nbx[:-1] += bt3",
    "the factor is bound again": FIRST + "bt1 = np.sin(x)\n" + LAST,
    "the factor is written": FIRST + "bt1[0] = 0.0\n" + LAST,
    "a view of the factor is written": "bt4 = bt1[1:]\n" + FIRST + "bt4 += 1.0\n" + LAST,
    "the first product is written": FIRST + "bt2[0] = 1.0\n" + LAST,
    "the first product is added to": FIRST + "bt2[1:] += bz\n" + LAST,
    "the first product grows": FIRST + "bt2 = bt2 + bz\n" + LAST,
    "the second product is written": FIRST + LAST + "\nbt3[0] = 1.0\nbx[:-1] += bt3",
    "the first product is kept": FIRST + "bt4 = bt2\n" + LAST + "\nbt4[0] = 1.0",
    "the second product is returned": FIRST + LAST + "\nreturn bt3",
    "the second product is put on a list": FIRST + LAST + "\ntape.append(bt3)",
    "a call may write": FIRST + "print(bt1)\n" + LAST,
    "a branch": FIRST + "if n:\n    " + LAST.replace("\n", "\n    "),
    "a sum into what is multiplied": "bx[1:] += bt1 * y\nbt1 += bz\nbx[:-1] += bt1 * y",
}
SHARED = {
    "two names": (FIRST + LAST, "bt2 = bt1 * 0.5\nbx[1:] += bt2\nbx[:-1] += bt2"),
    "two sums": (
        "bx[1:] += bt1 * y\nbx[:-1] -= bt1 * y",
        "t1 = bt1 * y\nbx[1:] += t1\nbx[:-1] -= t1",
    ),
    "a name and a sum": (
        FIRST + "bx[:-1] -= bt1 * 0.5",
        "bt2 = bt1 * 0.5\nbx[1:] += bt2\nbx[:-1] -= bt2",
    ),
}


def after(text: str) -> str:
    sample = function(HEAD + text, names={"rt": runtime})
    return str(text_of(again(sample.body, Scope(sample, USER, lambda f: f is not print))))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(HEAD + text).body)


@pytest.mark.parametrize(("text", "wanted"), SHARED.values(), ids=SHARED)
def test_it_is_made_once(text: str, wanted: str) -> None:
    assert after(text) == HEAD + wanted


def heat(A: Any, B: Any, steps: int) -> Any:
    """The same product for both axes, in turns between two arrays, which may be one."""
    for _ in range(steps):
        B[1:-1, 1:-1] = (
            0.125 * (A[2:, 1:-1] - 2.0 * A[1:-1, 1:-1] + A[:-2, 1:-1])
            + 0.125 * (A[1:-1, 2:] - 2.0 * A[1:-1, 1:-1] + A[1:-1, :-2])
            + A[1:-1, 1:-1]
        )
        A[1:-1, 1:-1] = 0.125 * (B[2:, 1:-1] - 2.0 * B[1:-1, 1:-1]) + 0.125 * (
            B[::-1, ::-1][1:-1, 1:-1] - 2.0 * B[1:-1, 1:-1]
        )
        if A[1, 1] > 9.0:
            break
    return np.sum(A * A) + np.sum(B[0])


@pytest.mark.parametrize("steps", (0, 1, 3))
def test_stencils(steps: int) -> None:
    A, B = NORMAL(size=(5, 5)), NORMAL(size=(5, 5))
    Check(lambda a, b: heat(a, b, steps), (A, B), second=steps < 2).run()


def test_one_array_in_both_places() -> None:
    Check(lambda a: heat(a, a, 2), (NORMAL(size=(5, 5)),), second=False).run()


def test_single_precision_and_strides_backwards() -> None:
    A, B = (NORMAL(size=(5, 5)).astype(np.float32)[::-1, ::-1] for _ in range(2))
    Check(lambda a, b: heat(a, b, 2), (A, B), second=False).run()


@pytest.mark.parametrize("times", (2, 3, 4, 5, 8))
def test_what_is_added_to_an_array_many_times(times: int) -> None:
    def alike(x: Any) -> Any:
        q = x.copy()
        q[-1] += 1.0
        total = np.sum(q**2)
        for _ in range(times):
            total = total + np.dot(q, x)
        return total + np.dot(q, q) + np.dot(q, q) - np.sum(q**2)

    def written_out(x: Any) -> Any:
        q = x.copy()
        q[-1] += 1.0
        return np.dot(q, q) + np.dot(q, q) + np.dot(q, q) - np.sum(q**2) + np.sum(q)

    for sums in (alike, written_out):
        Check(sums, (NORMAL(size=3),), second=False).run()
