"""Adjoints of sums of products are not repeated, unless something else reads them or something changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.sums.spread_sums import spread_sums
from tests.programs.strict import Check

NORMAL = np.random.default_rng(8).normal
MADE = "bt1 = rt.unreduce(by, rt.frame(x, w), 1)\n"
USED = "bw += rt.unbroadcast_product(bt1, x, w)"
STAYS = {
    "it is read otherwise": MADE + USED + "\nbz += bt1",
    "it is returned": MADE + USED + "\nreturn bt1",
    "another factor": MADE + "bw += rt.unbroadcast_product(bt1, z, w)",
    "a factor is bound again": MADE + "x = z\n" + USED,
    "a factor is written": MADE + "x[0] = 1.0\n" + USED,
    "the adjoint is written": MADE + "by[0] = 1.0\n" + USED,
    "a view of the adjoint is written": "bv = by[1:]\n" + MADE + "bv[0] = 1.0\n" + USED,
    "a call may write": MADE + "print(x)\n" + USED,
    "a branch": MADE + "if n:\n    " + USED,
    "an axis that is asked for": MADE.replace(", 1)", ", k)") + USED,
    "axes that are kept": MADE.replace(", 1)", ", 1, True)") + USED,
}


def after(text: str) -> str:
    sample = function(text, names={"rt": runtime})
    return str(text_of(spread_sums(sample.body, Scope(sample, USER, lambda f: f is not print))))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(text).body)


def test_it_is_left_to_the_runtime() -> None:
    assert after(MADE + USED) == "bw += rt.unreduce_product(by, x, w, 1)"


def windows(x: Any, w: Any, stride: int) -> Any:
    """A convolution of windows, some of which overlap, into an array that is read as well."""
    n = (x.shape[1] - w.shape[0]) // stride + 1
    y = np.zeros((x.shape[0], n, w.shape[2]))
    for i in range(n):
        part = x[:, i * stride : i * stride + w.shape[0], :, np.newaxis]
        y[:, i] = np.sum(part * w[np.newaxis], axis=(1, 2))
        if i > 0:
            y[:, i] += 0.5 * y[:, i - 1]
        if y[0, i, 0] > 1e3:
            break
    return np.sum(y * y)


def rows(x: Any, w: Any) -> Any:
    """Sums along an axis that only one factor has."""
    total = 0.0
    for i in range(len(x)):
        s = np.sum(x[i, :, np.newaxis] * w[i], axis=0)
        total += np.sum(s * s) + np.sum(np.sum(x[i][:, np.newaxis] * w[0, 0], axis=1) ** 2)
    return total


@pytest.mark.parametrize(("length", "stride"), ((1, 1), (2, 1), (7, 1), (7, 2)))
def test_windows(length: int, stride: int) -> None:
    x, w = NORMAL(size=(8, length, 3)), NORMAL(size=(2, 3, 5))
    Check(lambda x, w: windows(x, w, stride), (x, w), second=length == 2).run()


def test_one_array_for_both_factors() -> None:
    def f(x: Any) -> Any:
        return windows(x[np.newaxis], x[:2, :, np.newaxis] * x[:1, 0], 1)

    Check(f, (NORMAL(size=(4, 3)),)).run()


def test_rows() -> None:
    Check(rows, (NORMAL(size=(2, 4)), NORMAL(size=(2, 1, 6)))).run()
    Check(rows, (NORMAL(size=(3, 30)), NORMAL(size=(3, 1, 40))), second=False).run()


def test_single_precision_and_strides_backwards() -> None:
    x, w = NORMAL(size=(8, 5, 3)).astype(np.float32), NORMAL(size=(2, 3, 5)).astype(np.float32)
    turned = x[::-1, ::-1], w[:, ::-1]
    Check(lambda x, w: windows(x, w, 1), turned, second=False).run()
