"""The face of an array: operators, functions of NumPy, rows, errors, copies, threads."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import numpy as np
import pytest

from tangentlite.persistent import PersistentArray


@pytest.fixture
def p() -> PersistentArray:
    return PersistentArray([[1.0, 2.0], [3.0, 4.0]])


PLAIN = np.array([[1.0, 2.0], [3.0, 4.0]])
EXPRESSIONS = [
    lambda x: x + 1,
    lambda x: 2.0 / x,
    lambda x: PLAIN - x,
    lambda x: x @ x,
    lambda x: -x,
    lambda x: x**2 == 4.0,
    lambda x: np.sum(x, axis=0),
    lambda x: np.mean(x),
    lambda x: np.concatenate([x, x]),
    lambda x: np.add.reduce(x),
    lambda x: np.multiply.outer(x, x),
    lambda x: np.einsum("ij,ij->", x, x),
    lambda x: np.linalg.norm(x),
    lambda x: np.where(x > 2.0, x, 0.0),
    lambda x: x.T,
    lambda x: x.sum(axis=1),
    lambda x: x.astype(int),
    lambda x: x.reshape(4),
    lambda x: [*x][1],
    lambda x: 3.0 in x,
    lambda x: divmod(x, 2)[1],
    lambda x: len(x) + x.ndim + x.size + x.nbytes,
    lambda x: float(x[1, 1]) + int(x[0, 0]),
    lambda x: np.asarray(x, dtype=np.float32),
    lambda x: np.modf(x)[0],
    lambda x: PLAIN[x.astype(int) % 2],
    lambda x: x[x > 2.0],
    lambda x: str(x),
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_it_reads_as_an_array(p: PersistentArray, expression: Any) -> None:
    found, expected = expression(p), expression(PLAIN.copy())
    assert type(found) is type(expected)
    np.testing.assert_array_equal(found, expected)


def double(x: Any) -> None:
    x *= 2.0


def out(x: Any) -> None:
    assert np.add(x, 1.0, out=x) is x


def two_outs(x: Any) -> None:
    whole = np.zeros_like(PLAIN)
    found = np.modf(x, out=(x, whole))
    assert found[0] is x
    assert found[1] is whole
    assert np.sum(whole) == 10.0


def masked_out(x: Any) -> None:
    np.add(x, 1.0, out=x, where=np.array([True, False]))


def at(x: Any) -> None:
    np.add.at(x, [0, 0, 1], 1.0)


def element(x: Any) -> None:
    x[0, 1] += 5.0


def row(x: Any) -> None:
    x[0] += x[1]


def aliased(x: Any) -> None:
    x[1:] = x[:-1]


def itself(x: Any) -> None:
    x[...] = x


def walked(x: Any) -> None:
    for k, r in enumerate(x):
        if k == 0:
            x[1] = 2.0 * r


def along(x: Any) -> None:
    np.put_along_axis(x, np.array([[1], [0]]), 7.0, axis=1)


@pytest.mark.parametrize(
    "write",
    [double, out, two_outs, masked_out, at, element, row, aliased, itself, walked, along],
)
def test_it_is_written_as_an_array(p: PersistentArray, write: Any) -> None:
    before, expected = p.version(), PLAIN.copy()
    same = p
    write(p)
    write(expected)
    assert same is p
    np.testing.assert_array_equal(p, expected)
    np.testing.assert_array_equal(before, PLAIN)


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (5, 1.0),
        ((0, 9), 1.0),
        (0, [1.0, 2.0, 3.0]),
        ([0, 7], 1.0),
        (0, "word"),
        (1.5, 1.0),
        (0, 1j),
    ],
)
def test_a_store_that_fails_changes_nothing(p: PersistentArray, index: Any, value: Any) -> None:
    before = p.version()
    expected = PLAIN.copy()
    with pytest.raises((IndexError, ValueError, TypeError)) as plain:
        expected[index] = value
    with pytest.raises(plain.type):
        p[index] = value
    np.testing.assert_array_equal(p, PLAIN)
    assert len(p.tree()) == 1
    p[0] = 9.0
    np.testing.assert_array_equal(before, PLAIN)


def test_numbers_too_large_for_the_type_are_refused_as_numpy_does() -> None:
    p = PersistentArray(np.zeros(2, dtype=np.int8))
    with pytest.raises(OverflowError):
        p[0] = 300
    with pytest.raises(TypeError):
        p += 0.5


def test_an_index_that_changes_later_does_not_matter(p: PersistentArray) -> None:
    index, before = np.array([0]), p.version()
    p[index] = 9.0
    index[0] = 1
    np.testing.assert_array_equal(before, PLAIN)
    assert p[0, 0] == 9.0


def test_versions_of_one_array_index_and_fill_each_other() -> None:
    p = PersistentArray(np.arange(5))
    q = p.version()
    p[p > 2] = 0
    p[q] = q[::-1]
    np.testing.assert_array_equal(p, [4, 3, 2, 1, 0])
    np.testing.assert_array_equal(q, np.arange(5))


def test_what_is_read_is_a_copy(p: PersistentArray) -> None:
    first = p[0]
    p[0] = 9.0
    np.testing.assert_array_equal(first, [1.0, 2.0])
    first[0] = 5.0
    assert p[0, 0] == 9.0
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(p)[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        p.T[0] = 1.0
    np.array(p)[0] = 1.0
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(p, copy=False)


@pytest.mark.parametrize("name", ["fill", "sort", "put", "resize", "flat", "data", "setflags"])
def test_what_would_write_into_a_copy_is_not_there(p: PersistentArray, name: str) -> None:
    with pytest.raises(AttributeError):
        getattr(p, name)


@pytest.mark.parametrize("by", [copy.copy, copy.deepcopy, PersistentArray.copy])
def test_copies_are_handles(p: PersistentArray, by: Any) -> None:
    q = by(p)
    assert len(p.tree()) == 1
    p[0] = 0.0
    np.testing.assert_array_equal(q, PLAIN)


def test_pickles_hold_one_version(p: PersistentArray) -> None:
    before = p.version()
    p[0] = 0.0
    loaded = pickle.loads(pickle.dumps(before))
    np.testing.assert_array_equal(loaded, PLAIN)
    assert len(loaded.tree()) == 1


def test_rows() -> None:
    p = PersistentArray(np.zeros((1, 2)))
    q = p.insert([1.0, 2.0])
    assert (p.shape, q.shape, q.delete().shape) == ((1, 2), (2, 2), (1, 2))
    np.testing.assert_array_equal(q.pop(), [1.0, 2.0])
    q.pop()
    with pytest.raises(IndexError):
        q.pop()
    with pytest.raises(ValueError, match="broadcast"):
        q.append([1.0, 2.0, 3.0])
    assert q.shape == (0, 2)
    assert p.shape == (1, 2)
    for action in (lambda x: x.append(1.0), lambda x: x.pop(), len, iter):
        with pytest.raises(TypeError):
            action(PersistentArray(1.0))


def test_it_has_no_hash_and_its_truth_is_that_of_an_array(p: PersistentArray) -> None:
    with pytest.raises(TypeError):
        hash(p)
    with pytest.raises(ValueError, match="ambiguous"):
        bool(p)
    assert not PersistentArray(0.0)
    assert repr(PersistentArray(np.float32(2.0))) == "PersistentArray(2., dtype=float32)"
    assert complex(PersistentArray(2.0)) == 2.0


@pytest.mark.parametrize(
    "values",
    ["word", None, np.array([None]), np.array(["a"]), np.ma.array([1.0]), {"a": 1.0}, object()],
)
def test_only_numbers_are_taken(values: Any) -> None:
    with pytest.raises(TypeError, match="PersistentArray"):
        PersistentArray(values)


def test_the_values_given_are_copied() -> None:
    values = np.zeros(2)
    p = PersistentArray(values)
    values[0] = 1.0
    np.testing.assert_array_equal(p, [0.0, 0.0])
    q = PersistentArray(p)
    q[0] = 1.0
    np.testing.assert_array_equal(p, [0.0, 0.0])


def test_an_interrupt_between_versions_is_not_forgotten(
    p: PersistentArray, monkeypatch: Any
) -> None:
    from tangentlite.persistent import versions

    before = p.version()
    p[0] = 0.0
    plain = versions.applied

    def interrupted(*args: Any) -> Any:
        plain(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(versions, "applied", interrupted)
    with pytest.raises(KeyboardInterrupt):
        before[0]
    monkeypatch.undo()
    for handle in (p, before):
        with pytest.raises(RuntimeError, match="interrupt"):
            handle[0]


def test_threads_read_their_own_versions() -> None:
    p, tape = PersistentArray(np.zeros(8)), []
    for k in range(64):
        p[:] = float(k)
        tape.append(p.version())
    wrong: list[int] = []

    def reader(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(300):
            k = int(random.integers(64))
            if np.any(np.asarray(tape[k].version()) != k) or tape[k].set(0, -1.0)[0] != -1.0:
                wrong.append(k)

    threads = [threading.Thread(target=reader, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(p.tree()) == 64
