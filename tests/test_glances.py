"""Objects that a derivative reads are looked at closely only if something is seen that may be of another kind."""

from __future__ import annotations

import functools
import itertools
import logging
import math
import random
from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import guards
from tangentlite.analysis.given import of
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


def looked_at(monkeypatch: Any) -> list[Any]:
    """What guards look at closely from now on."""
    closely: list[Any] = []
    known = guards.constant
    monkeypatch.setattr(guards, "constant", lambda *given: closely.append(1) or known(*given))
    return closely


@pytest.mark.parametrize("function", [through_an_object, through_a_dict])
def test_a_second_call_does_not_look_closely(function: Any, monkeypatch: Any) -> None:
    derivative = tl.grad(function)
    derivative(3.0), derivative(3.0)
    closely = looked_at(monkeypatch)
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
    for value in (Table(w=1.0), [Table(w=1.0)], {"t": (Table(w=1.0),)}):
        calls.clear()
        assert allows(value)
        assert allows(value)
        assert len(calls) == 2


def test_what_is_in_it_twice_and_what_holds_itself_is_told_apart() -> None:
    nest: list[Any] = []
    nest.append(nest)
    inner: list[Any] = [1.0]
    assert glance(nest) != glance([[]])
    assert glance([inner, 1]) != glance([[inner], 1])
    assert glance([1.0]) == glance([2.0, 3.0]) != glance([])
    assert glance((1.0,)) != glance((1.0, 1.0))
    assert glance([1.0, [2.0]]) != glance([[1.0], 2.0])
    assert glance({"a": {"b": 1.0}}) != glance({"a": {}, "b": 1.0})


class Meta(type):
    """Classes of it are told apart by what they hold."""


class Named(NamedTuple):
    w: Any
    b: Any


class Mode(Enum):
    A = 1
    B = 2


KINDS = [
    1,
    1.0,
    1j,
    True,
    None,
    "text",
    b"text",
    Mode.A,
    Mode.B,
    np.sin,
    np.cos,
    len,
    math.sin,
    math,
    np,
    dict,
    list,
    slice(3),
    range(3),
    {1},
    Path("a"),
    logging.getLogger("a"),
    logging.getLogger("b"),
    np.random.default_rng(0),
    random.Random(0),
    itertools.count(),
    functools.partial(len),
    functools.partial(abs),
    np.float32(1.0),
    np.int8(1),
    np.ones(2),
    np.ones(2, int),
    np.ones(2, complex),
    np.array([None]),
    [1.0],
    [1],
    ["a"],
    [],
    (1.0,),
    (1.0, 1.0),
    Named(1.0, 2.0),
    Named(np.ones(2), 2.0),
    {"a": 1.0},
    {"b": 1.0},
    {},
    OrderedDict(a=1.0),
    defaultdict(list),
    Counter(a=1),
    deque([1.0]),
    Model(1.0),
    Model([1.0]),
    Table(w=1.0),
    Meta("M", (), {}),
    Meta("N", (), {"n": 1}),
    [1.0, "a"],
    ["a", 1.0],
    [Model(1.0), Model(np.ones(2))],
    [[1.0], ["a"]],
    object(),
    np.mgrid,
    np.ogrid,
]


def test_equal_glances_mean_equal_kinds() -> None:
    for held in (lambda v: [v], lambda v: {"a": (v, 1.0)}, lambda v: [v, [v]]):
        seen = []
        for value in map(held, KINDS):
            with suppress(LookupError):
                seen.append((glance(value), of(value)))
        assert len(seen) > 50
        for (one, kind), (two, other) in itertools.combinations(seen, 2):
            assert one != two or kind == other


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
    closely = looked_at(monkeypatch)
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
    closely = looked_at(monkeypatch)
    derivative(v)
    assert not closely


