"""Objects that a derivative reads are looked at closely only if something is seen that may be of another kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import guards
from tangentlite.glances import Remembered, glance


class Model:
    def __init__(self, rate: Any) -> None:
        self.rate, self.parts = rate, [1.0, 2.0]

    def __call__(self, x: Any) -> Any:
        return self.rate * x * x * self.parts[0]


class Table(dict):
    """Its items are no attributes."""


model = Model(2.0)
table = {"w": np.array([1.0, 2.0])}


def through_an_object(x):
    return np.sum(model(x))


def through_a_dict(x):
    return np.sum(table["w"] * x * x)


@pytest.mark.parametrize("function", [through_an_object, through_a_dict])
def test_a_second_call_does_not_look_closely(function: Any, monkeypatch: Any) -> None:
    derivative = tl.grad(function)
    derivative(3.0), derivative(3.0)
    closely = []
    known = guards.constant
    monkeypatch.setattr(guards, "constant", lambda *given: closely.append(1) or known(*given))
    for _ in range(5):
        derivative(3.0)
    assert not closely


def test_other_numbers_and_other_kinds_are_noticed() -> None:
    derivative = tl.grad(through_an_object)
    assert derivative(3.0) == 12.0
    try:
        model.rate = 5.0
        assert derivative(3.0) == 30.0
        model.parts[0] = 2.0
        assert derivative(3.0) == 60.0
        model.rate = np.array([1.0, 2.0])
        assert derivative(3.0) == 36.0
        model.rate = 3
        assert derivative(3.0) == 36.0
    finally:
        model.rate, model.parts = 2.0, [1.0, 2.0]


def test_what_is_not_seen_at_a_glance_is_tested_each_time() -> None:
    calls: list[Any] = []
    allows = Remembered(lambda value: bool(calls.append(value)) or True)
    for value in (Table(w=1.0), [Table(w=1.0)], [memoryview(b"")]):
        calls.clear()
        assert allows(value)
        assert allows(value)
        assert len(calls) == 2


def test_what_is_in_it_twice_and_what_holds_itself_is_told_apart() -> None:
    nest: list[Any] = []
    nest.append(nest)
    inner: list[Any] = [1.0]
    assert glance(nest) != glance([[]])
    assert glance([inner, inner]) != glance([inner, [1.0]])
    assert glance([1.0, [2.0]]) != glance([[1.0], 2.0])
    assert glance({"a": {"b": 1.0}}) != glance({"a": {}, "b": 1.0})


def twice(x: Any) -> Any:
    return 2.0 * x


def thrice(x: Any) -> Any:
    return 3.0 * x


class Net:
    """Layers that hold functions, slices and shapes, and know the net."""

    def __init__(self) -> None:
        self.places = {"w": (slice(0, 2), (2,)), "b": (slice(2, 3), (1,))}
        self.act, self.size, self.net = twice, np.int64(3), self

    def get(self, vector: Any, name: str) -> Any:
        place, shape = self.places[name]
        return np.reshape(vector[place], shape)


net = Net()


def through_a_net(v: Any) -> Any:
    return np.sum(net.act(net.get(v, "w")) ** 2) + net.get(v, "b")[0] * net.size


def test_a_net_is_looked_at_once(monkeypatch: Any) -> None:
    derivative = tl.grad(through_a_net)
    v = np.array([1.0, 2.0, 3.0])
    assert derivative(v).tolist() == derivative(v).tolist() == [8.0, 16.0, 3.0]
    closely = []
    known = guards.constant
    monkeypatch.setattr(guards, "constant", lambda *given: closely.append(1) or known(*given))
    for _ in range(5):
        derivative(v)
    assert not closely
    try:
        net.act = thrice
        assert derivative(v).tolist() == [18.0, 36.0, 3.0]
        net.size = np.int64(5)
        assert derivative(v).tolist() == [18.0, 36.0, 5.0]
        net.places["b"] = (slice(0, 1), (1,))
        assert derivative(v).tolist() == [23.0, 36.0, 0.0]
    finally:
        net.__init__()  # type: ignore[misc]


def shape_of_method(v: Any) -> Any:
    get = net.get
    return np.sum(get(v, "w"))


def test_a_method_is_the_same_each_time(monkeypatch: Any) -> None:
    derivative = tl.grad(shape_of_method)
    v = np.array([1.0, 2.0, 3.0])
    assert derivative(v).tolist() == derivative(v).tolist() == [1.0, 1.0, 0.0]
    closely = []
    known = guards.constant
    monkeypatch.setattr(guards, "constant", lambda *given: closely.append(1) or known(*given))
    derivative(v)
    assert not closely


def test_what_was_not_allowed_is_tested_again() -> None:
    answers = iter((False, True))
    allows = Remembered(lambda value: next(answers))
    value = [1.0]
    assert [allows(value), allows(value), allows(value)] == [False, True, True]
