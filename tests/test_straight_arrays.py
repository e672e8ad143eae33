"""Helpers of loops over arrays are written out for calls, and give what they gave."""

from __future__ import annotations

import copy
import sys
from typing import Any

import numpy as np
import pytest

import tangentlite as tl


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


class Cell:
    def __init__(self, w: Any, u: Any, b: Any) -> None:
        self.w, self.u, self.b = w, u, b

    def step(self, h, x):
        z = sigmoid(self.w @ x + self.u @ h)
        return (1.0 - z) * h + z * np.tanh(x + self.b)

    def __call__(self, h, x):
        return np.tanh(self.w @ x + self.u @ h + self.b)

    def run(self, xs):
        h = np.zeros(len(self.b))
        for x in xs:
            h = self.step(h, x)
        return h


class Keeping(Cell):
    def step(self, h, x):
        self.b = np.tanh(self.w @ x + self.b)
        return self.b


class Hidden(Cell):
    """What is set on an object stands before what its class defines."""

    def __init__(self, w: Any, u: Any, b: Any) -> None:
        super().__init__(w, u, b)
        self.squash = np.sin

    def squash(self, x):
        return x * 100.0

    def step(self, h, x):
        return self.squash(self.w @ x + self.b)


def stepped(o, xs, p):
    h = np.zeros(3)
    for x in xs:
        h = o.step(h, x)
    return np.sum(h * p["b"])


def called(o, xs, p):
    h = np.zeros(3)
    for x in xs:
        h = o(h, x)
    return np.sum(h * p["b"])


def ran(o, xs, p):
    return np.sum((o.run(xs) - p["b"]) ** 2) + np.sum(o.b)


def read_first(o, xs, p):
    s = np.sum(o.b * o.run(xs))
    for x in xs:
        s = s + np.sum(o.b * o.step(p["b"], x)) + np.sum(o.b)
    return s


def pair(p, state, x):
    h, c = state
    c = c * p["w"] + x
    return np.tanh(c + h), c


def in_pairs(o, xs, p):
    state = (np.zeros(3), np.ones(3))
    for x in xs:
        state = pair(p, state, x)
    return np.sum(state[0] * state[1])


def update(p, x):
    p["w"] = p["w"] * 1.5
    return p["w"] * x


def item_first(o, xs, p):
    s = 0.0
    for x in xs:
        s = s + np.sum(p["w"] * update(p, x) * p["w"])
    p["w"] *= np.sum(update(p, xs[0]))
    return s + np.sum(p["w"])


def times(y, k):
    y *= k
    return y


def in_place(o, xs, p):
    h, s = p["w"].copy(), 0.0
    for k, x in enumerate(xs):
        before = h
        s = s + np.sum((h + times(h, 0.5 + k)) * x)
        h = times(h, 2.0) * p["b"] + before
    return s + np.sum(h)


def scaled(k):
    return lambda x: k * x


def kept(o, xs, p):
    made, s = [], 0.0
    for k in range(3):
        made.append(scaled(k + 1.0))
    for f in made:
        s = s + np.sum(f(p["w"]) * xs)
    return s


def spread(a, n):
    return sum([a * j for j in range(n)])


def counted(o, xs, p):
    s = 0.0
    for j in range(4):
        s = s + np.sum(p["w"] * spread(j, 3)) * j
    return s


class Affine:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def __call__(self, x):
        return self.squash(x @ self.w + self.b)

    def squash(self, x):
        return np.tanh(x)


class Steep(Affine):
    def squash(self, x):
        return np.sin(x) * 2.0


class Other:
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def __call__(self, x):
        return x @ self.w - self.b


class Model:
    def __init__(self, layers: Any) -> None:
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        return self.layers[-1](x)


def modeled(m, x):
    return np.sum(m(x) ** 2)


def modeled_in_loops(m, x):
    s = 0.0
    for k in range(2):
        for layer in m.layers:
            x = layer(x) * 0.5
            s = s + np.sum(layer.squash(x))
    return s


def exchanged(m, x):
    m.layers[0] = Other(m.layers[0].w, m.layers[1].b)
    m.layers[1] = Other(m.layers[0].w, m.layers[1].b)
    s = 0.0
    for layer in m.layers:
        s = s + np.sum(layer(x) ** 2)
    return s


def exchange(m):
    m.layers = [Steep(layer.b * layer.w, layer.b) for layer in m.layers]


def exchanged_elsewhere(m, x):
    s = np.sum(m.layers[0](x))
    exchange(m)
    for layer in m.layers:
        s = s + np.sum(layer(x) ** 2)
    return s


