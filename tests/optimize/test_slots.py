"""Parts of dicts and objects have adjoints with names of their own, whatever else is done to the whole."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

NORMAL = np.random.default_rng(3).normal
X = NORMAL(size=(5, 3))


@dataclasses.dataclass
class Layer:
    W: Any
    b: Any
    name: str = "layer"


class Slotted:
    __slots__ = ("W", "b")

    def __init__(self, W: Any, b: Any) -> None:
        self.W, self.b = W, b


class Doubled:
    """An attribute that is computed."""

    def __init__(self, W: Any, b: Any) -> None:
        self.W, self._b = W, b

    @property
    def b(self) -> Any:
        return self._b * 2.0


class Cell(Doubled):
    def step(self, x: Any, h: Any) -> Any:
        return np.tanh(self.W @ x + self.b * h)


def straight(p, x):
    return np.sum(np.tanh(x @ p["W"] + p["b"]) ** 2)


def in_a_loop(p, x):
    h = np.zeros(3)
    for row in x:
        h = np.tanh(p["W"] @ row + p["b"] * h)
    return np.sum(h**2)


def no_trip(p, x):
    h = np.ones(3) * p["b"]
    for row in x[:0]:
        h = np.tanh(p["W"] @ row + h)
    return np.sum(h**2)


def in_branches(p, x):
    s = 0.0
    for row in x:
        if row[0] > 0.0:
            s = s + np.sum(p["W"] @ row)
        elif row[1] > 0.5:
            break
        else:
            s = s + np.sum(p["b"] * row) * s
    return s


def early(p, x):
    if x[0, 0] > 100.0:
        return np.sum(p["b"])
    for row in x:
        if row[2] > 0.7:
            return np.sum(p["W"] @ row) * p["b"][0]
    return np.sum(p["W"])


def until(p, x):
    h, k = p["b"], 0
    while k < len(x) and np.sum(h) < 50.0:
        h = h + np.tanh(p["W"] @ h)
        k += 1
    return np.sum(h)


def tried(p, x):
    s = np.sum(p["b"])
    try:
        s = s * np.sum(p["W"] @ x[0])
        s = s + float("word")
    except ValueError:
        s = s + np.sum(p["W"])
    return s


def names_that_are_taken(p, x):
    W = p["W"] * 2.0
    bW = np.sum(W)
    b = p["b"] * bW
    bb = np.tanh(b)
    return np.sum(bb * (W @ bb))


def the_whole_in_between(p, x):
    q = p
    return np.sum(q["W"] @ p["b"]) * np.sum(p["W"])


def by_a_helper(p, x):
    s = np.sum(p["b"] ** 2)
    for row in x[:2]:
        s = s + helping(p, row)
    return s * np.sum(p["W"])


def helping(q, row):
    s = 0.0
    for k in range(3):
        s = s + np.sum(np.sin(q["W"] @ row * k) * q["b"])
    return s


def by_an_inner_function(p, x):
    def inner(row):
        return np.sum(np.sin(p["W"] @ row) * p["b"])

    return inner(x[0]) * np.sum(p["b"]) + inner(x[1])


def chosen(p, x):
    s = 0.0
    for key in ("W", "b"):
        s = s + np.sum(p[key] ** 2)
    return s * p["W"][0, 0]


def written_elsewhere(p, x):
    p = dict(p)
    p["b"] = p["b"] * p["W"][0]
    return np.sum(p["W"] @ p["b"])


def written_in_place(p, x):
    p["b"][0] = p["W"][0, 0] * 2.0
    p["b"] *= p["W"][1]
    return np.sum(p["W"] @ p["b"])


def attributes(m, x):
    h = m.b
    for row in x:
        h = np.tanh(m.W @ row + m.b * h)
    return np.sum(h * m.b)


def methods(m, x):
    h = np.zeros(3)
    for row in x:
        h = m.step(row, h)
    return np.sum(h * m.W[0])


def odd_keys(p, x):
    s = 0.0
    for row in x:
        s = s + np.sum(p["layer 1"] @ row) * p["lambda"] + p["W-1"] * s
    return s + p["class"] * p["x"]


DICTS = [
    v
    for k, v in list(globals().items())
    if getattr(v, "__code__", None) and "p" in v.__code__.co_varnames[:1]
]
DICTS.remove(odd_keys)
MAKERS = {
    "dataclass": Layer,
    "slots": Slotted,
    "property": Doubled,
    "namespace": lambda W, b: SimpleNamespace(W=W, b=b, n=3),
}


def parts(g: Any) -> dict[str, Any]:
    if isinstance(g, dict):
        return g
    return {n: getattr(g, n) for n in ("W", "b", "_b", "n", "name") if hasattr(g, n)}


def compared(f: Any, args: tuple[Any, ...]) -> Any:
    fast, slow = tl.grad(f), tl.grad(f, optimized=False)
    for _ in range(2):
        found, expected = fast(*args), slow(*args)
        a, b = parts(found), parts(expected)
        assert list(a) == list(b) and type(found) is type(expected)
        for key in a:
            if b[key] is None:
                assert a[key] is None
            else:
                np.testing.assert_allclose(a[key], b[key], rtol=1e-12)
                assert np.shape(a[key]) == np.shape(b[key]) and type(a[key]) is type(b[key])
    return fast


def params() -> dict[str, Any]:
    return {
        "n": 3,
        "b": NORMAL(size=3),
        "W": NORMAL(size=(3, 3)) * 0.4,
        "unused": np.ones(2),
        "name": "net",
    }


@pytest.mark.parametrize("f", DICTS)
def test_dicts(f: Any) -> None:
    p = params()
    compared(f, (p, X))
    value = f({k: np.copy(v) if isinstance(v, np.ndarray) else v for k, v in p.items()}, X)

    def moved(t: float) -> Any:
        q = {k: v + t * D[k] if k in D else v for k, v in p.items()}
        return f({k: np.copy(v) if isinstance(v, np.ndarray) else v for k, v in q.items()}, X)

    D = {"W": NORMAL(size=(3, 3)), "b": NORMAL(size=3)}
    g = tl.grad(f)({k: np.copy(v) if isinstance(v, np.ndarray) else v for k, v in p.items()}, X)
    slope = (moved(1e-6) - moved(-1e-6)) / 2e-6
    np.testing.assert_allclose(np.sum(g["W"] * D["W"]) + np.sum(g["b"] * D["b"]), slope, rtol=1e-5)
    assert np.isfinite(value)


@pytest.mark.parametrize("maker", MAKERS)
def test_objects(maker: str) -> None:
    compared(attributes, (MAKERS[maker](NORMAL(size=(3, 3)) * 0.4, NORMAL(size=3)), X))


def test_methods() -> None:
    compared(methods, (Cell(NORMAL(size=(3, 3)) * 0.4, NORMAL(size=3)), X))


def test_keys_that_are_no_names() -> None:
    p = {"layer 1": NORMAL(size=(2, 3)), "lambda": 0.3, "W-1": 0.2, "class": 0.5, "x": 2.0}
    compared(odd_keys, (p, X))


def test_one_array_under_two_keys() -> None:
    W = NORMAL(size=(3, 3)) * 0.4
    p = {"W": W, "b": W[0], "V": W}

    def f(p, x):
        s = p["W"] + p["V"]
        return np.sum((s @ x[0]) * p["b"])

    g = compared(f, (p, X))(p, X)
    assert not np.shares_memory(g["W"], g["V"])
    g["W"][...] = 0.0
    assert np.any(g["V"])


def test_parts_of_single_precision_and_of_integers() -> None:
    p = params()
    p["W"], p["b"] = p["W"].astype("f"), np.arange(3)
    found = tl.grad(in_a_loop)(p, X)
    assert found["W"].dtype == np.float32 and found["b"] is None
    np.testing.assert_allclose(
        found["W"], tl.grad(in_a_loop, optimized=False)(p, X)["W"], rtol=1e-5
    )


def test_products_of_parts_are_added_many_at_a_time() -> None:
    df = tl.grad(in_a_loop)
    df(params(), X)
    assert "bp = {" in df.source and "rt.add_outer(bW" in df.source


def test_second_derivatives() -> None:
    p, D = params(), NORMAL(size=(3, 3))

    def along(W):
        return np.sum(tl.grad(in_a_loop)({"W": W, "b": p["b"]}, X)["W"] * D)

    found = tl.grad(along)(p["W"])
    eps = 1e-6
    moved = [tl.grad(in_a_loop)({"W": p["W"] + e * D, "b": p["b"]}, X)["W"] for e in (eps, -eps)]
    np.testing.assert_allclose(found, (moved[0] - moved[1]) / (2 * eps), rtol=1e-4, atol=1e-6)
