"""Reductions as methods, where what is reduced is NumPy's for certain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.samples import USER, function, text_of
from tangentlite.optimize.spelling.methods import methods

STAYS = {
    "a parameter": "y = np.sum(x, axis=0)",
    "a number or an array": "t1 = 2.0 * x\ny = np.sum(t1, axis=0)",
    "bound twice": "t1 = np.exp(x)\nif c:\n    t1 = x\ny = np.sum(t1, axis=0)",
    "of a list": "t1 = xs.pop()\ny = np.sum(t1, axis=0)",
    "from a loop": "t1 = np.exp(x)\nfor t1 in xs:\n    y = np.sum(t1, axis=0)",
    "no axis": "y = np.sum(np.exp(x))",
    "other settings": "y = np.sum(np.exp(x), axis=0, where=m)",
    "all arguments": "y = np.sum(*xs, axis=0)",
}


def after(text: str, *arrays: str) -> str:
    sample = function(text)
    scope = Scope(sample, USER, lambda callee: True)
    return text_of(methods(sample.body, scope, frozenset(arrays)))


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    assert after(text) == text_of(function(text).body)


def test_names_that_hold_each_other() -> None:
    text = "t1 = np.exp(x)\nt2 = t1\nt3 = -(t2 * 2.0)\ny = np.min(t3, 1)"
    assert after(text).endswith("y = t3.min(1)")


def test_a_parameter_that_is_an_array_has_methods_until_it_is_something_else() -> None:
    assert after("y = np.sum(x, axis=0)", "x") == "y = x.sum(axis=0)"
    rebound = "y = np.sum(x, axis=0)\nif c:\n    x = f(y)\nz = np.sum(x, axis=0)"
    assert after(rebound, "x") == rebound


def test_what_a_text_is_specialized_for_has_methods() -> None:
    general = tl.grad(sums)
    special = tl.specialize(general, np.ones((3, 4)))
    assert "np.max(x, axis=1, keepdims=True)" in general.source
    assert "x.max(axis=1, keepdims=True)" in special.source


def sums(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    r = e / np.sum(e, axis=1, keepdims=True)
    return np.sum(np.mean(r * r, 0) * np.min(r, axis=0))


def in_a_loop(x):
    h = x
    for k in range(3):
        h = np.tanh(h) if k else h
        h = h - np.mean(h, axis=-1, keepdims=True)
    return np.sum(np.max(h * h, axis=0))


@pytest.mark.parametrize("program", [sums, in_a_loop])
def test_derivatives(program: Any, confirm: Any) -> None:
    confirm(program, np.random.default_rng(1).normal(size=(3, 4)))


def test_wrong_axes_raise_as_they_do() -> None:
    def wrong(x):
        return np.sum(np.log(np.sum(np.exp(x), axis=1)))

    for x in (np.ones(3), 2.0):
        with pytest.raises(np.exceptions.AxisError):
            wrong(x)
        with pytest.raises(np.exceptions.AxisError):
            tl.grad(wrong)(x)
