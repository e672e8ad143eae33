"""The first and the last lines of a derivative."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import pytest

import tangentlite as tl
from tangentlite import runtime as rt


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclasses.dataclass
class Params:
    w: Any
    name: str = "net"


@pytest.mark.parametrize(
    "x", [1, True, 2.0, np.float32(1), np.int8(1), np.ones(2), np.ones(2, int)]
)
def test_numbers_pass(x: Any) -> None:
    rt.numbers(x, 1.0)


@pytest.mark.parametrize(
    "x", [[1.0], (1.0,), {"a": 1.0}, "text", len, Params(1.0), 1j, np.complex64(1)]
)
def test_other_kinds_are_told_apart(x: Any) -> None:
    with pytest.raises(rt.KindError) as caught:
        rt.numbers(1.0, x)
    assert caught.value.value is x


Frame = type("DataFrame", (), {"__module__": "pandas.core.frame", "to_numpy": list})


@pytest.mark.parametrize(
    ("x", "advice"),
    [
        (np.ma.masked_array([1.0]), "filled"),
        (np.array([1.0, None]), "astype"),
        (np.array(["2020-01-01"], "datetime64[D]"), "astype"),
        (np.array([1.0]).view(np.recarray), "np.asarray"),
        (Frame(), "to_numpy"),
    ],
)
def test_foreign_arrays_are_refused_with_the_conversion(x: Any, advice: str) -> None:
    with pytest.raises(TypeError, match=advice) as caught:
        rt.numbers(x)
    assert not isinstance(caught.value, rt.KindError)


@pytest.mark.parametrize("y", [1.0, 2, True, np.float32(1), np.array(1.0)])
def test_scalars_take_the_default_seed(y: Any) -> None:
    assert rt.seed(1.0, y) == 1.0


@pytest.mark.parametrize("y", [np.ones(3), np.ones(1), np.ones((1, 1)), [1.0, 2.0], {"a": 1.0}])
def test_others_need_a_seed(y: Any) -> None:
    with pytest.raises(TypeError, match=r"scalar result|must be one with keys"):
        rt.seed(1.0, y)


def test_the_message_names_the_shape() -> None:
    with pytest.raises(TypeError, match=r"the result has shape \(3,\): a gradient needs a scalar"):
        rt.seed(1.0, np.ones(3))
    with pytest.raises(TypeError, match=r"seed has shape \(2,\), the result has shape \(3,\)"):
        rt.seed(np.ones(2), np.ones(3))


@pytest.mark.parametrize("y", [None, "text", len, np.array([None])])
def test_what_is_no_number_has_no_derivative(y: Any) -> None:
    with pytest.raises(TypeError, match="no derivative"):
        rt.seed(1.0, y)


def test_seeds_of_arrays_are_copied() -> None:
    given = np.ones(3)
    found = rt.seed(given, np.zeros(3))
    assert not np.shares_memory(given, found)
    assert rt.seed([1, 2], np.zeros(2)).dtype == np.float64


def test_seeds_of_nests() -> None:
    assert rt.seed([1.0, None], (2.0, "text")) == [1.0, rt.ZERO]
    assert rt.seed({"a": 1.0}, {"a": 5.0}) == {"a": 1.0}


@pytest.mark.parametrize(
    ("b", "x", "kind"),
    [
        (1.0, 2.0, float),
        (np.float64(1.0), 2.0, float),
        (np.array(1.0), 2.0, float),
        (1.0, 2, float),
        (1.0, True, float),
        (1.0, np.float32(2), np.float32),
        (1.0, np.int32(2), np.float64),
        (1.0 + 1.0j, 2.0, float),
        (1.0, 1j, complex),
    ],
)
def test_gradients_of_numbers(b: Any, x: Any, kind: type) -> None:
    found = rt.like(b, x)
    assert type(found) is kind
    assert found == 1.0
    assert rt.like(rt.ZERO, x) == 0.0


@pytest.mark.parametrize("dtype", [float, np.float32, int, bool, complex])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
@pytest.mark.parametrize("b", [2.0, rt.ZERO, np.float32(2.0)])
def test_gradients_of_arrays(dtype: Any, shape: tuple[int, ...], b: Any) -> None:
    x = np.ones(shape, dtype)
    found = rt.like(b, x)
    assert type(found) is np.ndarray
    assert found.shape == shape
    assert found.dtype == (x.dtype if x.dtype.kind in "fc" else np.float64)
    assert found.flags.writeable
    np.testing.assert_array_equal(found, np.full(shape, float(b)))


def test_views_are_copied_and_fresh_arrays_are_not() -> None:
    x, b = np.ones((2, 2)), np.ones((2, 2))
    assert rt.like(b, x) is b
    for view in (b.T, b[:], np.broadcast_to(1.0, (2, 2))):
        found = rt.like(view, x)
        assert found.flags.writeable
        assert not np.shares_memory(found, view)


def test_gradients_of_nests() -> None:
    assert rt.like([1.0, rt.ZERO], (1.0, 2.0)) == (1.0, 0.0)
    assert rt.like([1.0, rt.ZERO, rt.ZERO], [1.0, 2, "text"]) == [1.0, None, None]
    assert rt.like({"a": 1.0}, {"a": 1.0, "b": None}) == {"a": 1.0, "b": None}
    assert rt.like([1.0, rt.ZERO], Pair(1.0, 2.0)) == Pair(1.0, 0.0)
    assert rt.like(Params(1.0), Params(2.0)) == Params(1.0, None)
    assert rt.like(rt.ZERO, [1.0, [2.0]]) == [0.0, [0.0]]
    np.testing.assert_array_equal(rt.like([1.0, rt.ZERO], np.ones(2)), [1.0, 0.0])
    np.testing.assert_array_equal(rt.like(np.ones(2), [1.0, 2.0]), [1.0, 1.0])


class Rows(list):  # type: ignore[type-arg]
    """A list of a class of its own."""


@pytest.mark.parametrize(
    ("b", "x", "expected"),
    [
        (2.0, np.float32(1.0), np.float32(2.0)),
        (np.float64(2.0), 1.0, 2.0),
        (rt.ZERO, np.int64(3), None),
        (rt.ZERO, np.arange(3), None),
        (rt.ZERO, True, None),
        (rt.ZERO, np.sin, None),
        (rt.ZERO, 1j, 0j),
        (np.ones(2), np.ones(2, np.float32), np.ones(2, np.float32)),
        (np.ones(4)[::2], np.ones(2), np.ones(2)),
        (np.ones(2, int), np.ones(2), np.ones(2)),
        ((1.0, rt.ZERO), (1.0, 2.0), (1.0, 0.0)),
        ((1.0, 2.0), Pair(1.0, 2.0), Pair(1.0, 2.0)),
        ([1.0, 2.0], Rows([1.0, 2.0]), Rows([1.0, 2.0])),
        ({"a": 1.0}, OrderedDict(a=1.0, b=2.0), OrderedDict(a=1.0, b=0.0)),
        ({0: 1.0}, [1.0, 2.0], [1.0, 0.0]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_stands_in_nests_is_of_the_type_of_the_argument(b: Any, x: Any, expected: Any) -> None:
    for found in (rt.like([b], [x])[0], rt.like((b,), (x,))[0], rt.like({"k": b}, {"k": x})["k"]):
        assert type(found) is type(expected)
        np.testing.assert_array_equal(found, expected)
        if isinstance(found, np.ndarray):
            assert found.dtype == expected.dtype and found.flags.writeable and found.base is None


@dataclasses.dataclass(frozen=True)
class Fixed:
    a: Any
    b: Any


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


class Ring:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b, self.whole = a, b, self


@pytest.mark.parametrize("kind", [Pair, Fixed, Slotted, Ring])
def test_gradients_of_attributes_share_nothing_with_each_other(kind: Any) -> None:
    def loss(m: Any, x: Any) -> Any:
        total = x + m.a + m.b
        return np.sum(total * total)

    of_m, of_x = tl.grad(loss, wrt=(0, 1))(kind(np.ones(3), np.ones(3)), np.ones(3))
    of_m.a[...] = 0.0
    of_x += 1.0
    assert (of_m.b.tolist(), of_x.tolist()) == ([6.0] * 3, [7.0] * 3)


def test_gradients_share_nothing_with_each_other() -> None:
    b = np.ones(2)
    first, second, nest = rt.distinct((b, b, [b]))
    assert first is b
    assert not np.shares_memory(first, second)
    assert not np.shares_memory(first, nest[0])


@pytest.mark.parametrize(
    "x",
    [
        [(np.ones(2), np.ones((2, 2))), (np.ones(2), 1.0)],
        {"b": np.ones(2), "w": np.ones((2, 2)), "n": 3, "rest": np.ones(2, "f")},
        Pair(np.ones(2), [np.ones(2)]),
        Params(np.ones(2)),
        [np.ones(2), np.ones(2, int), None, "text"],
    ],
)
def test_parts_of_nests_are_as_the_parts_and_arrays_of_their_own(x: Any) -> None:
    one, row, fixed = np.ones(2), np.ones((3, 2))[1], np.ones(2)
    fixed.flags.writeable = False
    for part in (one, row, fixed, np.ones(2, "f"), np.float64(1.0), rt.ZERO):

        def alike(nest: Any) -> Any:
            if isinstance(nest, dict):
                return {k: alike(v) for k, v in reversed(nest.items())}
            if isinstance(nest, list | tuple):
                return [alike(v) for v in nest]
            return {"w": part} if isinstance(nest, Params) else part

        arrays = []

        def look(found: Any, nest: Any) -> None:
            assert type(found) is type(nest) or found is None or type(nest) is int
            if isinstance(nest, np.ndarray) and nest.dtype.kind == "f":
                assert (found.shape, found.dtype) == (nest.shape, nest.dtype)
                assert found.flags.writeable and found.base is None
                arrays.append(found)
            held = vars(nest) if isinstance(nest, Params) else nest
            for key in held if isinstance(held, dict) else ():
                look(found[key] if isinstance(found, dict) else getattr(found, key), held[key])
            for pair in zip(found, nest) if isinstance(nest, list | tuple) else ():
                look(*pair)

        look(rt.like(alike(x), x), x)
        assert len(set(map(id, arrays))) == len(arrays)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: tl.jvp(products)(x, 1.0, tangent=(x, 0.0)),
        lambda x: tl.grad(products)(x, 1.0, adjoint=(x, 0.0)),
        lambda x: tl.vjp(products)(x, 1.0)[1]([x, 0.0]),
    ],
    ids=["tangent", "adjoint", "pullback"],
)
def test_a_seed_of_unlike_parts_is_told_from_a_shape(call: Any) -> None:
    with pytest.raises(TypeError, match=r"is a (tuple|list) of unlike parts"):
        call(np.ones(3))


def products(x: Any, y: Any) -> Any:
    return np.sin(x) * y
