"""The way through an object is checked at each step, and memory is used again only where nobody else holds it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from types import SimpleNamespace as Object
from typing import Any

import numpy as np
import pytest

from tangentlite.learn import nests, optimizers
from tangentlite.learn.layers import Linear
from tangentlite.learn.walks import Walk

OPTIMIZERS = (
    *(optimizers.GradientDescent, optimizers.Momentum, optimizers.Nesterov, optimizers.RMSProp),
    *(optimizers.Adam, optimizers.AdamW),
)


def model() -> Any:
    inner = Object(b=np.array([1.0, 2.0]), rate=0.5, count=3, name="inner", labels=np.arange(3))
    return Object(w=np.ones((2, 2)), layers=[inner, Linear(2, 1)], extra={"last": Object(c=1.0)})


def untie(m: Any) -> None:
    m.w = m.layers[0].b


def shrink(m: Any) -> None:
    del m.layers[1]


def swap(m: Any) -> None:
    m.layers[0], m.layers[1] = m.layers[1], m.layers[0]


def say(m: Any) -> None:
    m.parameters = ("w",)


def grow(m: Any) -> None:
    m.layers[0].new = np.ones(1)


def turn(m: Any) -> None:
    m.layers[0].count, m.layers[0].rate = 2.5, 1


def replace(m: Any) -> None:
    m.extra = {"last": 2.0, "more": Object(d=np.ones(2))}


def fill(m: Any) -> None:
    m.layers[0].name = [np.ones(2)]


def narrow(m: Any) -> None:
    m.layers[0].labels = np.ones(3, np.float32)


def circle(m: Any) -> None:
    m.layers[0].whole = m


def share(m: Any) -> None:
    m.layers.append(m.layers[0])


def nothing(m: Any) -> None:
    pass


CHANGES = (*(nothing, untie, shrink, swap, say, grow, turn, replace, fill, narrow, circle, share),)


def told(found: list[Any]) -> list[tuple[str, Any, Any]]:
    return [(name, np.asarray(v).tolist(), np.asarray(g).tolist()) for name, v, g in found]


@pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__)
def test_a_walk_finds_what_is_there(change: Callable[[Any], None]) -> None:
    m, walk = model(), Walk()
    for step in (nothing, nothing, change, nothing, nothing):
        step(m)
        assert told(walk.pairs(m, m)) == told(nests.pairs(m, m))
        values = {name: value * 0.5 for name, value, _ in nests.pairs(m, m)}
        expected = nests.replaced(copy.deepcopy(m), values)
        assert walk.replaced(m, values) is m
        assert told(nests.pairs(m, m)) == told(nests.pairs(expected, expected))


def test_a_gradient_may_lack_parts() -> None:
    m, walk = model(), Walk()
    slopes = Object(w=np.ones((2, 2)), layers=[None, Object(w=None, b=np.zeros(1))], extra=None)
    for _ in range(2):
        assert [name for name, _, _ in walk.pairs(m, slopes)] == ["w", "layers.1.b"]


def test_complex_parameters_are_refused_at_each_step() -> None:
    m, walk = Object(w=1.0, z=1.0), Walk()
    slopes = Object(w=1.0, z=1.0)
    assert len(walk.pairs(m, slopes)) == 2
    m.z = 1j
    for _ in range(2):
        with pytest.raises(TypeError, match="z is complex"):
            walk.pairs(m, slopes)


def held_by_a_name(m: Any) -> Any:
    return m.w


def held_by_a_view(m: Any) -> Any:
    return m.w[0].T


def held_by_a_copy_of_the_object(m: Any) -> Any:
    return copy.copy(m)


def held_by_another_object(m: Any) -> Any:
    return Object(w=m.w)


def held_by_a_buffer(m: Any) -> Any:
    return memoryview(m.w)


HOLDERS = (
    *(held_by_a_name, held_by_a_view, held_by_a_copy_of_the_object),
    *(held_by_another_object, held_by_a_buffer, nests.named),
)


def numbers(held: Any) -> Any:
    held = held["w"] if isinstance(held, dict) else getattr(held, "w", held)
    return np.array(held)


@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("hold", HOLDERS, ids=lambda f: f.__name__)
def test_what_others_hold_stays(kind: Any, hold: Callable[[Any], Any]) -> None:
    given = np.ones((2, 2))
    m, optimizer = Object(w=given), kind(0.1)
    slopes = Object(w=np.array([[1.0, 2.0], [3.0, -1.0]]))
    for _ in range(3):
        held = hold(m)
        before = numbers(held).copy()
        optimizer.step(m, slopes)
        np.testing.assert_array_equal(numbers(held), before)
        del held
    assert given.tolist() == [[1.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_what_nobody_else_holds_is_written_into(kind: Any) -> None:
    m, optimizer, others = Object(w=np.ones(3)), kind(0.1), kind(0.1)
    slopes, nest = Object(w=np.array([1.0, 2.0, 3.0])), {"w": np.ones(3)}
    optimizer.step(m, slopes)
    place = m.w.ctypes.data
    for _ in range(2):
        optimizer.step(m, slopes)
        assert m.w.ctypes.data == place
    for _ in range(3):
        before = nest
        nest = others.step(nest, {"w": slopes.w})
        assert nest["w"] is not before["w"]
    np.testing.assert_array_equal(m.w, nest["w"])


def test_a_gradient_that_is_the_parameter_is_left_alone() -> None:
    m, optimizer = Object(w=np.ones(3)), optimizers.GradientDescent(0.5)
    for _ in range(3):
        optimizer.step(m, m)
    np.testing.assert_array_equal(m.w, np.full(3, 0.125))


def test_a_copy_of_an_optimizer_holds_no_model() -> None:
    m, optimizer = Object(w=np.ones(3)), optimizers.Adam(0.1)
    optimizer.step(m, m)
    for again in (copy.deepcopy(optimizer), pickle.loads(pickle.dumps(optimizer))):
        assert again.walk.root is None
        twin = copy.deepcopy(m)
        again.step(twin, twin)
        assert twin.w.tolist() != m.w.tolist()
