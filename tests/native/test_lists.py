"""Lists and tuples as arguments of compiled derivatives: taken, or refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl

pytest.importorskip("numba", reason="Numba is not installed")
pytestmark = pytest.mark.filterwarnings("ignore:[\\s\\S]*reflected list")  # Numba's word on lists


def layers(params: Any, x: Any) -> Any:
    for w, b in params:
        x = np.tanh(x @ w + b)
    return np.sum(x * x)


def products(ws: Any, x: Any) -> Any:
    for w in ws:
        x = np.tanh(x @ w)
    return np.sum(x)


@pytest.mark.parametrize("make", [list, tuple])
def test_arrays_of_one_shape(make: Any) -> None:
    x, ws = np.ones((2, 3)), make([np.eye(3), 0.5 * np.eye(3)])
    found = tl.grad(products, compile="numba")(ws, x)
    for part, known in zip(found, tl.grad(products)(ws, x), strict=True):
        np.testing.assert_allclose(part, known)


@pytest.mark.parametrize("make", [list, tuple])
def test_tuples_of_unlike_arrays_on_a_list(make: Any) -> None:
    params = [(np.ones((3, 4)), np.arange(4.0)), (0.3 * np.ones((4, 2)), np.ones(2))]
    x = np.linspace(-1.0, 1.0, 6).reshape(2, 3)
    found = tl.grad(layers, compile="numba")(make(params), x)
    known = tl.grad(layers)(make(params), x)
    assert type(found) is type(known)
    for pair, right in zip(found, known, strict=True):
        assert type(pair) is type(right)
        for part, expected in zip(pair, right, strict=True):
            np.testing.assert_allclose(part, expected, rtol=1e-12)


def test_dicts_of_arrays_are_refused_in_words() -> None:
    def scaled(p: Any, x: Any) -> Any:
        return np.sum(p["w"] * x)

    with pytest.raises(tl.DerivativeError, match="which compile= does not take here|Numba does"):
        tl.grad(scaled, compile="numba")({"w": np.ones(2)}, np.ones(2))


def inner(rows: Any) -> Any:
    s = 0.0
    for row in rows:
        for v in row:
            s = s + v * v * row[0]
    return s


@pytest.mark.parametrize("rows", [[(1.0, 2.0), (3.0, 4.0)], ((1.0, 2.0), (3.0, 4.0))])
def test_rows_of_numbers(rows: Any) -> None:
    found, known = tl.grad(inner, compile="numba")(rows), tl.grad(inner)(rows)
    assert type(found) is type(known) and type(found[0]) is type(known[0])
    np.testing.assert_allclose(found, known)


def test_lists_of_lists_are_refused_in_words() -> None:
    with pytest.raises(tl.DerivativeError, match="`rows` is a list of lists"):
        tl.grad(inner, compile="numba")([[1.0, 2.0], [3.0]])


def squares(p: Any, x: Any) -> Any:
    s = 0.0
    for k in range(len(x)):
        s = s + p[0] * x[k] ** 2 + p[-1]
    for v in p:
        s = s * v
    return s


@pytest.mark.parametrize("make", [list, tuple])
def test_numbers(make: Any) -> None:
    p, x = make([1.5, 0.5]), np.linspace(-1.0, 1.0, 4)
    found = tl.grad(squares, wrt=(0, 1), compile="numba")(p, x)
    known = tl.grad(squares, wrt=(0, 1))(p, x)
    assert type(found[0]) is make
    np.testing.assert_allclose(found[0], known[0])
    np.testing.assert_allclose(found[1], known[1])
