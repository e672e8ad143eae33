"""Powers of what NumPy has made are products, where only the gradient sees them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.optimize.facts.scope import Scope
from tangentlite.optimize.products.cubes import cubes
from tangentlite.optimize.samples import USER, function, text_of

X = np.array([0.3, -0.5, 0.8, 0.0])
STAYS = {
    "a parameter": "y = x ** 3",
    "a number or an array": "t1 = 2.0 * x\ny = t1 ** 3",
    "another power": "z = np.exp(x)\ny = z ** 5 + z ** 3.0 + z ** -3 + z ** n",
    "bound twice": "z = np.exp(x)\nif c:\n    z = x\ny = z ** 3",
    "what is compared": "z = np.exp(x)\ny = np.where(z ** 3 > c, z, 0.0)",
    "what wins": "z = np.exp(x)\nt = 2.0 * z ** 3\nu = t + 1.0\ny = np.maximum(u, c)",
    "what is largest, in a loop": "z = np.exp(x)\nfor i in y:\n    s = np.max(z)\n    z = z ** 3",
    "what is put on a tape": "z = np.exp(x)\ntape.append(z ** 3)\nt = tape.pop()\ny = np.sort(t)",
    "what is stored": "z = np.exp(x)\nt[0] = z ** 4\ny = np.argmax(t)",
    "whole numbers": "z = np.exp(x)\ny = np.floor(z ** 3) + z ** 4 // 2",
    "what a function asks": "z = np.exp(x)\ny = f(z ** 3)",
    "what decides": "z = np.exp(x)\nwhile x:\n    y = z ** 3",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_stays(text: str) -> None:
    sample = function(text)
    assert text_of(cubes(sample.body, Scope(sample, USER, lambda f: True))) == text_of(sample.body)


def of_what_is_made(x):
    z = np.exp(x)
    return np.sum(np.sin(z**4 + z**3))


def gelu(x, w):
    z = x * w + np.tanh(w)
    return np.sum(0.5 * z * (1.0 + np.tanh(0.8 * (z + 0.044715 * z**3))))


def in_a_loop(x):
    h = x
    for _ in range(3):
        g = np.tanh(h)
        h = np.sin(g**3) + h
    return np.sum(h)


@pytest.mark.parametrize("program", (of_what_is_made, in_a_loop))
@pytest.mark.parametrize("x", (X, X.astype(np.float32), np.zeros(0), np.array(0.5), 0.5))
def test_derivatives(program: Any, x: Any, confirm: Any) -> None:
    if np.size(x) and np.asarray(x).dtype == np.float64:
        confirm(program, x)
    plain = tl.grad(program, optimized=False)(x)
    np.testing.assert_allclose(tl.grad(program)(x), plain, rtol=1e-5)


def next_to_what_wins(x):
    z = np.exp(x)
    return np.sum(np.tanh(z**3)) + np.max(x) + np.max(z)


def to_the_last_digit(x):
    z = np.exp(x)
    return np.sum(np.floor(z**3) * x) + np.sum(np.maximum(z**3, W))


W = np.exp(np.linspace(-1.0, 1.0, 1000)) ** 3


def test_ties_are_those_of_the_function() -> None:
    assert "z ** 2 * z" in tl.grad(next_to_what_wins).source
    x = np.linspace(-1.0, 1.0, 1000)
    expected = np.floor(np.exp(x) ** 3) + 0.5 * 3.0 * np.exp(x) ** 3
    np.testing.assert_allclose(tl.grad(to_the_last_digit)(x), expected, rtol=1e-13)


def test_products() -> None:
    assert "z ** 2 * z" in tl.grad(of_what_is_made).source
    assert "(z ** 2) ** 2" in tl.grad(of_what_is_made).source.replace("\n", "")
    assert "z ** 2 * z" in tl.grad(gelu).source


@pytest.mark.parametrize("program", (of_what_is_made, in_a_loop))
def test_values_are_those_of_the_function(program: Any) -> None:
    x = np.random.default_rng(0).normal(size=100)
    assert tl.value_and_grad(program)(x)[0] == program(x)
    assert tl.vjp(program)(x)[0] == program(x)


def of_truth(a, b, x):
    return np.sum((a @ b) ** 3 * x) + np.sum((a @ b) ** 3)


def test_truth_values_are_numbers() -> None:
    a = np.array([[True, True], [True, False]])
    x = np.array([[2.0, 3.0], [4.0, 5.0]])
    expected = tl.grad(of_truth, wrt="x", optimized=False)(a, a, x)
    np.testing.assert_array_equal(tl.grad(of_truth, wrt="x")(a, a, x), expected)


def test_no_other_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tl.grad(gelu)(np.array([1e60, -1e60]), np.ones(2))
    np.testing.assert_allclose(found, [1.0, 0.0])


PUT_AND_TAKEN = {
    "arrays": (
        "z = np.exp(x)\ntape = []\ntape.append((z, 2))\nz, n = tape.pop()\ny = z ** 3",
        True,
    ),
    "one array": ("tape = []\ntape.append(np.roll(x, 1))\nz = tape.pop()\ny = z ** 3", True),
    "numbers": ("z = 2.0\ntape = []\ntape.append(z)\nz = tape.pop()\ny = z ** 3", False),
    "either": (
        "tape = []\ntape.append(np.exp(x))\ntape.append(x)\nz = tape.pop()\nz = tape.pop()\ny = z ** 3",
        False,
    ),
    "a list that is read": (
        "tape = []\ntape.append(np.exp(x))\ng(tape)\nz = tape.pop()\ny = z ** 3",
        False,
    ),
    "the list of somebody else": ("z = x.pop()\ny = z ** 3", False),
    "of several lengths": (
        "z = np.exp(x)\ntape = []\ntape.append((z, z))\ntape.append(x)\nz, t = tape.pop()\ny = z ** 3",
        False,
    ),
}


@pytest.mark.parametrize(("text", "is_made"), PUT_AND_TAKEN.values(), ids=PUT_AND_TAKEN)
def test_what_was_on_a_tape(text: str, is_made: bool) -> None:
    sample = function(text)
    found = text_of(cubes(sample.body, Scope(sample, USER, lambda f: True)))
    assert ("z ** 2 * z" in found) is is_made


def reacts(u, dt, n):
    u = u.copy()
    for _ in range(n):
        u = u + dt * (np.roll(u, 1) + np.roll(u, -1) - 2.0 * u + u - u**3)
    return np.sum(u**2)


def fires(u, dt, n):
    v = np.zeros_like(u)
    for _ in range(n):
        u, v = u + dt * (u - u**3 / 3 - v + 0.5), v + dt * 0.08 * (u + 0.7 - 0.8 * v)
    return np.mean(u)


@pytest.mark.parametrize("program", (reacts, fires))
def test_time_steps_of_arrays(program: Any, confirm: Any) -> None:
    confirm(program, X[:3], 0.1, 3)
    derivative = tl.grad(program)
    derivative(X, 0.1, 4)
    derivative(X, 0.1, 4)
    assert any("u ** 2 * u" in unit.source for unit, _ in derivative._variants.values())
