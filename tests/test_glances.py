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
    for value in (Table(w=1.0), [Table(w=1.0)], np.sin, [len]):
        calls.clear()
        assert allows(value)
        assert allows(value)
        assert len(calls) == 2
    nest: list[Any] = []
    nest.append(nest)
    with pytest.raises(LookupError):
        glance(nest)


def test_what_was_not_allowed_is_tested_again() -> None:
    answers = iter((False, True))
    allows = Remembered(lambda value: next(answers))
    value = [1.0]
    assert [allows(value), allows(value), allows(value)] == [False, True, True]
