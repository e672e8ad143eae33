"""What versions cost, counted: elements moved, bytes held, versions alive. No clocks."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tangentlite.persistent import PersistentArray

ROW = 8


class Counting(np.ndarray):
    """A buffer that counts the elements read from it and written to it."""

    moved = 0

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if not np.may_share_memory(found, self):
            Counting.moved += np.size(found)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        Counting.moved += np.size(np.asarray(self)[index])
        super().__setitem__(index, value)

    def copy(self, order: Any = "C") -> Any:
        Counting.moved += self.size
        return super().copy(order)


def counted(rows: int) -> PersistentArray:
    p = PersistentArray(np.zeros((rows, ROW)))
    p._tree.buffer = p._tree.view = p._tree.buffer.view(Counting)
    Counting.moved = 0
    return p


def kept(p: PersistentArray) -> int:
    """The bytes of all changes, without the current array."""
    return sum(node.nbytes for node in p.tree() if not node.current)


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """Nothing here needs the garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_an_edge_of_many_changes_becomes_a_copy_when_it_is_crossed() -> None:
    p, tape = counted(4), []
    for k in range(100):
        tape.append(p.version())
        p[k % 4] = float(k)
    first, last = tape[0], tape[-1]
    tape.clear()
    assert kept(p) == 8 * 100 * ROW
    for _ in range(3):
        assert np.all(last[2] == 98.0)
        assert not np.any(first)
        assert kept(p) <= 8 * (4 + 1) * ROW


@pytest.mark.parametrize("rows", [4, 40, 400])
def test_forward_and_backward_cost_what_was_written(rows: int) -> None:
    """A taped sweep forward and back: a constant number of moves per element written, whatever the size."""
    stores = 50
    p, tape = counted(rows), []
    for k in range(stores):
        tape.append(p.version())
        p[k % rows] = float(k)
    assert Counting.moved == 2 * stores * ROW  # the old row is kept, the new one written
    assert kept(p) == 8 * stores * ROW
    Counting.moved = 0
    while tape:
        old = tape.pop()
        assert np.all(old[len(tape) % rows] == max(len(tape) - rows, 0) * (len(tape) >= rows))
    again = 3 * stores * ROW  # read, keep the opposite, write
    assert Counting.moved <= again + 3 * rows * ROW


def test_a_sweep_whose_end_is_forgotten_keeps_nothing_on_the_way_back() -> None:
    p, tape = counted(100), []
    for k in range(50):
        tape.append(p.version())
        p[k] = 1.0
    Counting.moved = 0
    del p
    while tape:
        old = tape.pop()
        assert not old[len(tape)].any()
        assert kept(old) == 8 * ROW * len(tape)
    assert Counting.moved == 2 * 50 * ROW  # written back, read


def test_without_other_handles_nothing_is_kept() -> None:
    p = counted(10)
    for k in range(1000):
        p[k % 10] = 1.0
        p.append(2.0)
        p.pop()
    assert len(p.tree()) == 1
    assert kept(p) == 0


@pytest.mark.parametrize("stores", [10, 1000, 3000])
def test_one_old_handle_costs_at_most_one_array(stores: int) -> None:
    """Versions between that nobody holds are merged, and then replaced by a copy of the array."""
    p = counted(10)
    start = p.version()
    for k in range(stores):
        p[k % 10] = float(k + 1)
    assert len(p.tree()) == 2
    assert kept(p) <= 8 * 10 * ROW + 200
    assert Counting.moved <= stores * ROW + 8 * 10 * ROW
    assert not np.any(start)
    assert np.all(p[9] == stores)


def test_rows_at_the_end_cost_a_constant_each() -> None:
    p, tape = counted(0), []
    for k in range(1000):
        tape.append(p.version())
        p.append(float(k))
    assert Counting.moved <= 4 * 1000 * ROW
    assert kept(p) == 0
    Counting.moved = 0
    while tape:
        assert len(np.asarray(tape.pop())) == len(tape)
    del p


def test_handles_copy_nothing() -> None:
    p = counted(1000)
    held = [p.version() for _ in range(100)]
    assert Counting.moved == 0
    assert len(p.tree()) == 1
    assert p.tree()[0].handles == 101
    del held
    assert p.tree()[0].handles == 1


def test_changes_die_with_their_handles() -> None:
    p = counted(100)
    held = []
    for k in range(20):
        held.append(p.version())
        p[k] = 1.0
    branch = held[10].set(50, 3.0)
    sizes = []
    while held:
        held.pop(0)
        sizes.append((len(p.tree()), kept(p)))
    assert sizes[0] == (21, 20 * 8 * ROW)
    assert [n for n, _ in sizes] == sorted((n for n, _ in sizes), reverse=True)
    assert len(p.tree()) == 2
    assert np.all(branch[50] == 3.0)
    del branch
    assert kept(p) == 0


def test_buffers_die_with_the_last_handle() -> None:
    p = counted(100)
    buffer, handle = weakref.ref(p._tree.buffer), weakref.ref(p)
    tape = []
    for k in range(50):
        tape.append(p.version())
        p[k] = 1.0
    p += 1.0
    changed = weakref.ref(p._tree.buffer)
    branches = [h.set(0, 1.0) for h in tape]
    del p
    assert handle() is None
    tape.clear()
    branches.clear()
    assert buffer() is None
    assert changed() is None


@pytest.mark.parametrize("order", ["first", "last", "inner", "shuffled", "all"])
def test_a_hundred_thousand_versions(order: str) -> None:
    """Deep histories are read, drawn and dropped without recursion."""
    p, tape = PersistentArray(np.zeros(4)), []
    for k in range(100_000):
        tape.append(p.version())
        p[k % 4] = float(k)
    assert len(p.tree()) == 100_001
    assert not np.any(tape[0])
    assert "… 99" in p._repr_svg_()
    assert p[3] == 99_999.0
    if order == "shuffled":
        np.random.default_rng(0).shuffle(tape)
    if order == "inner":
        inner = tape.pop()
        while tape:
            tape.pop()
        assert np.all(inner == [99_996.0, 99_997.0, 99_998.0, 99_995.0])
        del inner
    if order == "all":
        tape.clear()
    while tape:
        tape.pop(0 if order == "first" and len(tape) < 100 else -1)
    assert len(p.tree()) == 1
    assert p[3] == 99_999.0


def test_a_hundred_thousand_branches() -> None:
    p = PersistentArray(np.zeros(4))
    branches = [p.set(0, float(k)) for k in range(100_000)]
    assert branches[77][0] == 77.0
    assert "branches" in p._repr_svg_()
    del p
    assert branches[-1][0] == 99_999.0
    branches.clear()


def test_a_cycle_round_handles_is_collected() -> None:
    p = PersistentArray(np.zeros(4))
    around: list[Any] = [p.version(), p.version()]
    p[0] = 1.0
    around.append(around)
    del around
    gc.collect()
    assert len(p.tree()) == 1