def test_what_was_not_allowed_is_tested_again() -> None:
    answers = iter((False, True))
    allows = Remembered(lambda value: next(answers))
    value = [1.0]
    assert [allows(value), allows(value), allows(value)] == [False, True, True]


class Busy:
    """It counts, keeps a history, and has things with it that nothing is computed with."""

    def __init__(self) -> None:
        self.steps, self.history = 0, [0.0]
        self.path, self.log, self.mode = Path("."), logging.getLogger(__name__), Mode.A
        self.names, self.ids, self.rng = {"a"}, itertools.count(), np.random.default_rng(0)

    def loss(self, x: Any) -> Any:
        return np.sum(x * x) * (1.0 if self.mode is Mode.A else 2.0)


busy = Busy()
named = Named(2.0, np.ones(2))


def of_a_busy_object(x: Any) -> Any:
    return busy.loss(x)


def of_a_named_tuple(x: Any) -> Any:
    return np.sum(x * named.b) * named.w


def test_what_a_program_notes_is_not_looked_at_again(monkeypatch: Any) -> None:
    derivative = tl.grad(of_a_busy_object)
    x = np.ones(2)
    derivative(x), derivative(x)
    closely = looked_at(monkeypatch)
    for step in range(5):
        busy.steps += 1
        busy.history.append(float(step))
        assert derivative(x).tolist() == [2.0, 2.0]
    assert not closely
    try:
        busy.mode = Mode.B
        assert derivative(x).tolist() == [4.0, 4.0]
    finally:
        busy.__init__()  # type: ignore[misc]


def test_a_named_tuple_of_the_module() -> None:
    global named
    derivative = tl.grad(of_a_named_tuple)
    x = np.ones(2)
    assert derivative(x).tolist() == [2.0, 2.0]
    try:
        named = Named(3.0, np.array([1.0, 2.0]))
        assert derivative(x).tolist() == [3.0, 6.0]
        named = Named(np.ones(2), 2.0)
        with pytest.raises(TypeError, match="a gradient needs a scalar result"):
            derivative(x)
    finally:
        named = Named(2.0, np.ones(2))


class Config:
    def __init__(self, w: Any, inner: Any = None) -> None:
        self.w, self.inner = w, inner


config, other = Config(2.0, Config(3.0)), None


def of_a_config(x: Any) -> Any:
    return np.sum(x) * config.w * config.inner.w


def of_two_names(x: Any) -> Any:
    return np.sum(x) * config.w * other.w


def test_an_object_in_the_place_of_another_is_looked_into(monkeypatch: Any) -> None:
    x = np.ones(2)
    monkeypatch.setitem(globals(), "config", Config(2.0, Config(3.0)))
    derivative = tl.grad(of_a_config)
    assert derivative(x).tolist() == derivative(x).tolist() == [6.0, 6.0]
    units = derivative._units
    for number in (1.0, 2.0):
        monkeypatch.setitem(globals(), "config", Config(number, Config(5.0)))
        assert derivative(x).tolist() == [5.0 * number] * 2
        config.inner.w = 7.0
        assert derivative(x).tolist() == [7.0 * number] * 2
    assert derivative._units is units
    monkeypatch.setitem(globals(), "config", Config(2.0, Config(x)))
    with pytest.raises(TypeError, match="a gradient needs a scalar result"):
        derivative(x)


def test_an_object_of_two_names_of_which_one_is_bound_anew(monkeypatch: Any) -> None:
    x, both = np.ones(2), Config(2.0)
    monkeypatch.setitem(globals(), "config", both)
    monkeypatch.setitem(globals(), "other", both)
    derivative = tl.grad(of_two_names)
    assert derivative(x).tolist() == derivative(x).tolist() == [4.0, 4.0]
    monkeypatch.setitem(globals(), "config", Config(3.0))
    assert derivative(x).tolist() == [6.0, 6.0]
    both.w = x
    with pytest.raises(TypeError, match="a gradient needs a scalar result"):
        derivative(x)
