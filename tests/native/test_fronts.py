"""The short way into a kernel: what is not of the types of the first call is what it was without."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import tangentlite as tl
from tangentlite.observed import target

numba = pytest.importorskip(
    "numba", reason="Numba is not installed: pip install tangentlite[numba]"
)
V = np.random.default_rng(3).normal(size=8)


def valley(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


class Tagged(np.ndarray):
    """A subclass."""


def outcome(function: Any, *args: Any, **options: Any) -> Any:
    """What a call gives, or which exception it raises."""
    try:
        found = function(*args, **options)
    except Exception as fault:
        return type(fault), str(fault)
    return found


def same(mine: Any, other: Any) -> None:
    """Values, types, and errors."""
    if isinstance(other, tuple):
        assert type(mine) is tuple
        assert len(mine) == len(other)
        for one, two in zip(mine, other):
            same(one, two)
        return
    assert type(mine) is type(other) or isinstance(mine, type(other) | float)
    if isinstance(other, np.ndarray | float):
        np.testing.assert_allclose(mine, other, rtol=1e-6 if _is_short(other) else 1e-11)
        assert getattr(mine, "dtype", None) == getattr(other, "dtype", None)
    else:
        assert mine == other


def same_or_refused(mine: Any, other: Any) -> None:
    """The same, or said not to be compiled."""
    if not (isinstance(mine, tuple) and mine and isinstance(mine[0], type)):
        same(mine, other)
    elif not issubclass(mine[0], tl.errors.DerivativeError):
        assert mine == other


def _is_short(value: Any) -> bool:
    return getattr(value, "dtype", None) == np.float32


def warm(function: Any, *args: Any, **options: Any) -> tuple[Any, Any]:
    """The compiled derivative after calls that its short way was made for, and the one that is not compiled."""
    made, plain = (
        tl.grad(function, compile="numba", **options),
        tl.grad(function, **options),
    )
    for _ in range(2):
        same(made(*copy.deepcopy(args)), plain(*copy.deepcopy(args)))
    assert "_around" in target(made).__code__.co_freevars
    return made, plain


def _locked(x: Any) -> Any:
    x = x.copy()
    x.flags.writeable = False
    return x


OTHERS = {
    "read-only": _locked(V),
    "gaps": np.repeat(V, 2)[::2],
    "backward": V[::-1],
    "not aligned": np.frombuffer(b"x" + V.tobytes(), offset=1),
    "list": V.tolist(),
    "tuple": tuple(V.tolist()),
    "float32": V.astype(np.float32),
    "integers": np.arange(8),
    "bytes swapped": V.astype(">f8"),
    "complex": V.astype(complex),
    "objects": V.astype(object),
    "subclass": V.view(Tagged),
    "masked": np.ma.masked_array(V),
    "plane": V.reshape(2, 4),
    "number": 1.5,
    "no axis": np.array(1.5),
    "none": None,
    "text": "x",
    "length 0": V[:0],
    "length 1": V[:1],
    "length 2": V[:2],
}
SWEPT = tuple(OTHERS)


@pytest.mark.parametrize("x", [V, V.reshape(2, 4)], ids=["vector", "matrix"])
def test_the_second_call_is_short(x) -> None:
    def square(x):
        return np.sum(x * x * x)

    made = tl.grad(square, compile="numba")
    made(x)
    assert target(made) in made._fronts.values()
    np.testing.assert_allclose(made(x), 3.0 * x * x)


def test_other_arguments() -> None:
    made, plain = warm(valley, V)
    for name in SWEPT:
        same_or_refused(outcome(made, OTHERS[name]), outcome(plain, OTHERS[name]))
    same(made(V), plain(V))


def test_ways_to_call() -> None:
    made, plain = warm(valley, V)
    same(made(x=V), plain(x=V))
    for seed in (2.0, 2, np.float64(2.0), 1.0):
        same(made(V, adjoint=seed), plain(V, adjoint=seed))
    for args, options in (((), {}), ((V, V), {}), ((V,), {"y": 1}), ((V,), {"x": V})):
        assert (
            outcome(made, *args, **options)[0] is outcome(plain, *args, **options)[0] is TypeError
        )


def test_results_are_new_arrays_of_their_own() -> None:
    made, plain = warm(valley, V)
    first = made(V)
    kept = first.copy()
    second = made(2.0 * V)
    second[:] = 7.0
    np.testing.assert_array_equal(first, kept)
    assert first.base is None
    assert first.flags.writeable
    same(made(V), plain(V))


def two_buffers(x, y, n):
    z = np.zeros_like(x)
    for _ in range(n):
        z[1:] = x[:-1] * y[1:]
        z[0] = y[0]
        x, z = z, x
    return np.sum(x * y)


def test_results_of_one_shape_are_asked_nothing() -> None:
    """They are made as long as the arguments, each of which was asked for its length before."""
    made, plain = warm(two_buffers, V, V[::-1].copy(), 3, wrt=(0, 1))
    text = inspect.getsource(target(made))
    assert "rt.like" not in text and "rt.distinct" not in text, text
    for args in ((V, V[::-1].copy(), 2), (V[:2], V[2:4], 2), (V[:1], V[1:2], 1), (V, V[:5], 2)):
        same_or_refused(outcome(made, *args), outcome(plain, *args))


def scaled_by(x, y, n=3):
    for _ in range(n):
        x[1:] = x[1:] * y[:-1] + x[:-1]
        y[0] = x[2]
    return np.sum(x * x)


def test_arguments_that_are_written_are_left_alone() -> None:
    made, plain = warm(scaled_by, V, V[::-1].copy(), wrt=(0, 1))
    for args in (
        (V, V),
        (V, V[::-1]),
        (V[:-1], V[1:]),
        (_locked(V), V.copy()),
        (V, _locked(V)),
        (np.broadcast_to(1.5, 4), V[:4]),
        (V, V[:5]),
    ):
        given, kept = copy.deepcopy(args), copy.deepcopy(args)
        same_or_refused(outcome(made, *given), outcome(plain, *kept))
    x, y = V.copy(), V.copy()
    made(x, y)
    np.testing.assert_array_equal(x, V)
    np.testing.assert_array_equal(y, V)
    same(made(V, V.copy(), 2), plain(V, V.copy(), 2))
    same(made(V, V.copy(), n=2), plain(V, V.copy(), n=2))
    same(made(V, V.copy(), True), plain(V, V.copy(), True))


def test_overlap_is_seen_the_second_time() -> None:
    made, plain = warm(scaled_by, V, V[::-1].copy(), wrt="x")
    whole = np.arange(1.0, 10.0)
    for _ in range(3):
        mine, other = outcome(made, whole[:-1], whole[1:]), outcome(plain, whole[:-1], whole[1:])
        same(mine, other)
        same(made(whole[:-1], whole[1:].copy()), plain(whole[:-1], whole[1:].copy()))


def three_planes(x, y, z):
    x[1:] += y[:-1] * z[1:]
    z[:, 1:] -= x[:, :-1] * y[:, 1:]
    return np.sum(x * z)


def test_planes_that_overlap_or_lie_otherwise() -> None:
    x, y, z = _planes()
    made, plain = warm(three_planes, x, y, z, wrt=(0, 1, 2))
    for args in (
        (x, x, z),
        (x, y, x),
        (x, y, y),
        (x.T, y, z),
        (x, y.T, np.asfortranarray(z)),
        (x[::-1], y[:, ::-1], z),
        (x, x.T, z),
        (x, y, y[::-1]),
        (_locked(x), y, z),
        (x, _locked(y), _locked(z)),
        (x[:0], y[:0], z[:0]),
    ):
        given = copy.deepcopy(args), [a.copy() for a in args]
        same_or_refused(outcome(made, *args), outcome(plain, *args))
        same_or_refused(outcome(made, *given[0]), outcome(plain, *given[0]))
        same_or_refused(outcome(made, *given[1]), outcome(plain, *given[1]))
    for array, kept in zip((x, y, z), _planes()):
        np.testing.assert_array_equal(array, kept)


def _planes() -> Any:
    rng = np.random.default_rng(8)
    return (rng.normal(size=(4, 4)) for _ in range(3))


RATE = 2.0


def rated(x):
    return np.sum(RATE * x * x)


def test_values_outside_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    made, plain = warm(rated, V)
    for rate in (3.0, 4, np.float32(0.5), np.ones(8), np.ones(1), np.arange(8.0), 2.0):
        monkeypatch.setitem(globals(), "RATE", rate)
        for _ in range(2):
            same(made(V), plain(V))


def twice(x):
    return 2.0 * x


def helped(x):
    return np.sum(twice(x) ** 2)


def test_helpers_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    made, plain = warm(helped, V)

    def thrice(x):
        return 3.0 * x

    monkeypatch.setitem(globals(), "twice", thrice)
    for _ in range(2):
        same(made(V), plain(V))
    monkeypatch.undo()
    same(made(V), plain(V))


def mixed(x, k, s=0.5, n=2):
    total = s
    for i in range(n):
        total = total * x[i + k] + s
    return total


def test_numbers_beside_arrays() -> None:
    made, plain = warm(mixed, V, 1, wrt=(0, 2))
    for args in ((V, 2), (V, 1, 0.25), (V, 1, 0.25, 3), (V, True), (V, np.int64(1)), (V, 1, 2)):
        for _ in range(2):
            same(made(*args), plain(*args))
    same(made(V, 1, n=1), plain(V, 1, n=1))


def test_values_and_several_ranks() -> None:
    def squared(a, b):
        return np.sum(a * a * b)

    made = tl.value_and_grad(squared, wrt=(0, 1), compile="numba")
    plain = tl.value_and_grad(squared, wrt=(0, 1))
    plane = np.arange(6.0).reshape(2, 3)
    row = np.arange(3.0)
    for args in ((row, row), (row, row), (plane, row), (plane, row), (plane.T, plane[:, :2].T)):
        same_or_refused(outcome(made, *args), outcome(plain, *args))
    for args in ((plane[:1], plane), (plane, 2.0), (1.5, 2.0), (2, plane), (plane, plane)):
        same_or_refused(outcome(made, *args), outcome(plain, *args))


def picky(x):
    if x[0] < 0.0:
        raise ValueError("below zero")
    return np.sum(x * x) / x[0]


def test_exceptions_of_the_user_pass() -> None:
    x = np.abs(V)
    made, plain = warm(picky, x)
    with pytest.raises(ValueError, match="below zero"):
        made(-x)
    same(made(x), plain(x))


def test_it_is_copied_and_sent() -> None:
    made, plain = warm(valley, V)
    same(copy.copy(made)(V), plain(V))
    same(pickle.loads(pickle.dumps(made))(V), plain(V))
    assert made.__code__.co_name == "dvalley_dx"


def masked(x, m):
    x[m] *= 1.5
    return np.sum(x * x)


def test_masks_as_arguments() -> None:
    x, m = np.arange(4.0), np.arange(4) > 1
    made = tl.grad(masked, compile="numba")
    for _ in range(3):
        np.testing.assert_array_equal(made(x.copy(), m), tl.grad(masked)(x.copy(), m))
