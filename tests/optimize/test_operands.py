"""What is copied to be an operand is read where it is; what is summed down to one element is no array before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.products.operands import operands
from tangentlite.optimize.samples import USER, Pass, function, text_of
from tangentlite.optimize.sums.contract import products
from tests.programs.strict import Check

NORMAL = np.random.default_rng(5).normal
STAYS = {
    "a copy that is kept": "bt1 = by[1:].copy()",
    "a sum that may be the copy itself": "bt1 = rt.unbroadcast(by[1:].copy(), x)",
    "a sum with what may be zero": "bt1 = bt1 + by[1:].copy()",
    "a difference from what may be zero": "bt1 = rt.unbroadcast(by[1:].copy(), x) - bt1",
    "a copy of what is no adjoint": "t1 = -x[1:].copy()",
    "a copy that is put into a tuple": "bt1 = (by[1:].copy(), by)",
    "a call that may write": "bt1 = by[1:].copy() * print(by)",
    "a repeated list": "bt1 = [by[1:].copy()] * 2",
}
NAMED = {
    "a product that is read twice": "bt1 = by * y\nbx[i] += rt.unbroadcast(bt1, x)\nbz = bt1 * 2.0",
    "a part of more than one element": "bt1 = by * y\nbx[1:] += rt.unbroadcast(bt1, x)",
    "a statement between": "bt1 = by * y\nby[0] = 1.0\nbx[i] += rt.unbroadcast(bt1, x)",
    "a sum": "bt1 = by + y\nbx[i] += rt.unbroadcast(bt1, x)",
}


def after(step: Pass, text: str) -> str:
    sample = function(text, names={"rt": runtime})
    return str(text_of(step(sample.body, Scope(sample, USER, lambda f: f is not print))))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_a_copy_stays(text: str) -> None:
    assert after(operands, text) == text


@pytest.mark.parametrize("text", NAMED.values(), ids=NAMED)
def test_a_name_stays(text: str) -> None:
    loop = "for i in range(n):\n    " + text.replace("\n", "\n    ")
    assert "bt1 = by" in after(products, loop)


def apart(A: Any, Q: Any) -> Any:
    """Columns made orthogonal to those before, in place."""
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(A * A) + np.sum(R)


def fields(e: Any, h: Any, steps: int) -> Any:
    """Two fields, each driven by the differences of the other."""
    for _ in range(steps):
        e[1:] -= 0.5 * (h[1:] - h[:-1])
        h[:-1] -= 0.7 * (e[1:] - e[:-1])
        e[::-2] -= 0.3 * e[::2]
        if e[0] > 50.0:
            break
    return np.sum(e * h)


def gathered(x: Any, w: Any) -> Any:
    """Products of vectors, and of a vector and a number, summed into elements."""
    y = np.zeros(w.shape)
    for i in range(len(y)):
        y[i] = 0.5
        x[:, i] -= w * y[i]
        x[i] -= x[:, i] * y[i]
    return np.sum(x * x)


def gates(x: Any, b: Any) -> Any:
    """What is added to an adjoint that is zero at first is emptied later."""
    z, total = np.empty(4), 0.0
    for t in range(3):
        np.multiply(x[t], 2.0, out=z)
        z += b
        z[:2] = np.tanh(z[:2])
        total += np.sum(z * z)
    return total


def test_a_sum_that_begins_with_nothing() -> None:
    Check(gates, (NORMAL(size=(3, 4)), NORMAL(size=4))).run()


@pytest.mark.parametrize("dtype", (float, np.float32))
def test_columns(dtype: Any) -> None:
    Check(apart, (NORMAL(size=(5, 4)).astype(dtype), NORMAL(size=(5, 4)).astype(dtype))).run()


@pytest.mark.parametrize("steps", (0, 1, 3))
def test_fields(steps: int) -> None:
    Check(lambda e, h: fields(e, h, steps), (NORMAL(size=6), NORMAL(size=6))).run()


def test_elements_and_rows_in_turns() -> None:
    Check(gathered, (NORMAL(size=(4, 4)), NORMAL(size=4))).run()


def test_views_of_one_array_and_strides_backwards() -> None:
    e, h = NORMAL(size=6), NORMAL(size=6)
    plain = tl.grad(fields, wrt=(0, 1))(e.copy(), h.copy(), 2)
    turned = tl.grad(fields, wrt=(0, 1))(e[::-1].copy()[::-1], h[::-1].copy()[::-1], 2)
    for one, other in zip(plain, turned):
        assert np.allclose(one, other, rtol=1e-14, atol=0.0)
