"""What tells arguments apart without looking for their kinds: it must be as fine as the kinds are."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from enum import Enum
from itertools import combinations
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import arguments
from tangentlite.arguments import kind, kinds, likeness
from tangentlite.doors.fitting import fitting


class Way(Enum):
    UP = 1
    DOWN = 2


class Holder:
    def __init__(self, part: Any) -> None:
        self.part = part


class Other(Holder):
    pass


class Pair(NamedTuple):
    a: Any
    b: Any


class Swapped(Pair):
    def __iter__(self) -> Any:
        return iter((self.b, self.a))


Twin = namedtuple("Twin", "a b")


VALUES = [
    Pair(1.0, 2.0),
    Pair(1.0, np.ones(2)),
    Pair([1.0], "text"),
    Swapped(1.0, 2.0),
    Twin(1.0, 2.0),
    OrderedDict(a=1.0),
    np.int64(1),
    np.int32(1),
    np.bool_(True),
    np.complex64(1.0),
    1.0,
    1,
    True,
    1.0 + 0j,
    None,
    "text",
    np.float64(1.0),
    np.float32(1.0),
    np.ones(2),
    np.ones((2, 2)),
    np.ones(2, np.float32),
    np.ones(2, int),
    np.ones(2, complex),
    tl.PersistentArray(np.ones(2)),
    [1.0],
    [1.0, [2.0]],
    (1.0,),
    {"a": 1.0},
    {"b": 1.0},
    {"a": [1.0]},
    np.sin,
    np.cos,
    len,
    Way.UP,
    Way.DOWN,
    Holder(1.0),
    Holder([1.0]),
    Holder(np.sin),
    Holder(np.cos),
    Other(1.0),
    SimpleNamespace(part=1.0),
    SimpleNamespace(other=1.0),
]


@pytest.mark.parametrize("a", VALUES, ids=[type(v).__name__ for v in VALUES])
def test_alike_are_of_one_kind(a: Any) -> None:
    mine = likeness((a,))
    for b in VALUES:
        if mine is not None and mine == likeness((b,)):
            assert kind("x", a) == kind("x", b)


def test_what_changes_in_an_object_is_seen() -> None:
    def loss(model: Any, x: Any) -> Any:
        return np.sum(model.act(model.w * x)) if model.w is not None else np.sum(x * x)

    model, x = SimpleNamespace(act=np.sin, w=np.array([0.5, 2.0])), np.array([1.0, 3.0])
    df = tl.grad(loss, wrt="x")
    for _ in range(3):
        model.act, model.w = np.sin, np.array([0.5, 2.0])
        np.testing.assert_allclose(df(model, x), np.cos(model.w * x) * model.w)
        model.act, model.w = np.exp, 2.0
        np.testing.assert_allclose(df(model, x), 2.0 * np.exp(2.0 * x))
        model.w = None
        np.testing.assert_allclose(df(model, x), 2.0 * x)


def test_large_and_endless_arguments_are_left_to_their_kinds() -> None:
    ring = SimpleNamespace(w=1.0)
    ring.me = ring
    assert likeness((ring,)) is None
    endless: list[Any] = [1.0] * 100
    endless[:] = [endless] * 100
    assert likeness((endless,)) is None
    assert likeness((dict.fromkeys(range(5000), 1.0),)) is None
    assert likeness(([[1.0], [2.0]], {"a": np.ones(2)})) is not None


@pytest.mark.parametrize(
    "value", [Pair(1.0, np.ones(2)), OrderedDict(a=1.0), np.float32(1.0), np.int64(2)]
)
def test_ordinary_arguments_are_told_at_once(value: Any) -> None:
    assert likeness((value,)) is not None
    assert likeness(([value],)) != likeness((value,))


def test_long_lists_of_numbers_are_alike_however_long() -> None:
    assert likeness(([1.0] * 1000,)) == likeness(([2.0],)) != likeness(([],))
    assert likeness(([1] * 1000,)) != likeness(([2.0] * 1000,)) != likeness(([None] * 1000,))
    for one, other in (
        ([1.0] * 3, [2.0] * 90),
        ([1, 2], [3]),
        (["a"], ["b", "c"]),
        ([None], [None] * 2),
    ):
        assert likeness((one,)) == likeness((other,))
        assert kind("x", one) == kind("x", other)


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_tests_for_what_is_alike(value: Any) -> None:
    for given in ((value,), ([value, 1.0],), ({"k": value}, np.ones(2))):
        called = fitting(given, lambda *args: "door", None, lambda *args, **kwargs: "other")
        if called is None:
            continue
        for one in VALUES:
            like = tuple(_exchanged(part, one) for part in given[:1]) + given[1:]
            same = likeness(like) is not None and likeness(like) == likeness(given)
            assert (called(*like) == "door") == same
        assert called(*given) == "door"
        assert called(*given, seed=1.0) == called() == "other"


def _exchanged(part: Any, value: Any) -> Any:
    if type(part) is list and len(part) == 2:
        return [value, 1.0]
    return {"k": value} if type(part) is dict and "k" in part else value


MANY = [
    [np.ones(2)] * 70,
    [np.ones((2, 2))] * 70,
    [np.ones(2)] * 69 + [np.ones((2, 2))],
    [np.ones(2, int)] * 70,
    [1.0, 2] * 35,
    [2, 1.0] * 35,
    [(1.0, np.ones(2))] * 70,
    [(np.ones(2), 1.0)] * 70,
    [(1.0, np.ones(2))] * 69 + [(1.0, np.ones((2, 2)))],
    [(1.0, np.ones(2))] * 69 + [(1.0,)],
    [(1.0, (2.0, 3.0))] * 70,
    [(1.0, (2.0, 3))] * 70,
    [()] * 70,
    [[1.0, 2.0]] * 70,
    [[1.0, np.ones(2)]] * 70,
    [{"w": 1.0}] * 70,
    [{"w": 1.0}] * 69 + [{"v": 1.0}],
    [SimpleNamespace(w=1.0)] * 70,
    [SimpleNamespace(w=1.0)] * 69 + [SimpleNamespace(w=np.ones(2))],
    [None] * 70,
    ["a"] * 69 + [1.0],
    [1.0] + ["a"] * 69,
    dict.fromkeys(range(70), 1.0),
    {**dict.fromkeys(range(70), 1.0), 3: np.ones(2)},
    tuple([1.0] * 70),
    tuple([1.0] * 71),
]


def test_many_that_are_alike_have_one_kind() -> None:
    told = [(likeness((value,)), kinds({"x": value}, ("x",))) for value in MANY]
    for (one, of_one), (two, of_two) in combinations(told, 2):
        assert one is not None
        assert one != two or of_one == of_two


def fitted(x: Any, points: Any) -> Any:
    s = 0.0
    for a, b in points:
        s += (x[0] * a - b) ** 2
    return s


def test_many_pairs_are_looked_at_together(monkeypatch: Any) -> None:
    derivative = tl.grad(fitted)
    x, points = np.array([0.5, 2.0]), [(float(i), 1.0) for i in range(100)]
    want = sum(2.0 * (0.5 * a - b) * a for a, b in points)
    assert np.allclose(derivative(x, points), [want, 0.0])
    monkeypatch.setattr(arguments, "kinds", lambda *given: pytest.fail("looked at closely"))
    assert np.allclose(derivative(x, points), [want, 0.0])
    monkeypatch.undo()
    points[3] = (3.0, np.ones(2))
    with pytest.raises(TypeError, match="a gradient needs a scalar result"):
        derivative(x, points)
