"""Parts of nests have adjoints that are written out, whatever else is done to the nests."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tangentlite as tl

NORMAL = np.random.default_rng(5).normal
X = NORMAL(size=(2, 3))


class Layer:
    def __init__(self, W: Any, b: Any) -> None:
        self.W, self.b = W, b


class Model:
    def __init__(self, layers: Any, scale: Any) -> None:
        self.layers, self.scale = layers, scale


def layers(count: int = 3) -> list[Any]:
    return [{"W": NORMAL(size=(3, 3)), "b": NORMAL(size=3)} for _ in range(count)]


def walked(p, x):
    for layer in p[:-1]:
        x = np.tanh(x @ layer["W"] + layer["b"])
    return np.sum((x @ p[-1]["W"] + p[-1]["b"]) ** 2)


def counted(p, x):
    for k in range(len(p)):
        x = np.tanh(x @ p[k]["W"] + p[k]["b"])
    return np.sum(x**2)


def beside(p, x):
    for k in range(len(p) - 1):
        x = np.tanh(x @ p[k]["W"] + p[k + 1]["b"] * p[k]["b"])
    return np.sum(x**2) + np.sum(p[0]["b"])


def same_layer_twice(p, x):
    h = np.tanh(x @ p[0]["W"] + p[0]["b"])
    h = np.tanh(h @ p[0]["W"] + p[-1]["b"] * p[0]["b"])
    return np.sum(h * p[0]["b"])


def in_branches(p, x):
    for layer in p:
        h = x @ layer["W"]
        if np.sum(h) > 0.0:
            h = h + layer["b"]
        else:
            h = h * layer["b"] + p[0]["b"]
        x = np.tanh(h)
    return np.sum(x)


def one_part_only(p, x):
    return np.sum(x * p[1]["b"]) + np.sum(p[0]["W"])


def bound_anew(p, x):
    q = p[0]
    s = np.sum(x @ q["W"] + q["b"])
    q = p[1]
    return s * np.sum(x @ q["W"] + q["b"])


def put(p, x):
    p[1] = {"W": p[0]["W"] * 2.0, "b": p[0]["b"]}
    return np.sum(x @ p[1]["W"] + p[1]["b"]) + np.sum(p[0]["b"] ** 2)


def put_into(p, x):
    q = p[0]
    q["W"] = q["W"] * p[1]["W"]
    q["c"] = q["b"] * 3.0
    return np.sum(x @ p[0]["W"] + p[0]["b"] * p[0]["c"])


def handed(p, x):
    s = 0.0
    for layer in p:
        s = s + affine(layer, x) * np.sum(layer["b"])
    return s * affine(p[-1], x) * affine(p[-1], x)


def affine(layer, x):
    return np.sum(np.tanh(x @ layer["W"] + layer["b"]))


def appended(p, x):
    p.append({"W": p[0]["W"], "b": x[0]})
    for layer in p:
        x = np.tanh(x @ layer["W"] + layer["b"])
    return np.sum(x * p[-1]["b"])


def popped(p, x):
    last = p.pop()
    for layer in p:
        x = np.tanh(x @ layer["W"] + layer["b"])
    return np.sum(x @ last["W"] + last["b"])


def aliased(p, x):
    q = p
    q[0] = q[1]
    return np.sum(x @ p[0]["W"] + p[0]["b"]) * np.sum(p[1]["b"])


LISTS = (walked, counted, beside, same_layer_twice, in_branches, one_part_only, bound_anew, put)
LISTS += (put_into, handed, appended, popped, aliased)


def named(p, x):
    h = np.tanh(x @ p["a"]["W"] + p["a"]["b"])
    W, b = p["c"]
    return np.sum(h @ W + b) * p["s"] + np.sum(p["a"]["b"] ** 2)


def named_twice(p, x):
    h = x
    for _ in range(2):
        h = np.tanh(h @ p["a"]["W"] + p["a"]["b"])
        h = h @ p["c"][0] + p["c"][1] * p["s"]
    return np.sum(h)


def named_in_branches(p, x):
    q = p["a"]
    if p["s"] > 0.0:
        h = x @ q["W"]
    else:
        h = x @ p["c"][0] + q["b"]
    return np.sum(h * p["a"]["b"])


def named_and_whole(p, x):
    q = p["a"]
    r = dict(q)
    return np.sum(x @ r["W"] + q["b"]) + sum(np.sum(v) for v in p["a"].values())


def named_anew(p, x):
    s = np.sum(x @ p["a"]["W"])
    p["a"] = {"W": p["c"][0], "b": x[0] * 2.0}
    return s * np.sum(x @ p["a"]["W"] + p["a"]["b"])


DICTS = (named, named_twice, named_in_branches, named_and_whole, named_anew)


def modeled(m, x):
    for layer in m.layers[:-1]:
        x = np.tanh(x @ layer.W + layer.b)
    return np.sum(x @ m.layers[-1].W + m.layers[-1].b) * m.scale


def modeled_again(m, x):
    for k in range(len(m.layers)):
        x = np.tanh(x @ m.layers[k].W + m.layers[k].b * m.layers[0].b)
    return np.sum(x) * m.scale


def modeled_anew(m, x):
    s = np.sum(x @ m.layers[0].W + m.layers[0].b)
    m.layers = [m.layers[1], Layer(m.layers[0].W, x[0])]
    return s + np.sum(x @ m.layers[0].W + m.layers[1].b)


MODELS = (modeled, modeled_again, modeled_anew)


def numbers(found: Any) -> list[Any]:
    if isinstance(found, tl.Gradient):
        found = vars(found)
    if isinstance(found, dict):
        found = [found[key] for key in sorted(found)]
    if isinstance(found, (list, tuple)):
        return [n for part in found for n in numbers(part)]
    return [] if found is None else [found]


CASES: list[Any] = [(f, layers()) for f in LISTS]
CASES += [
    (f, {"a": layers(1)[0], "c": (X.T @ X, X[1]), "s": s}) for f in DICTS for s in (0.5, -0.5)
]
CASES += [(f, Model([Layer(**part) for part in layers(2)], 0.7)) for f in MODELS]


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c[0].__name__)
def test_programs(case: Any, several: bool) -> None:
    function, nest = case
    wrt = (0, 1) if several else 0
    made = [tl.grad(function, wrt=wrt, optimized=flag) for flag in (False, True)]
    made.append(tl.value_and_grad(function, wrt=wrt))
    results = [make(*copy.deepcopy((nest, X))) for make in made]
    results[2] = results[2][1]
    results.append(made[1](*copy.deepcopy((nest, X))))
    for found in results[1:]:
        for mine, other in zip(numbers(found), numbers(results[0]), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shared", [True, False])
def test_layers_that_are_one(shared: bool) -> None:
    """One dict at two places has a gradient at each, that of its place."""
    first, second = layers(2)
    nest = [first, second, first if shared else dict(first)]
    found, expected = (tl.grad(counted, optimized=flag)(nest, X) for flag in (True, False))
    for mine, other in zip(numbers(found), numbers(expected), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)


@pytest.mark.parametrize(
    "function, nest", [(walked, layers()), (named, CASES[len(LISTS)][1])], ids=["list", "dict"]
)
def test_nothing_is_added_to_zeros(function: Any, nest: Any) -> None:
    derivative = tl.grad(function)
    derivative(nest, X)
    text = "".join(unit.source for unit, _ in derivative._variants.values())
    assert "rt.zeros(t" not in text.replace("rt.zeros(t2)", "")
    assert "{'W': " in text
