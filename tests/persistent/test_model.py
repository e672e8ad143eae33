"""Persistent arrays against plain copies: any program of stores, rows, handles and reads."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
from hypothesis import given, settings, strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes as taken,
    invariant,
    multiple,
    rule,
)

from tangentlite.persistent import PersistentArray

SMALL = st.integers(-3, 4)
NUMBERS = st.integers(-9, 9).map(float)


def indices(shape: tuple[int, ...]) -> st.SearchStrategy[Any]:
    """Indices of every sort; some of them do not fit."""
    bounds = st.none() | SMALL
    slices = st.builds(slice, bounds, bounds, st.sampled_from([None, 1, 2, -1, -2]))
    one = SMALL | slices
    fancy = st.lists(SMALL, max_size=4)
    arrays = st.lists(SMALL, min_size=1, max_size=4).map(np.array)
    masks = st.lists(st.booleans(), min_size=len_of(shape), max_size=len_of(shape)).map(np.array)
    whole = st.just(...) | st.just(()) | st.none() | st.just(slice(None))
    pairs = st.tuples(one | fancy | arrays, one | st.just(...) | st.none())
    return st.one_of(one, fancy, arrays, masks, whole, pairs, st.tuples(masks, SMALL))


def len_of(shape: tuple[int, ...]) -> int:
    return shape[0] if shape else 0


def outcome(action: Any) -> Any:
    """What an action gives, or the type of what it raises."""
    try:
        return action()
    except (IndexError, ValueError, TypeError) as error:
        return type(error)


def same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


class Held:
    """A handle and what it must show."""

    def __init__(self, p: Any, plain: np.ndarray) -> None:
        self.p, self.plain = p, plain


class Program(RuleBasedStateMachine):
    held = Bundle("held")

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Held] = []

    def hold(self, p: PersistentArray, plain: np.ndarray) -> Held:
        self.all.append(Held(p, plain))
        return self.all[-1]

    @rule(target=held, shape=st.sampled_from([(), (0,), (3,), (4, 2), (0, 2)]), whole=st.booleans())
    def make(self, shape: tuple[int, ...], whole: bool) -> Held:
        plain = np.arange(np.prod(shape), dtype=int if whole else float).reshape(shape)
        return self.hold(PersistentArray(plain), plain.copy())

    @rule(
        target=held, h=held, by=st.sampled_from([PersistentArray.version, copy.copy, copy.deepcopy])
    )
    def another(self, h: Held, by: Any) -> Held:
        return self.hold(by(h.p), h.plain.copy())

    @rule(target=held, h=held)
    def through_pickle(self, h: Held) -> Held:
        return self.hold(pickle.loads(pickle.dumps(h.p)), h.plain.copy())

    @rule(h=taken(held))
    def drop(self, h: Held) -> None:
        self.all.remove(h)
        h.p = None  # the bundle keeps h

    @rule(h=held, data=st.data(), how=st.sampled_from(["number", "region", "bad"]))
    def store(self, h: Held, data: Any, how: str) -> None:
        index = data.draw(indices(h.plain.shape))
        region = outcome(lambda: h.plain[index])
        number = data.draw(NUMBERS)
        value: Any = number
        if how == "region" and not isinstance(region, type):
            value = number + np.arange(np.size(region)).reshape(np.shape(region))
        elif how == "bad":
            value = np.full(7, number)
        expected = h.plain.copy()
        first = outcome(lambda: expected.__setitem__(index, value))
        second = outcome(lambda: h.p.__setitem__(index, value))
        assert (first is None) == (
            second is None
        )  # NumPy may find the value wrong before the index
        if first is None:
            h.plain = expected

    @rule(target=held, h=held, number=NUMBERS)
    def stored_apart(self, h: Held, number: float) -> Any:
        if not h.plain.size:
            return multiple()
        plain = h.plain.copy()
        plain[(0,) * plain.ndim] = number
        return self.hold(h.p.set((0,) * plain.ndim, number), plain)

    @rule(h=held, number=NUMBERS)
    def append(self, h: Held, number: float) -> None:
        if h.plain.ndim:
            row = np.full((1, *h.plain.shape[1:]), number).astype(h.plain.dtype)
            h.plain = np.concatenate([h.plain, row])
            h.p.append(row[0])

    @rule(h=held)
    def pop(self, h: Held) -> None:
        if len_of(h.plain.shape):
            np.testing.assert_array_equal(h.p.pop(), h.plain[-1])
            h.plain = h.plain[:-1]

    @rule(target=held, h=held, number=NUMBERS, grow=st.booleans())
    def rows_apart(self, h: Held, number: float, grow: bool) -> Any:
        if not len_of(h.plain.shape):
            return multiple()
        if grow:
            row = np.full((1, *h.plain.shape[1:]), number).astype(h.plain.dtype)
            return self.hold(h.p.insert(row[0]), np.concatenate([h.plain, row]))
        return self.hold(h.p.delete(), h.plain[:-1])

    @rule(h=held, number=NUMBERS)
    def add_everywhere(self, h: Held, number: float) -> None:
        h.plain = np.asarray(h.plain + int(number))
        h.p += int(number)

    @rule(h=held, data=st.data())
    def read(self, h: Held, data: Any) -> None:
        index = data.draw(indices(h.plain.shape))
        expected, found = outcome(lambda: h.plain[index]), outcome(lambda: h.p[index])
        same(found, expected)

    @rule(h=held)
    def read_all(self, h: Held) -> None:
        same(np.array(h.p), h.plain)

    @invariant()
    def shapes_are_known(self) -> None:
        for h in self.all:
            assert (h.p.shape, h.p.dtype, h.p.size) == (h.plain.shape, h.plain.dtype, h.plain.size)

    @invariant()
    def trees_are_as_small_as_their_handles_allow(self) -> None:
        for h in self.all:
            nodes = h.p.tree()
            inner = {n.number: 0 for n in nodes}
            for n in nodes:
                for end in (n.number, n.toward):
                    if end is not None and n.toward is not None:
                        inner[end] += 1
            assert sum(n.current for n in nodes) == 1
            assert len(inner) == len(nodes)
            assert all(
                n.handles or inner[n.number] > 2 or (n.current and inner[n.number] == 2)
                for n in nodes
            )

    def teardown(self) -> None:
        for h in self.all:
            same(np.array(h.p), h.plain)


TestProgram = Program.TestCase
TestProgram.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@given(
    st.sampled_from([5, 100, 1000]),
    st.lists(st.tuples(st.integers(0, 4), st.integers(1, 99)), min_size=5, max_size=40),
    st.randoms(use_true_random=True),
)
@settings(max_examples=200, deadline=None)
def test_versions_dropped_and_read_in_any_order(size: int, stores: Any, random: Any) -> None:
    """Arrays of several sizes: changes of small arrays soon become copies, those of large ones are joined."""
    p, plain = PersistentArray(np.zeros(size)), np.zeros(size)
    held = [(p.version(), plain.copy())]
    for place, number in stores:
        p[place] = plain[place] = number
        held.append((p.version(), plain.copy()))
    random.shuffle(held)
    while held:
        handle, expected = held.pop()
        if random.random() < 0.2:
            np.testing.assert_array_equal(handle, expected)
        del handle
        assert len(p.tree()) <= 2 * (len(held) + 1)
    np.testing.assert_array_equal(p, plain)
