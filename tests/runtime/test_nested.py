"""Gradients of nests, finished by a function that was written for nests like them, are those that the long way gives."""

import dataclasses
import itertools

import numpy as np
import pytest

from tangentlite import runtime as rt
from tangentlite.runtime.edges.finish import _finished
from tangentlite.runtime.edges.nested import LARGE, Fits, fitting
from tangentlite.runtime.zero import ZERO

SHARED = np.ones(2)


class Layer:
    def __init__(self, **held):
        self.__dict__.update(held)


class Slotted:
    __slots__ = ("w",)

    def __init__(self, w):
        self.w = w


@dataclasses.dataclass
class Data:
    w: object


def same_as(x):
    return x


def frozen():
    array = np.ones(2)
    array.flags.writeable = False
    return array


LEAVES = (
    (np.ones(2), np.ones(2)),
    (np.ones(2), SHARED),
    (np.ones(2), frozen()),
    (np.ones(2), np.ones(4)[:2]),
    (np.ones(2), np.ones((3, 2))),
    (np.ones(2), np.float64(3.0)),
    (np.ones(2), ZERO),
    (np.ones(2), np.ones(2, np.float32)),
    (np.ones(2, np.float32), np.ones(2)),
    (np.ones(()), np.ones(())),
    (np.ones(0), np.ones(0)),
    (np.arange(2), np.ones(2)),
    (np.full(2, np.nan), np.full(2, np.inf)),
    (1.0, 2.0),
    (1.0, np.float64(2.0)),
    (1.0, ZERO),
    (True, 2.0),
    (3, 2.0),
    ("a", ZERO),
    (None, ZERO),
    ([1.0, 2.0], [3.0, 4.0]),
    ([1.0, 2.0], [3.0, 4.0, 5.0]),
    ((), ()),
    ({}, {}),
    ({1: np.ones(2)}, {1: np.ones(2)}),
    ({"v": np.ones(2), "w": 1.0}, {"w": 2.0, "v": SHARED}),
    ({"v": np.ones(2), "w": 1.0}, {"w": 2.0}),
    (Layer(v=np.ones(2), w=1.0), {"w": 2.0, "v": SHARED}),
    (Layer(v=np.ones(2), w=1.0), {"w": 2.0}),
    (Layer(v=np.ones(2), f=np.sin, g=same_as, n=3), {"v": np.ones(2)}),
    (Layer(v=np.ones(2), f=None), {"v": np.ones(2), "f": ZERO}),
    (Layer(), {}),
    (Slotted(np.ones(2)), {"w": np.ones(2)}),
    (Data(np.ones(2)), {"w": np.ones(2)}),
    (np.sin, ZERO),
)


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return [*a] == [*b] and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "__dict__") and not isinstance(a, np.ndarray | float):
        return same(vars(a), vars(b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=True)
    return a == b


def arrays(nest):
    if isinstance(nest, np.ndarray):
        return [nest]
    nest = vars(nest) if hasattr(nest, "__dict__") else nest
    parts = nest.values() if isinstance(nest, dict) else nest
    return [a for p in parts for a in arrays(p)] if isinstance(nest, dict | list | tuple) else []


@pytest.mark.parametrize("kind", [list, tuple, lambda pair: dict(zip("ab", pair))])
def test_each_function_gives_what_the_long_way_gives_or_nothing(kind):
    finishes = [
        finish
        for (x, bx), (y, by) in itertools.product(LEAVES, LEAVES)
        if (finish := fitting(kind([bx, by]), kind([x, y])))
    ]
    assert len(finishes) > 30
    for (x, bx), (y, by) in itertools.product(LEAVES, LEAVES):
        nest, gradient = kind([x, y]), kind([bx, by])
        wanted = _finished(gradient, nest)
        for finish in finishes:
            found = finish(gradient, nest)
            if found is not None:
                assert same(found, wanted)
                made = arrays(found)
                assert all(a.flags.writeable and a.base is None for a in made)
                assert len({*map(id, made)}) == len(made)


def test_nests_of_other_kinds_come_in_between():
    nests = [
        ([np.ones(2), 1.0], [np.zeros(2), 2.0]),
        ([1.0, np.ones(2)], [2.0, np.zeros(2)]),
        ([(np.ones(2),), {"w": np.ones(3)}], [[np.zeros(2)], {"w": np.zeros(3)}]),
    ]
    for k in range(60):
        x, bx = nests[k % 3 if k < 30 else k // 7 % 3]
        assert same(rt.like(bx, x), _finished(bx, x))


def test_no_part_of_a_gradient_is_that_of_another():
    g = np.zeros(2)
    for _ in range(5):
        a, b = rt.like([g, g], [np.ones(2), np.ones(2)])
        assert a is not b


def test_what_is_large_or_holds_itself_is_finished_part_by_part():
    x = [[np.ones(1) for _ in range(LARGE // 2)] for _ in range(3)]
    assert fitting(x, x) is None
    ring = [np.ones(2)]
    ring.append(ring)
    assert fitting(ring, ring) is None
    fits = Fits()
    for _ in range(3):
        fits.learn([1.0] * 1000, [1.0] * 1000)
    assert fits([1.0] * 1000, [1.0] * 1000) is None
