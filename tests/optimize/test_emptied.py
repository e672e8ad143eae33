"""What is added to a place that was just emptied is stored, unless something else reads or writes there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.optimize.early import early
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, sample_is_pure, text_of
from tangentlite.optimize.sums.emptied import emptied

START = "bx = np.zeros(n)\n"
STAYS = {
    "a view of the place": "bv = bx[2:]\nbx[1:] = 0.0\nbx[1:] += 2.0 * bv",
    "a read in between": "bx[i] = 0.0\ny = np.sum(bx)\nbx[i] += 2.0 * y",
    "another place": "bx[i] = 0.0\nbx[i + 1] += 2.0 * y",
    "another index": "bx[i] = 0.0\ni = i + 1\nbx[i] += 2.0 * y",
    "a branch": "bx[i] = 0.0\nif n:\n    bx[i] += 2.0 * y",
    "a sum that changes what is stored": "bx[i] = 0.0\nbx[k] += y\ny = 3.0 * y\nbx[i] += 2.0 * y",
}


def after(text: str) -> str:
    sample = function(START + text)
    return text_of(emptied(sample.body, Scope(sample, USER, sample_is_pure))).strip()


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(START + text).body).strip()


def test_a_store_into_all_of_an_array() -> None:
    text = "t1 = bx[...].copy()\nbx[...] = 0.0\nbx[...] += rt.times(t1, y)"
    assert after(text) == f"{START}t1 = bx[...].copy()\nbx[...] = rt.times(t1, y)"


def test_what_is_made_of_a_copy_is_no_view() -> None:
    begin = "t = bx[i].copy()\n"
    text = "bt = rt.unbroadcast(t, y)\nbx[i] += rt.unbroadcast(bt, y)\nbv = bt * y"
    stored = text.replace("+=", "=")
    assert after(f"{begin}bx[i] = 0.0\n{text}") == f"{START}{begin}{stored}"
    view = "t = bx[k]\nbx[i] = 0.0\nbt = rt.unbroadcast(t, y)\nbx[i] += rt.unbroadcast(bt, y)"
    assert after(view) == f"{START}{view}"


def test_a_store() -> None:
    text = "bx[i] = 0.0\nbt = y * 2.0\nbx[k] += bt\nbx[i] += bt"
    assert after(text) == (START + "bt = y * 2.0\nbx[i] = bt\nbx[k] += bt").strip()


def factors(a):
    for i in range(3):
        for j in range(i + 1):
            a[i, j] = a[i, j] / a[j, j]
            a[i, j] -= 0.3 * a[j, i] * a[i, j]
    return np.sum(a * a)


def shifted_into_itself(a):
    row = a[0]
    for i in range(2):
        a[i] = a[i] * row[::-1] / (2.0 + row)
        row[1:] = row[1:] * a[2, 1:]
    return np.sum(a * a)


def quotients_of_views(a):
    b = a[1:]
    for i in range(2):
        b[i] = b[i] / a[0]
        a[0] = a[0] / (1.0 + b[i] * b[i])
    return np.sum(a * b[0])


@pytest.mark.parametrize("f", [factors, shifted_into_itself, quotients_of_views])
def test_numbers(f: Any) -> None:
    a = np.random.default_rng(2).uniform(1.0, 2.0, (3, 3))
    tl.check_grads(f, (a,), modes=("reverse",), order=2)
    found, plain = tl.grad(f)(a.copy()), tl.grad(f, optimized=False)(a.copy())
    np.testing.assert_allclose(found, plain, rtol=1e-13)


COPIED = "bt1 = by[1:].copy()\n"
READ = {
    "a sum elsewhere": "bx[:-1] += bt1 * w",
    "a product": "bt2 = bt1 * w\nbx[:-1] += bt2\nby[1:] = 0.0",
}
KEPT = {
    "a write before it is read": "by[i] = 0.0\nbx[:-1] += bt1 * w",
    "a sum into the base": "by[:-1] += bt1 * w",
    "a name for it": "bt2 = bt1\nby[1:] = 0.0\nbx[:-1] += bt2",
    "what may be it": "bt2 = rt.unbroadcast(bt1, x)\nby[1:] = 0.0\nbx[:-1] += bt2",
    "a branch": "if n:\n    by[1:] = 0.0\nbx[:-1] += bt1 * w",
}
ARRAYS = "bx = np.zeros(n)\nby = np.zeros(n)\n"


def early_on(text: str) -> str:
    sample = function(ARRAYS + COPIED + text, params=("x", "n"))
    return text_of(early(sample.body, Scope(sample, USER, sample_is_pure)))


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_is_only_read_is_not_copied(text: str) -> None:
    assert "bt1 = by[1:]\n" in early_on(text) + "\n"


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_changes_is_copied(text: str) -> None:
    assert "bt1 = by[1:].copy()" in early_on(text)