MODELED = (modeled, modeled_in_loops, exchanged, exchanged_elsewhere)
PROGRAMS = (stepped, called, ran, read_first, in_pairs, item_first, in_place, kept, counted)


def arguments(owner: type) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    w, u, b, p, q = (rng.normal(size=s) * 0.5 for s in ((3, 3), (3, 3), 3, 3, 3))
    return owner(w, u, b), rng.normal(size=(4, 3)), {"w": p, "b": q}


def numbers(found: Any) -> list[Any]:
    if isinstance(found, tuple):
        return [n for part in found for n in numbers(part)]
    held = vars(found) if isinstance(found, tl.Gradient) else found
    if not isinstance(held, dict):
        return [held]
    return [held[key] for key in sorted(held) if held[key] is not None]


@pytest.mark.parametrize("owner", [Cell, Keeping, Hidden])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(function: Any, owner: type) -> None:
    args = arguments(owner)
    plain = tl.grad(function, wrt=(0, 1, 2), optimized=False)
    derivative, both = (make(function, wrt=(0, 1, 2)) for make in (tl.grad, tl.value_and_grad))
    for _ in range(2):
        expected, own = plain(*copy.deepcopy(args)), function(*copy.deepcopy(args))
        value, second = both(*copy.deepcopy(args))
        for found in (derivative(*copy.deepcopy(args)), second):
            for mine, other in zip(numbers(found), numbers(expected), strict=True):
                np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(value, own, rtol=1e-14)


@pytest.mark.parametrize("second", [Affine, Steep, Other])
@pytest.mark.parametrize("first", [Affine, Steep])
@pytest.mark.parametrize("function", MODELED, ids=lambda f: f.__name__)
def test_layers(function: Any, first: type, second: type) -> None:
    rng = np.random.default_rng(1)
    parts = [(rng.normal(size=(3, 3)) * 0.5, rng.normal(size=3)) for _ in range(2)]
    model = Model([owner(*part) for owner, part in zip((first, second), parts)])
    args = model, rng.normal(size=(2, 3))
    found = []
    for flag in (False, True):
        try:
            made = tl.grad(function, wrt=(0, 1), optimized=flag)
            found.append([leaves(made(*copy.deepcopy(args))) for _ in range(2)][1])
        except (tl.DerivativeError, AttributeError) as fault:
            found.append([type(fault).__name__])
    for mine, other in zip(found[1], found[0], strict=True):
        if isinstance(other, str):
            assert mine == other
        else:
            np.testing.assert_allclose(mine, other, rtol=1e-12)


def leaves(found: Any) -> list[Any]:
    if isinstance(found, tl.Gradient):
        found = [part for _, part in sorted(vars(found).items())]
    if isinstance(found, (list, tuple)):
        return [n for part in found for n in leaves(part)]
    return [found]


@pytest.mark.parametrize("function", [stepped, called, ran, in_pairs], ids=lambda f: f.__name__)
def test_what_is_written_out(function: Any) -> None:
    derivative, args, names = tl.grad(function, wrt=(0, 1, 2)), arguments(Cell), set[str]()
    derivative(*args)
    sys.setprofile(lambda frame, event, arg: names.add(frame.f_code.co_name))
    try:
        derivative(*args)
    finally:
        sys.setprofile(None)
    assert not any(name.endswith(("_forward", "_backward")) for name in names)


def test_a_method_that_is_another_one_now(monkeypatch: pytest.MonkeyPatch) -> None:
    args = arguments(Cell)
    derivative = tl.grad(ran, wrt=(0, 1, 2))
    derivative(*copy.deepcopy(args))
    monkeypatch.setattr(Cell, "step", lambda self, h, x: np.sin(self.w @ x) * self.b)
    expected = tl.grad(ran, wrt=(0, 1, 2), optimized=False)(*copy.deepcopy(args))
    for mine, other in zip(numbers(derivative(*args)), numbers(expected), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12)


def triangular(a: float, m: Any, b: Any) -> None:
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(m[i + 1 :, i], b[i + 1 :, j])
    b *= a


def weighed(m: Any, b: Any, w: Any, a: float) -> Any:
    triangular(a, m, b)
    return np.sum(b * w)


def test_procedures_outside_loops_keep_their_own_text() -> None:
    """Their loops are done at once there; written out, what they write into has a second name."""
    given = np.eye(30) + 0.1, np.ones((30, 20)), np.ones((30, 20)), 1.5
    gradient, calls = tl.grad(weighed, wrt=(0, 1)), 0
    gradient(*given)

    def count(frame: Any, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        gradient(*given)
    finally:
        sys.setprofile(None)
    assert calls < 30 * 20
