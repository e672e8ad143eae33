"""Sums of products of two arrays that are products of matrices: every order of their labels."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import rt
from tangentlite.runtime.linear.subscripts import product

LENGTHS = {"a": 3, "b": 4, "c": 5, "d": 2}


def words(letters: str, most: int) -> list[str]:
    return ["".join(w) for n in range(most + 1) for w in itertools.product(letters, repeat=n)]


def arrays(first: str, second: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(len(first + second))
    shapes = [[LENGTHS[c] for c in word] for word in (first, second)]
    return rng.normal(size=shapes[0]), rng.normal(size=shapes[1])


@pytest.mark.parametrize("first", ["", "a", "ab", "aa", "abc"])
def test_every_product_is_that_of_einsum(first: str) -> None:
    found = 0
    for second in words("abcd", 3):
        for result in words("abcd", 3):
            if set(result) <= set(first + second) and len(set(result)) == len(result):
                spec = f"{first},{second}->{result}"
                a, b = arrays(first, second)
                mine, wanted = product(spec, (a, b)), np.einsum(spec, a, b)
                if mine is not None:
                    found += 1
                    assert type(mine) is type(wanted)
                    np.testing.assert_allclose(mine, wanted, rtol=1e-12, atol=1e-14, strict=True)
    assert found == {"": 0, "a": 7, "ab": 18, "aa": 0, "abc": 8}[first]


def test_what_is_stretched_or_no_floating_array_is_left_to_einsum() -> None:
    rows, column = np.ones((2, 3)), np.ones((1, 4))
    assert product("ij,jk->ik", (rows, column)) is None
    assert rt.einsum("ij,jk->ik", rows, column).shape == (2, 4)
    for dtype in (int, bool, object):
        assert product("ij,jk->ik", (rows.astype(dtype), np.ones((3, 4), dtype))) is None
    assert product("ij,jk->ik", (rows, np.ones((3, 4), np.float32))) is None
    assert product("ij,jk->ik", (rows.tolist(), np.ones((3, 4)))) is None
    assert product("...j,jk->...k", (rows, np.ones((3, 4)))) is None
    assert product("ij,jk", (rows, np.ones((3, 4)))) is None


def layers(w, v, x):
    h = np.tanh(np.einsum("ij,bj->bi", w, x))
    return np.sum(np.einsum("ij,bj->bi", v, h) ** 2)


@pytest.mark.parametrize("turned", [False, True])
def test_gradients_lie_in_memory_of_their_own(turned: bool) -> None:
    rng = np.random.default_rng(0)
    w, v, x = rng.normal(size=(6, 5)), rng.normal(size=(4, 6)), rng.normal(size=(7, 5))
    if turned:
        w, v, x = (np.asfortranarray(e) for e in (w, v, x))
    gradients = tl.grad(layers, wrt=(0, 1, 2))(w, v, x)
    h = np.tanh(x @ w.T)
    by = 2.0 * h @ v.T
    bt = by @ v * (1.0 - h * h)
    for found, wanted in zip(gradients, (bt.T @ x, by.T @ h, bt @ w)):
        assert found.base is None
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
