"""Derivatives by pickle, in a process that has never seen the functions: whatever their arguments are."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import tangentlite as tl
from tangentlite.learn.layers import Chain, Linear, ReLU
from tangentlite.learn.models import Classifier
from tests.conftest import leaves

FAR = """
import pickle, sys
f, args, kwargs = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(f(*args, **kwargs)))
"""
X = np.arange(1.0, 7.0).reshape(3, 2)
W, LABELS = np.array([1.0, 2.0]), np.array([0, 1, 1])


class Net(Classifier):
    def __init__(self, *parts: Any) -> None:
        self.body = Chain(*parts)

    def forward(self, x: Any) -> Any:
        return self.body(x)


def net(act: Any) -> Net:
    rng = np.random.default_rng(0)
    return Net(Linear(2, 3, rng), act, Linear(3, 2, rng))


def misfit(p, x):
    return np.mean((np.tanh(x @ p["w"]) + p["b"]) ** 2)


def through(model, x):
    return np.mean(model.forward(x) ** 2)


def listed(xs, n=2):
    found = 0.0
    for x in xs:
        found = found + np.sum(x**n)
    return found


def turned(x, a):
    row = x[0]
    x[0] = x[1] * a
    return np.sum(row * x[1]) + np.sum(x)


def scaled(k: float) -> Any:
    return lambda p, x: np.mean((x * p * k) ** 2)


def with_more(x, w=W, *rest, scale=2.0, **more):
    return np.sum(x * w) * scale + sum(rest) + more.get("k", 0.0) * x[0, 0]


def with_aux(x, w):
    return np.sum(x * w), {"mean": np.mean(x)}


def bent(w, x):
    return np.mean(np.tanh(x @ w))


def twice(x):
    return 2.0 * x * x


P = {"w": np.array([1.0, -1.0]), "b": 0.5}
CASES: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {
    "dict": (tl.value_and_grad(misfit), (P, X), {}),
    "model": (tl.value_and_grad(Net.loss, wrt="self"), (net(np.tanh), X, LABELS), {}),
    "other functions in it": (tl.grad(through), (net(lambda v: v * np.sin(v)), X), {}),
    "other objects in it": (tl.grad(through), (net(ReLU()), X), {}),
    "list": (tl.grad(listed), ([1.0, X],), {"n": 3}),
    "tuple": (tl.grad(listed), ((X, 1.0),), {}),
    "rows": (tl.grad(turned), (X, 2.0), {}),
    "numbers": (tl.grad(turned), (X[:, 0].copy(), 2.0), {}),
    "closure": (tl.value_and_grad(scaled(3.0)), (2.0, X), {}),
    "seed": (tl.grad(twice), (X,), {"adjoint": X}),
    "tangent": (tl.jvp(listed), ([1.0, X],), {"tangent": [1.0, X]}),
    "two tangents": (tl.jvp(scaled(2.0), wrt=(0, 1)), (2.0, X), {"tangent": (1.0, X)}),
    "defaults": (tl.grad(with_more), (X,), {}),
    "all parameters": (tl.grad(with_more), (X, X, 3.0), {"scale": 4.0, "k": 2.0}),
    "aux": (tl.grad(with_aux, has_aux=True), (X, X), {}),
    "whole number": (tl.grad(twice), (3,), {}),
    "single": (tl.grad(twice), (np.float32(3.0),), {}),
    "second": (tl.grad(tl.grad(twice)), (3.0,), {}),
    "hessian": (tl.hessian(bent), (P["w"], X), {}),
    "hvp": (tl.hvp(bent), (P["w"], np.ones(2), X), {}),
    "jacobian": (tl.jacrev(twice), (X[0],), {}),
}


@pytest.fixture(autouse=True)
def by_value() -> Iterator[None]:
    """The other process cannot import this module, as it cannot import a notebook."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


def far(f: Any, *args: Any, **kwargs: Any) -> Any:
    data = cloudpickle.dumps((f, args, kwargs))
    root = Path(tl.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", FAR], input=data, capture_output=True, cwd=root)
    assert not done.returncode, done.stderr.decode()
    return pickle.loads(done.stdout)


@pytest.mark.parametrize("name", CASES)
def test_another_process_gives_the_same(name: str) -> None:
    f, args, kwargs = CASES[name]
    expected = f(*copy.deepcopy(args), **kwargs)
    found = far(f, *args, **kwargs)
    assert leaves(expected)
    assert leaves(found) == leaves(expected)


def test_the_text_is_that_of_the_arguments() -> None:
    """One object, sent after calls with two models, whose texts differ."""
    slope, one, two = tl.grad(through), net(np.tanh), net(np.cos)
    expected = [slope(m, X) for m in (one, two)]
    arrived, a, b = cloudpickle.loads(cloudpickle.dumps((slope, one, two)))
    again, a, b = cloudpickle.loads(cloudpickle.dumps((arrived, a, b)))
    for derivative in (arrived, again):
        assert [leaves(derivative(m, X)) for m in (a, b, a)] == [
            leaves(expected[k]) for k in (0, 1, 0)
        ]


def test_arguments_that_share_memory() -> None:
    def stored(x, y, z):
        y[0] = y[0] * 3.0
        return np.sum(x * z)

    df, y = tl.grad(stored), np.ones(3)
    expected = df(X[:, 0], y, y)
    arrived = cloudpickle.loads(cloudpickle.dumps(df))
    y = np.ones(3)
    np.testing.assert_array_equal(arrived(X[:, 0], y, y), expected)
    np.testing.assert_array_equal(expected, [3.0, 1.0, 1.0])


def test_what_was_not_written_is_refused() -> None:
    arrived = cloudpickle.loads(cloudpickle.dumps(tl.grad(listed)))
    with pytest.raises(
        tl.DerivativeError, match="Call it with arguments like these before it is sent"
    ):
        arrived([{"a": 1.0}])


def test_prepared_without_a_call() -> None:
    def noted(p, x):
        seen.append(1)
        return np.sum(p["w"] * x)

    seen: list[int] = []
    df = tl.grad(noted)
    df.prepare(P, X)
    assert not seen
    assert leaves(far(df, P, X)) == [*X.sum(0), 0.0]


def test_split_motion_is_prepared() -> None:
    pull = tl.vjp(misfit)
    pull.__split__.prepare(P, X)
    value, pullback = cloudpickle.loads(cloudpickle.dumps(pull))(P, X)
    expected, other = pull(P, X)
    assert value == expected
    assert leaves(pullback(2.0)) == leaves(other(2.0))


def test_source_and_second_derivatives_where_it_arrives() -> None:
    arrived = cloudpickle.loads(cloudpickle.dumps(tl.grad(twice)))
    assert "def dtwice_dx(" in arrived.source
    assert tl.grad(arrived)(3.0) == 4.0
